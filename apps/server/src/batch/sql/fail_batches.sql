-- Fails these batches as a whole, except those that have ended, and returns the failed ones.
create or replace function fail_batches(ids uuid[], code text, message text, result_seconds int) returns setof uuid language plpgsql as $$
declare
  failing uuid[] := array(select l.id from lock_batches(ids) l);
  one     uuid;
begin
  foreach one in array failing loop
    -- The server is cleared, so that a late result does not count.
    update batch_item i set state = 'failed', error_code = code, error_message = message,
           server = null, claimed_at = null, lease_until = null
     where i.batch_id = one and i.state in ('pending', 'claimed');
    update batch b set pending = 0, failed = b.total - b.succeeded where b.id = one;
    perform end_batch(one, code, message, result_seconds);
  end loop;
  perform after_batch_end(failing);
  return query select unnest(failing);
end $$;
