-- Records the outcome of a guess: `wrong` counts; `right` resets the errors before it on the first window; `unjudged` does not
-- count.
create or replace function end_guess(keys bytea[], begun_at timestamptz, outcome text) returns void language sql as $$
  update throttle t
     set pending = array_remove(t.pending, begun_at),
         hits = case
           when outcome = 'right' and t.key = keys[1] then '{}'
           when outcome <> 'wrong' then array_remove(t.hits, begun_at)
           when begun_at = any (t.pending) then array(select h from unnest(t.hits || begun_at) h order by h)
           else t.hits
         end
    from (select key from throttle where key = any (keys) order by key for update) as held where t.key = held.key
$$;
