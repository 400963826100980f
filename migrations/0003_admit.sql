-- Admission in one round trip: who calls, may they, and one call taken from the month or from the credits.
-- The order is the contract's: key, plan, burst, quota or credits. A refusal takes nothing further.
-- `plans` is the table of contract/plans.ts as it stands, so that its numbers live in one place.
create function admit(
  key_hash bytea, request_id text, burst int, plans jsonb,
  out verdict text, out account_id uuid, out key_id uuid, out charged text, out charged_month date,
  out call_limit bigint, out remaining bigint, out retry_seconds int
) language plpgsql as $$
declare
  caller      record;
  moment      timestamptz := clock_timestamp();
  window_hits timestamptz[];
  bought      bigint;
begin
  select k.id as key, a.id as account,
         (plans -> a.plan ->> 'apiAccess')::boolean as api_access,
         (plans -> a.plan ->> 'callsPerMonth')::bigint as calls_per_month
    into caller
    from api_key k
    join account a on a.id = k.account_id
   where k.hash = key_hash and k.revoked_at is null and a.disabled_at is null;
  if not found then
    verdict := 'invalid_or_revoked_api_key';
    return;
  end if;
  account_id := caller.account;
  key_id := caller.key;

  if not caller.api_access then
    select sum(e.credits) into bought from credit_entry e where e.account_id = caller.account and e.kind in ('purchase', 'grant');
    if bought is null then
      verdict := 'api_access_not_available';
      return;
    end if;
  end if;

  -- Allowed if fewer than `burst` hits are on record, or the oldest of the last `burst` is a minute old.
  if burst > 0 then
    insert into key_window as w (key_id, hits) values (caller.key, array[moment])
    on conflict on constraint key_window_pkey do update
      set hits = (w.hits || moment)[greatest(1, cardinality(w.hits) + 2 - burst):]
      where cardinality(w.hits) < burst or w.hits[cardinality(w.hits) + 1 - burst] <= moment - interval '1 minute'
    returning w.hits into window_hits;
    if window_hits is null then
      select greatest(1, ceil(extract(epoch from w.hits[cardinality(w.hits) + 1 - burst] + interval '1 minute' - moment)))
        into retry_seconds from key_window w where w.key_id = caller.key;
      verdict := 'rate_limited';
      return;
    end if;
  end if;

  if caller.api_access then
    charged_month := date_trunc('month', moment at time zone 'utc')::date;
    insert into usage_month as u (account_id, month, used) values (caller.account, charged_month, 1)
    on conflict on constraint usage_month_pkey do update
      set used = u.used + 1 where caller.calls_per_month is null or u.used < caller.calls_per_month
    returning caller.calls_per_month - u.used into remaining;
    if not found then
      verdict := 'monthly_limit_exceeded';
      retry_seconds := ceil(extract(epoch from charged_month + interval '1 month' - (moment at time zone 'utc')));
      return;
    end if;
    verdict := 'ok';
    charged := 'month';
    call_limit := caller.calls_per_month;
    return;
  end if;

  update account a set credits = a.credits - 1 where a.id = caller.account and a.credits >= 1 returning a.credits into remaining;
  if not found then
    verdict := 'insufficient_credits';
    return;
  end if;
  insert into credit_entry (account_id, kind, credits, balance, reference) values (caller.account, 'call', -1, remaining, request_id);
  verdict := 'ok';
  charged := 'credit';
  call_limit := bought;
end $$;

-- Gives a charged call back, once: the reference of a refund is unique.
create function give_back(account uuid, request_id text, charged text, charged_month date) returns void language plpgsql as $$
declare
  new_balance bigint;
begin
  if charged = 'month' then
    update usage_month u set used = u.used - 1 where u.account_id = account and u.month = charged_month;
    return;
  end if;
  if exists (select from credit_entry e where e.kind = 'refund' and e.reference = request_id) then
    return;
  end if;
  update account a set credits = a.credits + 1 where a.id = account returning a.credits into new_balance;
  insert into credit_entry (account_id, kind, credits, balance, reference) values (account, 'refund', 1, new_balance, request_id);
end $$;
