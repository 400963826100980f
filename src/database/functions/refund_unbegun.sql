-- Of a server that is gone, which is to say whose lock is free: gives back the calls that were settled and whose id is not among
-- `begun`; where `begun` is null nothing is known, and none is. The notes are deleted, so that each call is given back once.
-- Returns how many; null where the server lives.
create or replace function refund_unbegun(presence_lock int, gone int, begun uuid[]) returns int language plpgsql as $$
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
