-- Calls return_lost_items at most once within `every` across all workers: each search reads every image in flight, so N workers
-- that search at each claim would cost N². Counts the workers that have images. Does not wait for a search that is running.
create or replace function look_for_lost_items(instance_lock int, asking int, every interval, rules jsonb) returns void language plpgsql as $$
begin
  -- A time in the future dates from before the clock was set back.
  perform from lost_look l where l.at not between clock_timestamp() - every and clock_timestamp() for no key update skip locked;
  if not found then
    return;
  end if;
  update lost_look set at = clock_timestamp(),
         workers = (select count(distinct i.server) from batch_item i where i.state = 'claimed');
  perform return_lost_items(instance_lock, asking, rules);
end $$;
