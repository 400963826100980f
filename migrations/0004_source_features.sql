-- What became of what the source of a converted image has: HDR, a C2PA manifest, further frames or pages. Null where it has none.
alter table batch_item add column features jsonb;
