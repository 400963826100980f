-- Called in the statement that creates the batch. A batch that existed before under the same idempotency key has the same targets.
create or replace function target_batch(batch_id uuid, new_visual_quality double precision, new_max_bytes int) returns void
language plpgsql as $$
begin
  update batch b set visual_quality = new_visual_quality, max_bytes = new_max_bytes
   where b.id = batch_id and (new_visual_quality is not null or new_max_bytes is not null);
end $$;
