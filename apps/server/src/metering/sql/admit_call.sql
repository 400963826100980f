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
  held   record;
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

  select * into held
    from reserve_call(caller.account, caller.api_access, caller.calls_per_month, caller.bought, reservation_id, cost, server, given_moment);
  verdict := held.verdict;
  source := held.source;
  month := held.month;
  call_limit := held.call_limit;
  remaining := held.remaining;
  month_left := held.month_left;
end $$;
