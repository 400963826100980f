-- Expires up to `most` batches: deletes the rows of their images and queues their files for removal.
create or replace function expire_batches(most int) returns setof uuid language plpgsql as $$
declare
  expired uuid;
begin
  for expired in
    select b.id from batch b where b.finished_at is not null and not b.cleared and b.expires_at <= clock_timestamp()
     order by b.expires_at limit most for no key update skip locked
  loop
    delete from batch_item i where i.batch_id = expired;
    update batch b set cleared = true where b.id = expired;
    perform leave_files(expired);
    return next expired;
  end loop;
end $$;
