-- Called in the statement that creates the batch. A batch that existed before under the same idempotency key has the same name.
create or replace function name_batch(batch_id uuid, new_name text) returns void language plpgsql as $$
begin
  update batch b set name = new_name where b.id = batch_id and b.name is null and new_name is not null;
end $$;
