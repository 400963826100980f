-- Finds the calling account: by a key that is neither revoked nor of a disabled account, or by the signed-in account. `rules` has
-- the table of contract/plans.ts, passed in so that its numbers exist only once (metering/rules.ts). `bought` is null for accounts on a plan with
-- calls and accounts that never had credits.
-- A signed-in account whose plan has no API and that never had credits gets the trial calls of each month (`trialCallsPerMonth`);
-- keys do not. `rules.scopes` are those of which a key needs one. `refusal` is null if the caller may use the API.
create or replace function find_caller(
  key_hash bytea, rules jsonb, signed_in uuid,
  out refusal text, out account uuid, out key uuid, out api_access boolean, out calls_per_month bigint, out bought bigint
) language plpgsql as $$
declare
  plan  text;
  trial bigint;
begin
  if key_hash is not null then
    select f.account, f.key, f.plan into account, key, plan from find_key(key_hash, (rules ->> 'lastUseSeconds')::int) f;
  else
    select a.id, a.plan into account, plan from account a where a.id = signed_in and a.disabled_at is null;
    trial := (rules -> 'plans' -> plan ->> 'trialCallsPerMonth')::bigint;
  end if;
  if account is null then
    refusal := 'invalid_or_revoked_api_key';
    return;
  end if;
  if key is not null and not key_allows(key, rules -> 'scopes') then
    refusal := 'forbidden';
    return;
  end if;
  api_access := (rules -> 'plans' -> plan ->> 'apiAccess')::boolean;
  calls_per_month := (rules -> 'plans' -> plan ->> 'callsPerMonth')::bigint;
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
