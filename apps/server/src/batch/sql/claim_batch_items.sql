-- For servers of earlier releases: claim_images() with a row for each image.
create or replace function claim_batch_items(worker int, most int) returns table (
  batch_id uuid, account_id uuid, key_id uuid, format text, quality smallint, seq int, attempt int, source text, entry jsonb
) language sql as $$
  select c.batch_id, c.account_id, c.key_id, c.format, c.quality, (i ->> 0)::int, (i ->> 1)::int, i ->> 3, (i -> 4)::jsonb
    from claim_images(worker, most, 0, most) c cross join json_array_elements(c.images) as i
$$;
