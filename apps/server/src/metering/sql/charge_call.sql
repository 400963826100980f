-- Charges `calls` of a reservation; the ledger entry gets this reference. Returns false when the reservation no longer exists,
-- because it was given back. A batch settles its images one by one. The last call of a reservation that belongs to a server is
-- noted in settled_call.
create or replace function charge_call(
  reservation_id uuid, reference text, calls int default 1, out settled boolean, out credits_left bigint
) language plpgsql as $$
declare
  held        record;
  new_balance bigint;
begin
  delete from reservation r where r.id = reservation_id and r.meter = 'call' and r.cost = calls
  returning r.account_id, r.period, r.server into held;
  settled := found;
  if settled then
    if held.server is not null then
      insert into settled_call (id, server, account_id, month, calls)
      values (reservation_id, held.server, held.account_id, held.period, charge_call.calls);
    end if;
  else
    update reservation r set cost = r.cost - calls where r.id = reservation_id and r.meter = 'call' and r.cost > calls
    returning r.account_id, r.period into held;
    settled := found;
  end if;
  -- A call of the month was counted by admit_call(), so only its reservation is deleted. A call paid by credits is charged now.
  if not settled or held.period is not null then
    return;
  end if;
  update account a set credits = a.credits - calls, reserved = a.reserved - calls where a.id = held.account_id
  returning a.credits, greatest(0, a.credits - a.reserved) into new_balance, credits_left;
  insert into credit_entry (account_id, kind, credits, balance, reference)
  values (held.account_id, 'call', -calls, new_balance, charge_call.reference);
end $$;
