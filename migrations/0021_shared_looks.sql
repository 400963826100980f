-- Whether a server is gone is asked by several at once: what gives back, and workers who look for images to claim. Each takes the
-- lock of a gone server for a moment, and now shared, so that none takes it for alive because another is looking. A server that is
-- there holds its own lock for itself alone, and still waits for those who are giving back what it had.

create or replace function void_stale_reservations(presence_lock int, most int) returns int language plpgsql as $$
declare
  stale  uuid;
  voided int := 0;
begin
  for stale in
    with gone as materialized (
      select s.server from (select distinct r.server from reservation r where r.server is not null) s
       where pg_try_advisory_xact_lock_shared(presence_lock, s.server)
    )
    select r.id from reservation r
     where r.server in (select server from gone) or (r.server is not null and r.at < clock_timestamp() - interval '1 hour')
     order by r.account_id, r.source, r.month, r.id
     limit most
       for update skip locked
  loop
    if void_reservation(stale) then
      voided := voided + 1;
    end if;
  end loop;
  return voided;
end $$;

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

create or replace function void_stale_background(presence_lock int, most int) returns int language plpgsql as $$
declare
  stale  uuid;
  voided int := 0;
begin
  for stale in
    with gone as materialized (
      select s.server from (select distinct r.server from background_reservation r) s
       where pg_try_advisory_xact_lock_shared(presence_lock, s.server)
    )
    select r.id from background_reservation r
     where r.server in (select server from gone) or r.at < clock_timestamp() - interval '1 hour'
     order by r.account_id, r.month, r.id
     limit most
       for update skip locked
  loop
    if void_background(stale) then
      voided := voided + 1;
    end if;
  end loop;
  return voided;
end $$;
