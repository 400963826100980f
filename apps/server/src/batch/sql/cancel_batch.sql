-- Deletes a batch of an account in any state, and queues its files for removal. Converted images stay charged, since the work was
-- done. Returns false when there is no such batch.
create or replace function cancel_batch(account uuid, cancelled uuid) returns boolean language plpgsql as $$
begin
  perform from batch b where b.id = cancelled and b.account_id = account for update;
  if not found then
    return false;
  end if;
  perform void_reservation(cancelled);
  delete from batch b where b.id = cancelled;
  perform leave_files(cancelled);
  return true;
end $$;
