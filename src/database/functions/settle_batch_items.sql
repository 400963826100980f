-- Records the outcome of claimed images of locked batches: usage statistics, one charged call for each converted image, and the
-- end of batches whose images are all done. `changes` are rows {batch_id, state, input_bytes, output_bytes, duration_ms, status,
-- error_code}, where `state` is the image's new state.
-- `words` are texts for users, passed from TypeScript: {endpoint, none_converted, lost}.
-- The ledger gets one entry for each group of images. Its reference contains the number of images so far, so it is unique.
create or replace function settle_batch_items(changes jsonb, words jsonb) returns void language plpgsql as $$
declare
  one   record;
  b     record;
  cause record;
  ended uuid[] := '{}';
begin
  for one in
    select l.id, count(*) filter (where c.state = 'converted')::int as converted,
           count(*) filter (where c.state = 'failed')::int as failed, count(*) filter (where c.state = 'pending')::int as returned
      from jsonb_to_recordset(changes) as c(batch_id uuid, state text) join batch l on l.id = c.batch_id
     group by l.id
     order by l.account_id, l.month nulls first, l.id
  loop
    update batch set succeeded = succeeded + one.converted, failed = failed + one.failed, pending = pending + one.returned,
           idle_since = case when one.converted + one.failed > 0 then clock_timestamp() else idle_since end
     where id = one.id returning * into b;
    if one.converted > 0 and not (select s.settled from charge_call(b.id, b.id || '/' || b.succeeded, one.converted) s) then
      raise exception 'batch % has no calls left to pay for what was converted', b.id;
    end if;
    continue when b.succeeded + b.failed < b.total;
    ended := ended || b.id;
    if b.succeeded = 0 then
      select i.error_code as code, i.error_message as message into cause from batch_item i
       where i.batch_id = b.id and i.state = 'failed' order by i.seq limit 1;
      perform end_batch(b.id, cause.code, (words ->> 'none_converted') || cause.message);
    else
      perform end_batch(b.id, null, null);
    end if;
  end loop;
  perform after_batch_end(ended);
  -- Last, because other servers write statistics too: a transaction that holds these rows must not wait for other locks.
  perform write_usage((
    select jsonb_agg(jsonb_build_object(
             'id', gen_random_uuid(), 'account_id', l.account_id, 'key_id', l.key_id, 'endpoint', words ->> 'endpoint',
             'status', case c.state when 'converted' then 200 else c.status end, 'status_message', c.error_code,
             'input_bytes', coalesce(c.input_bytes, 0), 'output_bytes', coalesce(c.output_bytes, 0),
             'duration_ms', coalesce(c.duration_ms, 0), 'age_ms', 0))
      from jsonb_to_recordset(changes) as c(
             batch_id uuid, state text, input_bytes bigint, output_bytes bigint, duration_ms int, status int, error_code text
           ) join batch l on l.id = c.batch_id
     where c.state in ('converted', 'failed')));
end $$;
