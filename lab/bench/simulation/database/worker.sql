-- One iteration of a worker that claims :most images: it claims, and writes results. A worker also looks for lost images once a second.
\set worker :client_id + 100000
select coalesce(jsonb_agg(jsonb_build_object('batch_id', c.batch_id, 'seq', i -> 0, 'attempt', i -> 1, 'state', 'converted',
         'input_bytes', 500000, 'output_bytes', 400000, 'crc32', 1, 'width', 1600, 'height', 1200, 'duration_ms', 100)), '[]') as results
  from claim_images(:worker, :most, 0, :most, 120) c cross join json_array_elements(c.images) i \gset
select count(*) as done from finish_batch_items(:worker, :results, '{"endpoint": "/api/v2/batch", "crashes": 3, "resultSeconds": 86400}') \gset
