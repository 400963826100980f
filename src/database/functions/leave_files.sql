-- Marks a batch whose files are to be removed. The new time keeps the row where a removal is under way: it deletes the row of the time
-- that it began with.
create or replace function leave_files(of_batch uuid) returns void language sql as $$
  insert into batch_cleanup as c (batch_id) values (of_batch) on conflict (batch_id) do update set at = clock_timestamp()
$$;
