-- Calls that were settled a moment ago and whose answer may not have begun, each under the number of the server that sends it. Without
-- WAL: after a crash of PostgreSQL the table is empty, and those calls stay charged. Without a foreign key, which would lock
-- the account's row for each call.
create unlogged table settled_call (
  id             uuid primary key,
  server         int not null,
  account_id     uuid not null,
  source         text not null,
  month          date,
  -- Of the removal of a background that was settled together with the call; else null.
  removals_month date,
  at             timestamptz not null default clock_timestamp()
);

-- As 0004 has it, and the last call of a reservation that has a server is noted in settled_call.
create or replace function settle(
  reservation_id uuid, reference text, calls int default 1, out settled boolean, out credits_left bigint
) language plpgsql as $$
declare
  held        record;
  new_balance bigint;
begin
  delete from reservation r where r.id = reservation_id and r.cost = calls
  returning r.account_id, r.source, r.month, r.server into held;
  settled := found;
  if settled then
    if held.server is not null then
      insert into settled_call (id, server, account_id, source, month)
      values (reservation_id, held.server, held.account_id, held.source, held.month);
    end if;
  else
    update reservation r set cost = r.cost - calls where r.id = reservation_id and r.cost > calls
    returning r.account_id, r.source into held;
    settled := found;
  end if;
  if not settled or held.source = 'month' then
    return;
  end if;
  update account a set credits = a.credits - calls, reserved = a.reserved - calls where a.id = held.account_id
  returning a.credits, greatest(0, a.credits - a.reserved) into new_balance, credits_left;
  insert into credit_entry (account_id, kind, credits, balance, reference)
  values (held.account_id, 'call', -calls, new_balance, settle.reference);
end $$;

-- As 0004 has it, and the call is not given back a second time by refund_unbegun().
create or replace function refund_call(account uuid, reference text, month date) returns void language plpgsql as $$
begin
  delete from settled_call s where s.id = refund_call.reference::uuid;
  if month is not null then
    update usage_month u set used = u.used - 1 where u.account_id = account and u.month = refund_call.month;
  elsif exists (select from credit_entry e where e.kind = 'call' and e.reference = refund_call.reference) then
    perform add_credits(account, 'refund', 1, reference);
  end if;
end $$;

-- As 0017 has it, and the note of the call has the month of the removal, so that both are given back or neither.
create or replace function settle_background(
  reservation_id uuid, with_call boolean, account uuid, of_month date, out settled boolean, out credits_left bigint
) language plpgsql as $$
declare
  held record;
begin
  delete from background_reservation r where r.id = reservation_id returning r.* into held;
  settled := true;
  if with_call then
    select s.settled, s.credits_left into settled, credits_left from settle(reservation_id, reservation_id::text) s;
    update settled_call s set removals_month = coalesce(held.month, of_month) where s.id = reservation_id;
  end if;
  if not settled then
    update background_month b set used = b.used - 1 where b.account_id = held.account_id and b.month = held.month;
  elsif held.id is null then
    insert into background_month as b (month, account_id, used) select of_month, a.id, 1 from account a where a.id = account
    on conflict on constraint background_month_pkey do update set used = b.used + 1;
  end if;
end $$;

-- Of a server that is gone, which is to say whose lock is free: gives back the calls that were settled and whose id is not among
-- `begun`; where `begun` is null nothing is known, and none is. The notes are deleted, so that each call is given back once.
-- Returns how many; null where the server lives.
create function refund_unbegun(presence_lock int, gone int, begun uuid[]) returns int language plpgsql as $$
declare
  call     record;
  refunded int := 0;
begin
  if not pg_try_advisory_xact_lock_shared(presence_lock, gone) then
    return null;
  end if;
  for call in
    with noted as (delete from settled_call s where s.server = gone returning s.*)
    -- In one order, so that two servers do not wait for each other. An account may have been deleted meanwhile.
    select n.* from noted n join account a on a.id = n.account_id where n.id <> all (begun) order by n.account_id, n.id
  loop
    perform refund_call(call.account_id, call.id::text, call.month);
    update background_month b set used = b.used - 1 where b.account_id = call.account_id and b.month = call.removals_month;
    refunded := refunded + 1;
  end loop;
  return refunded;
end $$;
