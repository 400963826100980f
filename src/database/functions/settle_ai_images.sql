-- Ends a reservation: `succeeded` of its images count, the rest is given back. Returns what the day has used then. Where there
-- is no such reservation, since somebody took this server for dead and gave it back, they are counted on the account and day
-- that are told: the model has answered. With null for them nothing is counted: it may have been settled before.
create or replace function settle_ai_images(reservation_id uuid, succeeded int, account uuid, of_day date) returns bigint language plpgsql as $$
declare
  held record;
  used bigint;
begin
  delete from ai_reservation r where r.id = reservation_id returning r.* into held;
  if found then
    update ai_day d set used = d.used + succeeded - held.images where d.account_id = held.account_id and d.day = held.day
    returning d.used into used;
  else
    insert into ai_day as d (day, account_id, used) select of_day, a.id, succeeded from account a where a.id = account
    on conflict on constraint ai_day_pkey do update set used = d.used + succeeded
    returning d.used into used;
  end if;
  return used;
end $$;
