-- Who calls: with a key that is neither revoked nor of a disabled account, or the account that is signed in. `plans` is the table of
-- contract/plans.ts, so that its numbers live in one place. `bought` is null for who has a plan with calls, or never had credits.
-- Where the plan of somebody signed in has no API and there never were credits, the account has the few calls of each month that
-- are there for trying (`trialCallsPerMonth`); keys do not have them. `refusal` is null for who may use the API.
create or replace function find_caller(
  key_hash bytea, plans jsonb, signed_in uuid,
  out refusal text, out account uuid, out key uuid, out api_access boolean, out calls_per_month bigint, out bought bigint
) language plpgsql as $$
declare
  plan  text;
  trial bigint;
begin
  if key_hash is not null then
    select f.account, f.key, f.plan into account, key, plan from find_key(key_hash) f;
  else
    select a.id, a.plan into account, plan from account a where a.id = signed_in and a.disabled_at is null;
    trial := (plans -> plan ->> 'trialCallsPerMonth')::bigint;
  end if;
  if account is null then
    refusal := 'invalid_or_revoked_api_key';
    return;
  end if;
  api_access := (plans -> plan ->> 'apiAccess')::boolean;
  calls_per_month := (plans -> plan ->> 'callsPerMonth')::bigint;
  if not api_access then
    select sum(e.credits) into bought from credit_entry e
     where e.account_id = account and e.kind in ('purchase', 'grant', 'purchase_refund');
    if bought is null and trial > 0 then
      api_access := true;
      calls_per_month := trial;
    elsif bought is null then
      refusal := 'api_access_not_available';
    end if;
  end if;
end $$;
