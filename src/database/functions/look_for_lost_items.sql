-- As return_lost_items, but one look of all workers within `every` is enough: a look reads every image that is being converted,
-- and with each of N workers looking at each claim they cost N times N. Nobody waits for who looks.
create or replace function look_for_lost_items(presence_lock int, asking int, every interval, words jsonb) returns void language plpgsql as $$
begin
  -- One in the future is from before the clock was set back.
  perform from lost_look l where l.at not between clock_timestamp() - every and clock_timestamp() for no key update skip locked;
  if not found then
    return;
  end if;
  update lost_look set at = clock_timestamp();
  perform return_lost_items(presence_lock, asking, words);
end $$;
