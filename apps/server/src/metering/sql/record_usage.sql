-- Writes a group of usage events, each once however often it is sent. The commit does not wait for the disk: a crash of the
-- database may lose the last moment's statistics, never a credit. `age_ms` is how long ago the server recorded the event, so that
-- the servers' clocks do not matter.
create or replace function record_usage(events jsonb) returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform write_usage(events);
end $$;
