-- From the tables of 0.1.0, as its 28 migrations left them, to those of 0001_schema. Runs once, where their record is found.

-- Functions that are gone, or have other parameters. The others are replaced.
drop function claim_idempotency_key(uuid, text, text, bytea, uuid, interval);

create table applied_functions (
  single  boolean primary key default true check (single),
  hash    text not null,
  release text not null
);

-- The record of migrations.
alter table kysely_migration alter column name type text, alter column timestamp type text;
drop table kysely_migration_lock;
delete from kysely_migration;
insert into kysely_migration (name, timestamp)
values ('0001_schema', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
