-- What became of calls: statistics, written in batches some time after the answer. Money is in 0004.
create table usage_event (
  id             uuid primary key,
  account_id     uuid not null references account on delete cascade,
  key_id         uuid not null,
  endpoint       text not null,
  status         smallint not null,
  status_message text,
  input_bytes    bigint not null,
  output_bytes   bigint not null,
  duration_ms    int not null,
  at             timestamptz not null
);
create index usage_event_account on usage_event (account_id, at desc);
create index usage_event_at on usage_event (at);

-- Successful calls of a UTC day.
create table usage_day (
  account_id uuid not null references account on delete cascade,
  day        date not null,
  endpoint   text not null,
  calls      bigint not null,
  primary key (account_id, day, endpoint)
) with (fillfactor = 70);

-- Writes a batch of events, once each however often it is sent. Nothing waits for the disk: a crash of the database may
-- lose the statistics of its last moment, never a credit. `age_ms` is how long ago its server saw it end: clocks of
-- servers decide nothing.
create function record_usage(events jsonb) returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  with written as (
    insert into usage_event (id, account_id, key_id, endpoint, status, status_message, input_bytes, output_bytes, duration_ms, at)
    select e.id, e.account_id, e.key_id, e.endpoint, e.status, e.status_message, e.input_bytes, e.output_bytes, e.duration_ms,
           clock_timestamp() - e.age_ms * interval '1 millisecond'
      from jsonb_to_recordset(events) as e(
        id uuid, account_id uuid, key_id uuid, endpoint text, status smallint, status_message text,
        input_bytes bigint, output_bytes bigint, duration_ms int, age_ms bigint
      )
      -- An account may have been deleted meanwhile.
      join account a on a.id = e.account_id
    on conflict do nothing
    returning account_id, (at at time zone 'utc')::date as day, endpoint, status
  )
  insert into usage_day as d (account_id, day, endpoint, calls)
  select w.account_id, w.day, w.endpoint, count(*) from written w where w.status between 200 and 299
   group by w.account_id, w.day, w.endpoint
   -- In one order, so that two servers do not wait for each other.
   order by w.account_id, w.day, w.endpoint
  on conflict (account_id, day, endpoint) do update set calls = d.calls + excluded.calls;
end $$;
