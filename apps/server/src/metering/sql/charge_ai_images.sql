-- Ends a reservation of AI images: `succeeded` of them count, the others are refunded. Returns the images used that day.
-- Where the reservation is gone, because another server considered this one dead and refunded it, they are counted on the account and
-- day that are given: the model has answered. With null for these nothing is counted, as the reservation may have been settled before.
create or replace function charge_ai_images(reservation_id uuid, succeeded int, account uuid, of_day date)
returns bigint language plpgsql as $$
declare
  held record;
begin
  delete from reservation r where r.id = reservation_id and r.meter = 'ai_image' returning r.* into held;
  if found then
    return change_used('ai_image', held.account_id, held.period, succeeded - held.cost);
  end if;
  return change_used('ai_image', account, of_day, succeeded);
end $$;
