-- Gives back what is left of a reservation. False when there is none: it was settled, or given back before.
create or replace function void_reservation(reservation_id uuid) returns boolean language plpgsql as $$
declare
  held record;
begin
  delete from reservation r where r.id = reservation_id returning r.* into held;
  if not found then
    return false;
  end if;
  if held.source = 'month' then
    update usage_month u set used = u.used - held.cost where u.account_id = held.account_id and u.month = held.month;
  else
    update account a set reserved = a.reserved - held.cost where a.id = held.account_id;
  end if;
  return true;
end $$;
