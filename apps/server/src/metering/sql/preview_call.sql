-- The verdict of admit_call() on one call, without reserving anything: for a server whose queue is full.
create or replace function preview_call(
  key_hash bytea, burst int, rules jsonb, account uuid default null,
  out verdict text, out account_id uuid, out key_id uuid, out source text, out month date,
  out call_limit bigint, out remaining bigint, out month_left int, out burst_left int, out burst_free_in int
) language plpgsql as $$
declare
  caller record;
  moment timestamptz := clock_timestamp();
  recent timestamptz[];
  span   interval := make_interval(secs => (rules ->> 'windowSeconds')::int);
begin
  select * into caller from find_caller(key_hash, rules, account);
  account_id := caller.account;
  key_id := caller.key;
  verdict := caller.refusal;
  if verdict is not null then
    return;
  end if;

  if burst > 0 then
    select array(select h from unnest(w.hits) h where h > moment - span and h < moment + span order by h)
      into recent from request_window w where w.caller = coalesce(caller.key, caller.account) and w.kind = 'work';
    recent := coalesce(recent, '{}');
    burst_left := greatest(0, burst - cardinality(recent));
    burst_free_in := greatest(1, ceil(extract(epoch from
      recent[greatest(1, cardinality(recent) + 1 - burst)] + span - moment)));
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
  -- An unlimited month cannot be used up.
  remaining := case when call_limit is not null then spendable(caller.account, month, call_limit) end;
  verdict := case when remaining is null or remaining > 0 then 'ok'
    when source = 'month' then 'monthly_limit_exceeded' else 'insufficient_credits' end;
end $$;
