-- Charges a reserved removal. If the call with it was given back meanwhile, nothing is charged and `settled` is false. A removal
-- without a call is charged in any case, on this account and month, since the service may have charged for it. The note of the
-- call contains the month of the removal, so that both are refunded or neither.
create or replace function charge_removal(
  reservation_id uuid, with_call boolean, account uuid, of_month date, out settled boolean, out credits_left bigint
) language plpgsql as $$
declare
  held record;
begin
  delete from reservation r where r.id = reservation_id and r.meter = 'removal' returning r.* into held;
  settled := true;
  if with_call then
    select s.settled, s.credits_left into settled, credits_left from charge_call(reservation_id, reservation_id::text) s;
    update settled_call s set removals_month = coalesce(held.period, of_month) where s.id = reservation_id;
  end if;
  if not settled then
    perform change_used('removal', held.account_id, held.period, -1);
  elsif held.id is null then
    perform change_used('removal', account, of_month, 1);
  end if;
end $$;
