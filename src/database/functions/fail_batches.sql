-- Fails those of these batches that have not ended, as a whole, and returns them.
create or replace function fail_batches(ids uuid[], code text, message text) returns setof uuid language plpgsql as $$
declare
  failing uuid[] := array(select l.id from lock_batches(ids) l);
  one     uuid;
begin
  foreach one in array failing loop
    -- Without a server, so that a late result does not count.
    update batch_item i set state = 'failed', error_code = code, error_message = message,
           server = null, claimed_at = null, lease_until = null
     where i.batch_id = one and i.state in ('pending', 'claimed');
    update batch b set pending = 0, failed = b.total - b.succeeded where b.id = one;
    perform end_batch(one, code, message);
  end loop;
  perform tell_end(failing);
  return query select unnest(failing);
end $$;
