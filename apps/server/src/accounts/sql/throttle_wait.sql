-- Seconds until all of these windows allow an attempt; null when they do now. Each window stores the latest `cap` attempts.
create or replace function throttle_wait(keys bytea[], caps int[], seconds int[]) returns int language sql as $$
  select max(greatest(1, ceil(extract(epoch from blocking.until - clock_timestamp()))))::int
    from unnest(keys, caps, seconds) as w (key, cap, seconds)
    join throttle t using (key)
   cross join lateral (select t.hits[cardinality(t.hits) + 1 - w.cap] + make_interval(secs => w.seconds) as until) blocking
   where blocking.until > clock_timestamp()
$$;
