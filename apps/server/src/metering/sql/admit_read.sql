-- Admission of requests that only read (usage, credits, a batch's status), which have a burst window of their own. Without a key,
-- the caller is an account with a login token.
create or replace function admit_read(
  key_hash bytea, account uuid, places int, rules jsonb,
  out verdict text, out account_id uuid, out burst_left int, out burst_free_in int
) language plpgsql as $$
declare
  caller record;
  place  record;
begin
  account_id := account;
  if key_hash is not null then
    select * into caller from find_caller(key_hash, rules, null);
    account_id := caller.account;
    verdict := caller.refusal;
    if verdict is not null then
      return;
    end if;
    select * into place from take_place(caller.key, 'read', caller.account, places, (rules ->> 'windowSeconds')::int, null);
  else
    select * into place from take_place(account, 'read', account, places, (rules ->> 'windowSeconds')::int, null);
  end if;
  burst_left := place.places_left;
  burst_free_in := place.free_in;
  verdict := case when place.taken then 'ok' else 'rate_limited' end;
end $$;
