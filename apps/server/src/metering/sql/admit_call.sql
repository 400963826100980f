-- Admission in one round trip: identifies the caller, checks plan and limits, and reserves `cost` calls from the month or from
-- the credits.
-- The checks run in the order of the contract: key, plan, burst, quota or credits. After a refusal nothing further is reserved.
-- `given_moment` is for tests of the clock; otherwise it is the database's, the same for every server.
create or replace function admit_call(
  key_hash bytea, reservation_id uuid, cost int, server int, burst int, rules jsonb, given_moment timestamptz default null,
  account uuid default null,
  out verdict text, out account_id uuid, out key_id uuid, out source text, out month date,
  out call_limit bigint, out remaining bigint, out month_left int, out burst_left int, out burst_free_in int
) language plpgsql as $$
declare
  caller record;
  place  record;
  moment timestamptz := coalesce(given_moment, clock_timestamp());
begin
  select * into caller from find_caller(key_hash, rules, account);
  account_id := caller.account;
  key_id := caller.key;
  verdict := caller.refusal;
  if verdict is not null then
    return;
  end if;

  select * into place from take_place(coalesce(caller.key, caller.account), 'work', caller.account, burst, (rules ->> 'windowSeconds')::int, given_moment);
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
    select caller.account, admit_call.month, cost where call_limit is null or cost <= call_limit
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
  insert into reservation (id, account_id, meter, period, cost, server)
  values (reservation_id, caller.account, 'call', month, cost, server);
  verdict := 'ok';
end $$;
