-- Gives back the rest of a reservation, and for a removal also its call. Returns false when there is none: it was settled or
-- given back before.
create or replace function void_reservation(reservation_id uuid) returns boolean language plpgsql as $$
declare
  held   record;
  voided boolean := false;
begin
  -- The removal before its call, in the same order as settling, to avoid a deadlock.
  perform from reservation r where r.id = reservation_id order by r.meter desc for update;
  for held in
    with ended as (delete from reservation r where r.id = reservation_id returning r.*)
    select * from ended order by meter
  loop
    perform change_used(held.meter, held.account_id, held.period, -held.cost);
    voided := true;
  end loop;
  return voided;
end $$;
