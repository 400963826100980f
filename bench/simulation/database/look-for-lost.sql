-- A look for lost images alone, beside those that others have in hand.
\set worker :client_id + 100000
select return_lost_items(7312002, :worker, '{}');
