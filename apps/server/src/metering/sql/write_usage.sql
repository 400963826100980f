-- Writes usage statistics in the caller's transaction. AI requests are counted by days of their own; their prices are per million
-- tokens. Days count successful calls and add up their bytes; events with `is_call` false are not counted.
create or replace function write_usage(events jsonb) returns void language plpgsql as $$
#variable_conflict use_column
begin
  with written as (
    insert into usage_event (id, account_id, key_id, endpoint, status, status_message, input_bytes, output_bytes, duration_ms, at,
                             ai, provider, model, images, questions, input_tokens, output_tokens, cost)
    select e.id, e.account_id, e.key_id, e.endpoint, e.status, e.status_message, e.input_bytes, e.output_bytes, e.duration_ms,
           clock_timestamp() - e.age_ms * interval '1 millisecond',
           coalesce(e.ai, false), e.provider, e.model, e.images, e.questions, e.input_tokens, e.output_tokens,
           (e.input_tokens * e.input_price + e.output_tokens * e.output_price) / 1000000
      from jsonb_to_recordset(events) as e(
        id uuid, account_id uuid, key_id uuid, endpoint text, status smallint, status_message text,
        input_bytes bigint, output_bytes bigint, duration_ms int, age_ms bigint,
        ai boolean, provider text, model text, images int, questions int, input_tokens bigint, output_tokens bigint,
        input_price numeric, output_price numeric
      )
      -- An account may have been deleted meanwhile. One query for each: a join would read some thousands of accounts each time.
      cross join lateral (select from account a where a.id = e.account_id limit 1) as living
    on conflict do nothing
    returning *, (at at time zone 'utc')::date as day
  ), spent as (
    insert into ai_usage_day as d (account_id, day, images, questions, input_tokens, output_tokens, cost)
    select w.account_id, w.day, sum(w.images), sum(w.questions), sum(w.input_tokens), sum(w.output_tokens), sum(w.cost)
      from written w where w.provider is not null
     group by w.account_id, w.day
     order by w.account_id, w.day
    on conflict (account_id, day) do update
      set images = d.images + excluded.images, questions = d.questions + excluded.questions,
          input_tokens = d.input_tokens + excluded.input_tokens, output_tokens = d.output_tokens + excluded.output_tokens,
          cost = coalesce(d.cost + excluded.cost, d.cost, excluded.cost)
  )
  insert into usage_day as d (account_id, day, endpoint, calls, input_bytes, output_bytes)
  select w.account_id, w.day, w.endpoint, count(*), sum(w.input_bytes), sum(w.output_bytes) from written w
    join jsonb_to_recordset(events) as e(id uuid, is_call boolean) on e.id = w.id
   where w.status between 200 and 299 and not w.ai and coalesce(e.is_call, true)
   group by w.account_id, w.day, w.endpoint
   -- In a fixed order, so that two servers cannot deadlock.
   order by w.account_id, w.day, w.endpoint
  on conflict (account_id, day, endpoint) do update
    set calls = d.calls + excluded.calls, input_bytes = d.input_bytes + excluded.input_bytes,
        output_bytes = d.output_bytes + excluded.output_bytes;
end $$;
