-- Refunds settled calls of a dead server (its instance lock is free) whose id is not in `begun`, the calls whose answer had
-- begun. Where `begun` is null this is unknown, and nothing is refunded. Deletes the notes, so that each call is refunded once.
-- Returns how many were refunded; null if the server is alive.
create or replace function refund_unbegun(instance_lock int, gone int, begun uuid[]) returns int language plpgsql as $$
declare
  call     record;
  refunded int := 0;
begin
  if not pg_try_advisory_xact_lock_shared(instance_lock, gone) then
    return null;
  end if;
  for call in
    with noted as (delete from settled_call s where s.server = gone returning s.*)
    -- In a fixed order, so that two servers cannot deadlock. An account may have been deleted meanwhile.
    select n.* from noted n join account a on a.id = n.account_id where n.id <> all (begun) order by n.account_id, n.id
  loop
    perform refund_call(call.account_id, call.id::text, call.month, call.calls);
    update background_month b set used = b.used - 1 where b.account_id = call.account_id and b.month = call.removals_month;
    refunded := refunded + 1;
  end loop;
  return refunded;
end $$;
