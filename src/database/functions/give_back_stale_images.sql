-- Gives back up to `most` reservations of servers that are gone, which is to say whose lock is free, and any that are older
-- than the longest answer, as void_stale_reservations does. Returns how many.
create or replace function give_back_stale_images(presence_lock int, most int) returns int language plpgsql as $$
declare
  stale uuid;
  given int := 0;
begin
  for stale in
    with gone as materialized (
      select s.server from (select distinct r.server from ai_reservation r) s
       where pg_try_advisory_xact_lock_shared(presence_lock, s.server)
    )
    select r.id from ai_reservation r
     where r.server in (select server from gone) or r.at < clock_timestamp() - interval '1 hour'
     order by r.account_id, r.day, r.id
     limit most
       for update skip locked
  loop
    perform settle_ai_images(stale, 0, null, null);
    given := given + 1;
  end loop;
  return given;
end $$;
