-- Gives back up to `most` reservations of dead servers (their instance lock is free), and any that are older than the longest
-- request. Skips those that are being settled. Returns how many.
create or replace function void_stale_reservations(instance_lock int, most int, longest_seconds int) returns int language plpgsql as $$
declare
  stale  uuid;
  voided int := 0;
begin
  for stale in
    with gone as materialized (
      select s.server from (select distinct r.server from reservation r where r.server is not null) s
       where pg_try_advisory_xact_lock_shared(instance_lock, s.server)
    )
    select r.id from reservation r
     where (r.server in (select server from gone) or (r.server is not null and r.at < clock_timestamp() - make_interval(secs => longest_seconds)))
       -- The call of a removal is given back with it, and must not be locked before it.
       and not (r.meter = 'call' and exists (select from reservation o where o.id = r.id and o.meter = 'removal'))
     -- Credits before months, in the order in which settle_batches() locks them.
     order by r.account_id, r.meter, r.period nulls first, r.id
     limit most
       for update of r skip locked
  loop
    if void_reservation(stale) then
      voided := voided + 1;
    end if;
  end loop;
  return voided;
end $$;
