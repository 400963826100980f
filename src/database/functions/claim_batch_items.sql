-- Claims up to `most` images for a worker, under leases of two minutes that the worker renews. Round robin: images go first to
-- the account with the fewest images in flight, among equals to the one served longest ago; in the same way among the batches of
-- an account.
-- The cost grows with the number of unfinished batches, not with their images.
create or replace function claim_batch_items(worker int, most int) returns table (
  batch_id uuid, account_id uuid, key_id uuid, format text, quality smallint, seq int, attempt int, source text, entry jsonb
) language plpgsql as $$
#variable_conflict use_column
declare
  round  bigint;
  chosen jsonb;
  one    record;
  taken  int;
begin
  with active as (
    select b.id, b.account_id, b.pending, b.turn, b.total - b.pending - b.succeeded - b.failed as under_way
      from batch b where b.finished_at is null
  ), next_accounts as (
    select a.account_id, sum(a.under_way) as under_way, max(a.turn) as turn from active a
     group by a.account_id having sum(a.pending) > 0
     order by sum(a.under_way), max(a.turn), a.account_id limit most
  ), own_order as (
    select a.id, n.account_id, n.under_way, n.turn,
           row_number() over (partition by a.account_id order by a.under_way + nth, a.turn, a.id) as nth
      from next_accounts n join active a using (account_id) cross join generate_series(1, least(a.pending, most)) as nth
  ), places as (
    select o.id, row_number() over (order by o.under_way + o.nth, o.turn, o.account_id) as place from own_order o
     order by place limit most
  )
  select jsonb_agg(jsonb_build_object('id', p.id, 'images', p.images, 'place', p.place)) into chosen
    from (select id, count(*) as images, max(place) as place from places group by id) p;
  if chosen is null then
    return;
  end if;
  perform from lock_batches(array(select (c ->> 'id')::uuid from jsonb_array_elements(chosen) c));
  round := nextval('batch_turn');
  -- One batch at a time, so that the planner uses the index even without statistics.
  for one in select * from jsonb_to_recordset(chosen) as c(id uuid, images int, place int) order by place loop
    return query
    update batch_item i set state = 'claimed', server = worker, attempt = i.attempt + 1, claimed_at = clock_timestamp(),
           lease_until = clock_timestamp() + interval '2 minutes'
      from batch b
     where b.id = one.id and i.batch_id = one.id and i.seq = any(array(
             select p.seq from batch_item p where p.batch_id = one.id and p.state = 'pending'
              order by p.losses, p.seq limit one.images for no key update skip locked))
    returning b.id, b.account_id, b.key_id, b.format, b.quality, i.seq, i.attempt, i.source, i.entry;
    get diagnostics taken = row_count;
    update batch b set pending = b.pending - taken, turn = round + one.place, status = 'processing',
           started_at = coalesce(b.started_at, clock_timestamp())
     where b.id = one.id and taken > 0;
  end loop;
end $$;
