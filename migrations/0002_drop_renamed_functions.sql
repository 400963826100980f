-- Functions and parameters were renamed. `create or replace` cannot rename a parameter, so these are dropped before they are created.
drop function if exists tell_end, book_batch_items;
drop function if exists claim_idempotency_key(uuid, text, text, bytea, uuid, interval, int, int);
drop function if exists look_for_lost_items, return_lost_items, refund_unbegun, void_stale_reservations;
