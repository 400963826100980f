-- A worker's poll, once a second, while there is nothing to do.
\set worker :client_id + 100000
select return_lost_items(7312002, :worker, '{"reconnectSeconds": 5, "lostWorkers": 5}');
select count(*) from claim_images(:worker, 4, 0, 4, 120);
