-- What the images of a batch are to reach; null if it was not asked for.
alter table batch
  add column visual_quality double precision check (visual_quality between 30 and 95),
  add column max_bytes int check (max_bytes > 0);
