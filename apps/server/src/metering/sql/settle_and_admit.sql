-- Settlements and admissions that arrived while others were under way, in one transaction: charge_call() for each of `settled_ids`, and
-- what admit_call() does for each of `new_ids`. `all_rules` is an array of rules, of which `rules_at` says the one of each admission,
-- from 0. A row says by `is_admission` and `nth`, from 1, whose outcome it is.
-- Rows are locked in one order whatever the order of arrival, which is also the order in admit_call(): keys, burst windows, accounts.
-- Two groups of two servers thus wait for each other and do not deadlock. A row that something else has locked for longer fails the
-- group, whose members are then tried singly.
create or replace function settle_and_admit(
  settled_ids uuid[], settled_calls int[], settled_accounts uuid[],
  new_ids uuid[], key_hashes bytea[], signed_in uuid[], rules_at int[], all_rules jsonb, server int, burst int
) returns table (
  is_admission boolean, nth int, settled boolean, credits_left bigint,
  verdict text, account_id uuid, key_id uuid, source text, month date,
  call_limit bigint, remaining bigint, month_left int, burst_left int, burst_free_in int
) language plpgsql set lock_timeout = '250ms' as $$
declare
  step record;
  held record;
begin
  for step in
    -- Each part is read to its end, to be sorted, before the next one begins.
    with caller as materialized (
      select a.nth, a.id, a.rules, c.*
        from (select n.ordinality::int as nth, n.id, n.key_hash, n.account, all_rules -> n.rules as rules
                from unnest(new_ids, key_hashes, signed_in, rules_at) with ordinality as n(id, key_hash, account, rules)
               order by n.key_hash, n.account) a,
             lateral find_caller(a.key_hash, a.rules, a.account) c
    ), place as materialized (
      select c.*, p.taken, p.places_left, p.free_in
        from (select * from caller order by coalesce(caller.key, caller.account), caller.nth) c,
             -- Without a limit no place is taken.
             lateral take_place(coalesce(c.key, c.account), 'work', c.account, case when c.refusal is null then burst else 0 end,
                                (c.rules ->> 'windowSeconds')::int, null) p
    )
    select true as is_admission, p.nth, p.id, null::int as calls, p.account, p.key, p.refusal, p.api_access, p.calls_per_month, p.bought,
           p.taken, p.places_left, p.free_in
      from place p
    union all
    select false, s.ordinality::int, s.id, s.calls, s.account, null, null, null, null, null, null, null, null
      from unnest(settled_ids, settled_calls, settled_accounts) with ordinality as s(id, calls, account)
     order by 5, 1, 2
  loop
    is_admission := step.is_admission;
    nth := step.nth;
    if not is_admission then
      select s.settled, s.credits_left into settled, credits_left from charge_call(step.id, step.id::text, step.calls) s;
      return next;
      continue;
    end if;
    account_id := step.account;
    key_id := step.key;
    burst_left := step.places_left;
    burst_free_in := step.free_in;
    verdict := case when step.refusal is not null then step.refusal when not step.taken then 'rate_limited' end;
    source := null;
    month := null;
    call_limit := null;
    remaining := null;
    month_left := null;
    if verdict is null then
      select * into held
        from reserve_call(step.account, step.api_access, step.calls_per_month, step.bought, step.id, 1, server, null);
      verdict := held.verdict;
      source := held.source;
      month := held.month;
      call_limit := held.call_limit;
      remaining := held.remaining;
      month_left := held.month_left;
    end if;
    return next;
  end loop;
end $$;
