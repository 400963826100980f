-- Estimates how much work workers have, in pixels: an autoscaler starts as many as it takes, and none while it is 0. Images that are
-- being converted count too, so that no worker is stopped that has some.
-- A byte of an archive stands for three pixels, as in photographs by JPEG, once for each output; an image has at least 100,000. All other
-- work counts one pixel each: webhooks that are due, files to remove, and jobs that are half an hour late, or were never planned. They
-- start one worker, and no second one.
-- With the rights of its owner, so that a role can have this number and nothing else; the path keeps that role's own tables out.
create or replace function pixels_waiting() returns bigint language sql stable security definer set search_path = public, pg_temp as $$
  with images as (
    select sum(greatest(
             3.0 * b.upload_bytes * coalesce(jsonb_array_length(b.recipe -> 'outputs'), 1) / b.total, 100000
           ) * (b.total - b.succeeded - b.failed)) as pixels
      from batch b where b.finished_at is null
  ), webhooks as (
    select from webhook_delivery d where d.status = 'pending' and d.next_attempt_at <= clock_timestamp() limit 1000
  ), removals as (
    select from batch_cleanup limit 1000
  )
  select coalesce((select i.pixels from images i), 0)::bigint + (select count(*) from webhooks) + (select count(*) from removals)
         + (select count(*) from housekeeping_job j where j.due_at < clock_timestamp() - interval '30 minutes')
         + (not exists (select from housekeeping_job))::int
$$;
