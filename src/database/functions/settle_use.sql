-- Ends a reservation of a meter without credits, such as AI images: `succeeded` of it count, the rest is given back. Returns the
-- used amount of the period. If the reservation was given back, because this server was considered dead, the images are charged
-- to this account and period, since the model has answered. With null for these nothing is charged: the reservation may have been
-- settled before.
create or replace function settle_use(
  meter text, reservation_id uuid, succeeded int, account uuid, of_period date
) returns bigint language plpgsql as $$
declare
  held record;
begin
  delete from reservation r where r.id = reservation_id and r.meter = settle_use.meter returning r.* into held;
  if found then
    return change_used(meter, held.account_id, held.period, succeeded - held.cost);
  end if;
  return change_used(meter, account, of_period, succeeded);
end $$;
