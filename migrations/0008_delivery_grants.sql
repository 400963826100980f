-- Which of DELIVERY_FOLDERS and DELIVERY_BUCKETS, or what below them, an account may deliver from. Administrators need no grant.
alter table account add column delivery_places text[] not null default '{}';
