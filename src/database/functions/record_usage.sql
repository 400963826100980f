-- Writes a batch of events, once each however often it is sent. Nothing waits for the disk: a crash of the database may
-- lose the statistics of its last moment, never a credit. `age_ms` is how long ago its server saw it end: clocks of
-- servers decide nothing.
create or replace function record_usage(events jsonb) returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform write_usage(events);
end $$;
