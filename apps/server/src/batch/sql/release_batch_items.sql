-- Releases these claims {batch_id, seq, attempt}, as if they had not been made. Returns how many were the worker's.
create or replace function release_batch_items(worker int, claims jsonb, rules jsonb) returns int language plpgsql as $$
declare
  sums     jsonb;
  released int;
begin
  perform from lock_batches(array(select distinct (c ->> 'batch_id')::uuid from jsonb_array_elements(claims) c));
  with released as (
    update batch_item i set state = 'pending', server = null, claimed_at = null, lease_until = null
      from jsonb_to_recordset(claims) as c(batch_id uuid, seq int, attempt int)
     where i.batch_id = c.batch_id and i.seq = c.seq and i.attempt = c.attempt and i.server = worker and i.state = 'claimed'
    returning i.batch_id
  ), batches as (
    select r.batch_id, 0 as converted, 0 as failed, count(*) as returned from released r group by r.batch_id
  )
  select jsonb_agg(to_jsonb(b)), coalesce(sum(b.returned), 0) into sums, released from batches b;
  if sums is not null then
    perform settle_batches(sums, rules);
  end if;
  return released;
end $$;
