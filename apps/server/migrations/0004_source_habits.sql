-- How a source treats what its origin says, what is missing, and SVG. Earlier sources go on as they were.
alter table source
  add column cache_control text not null default 'own',
  add column fallback text,
  add column svg text not null default 'refuse';
