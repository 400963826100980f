-- One iteration of a worker with capacity for :most images: it searches for lost images, claims, and writes results.
\set worker :client_id + 100000
select return_lost_items(7312002, :worker, '{}');
select coalesce(jsonb_agg(jsonb_build_object('batch_id', c.batch_id, 'seq', c.seq, 'attempt', c.attempt, 'state', 'converted',
         'input_bytes', 500000, 'output_bytes', 400000, 'crc32', 1, 'width', 1600, 'height', 1200, 'duration_ms', 100)), '[]') as results
  from claim_batch_items(:worker, :most) c \gset
select count(*) as done from finish_batch_items(:worker, :results, '{"endpoint": "/api/v2/batch"}') \gset
