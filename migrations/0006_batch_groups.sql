-- Workers that had images in progress at that look: what is left of all batches is shared evenly among so many.
alter table lost_look add column workers int not null default 0;
drop function if exists settle_batch_items(jsonb, jsonb);
