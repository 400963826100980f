-- Records results of claims {batch_id, seq, attempt, state, input_bytes, output_bytes, crc32, width, height, features, status,
-- error_code, error_message, duration_ms}: `converted`, `failed`, or `crashed` for an image whose renderer ended, which is tried as often as `rules` say.
-- Returns the accepted results; those of lost claims are not accepted. Repeated results are accepted again and change nothing.
-- `ended` marks batches that are complete.
create or replace function finish_batch_items(worker int, results jsonb, rules jsonb) returns table (batch_id uuid, seq int, attempt int, ended boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  sums   jsonb;
  -- So many crashes before the last one are forgiven.
  others int := (rules ->> 'crashes')::int - 1;
begin
  perform from lock_batches(array(select distinct (r ->> 'batch_id')::uuid from jsonb_array_elements(results) r));
  -- Images and their statistics in one statement: passed on as JSON, each would cost as much again.
  with written as (
    update batch_item i
       set state = case when r.state <> 'crashed' then r.state when i.crashes < others then 'pending' else 'failed' end,
           crashes = i.crashes + (r.state = 'crashed')::int,
           server = case when r.state = 'crashed' and i.crashes < others then null else worker end,
           lease_until = null, input_bytes = r.input_bytes, output_bytes = r.output_bytes, crc32 = r.crc32,
           width = r.width, height = r.height, features = r.features, error_code = r.error_code, error_message = r.error_message
      from jsonb_to_recordset(results) as r(
             batch_id uuid, seq int, attempt int, state text, input_bytes bigint, output_bytes bigint, crc32 bigint,
             width int, height int, features jsonb, status int, error_code text, error_message text, duration_ms int
           )
     where i.batch_id = r.batch_id and i.seq = r.seq and i.attempt = r.attempt and i.server = worker and i.state = 'claimed'
    returning i.batch_id, i.state, i.input_bytes, i.output_bytes, i.error_code, r.status, r.duration_ms
  ), logged as (
    insert into usage_event (id, account_id, key_id, endpoint, status, status_message, input_bytes, output_bytes, duration_ms, at)
    select gen_random_uuid(), b.account_id, b.key_id, rules ->> 'endpoint', case w.state when 'converted' then 200 else w.status end,
           w.error_code, coalesce(w.input_bytes, 0), coalesce(w.output_bytes, 0), coalesce(w.duration_ms, 0), clock_timestamp()
      from written w join batch b on b.id = w.batch_id
     where w.state <> 'pending'
  )
  select jsonb_agg(to_jsonb(s)) into sums
    from (select w.batch_id, count(*) filter (where w.state = 'converted') as converted, count(*) filter (where w.state = 'failed') as failed,
                 count(*) filter (where w.state = 'pending') as returned,
                 coalesce(sum(w.input_bytes) filter (where w.state = 'converted'), 0) as input_bytes,
                 coalesce(sum(w.output_bytes) filter (where w.state = 'converted'), 0) as output_bytes
            from written w group by w.batch_id) s;
  if sums is not null then
    perform settle_batches(sums, rules);
  end if;
  return query
  select i.batch_id, i.seq, i.attempt, b.finished_at is not null
    from jsonb_to_recordset(results) as r(batch_id uuid, seq int, attempt int, state text)
    join batch_item i using (batch_id, seq, attempt)
    join batch b on b.id = i.batch_id
   where i.server = worker and i.state = case r.state when 'crashed' then 'failed' else r.state end;
end $$;
