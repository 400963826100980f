-- Admission to the AI endpoints in one round trip: finds the account of an API key whose plan has AI, or without a key the
-- signed-in account, then takes a place in the burst window. A key shares its window with its calls, an account has a window of
-- its own.
create or replace function admit_ai(
  key_hash bytea, account uuid, places int, rules jsonb, given_moment timestamptz default null,
  out verdict text, out account_id uuid, out key_id uuid, out plan text, out burst_left int, out burst_free_in int
) language plpgsql as $$
declare
  place record;
begin
  account_id := account;
  if key_hash is not null then
    select f.account, f.key, f.plan into account_id, key_id, plan from find_key(key_hash, (rules ->> 'lastUseSeconds')::int) f;
    if key_id is null then
      verdict := 'invalid_or_revoked_api_key';
    elsif not key_allows(key_id, rules -> 'scopes') then
      verdict := 'forbidden';
    elsif not (rules -> 'plans' -> plan ->> 'ai')::boolean then
      verdict := 'ai_access_denied';
    end if;
    if verdict is not null then
      return;
    end if;
  end if;
  select * into place from take_place(coalesce(key_id, account), 'work', account_id, places, (rules ->> 'windowSeconds')::int, given_moment);
  burst_left := place.places_left;
  burst_free_in := place.free_in;
  verdict := case when place.taken then 'ok' else 'rate_limited' end;
end $$;
