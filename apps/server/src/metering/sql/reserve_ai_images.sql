-- Reserves images from the current day, all or none; null is no limit. `used` is the new total of the day, `resets_in` the
-- seconds until the next 00:00 UTC. `given_moment` is for tests of the clock; otherwise it is the database's, the same for every
-- server.
create or replace function reserve_ai_images(
  reservation_id uuid, account uuid, images int, day_limit bigint, server int, given_moment timestamptz default null,
  out reserved boolean, out day date, out used bigint, out resets_at timestamptz, out resets_in int
) language plpgsql as $$
declare
  moment timestamptz := coalesce(given_moment, clock_timestamp());
begin
  day := (moment at time zone 'utc')::date;
  resets_at := (day + 1)::timestamp at time zone 'utc';
  resets_in := ceil(extract(epoch from resets_at - moment));
  insert into ai_day as d (day, account_id, used)
  select reserve_ai_images.day, account, images where day_limit is null or images <= day_limit
  on conflict on constraint ai_day_pkey do update
    set used = d.used + images where day_limit is null or d.used + images <= day_limit
  returning d.used into reserve_ai_images.used;
  reserved := found;
  if reserved then
    insert into reservation (id, account_id, meter, period, cost, server)
    values (reservation_id, account, 'ai_image', reserve_ai_images.day, reserve_ai_images.images, reserve_ai_images.server);
  else
    used := coalesce((select d.used from ai_day d where d.account_id = account and d.day = reserve_ai_images.day), 0);
  end if;
end $$;
