-- Makes images claimable again whose worker has died (its instance lock is free) or whose lease has expired. An image that was
-- lost with five workers fails. Runs in a transaction of its own, because it locks batches before a claim selects others.
-- The calling worker counts as alive, whatever its lock says, and so does a worker that claimed an image less than 5 s ago: a
-- broken connection can be replaced in that time.
create or replace function return_lost_items(instance_lock int, asking int, words jsonb) returns void language plpgsql as $$
declare
  lost    jsonb;
  changes jsonb;
begin
  with gone as materialized (
    select s.server
      from (select distinct i.server from batch_item i
             where i.state = 'claimed' and i.server <> asking and i.claimed_at < clock_timestamp() - interval '5 seconds') s
     -- Shared, so that several concurrent checks all find it free.
     where pg_try_advisory_xact_lock_shared(instance_lock, s.server)
  )
  select jsonb_agg(jsonb_build_object('batch_id', i.batch_id, 'seq', i.seq, 'attempt', i.attempt)) into lost from batch_item i
   where i.state = 'claimed'
     and (i.lease_until < clock_timestamp()
       or (i.claimed_at < clock_timestamp() - interval '5 seconds' and i.server in (select g.server from gone g)));
  if lost is null then
    return;
  end if;
  perform from lock_batches(array(select distinct (l ->> 'batch_id')::uuid from jsonb_array_elements(lost) l));
  with returned as (
    update batch_item i
       set lost_with = array_remove(i.lost_with, i.server) || i.server, server = null, claimed_at = null, lease_until = null,
           state = case when cardinality(array_remove(i.lost_with, i.server)) < 4 then 'pending' else 'failed' end,
           error_code = case when cardinality(array_remove(i.lost_with, i.server)) < 4 then null else 'conversion_failed' end,
           error_message = case when cardinality(array_remove(i.lost_with, i.server)) < 4 then null
             else words ->> 'lost' end
      from jsonb_to_recordset(lost) as l(batch_id uuid, seq int, attempt int)
     where i.batch_id = l.batch_id and i.seq = l.seq and i.attempt = l.attempt and i.state = 'claimed'
    returning i.batch_id, i.state, i.error_code, 500 as status
  )
  select jsonb_agg(to_jsonb(r)) into changes from returned r;
  if changes is not null then
    perform settle_batch_items(changes, words);
  end if;
end $$;
