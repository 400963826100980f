-- Charges a reservation for good. Of a call that somebody gave back meanwhile nothing is charged: `settled` is false then. A removal
-- alone counts all the same, on the account and month that are told: who cut it out may want to be paid. The note of the call has the
-- month of the removal, so that both are given back or neither.
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
