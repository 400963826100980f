-- Takes one of `places` places in the window of the last `window_seconds`, if one is free; 0 places is no limit. `free_in` is the number of
-- seconds until the next place is free.
create or replace function take_place(
  caller_id uuid, window_kind text, account uuid, places int, window_seconds int, given_moment timestamptz,
  out taken boolean, out places_left int, out free_in int
) language plpgsql as $$
declare
  recent timestamptz[];
  moment timestamptz := coalesce(given_moment, clock_timestamp());
  span   interval := make_interval(secs => window_seconds);
  first  int := 1;
  last   int;
begin
  taken := true;
  if places = 0 then
    return;
  end if;
  select w.hits into recent from request_window w where w.caller = caller_id and w.kind = window_kind;
  if not found then
    insert into request_window (caller, kind, account_id) values (caller_id, window_kind, account) on conflict do nothing;
  end if;
  last := cardinality(recent);
  -- Checked without a lock, which is enough to refuse, as hits are only added: rate-limited requests are read-only.
  if recent[last + 1 - places] > moment - span and recent[last] < moment + span then
    taken := false;
  else
    select w.hits into recent from request_window w where w.caller = caller_id and w.kind = window_kind for update;
    -- The time is taken again after waiting for the row, so that hits are in chronological order.
    moment := coalesce(given_moment, clock_timestamp());
    -- A hit in the future dates from before the clock was set back: it counts if it is within the window, otherwise it would lock
    -- the caller out.
    last := cardinality(recent);
    while recent[last] >= moment + span loop last := last - 1; end loop;
    while recent[first] <= moment - span and first <= last loop first := first + 1; end loop;
    recent := recent[first:last];
    taken := cardinality(recent) < places;
    if taken then
      recent := recent || greatest(moment, recent[cardinality(recent)]);
      update request_window w set hits = recent where w.caller = caller_id and w.kind = window_kind;
    end if;
  end if;
  places_left := greatest(0, places - cardinality(recent));
  free_in := greatest(1, ceil(extract(epoch from recent[greatest(1, cardinality(recent) + 1 - places)] + span - moment)));
end $$;
