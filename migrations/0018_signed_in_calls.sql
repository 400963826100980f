-- People who are signed in may send images too, from the playground: `account` stands for them where there is no key. Their
-- requests have a window of their own, as their AI requests do, and are listed without a key.
drop function admit, preview_call;

-- As 0015 has it, with the account that is signed in. Where its plan has no API and it never had credits, it has the few calls
-- of each month that are there for trying (`trialCallsPerMonth` of contract/plans.ts); keys do not have them.
create function find_caller(
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

-- As 0010 has it.
create function admit(
  key_hash bytea, reservation_id uuid, cost int, server int, burst int, plans jsonb, given_moment timestamptz default null,
  account uuid default null,
  out verdict text, out account_id uuid, out key_id uuid, out source text, out month date,
  out call_limit bigint, out remaining bigint, out month_left int, out burst_left int, out burst_free_in int
) language plpgsql as $$
declare
  caller record;
  place  record;
  moment timestamptz := coalesce(given_moment, clock_timestamp());
begin
  select * into caller from find_caller(key_hash, plans, account);
  account_id := caller.account;
  key_id := caller.key;
  verdict := caller.refusal;
  if verdict is not null then
    return;
  end if;

  select * into place from take_place(coalesce(caller.key, caller.account), 'work', caller.account, burst, given_moment);
  burst_left := place.places_left;
  burst_free_in := place.free_in;
  if not place.taken then
    verdict := 'rate_limited';
    return;
  end if;

  if caller.api_access then
    source := 'month';
    month := date_trunc('month', moment at time zone 'utc')::date;
    month_left := ceil(extract(epoch from month + interval '1 month' - (moment at time zone 'utc')));
    call_limit := caller.calls_per_month;
    insert into usage_month as u (account_id, month, used)
    select caller.account, admit.month, cost where call_limit is null or cost <= call_limit
    on conflict on constraint usage_month_pkey do update
      set used = u.used + cost where call_limit is null or u.used + cost <= call_limit
    returning call_limit - u.used into remaining;
  else
    source := 'credit';
    call_limit := caller.bought;
    update account a set reserved = a.reserved + cost where a.id = caller.account and a.credits - a.reserved >= cost
    returning a.credits - a.reserved into remaining;
  end if;
  if not found then
    verdict := case source when 'month' then 'monthly_limit_exceeded' else 'insufficient_credits' end;
    remaining := spendable(caller.account, month, call_limit);
    return;
  end if;
  insert into reservation (id, account_id, source, month, cost, server)
  values (reservation_id, caller.account, source, month, cost, server);
  verdict := 'ok';
end $$;

-- As 0013 has it.
create function preview_call(
  key_hash bytea, burst int, plans jsonb, account uuid default null,
  out verdict text, out account_id uuid, out key_id uuid, out source text, out month date,
  out call_limit bigint, out remaining bigint, out month_left int, out burst_left int, out burst_free_in int
) language plpgsql as $$
declare
  caller record;
  moment timestamptz := clock_timestamp();
  recent timestamptz[];
begin
  select * into caller from find_caller(key_hash, plans, account);
  account_id := caller.account;
  key_id := caller.key;
  verdict := caller.refusal;
  if verdict is not null then
    return;
  end if;

  if burst > 0 then
    select array(select h from unnest(w.hits) h where h > moment - interval '1 minute' and h < moment + interval '1 minute' order by h)
      into recent from request_window w where w.caller = coalesce(caller.key, caller.account) and w.kind = 'work';
    recent := coalesce(recent, '{}');
    burst_left := greatest(0, burst - cardinality(recent));
    burst_free_in := greatest(1, ceil(extract(epoch from
      recent[greatest(1, cardinality(recent) + 1 - burst)] + interval '1 minute' - moment)));
    if burst_left = 0 then
      verdict := 'rate_limited';
      return;
    end if;
  end if;

  if caller.api_access then
    source := 'month';
    month := date_trunc('month', moment at time zone 'utc')::date;
    month_left := ceil(extract(epoch from month + interval '1 month' - (moment at time zone 'utc')));
    call_limit := caller.calls_per_month;
  else
    source := 'credit';
    call_limit := caller.bought;
  end if;
  -- A month without a limit has nothing that could be used up.
  remaining := case when call_limit is not null then spendable(caller.account, month, call_limit) end;
  verdict := case when remaining is null or remaining > 0 then 'ok'
    when source = 'month' then 'monthly_limit_exceeded' else 'insufficient_credits' end;
end $$;

-- As 0010 has it.
create or replace function admit_read(
  key_hash bytea, account uuid, places int, plans jsonb,
  out verdict text, out account_id uuid, out burst_left int, out burst_free_in int
) language plpgsql as $$
declare
  caller record;
  place  record;
begin
  account_id := account;
  if key_hash is not null then
    select * into caller from find_caller(key_hash, plans, null);
    account_id := caller.account;
    verdict := caller.refusal;
    if verdict is not null then
      return;
    end if;
    select * into place from take_place(caller.key, 'read', caller.account, places, null);
  else
    select * into place from take_place(account, 'read', account, places, null);
  end if;
  burst_left := place.places_left;
  burst_free_in := place.free_in;
  verdict := case when place.taken then 'ok' else 'rate_limited' end;
end $$;
drop function find_caller(bytea, jsonb);

-- Batches of people who are signed in.
alter table batch alter column key_id drop not null;
