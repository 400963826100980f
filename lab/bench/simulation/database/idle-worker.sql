-- A worker's poll, once a second, while there is nothing to do.
\set worker :client_id + 100000
select return_lost_items(7312002, :worker, '{}');
select count(*) from claim_batch_items(:worker, 4);
