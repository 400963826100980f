-- Begins a password guess on all of these windows, or on none. Returns its start as `begun_at`, or `retry_seconds` until the
-- windows allow a guess, or neither: then running guesses have to be checked first.
create or replace function begin_guess(keys bytea[], caps int[], seconds int[], longest_seconds int, out retry_seconds int, out begun_at timestamptz)
language plpgsql as $$
declare
  -- No check takes this long: its server died, and the guess counts as wrong.
  lost timestamptz := clock_timestamp() - make_interval(secs => longest_seconds);
begin
  -- First checked without a lock or a row, so that a flood of refusals writes nothing.
  retry_seconds := throttle_wait(keys, caps, seconds);
  if retry_seconds is not null then
    return;
  end if;
  -- Ordered by key, so that two guesses cannot deadlock.
  insert into throttle as t (key, hits, expires_at)
  select w.key, '{}', clock_timestamp() + make_interval(secs => w.seconds)
    from unnest(keys, seconds) as w (key, seconds) order by w.key
  on conflict on constraint throttle_pkey do update set expires_at = excluded.expires_at;
  update throttle t
     set hits = array(select h from unnest(t.hits || array(select p from unnest(t.pending) p where p <= lost)) h order by h),
         pending = array(select p from unnest(t.pending) p where p > lost)
   where t.key = any (keys) and t.pending[1] <= lost;
  retry_seconds := throttle_wait(keys, caps, seconds);
  if retry_seconds is not null then
    return;
  end if;
  perform from unnest(keys, caps, seconds) as w (key, cap, seconds) join throttle t using (key)
    where cardinality(t.pending) >= w.cap
      - (select count(*) from unnest(t.hits) h where h > clock_timestamp() - make_interval(secs => w.seconds));
  if found then
    return;
  end if;
  begun_at := clock_timestamp();
  update throttle t set pending = t.pending || begun_at, hits = t.hits[greatest(1, cardinality(t.hits) + 1 - w.cap):]
    from unnest(keys, caps) as w (key, cap) where t.key = w.key;
end $$;
