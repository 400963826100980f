-- Only the search for lost images, while other workers have images in flight.
\set worker :client_id + 100000
select return_lost_items(7312002, :worker, '{"reconnectSeconds": 5, "lostWorkers": 5}');
