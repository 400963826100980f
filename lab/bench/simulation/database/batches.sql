-- Creates :batches batches of :images images, each of another account, replacing existing ones.
truncate batch cascade;
truncate reservation;
with payer as (
  select a.id, row_number() over (order by a.email) as n from account a where a.plan = 'team' limit :batches
), held as (
  insert into reservation (id, account_id, meter, period, cost)
  select md5('batch ' || p.n)::uuid, p.id, 'call', date_trunc('month', now())::date, :images from payer p
), made as (
  insert into batch (id, account_id, month, format, quality, total, pending)
  select md5('batch ' || p.n)::uuid, p.id, date_trunc('month', now())::date, 'webp', 75, :images, :images from payer p
)
select count(*) as batches from payer;
insert into batch_item (batch_id, seq, source, output, state, entry)
select b.id, n, 'holiday/img_' || n || '.jpg', 'holiday/img_' || n || '.webp', 'pending',
       jsonb_build_object('offset', n::bigint * 500000, 'compressed', 490000, 'bytes', 500000, 'method', 8, 'crc32', 123456789)
  from batch b, generate_series(1, :images) as n;
vacuum analyze batch_item;
vacuum analyze batch;
