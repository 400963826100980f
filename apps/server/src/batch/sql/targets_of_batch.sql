-- For servers of earlier releases: what is made of the images of a batch. A function of its own, so that it also sees a batch that
-- was created after the claiming statement began, as claim_batch_items does: a join would drop those images, claimed.
create or replace function targets_of_batch(batch_id uuid)
returns table (visual_quality double precision, max_bytes int, recipe jsonb)
language plpgsql as $$
begin
  return query select b.visual_quality, b.max_bytes, b.recipe from batch b where b.id = targets_of_batch.batch_id;
end $$;
