-- Claims up to `most` images for a worker that still has to render `held`, under leases of so many seconds, which the worker renews.
-- Returns a row for each batch: its `images` are arrays [seq, attempt, losses, source, entry], and `pending` is how many are left.
-- Round robin: images go first to the account with the fewest images in progress, among equals to the one served longest ago; in
-- the same way among the batches of an account. With more than `few` in its hands a worker gets no more than its share of all that
-- is left.
-- Images that were lost with a worker are claimed `few` at a time, and alone when they were lost twice, by a worker that has nothing
-- else: should it die too, no other image is suspected. Until it has nothing else, it gets none while these are next.
-- The cost grows with the number of unfinished batches, not with their images. The planner overestimates it: with JIT compilation,
-- which packages of PostgreSQL switch on, the compiler took most of the time of a claim.
create or replace function claim_images(worker int, most int, held int, few int, lease_seconds int) returns table (
  batch_id uuid, account_id uuid, key_id uuid, format text, quality smallint, visual_quality double precision, max_bytes int,
  recipe jsonb, pending int, images json
) language plpgsql set jit = off as $$
#variable_conflict use_column
declare
  round   bigint;
  chosen  jsonb;
  one     record;
  -- How often the images that are next in a batch were lost.
  lost    int;
  wanted  int;
  taken   int;
  claimed json;
begin
  with active as (
    select b.id, b.account_id, b.pending, b.turn, b.total - b.pending - b.succeeded - b.failed as under_way
      from batch b where b.finished_at is null
  ), share as (
    select least(most, greatest(few, ceil(sum(a.pending + a.under_way)::numeric / greatest(1, l.workers))::int) - held) as most
      from active a cross join lost_look l group by l.workers
  ), portion as (
    -- Each batch of a claim costs as much as some ten images: two to four share it.
    select s.most, greatest(ceil(s.most / 4.0), least(8, s.most / 2))::int as images from share s where s.most > 0
  ), next_accounts as (
    select a.account_id, sum(a.under_way) as under_way, max(a.turn) as turn from active a
     group by a.account_id having sum(a.pending) > 0
     order by sum(a.under_way), max(a.turn), a.account_id limit most
  ), own_order as (
    select a.id, n.account_id, n.under_way, n.turn, least(p.images, a.pending - (nth - 1) * p.images) as images,
           sum(p.images) over (partition by a.account_id order by a.under_way + nth * p.images, a.turn, a.id) as before
      from next_accounts n join active a using (account_id) cross join portion p
     cross join generate_series(1, ceil(least(a.pending, p.most)::numeric / p.images)::int) as nth
  ), places as (
    select o.id, o.images, row_number() over w as place, sum(o.images) over w - o.images as earlier from own_order o
    window w as (order by o.under_way + o.before, o.turn, o.account_id)
  )
  select jsonb_agg(to_jsonb(c)) into chosen
    from (select p.id, sum(least(p.images, s.most - p.earlier)) as images, min(p.place) as first, max(p.place) as place
            from places p cross join share s where p.earlier < s.most group by p.id) c;
  if chosen is null then
    return;
  end if;
  perform from lock_batches(array(select (c ->> 'id')::uuid from jsonb_array_elements(chosen) c));
  round := nextval('batch_turn');
  -- One batch at a time, so that the planner uses the index even without statistics.
  for one in select * from jsonb_to_recordset(chosen) as c(id uuid, images int, first int, place int) order by c.first loop
    select i.losses into lost from batch_item i where i.batch_id = one.id and i.state = 'pending' order by i.losses, i.seq limit 1;
    continue when lost is null;
    if lost > 0 then
      exit when one.first = 1 and exists (select from batch_item i where i.server = worker and i.state = 'claimed');
      continue when one.first > 1;
    end if;
    wanted := case lost when 0 then one.images when 1 then least(one.images, few) else 1 end;
    -- The batch is locked, so its pending images stay where they are.
    with own as (
      update batch_item i set state = 'claimed', server = worker, attempt = i.attempt + 1, claimed_at = clock_timestamp(),
             lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
       where i.ctid = any(array(
               select p.ctid from batch_item p where p.batch_id = one.id and p.state = 'pending' and p.losses = lost
                order by p.seq limit wanted))
      returning i.seq, i.attempt, i.losses, i.source, i.entry
    )
    select count(*), json_agg(json_build_array(o.seq, o.attempt, o.losses, o.source, o.entry)) into taken, claimed from own o;
    return query
    update batch b set pending = b.pending - taken, turn = round + one.place, status = 'processing',
           started_at = coalesce(b.started_at, clock_timestamp())
     where b.id = one.id
    returning b.id, b.account_id, b.key_id, b.format, b.quality, b.visual_quality, b.max_bytes, b.recipe, b.pending, claimed;
    exit when lost > 0;
  end loop;
end $$;
