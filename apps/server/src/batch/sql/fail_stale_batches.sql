-- Fails up to `most` batches without progress for the time of `patience`, with this error, and returns them. A batch that waits in the
-- queue while others make progress is not stale, nor is one that was just served. Time in which no process was running does not count:
-- none has looked for `longest_unwatched`.
create or replace function fail_stale_batches(
  most int, code text, message text, patience interval, longest_unwatched interval, result_seconds int
) returns setof uuid language plpgsql as $$
declare
  moment    timestamptz := clock_timestamp();
  unwatched interval;
  stale     uuid[];
begin
  insert into batch_watch (at) values (moment) on conflict do nothing;
  select moment - w.at into unwatched from batch_watch w for no key update;
  update batch_watch set at = moment;
  if unwatched > longest_unwatched then
    perform from lock_batches(array(select b.id from batch b where b.finished_at is null));
    update batch b set idle_since = least(moment, b.idle_since + unwatched) where b.finished_at is null;
  end if;
  select array(
    select b.id from batch b
     where b.finished_at is null and b.idle_since < moment - patience
       and not exists (
         select from batch_item i
          where i.batch_id = b.id and i.state = 'claimed' and i.claimed_at > moment - patience)
       and not (b.total = b.pending + b.succeeded + b.failed and exists (
         select from batch o
          where (o.finished_at is null or o.expires_at > moment) and o.id <> b.id and o.succeeded + o.failed > 0
            and o.idle_since > moment - patience))
     order by b.idle_since limit most
  ) into stale;
  -- Checked again under the lock, since an image may have been done meanwhile.
  stale := array(select l.id from lock_batches(stale) l where l.idle_since < moment - patience);
  return query
  select fail_batches(stale, code, message, result_seconds);
end $$;
