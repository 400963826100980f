-- Reserves `cost` calls of an account: from its month if its plan has calls, which `calls_per_month` limits (null is no limit), otherwise
-- from its credits. The caller, its plan and its burst limit were checked before, by find_caller() and take_place().
create or replace function reserve_call(
  account uuid, api_access boolean, calls_per_month bigint, bought bigint, reservation_id uuid, cost int, server int,
  given_moment timestamptz,
  out verdict text, out source text, out month date, out call_limit bigint, out remaining bigint, out month_left int
) language plpgsql as $$
declare
  moment timestamptz := coalesce(given_moment, clock_timestamp());
begin
  if api_access then
    source := 'month';
    month := date_trunc('month', moment at time zone 'utc')::date;
    month_left := ceil(extract(epoch from month + interval '1 month' - (moment at time zone 'utc')));
    call_limit := calls_per_month;
    insert into usage_month as u (account_id, month, used)
    select reserve_call.account, reserve_call.month, cost where call_limit is null or cost <= call_limit
    on conflict on constraint usage_month_pkey do update
      set used = u.used + cost where call_limit is null or u.used + cost <= call_limit
    returning call_limit - u.used into remaining;
  else
    source := 'credit';
    call_limit := bought;
    update account a set reserved = a.reserved + cost where a.id = reserve_call.account and a.credits - a.reserved >= cost
    returning a.credits - a.reserved into remaining;
  end if;
  if not found then
    verdict := case source when 'month' then 'monthly_limit_exceeded' else 'insufficient_credits' end;
    remaining := spendable(reserve_call.account, month, call_limit);
    return;
  end if;
  insert into reservation (id, account_id, meter, period, cost, server)
  values (reservation_id, reserve_call.account, 'call', month, cost, server);
  verdict := 'ok';
end $$;
