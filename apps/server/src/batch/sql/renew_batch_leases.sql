-- Extends the leases of these claims {batch_id, seq, attempt}, and returns those that still are the worker's.
create or replace function renew_batch_leases(worker int, claims jsonb, lease_seconds int) returns table (batch_id uuid, seq int, attempt int) language sql as $$
  with held as materialized (
    select i.batch_id, i.seq, i.attempt from batch_item i
      join jsonb_to_recordset(claims) as c(batch_id uuid, seq int, attempt int) using (batch_id, seq, attempt)
     where i.server = worker and i.state = 'claimed'
  ), own as materialized (
    select i.batch_id, i.seq from batch_item i join held using (batch_id, seq) for no key update of i skip locked
  ), renewed as (
    update batch_item i set lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
      from own o where i.batch_id = o.batch_id and i.seq = o.seq and i.server = worker and i.state = 'claimed'
  )
  select h.batch_id, h.seq, h.attempt from held h
$$;
