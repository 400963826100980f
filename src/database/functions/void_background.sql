-- Gives back what is left of a reservation, its call too. False when there is none: it was settled, or given back before.
create or replace function void_background(reservation_id uuid) returns boolean language plpgsql as $$
declare
  voided boolean;
  held   record;
begin
  -- Before the call, as whoever settles it: so neither waits for the other.
  delete from background_reservation r where r.id = reservation_id returning r.* into held;
  voided := found;
  voided := void_reservation(reservation_id) or voided;
  if held.id is not null then
    update background_month b set used = b.used - 1 where b.account_id = held.account_id and b.month = held.month;
  end if;
  return voided;
end $$;
