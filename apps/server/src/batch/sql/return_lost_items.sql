-- Makes images claimable again whose worker has died (its instance lock is free) or whose lease has expired. An image that was
-- lost with as many workers as `rules` say fails. Runs in a transaction of its own, because it locks batches before a claim selects
-- others. The calling worker counts as alive, whatever its lock says, and so does a worker that has just claimed an image.
create or replace function return_lost_items(instance_lock int, asking int, rules jsonb) returns void language plpgsql as $$
declare
  lost      jsonb;
  sums      jsonb;
  -- A broken connection can be replaced in this time.
  alive     timestamptz := clock_timestamp() - make_interval(secs => (rules ->> 'reconnectSeconds')::int);
  others    int := (rules ->> 'lostWorkers')::int - 1;
begin
  with gone as materialized (
    select s.server
      from (select distinct i.server from batch_item i
             where i.state = 'claimed' and i.server <> asking and i.claimed_at < alive) s
     -- Shared, so that several concurrent checks all find it free.
     where pg_try_advisory_xact_lock_shared(instance_lock, s.server)
  )
  select jsonb_agg(jsonb_build_object('batch_id', i.batch_id, 'seq', i.seq, 'attempt', i.attempt)) into lost from batch_item i
   where i.state = 'claimed'
     and (i.lease_until < clock_timestamp()
       or (i.claimed_at < alive and i.server in (select g.server from gone g)));
  if lost is null then
    return;
  end if;
  perform from lock_batches(array(select distinct (l ->> 'batch_id')::uuid from jsonb_array_elements(lost) l));
  with returned as (
    update batch_item i
       set lost_with = array_remove(i.lost_with, i.server) || i.server, server = null, claimed_at = null, lease_until = null,
           state = case when cardinality(array_remove(i.lost_with, i.server)) < others then 'pending' else 'failed' end,
           error_code = case when cardinality(array_remove(i.lost_with, i.server)) < others then null else 'conversion_failed' end,
           error_message = case when cardinality(array_remove(i.lost_with, i.server)) < others then null
             else rules ->> 'lost' end
      from jsonb_to_recordset(lost) as l(batch_id uuid, seq int, attempt int)
     where i.batch_id = l.batch_id and i.seq = l.seq and i.attempt = l.attempt and i.state = 'claimed'
    returning i.batch_id, i.state, i.error_code
  ), logged as (
    insert into usage_event (id, account_id, key_id, endpoint, status, status_message, input_bytes, output_bytes, duration_ms, at)
    select gen_random_uuid(), b.account_id, b.key_id, rules ->> 'endpoint', 500, r.error_code, 0, 0, 0, clock_timestamp()
      from returned r join batch b on b.id = r.batch_id
     where r.state = 'failed'
  )
  select jsonb_agg(to_jsonb(s)) into sums
    from (select r.batch_id, 0 as converted, count(*) filter (where r.state = 'failed') as failed,
                 count(*) filter (where r.state = 'pending') as returned
            from returned r group by r.batch_id) s;
  if sums is not null then
    perform settle_batches(sums, rules);
  end if;
end $$;
