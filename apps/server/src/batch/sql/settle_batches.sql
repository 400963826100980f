-- Counts the outcome of claimed images of locked batches: one charged call for each converted image, days of the statistics, and the
-- end of batches whose images are all done. `sums` are rows {batch_id, converted, failed, returned, input_bytes, output_bytes}: numbers of
-- images, and the bytes of those that were converted.
-- `rules` are texts for users and limits, passed from TypeScript (batch/claim-images.ts).
-- The ledger gets one entry for each group of images. Its reference contains the number of images so far, so it is unique.
create or replace function settle_batches(sums jsonb, rules jsonb) returns void language plpgsql as $$
declare
  one   record;
  b     batch;
  cause record;
  ended uuid[] := '{}';
  result_seconds int := (rules ->> 'resultSeconds')::int;
begin
  for one in
    select s.* from jsonb_to_recordset(sums) as s(batch_id uuid, converted int, failed int, returned int) join batch l on l.id = s.batch_id
     order by l.account_id, l.month nulls first, l.id
  loop
    update batch l set succeeded = l.succeeded + one.converted, failed = l.failed + one.failed, pending = l.pending + one.returned,
           idle_since = case when one.converted + one.failed > 0 then clock_timestamp() else l.idle_since end
     where l.id = one.batch_id returning * into b;
    if one.converted > 0 and not (select s.settled from charge_call(b.id, b.id || '/' || b.succeeded, one.converted) s) then
      raise exception 'batch % has no calls left to pay for what was converted', b.id;
    end if;
    continue when b.succeeded + b.failed < b.total;
    ended := ended || b.id;
    if b.succeeded = 0 then
      select i.error_code as code, i.error_message as message into cause from batch_item i
       where i.batch_id = b.id and i.state = 'failed' order by i.seq limit 1;
      perform end_batch(b.id, cause.code, (rules ->> 'noneConverted') || cause.message, result_seconds);
    else
      perform end_batch(b.id, null, null, result_seconds);
    end if;
  end loop;
  if ended <> '{}' then
    perform after_batch_end(ended);
  end if;
  -- Last, because other servers write statistics too: a transaction that holds these rows must not wait for other locks.
  insert into usage_day as d (account_id, day, endpoint, calls, input_bytes, output_bytes)
  select l.account_id, (clock_timestamp() at time zone 'utc')::date, rules ->> 'endpoint', sum(s.converted), sum(s.input_bytes), sum(s.output_bytes)
    from jsonb_to_recordset(sums) as s(batch_id uuid, converted int, input_bytes bigint, output_bytes bigint) join batch l on l.id = s.batch_id
   where s.converted > 0
   group by l.account_id
   -- In a fixed order, so that two servers cannot deadlock.
   order by l.account_id
  on conflict (account_id, day, endpoint) do update
    set calls = d.calls + excluded.calls, input_bytes = d.input_bytes + excluded.input_bytes,
        output_bytes = d.output_bytes + excluded.output_bytes;
end $$;
