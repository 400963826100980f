-- Takes one attempt from all of these windows, or from none. An attempt is counted before its outcome is known, so that of fifty
-- concurrent ones no more run than the windows allow.
create or replace function take_attempt(keys bytea[], caps int[], seconds int[], out retry_seconds int, out taken_at timestamptz)
language plpgsql as $$
begin
  -- First checked without a lock or a row, so that a flood of refusals writes nothing.
  retry_seconds := throttle_wait(keys, caps, seconds);
  if retry_seconds is not null then
    return;
  end if;
  -- Ordered by key, so that two attempts cannot deadlock.
  insert into throttle as t (key, hits, expires_at)
  select w.key, '{}', clock_timestamp() + make_interval(secs => w.seconds)
    from unnest(keys, seconds) as w (key, seconds) order by w.key
  on conflict on constraint throttle_pkey do update set expires_at = excluded.expires_at;
  retry_seconds := throttle_wait(keys, caps, seconds);
  if retry_seconds is not null then
    return;
  end if;
  taken_at := clock_timestamp();
  update throttle t set hits = (t.hits || taken_at)[greatest(1, cardinality(t.hits) + 2 - w.cap):]
    from unnest(keys, caps) as w (key, cap) where t.key = w.key;
end $$;
