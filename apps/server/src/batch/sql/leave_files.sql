-- Queues the files of a batch for removal. The new time keeps the row while a removal is running, since that deletes only the row
-- with the time it started from.
create or replace function leave_files(of_batch uuid) returns void language sql as $$
  insert into batch_cleanup as c (batch_id) values (of_batch) on conflict (batch_id) do update set at = clock_timestamp()
$$;
