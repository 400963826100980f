-- Which installation this database is: its blob store carries the same id, so that none removes the files of another.
create table installation (
  id  uuid not null default gen_random_uuid(),
  one boolean primary key default true check (one)
);
insert into installation default values;
