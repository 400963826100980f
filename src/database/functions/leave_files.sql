-- Leaves a batch's files to be looked through. A new time, so that whoever is looking does not strike it off.
create or replace function leave_files(of_batch uuid) returns void language sql as $$
  insert into batch_cleanup as c (batch_id) values (of_batch) on conflict (batch_id) do update set at = clock_timestamp()
$$;
