-- From the tables of 0.1.0, as its 28 migrations left them, to those of 0001_schema. Runs once, where their record is found.

-- Functions that are gone, or have other parameters. The others are replaced.
drop function admit, settle, void_stale_reservations, refund_unbegun;
drop function admit_background, settle_background, refund_background, void_background, void_stale_background;
drop function settle_ai_images, give_back_stale_images;
drop function book_batch_items, finish_batch_items, release_batch_items, return_lost_items, look_for_lost_items, fail_stale_batches, tell_end;
drop function claim_idempotency_key(uuid, text, text, bytea, uuid, interval), claim_idempotency_key(uuid, text, text, bytea, uuid, interval, int, int);

-- The three tables of reservations become one.
create temporary table held on commit drop as
  select id, account_id, 'call' as meter, month as period, cost, server, at from reservation
  union all
  select id, account_id, 'ai_image', day, images, server, at from ai_reservation
  union all
  select id, account_id, 'removal', month, 1, server, at from background_reservation;
drop table reservation, ai_reservation, background_reservation;
create table reservation (
  id         uuid not null,
  account_id uuid not null references account on delete cascade,
  meter      text not null check (meter in ('call', 'ai_image', 'removal')),
  period     date check (period is not null or meter = 'call'),
  cost       int not null check (cost > 0),
  server     int,
  at         timestamptz not null default clock_timestamp(),
  primary key (id, meter)
);
insert into reservation select * from held;

-- A month tells that it was not paid with credits.
alter table settled_call drop column source;

-- Periodic jobs and the removal of files were carried by pg-boss. Nothing is lost with its schema: each job to remove the files of a
-- batch had a row in batch_cleanup, and periodic jobs find what is to be done.
create table housekeeping_job (
  name          text primary key,
  due_at        timestamptz not null,
  runs          bigint not null default 0,
  claimed_until timestamptz
) with (fillfactor = 50);
alter table batch_cleanup add column taken_at timestamptz;
-- Another program that uses pg-boss in this database keeps it.
do $$
begin
  if to_regclass('pgboss.queue') is not null then
    if not exists (select from pgboss.queue q where q.name not in ('housekeeping', 'remove-batch-files') and q.name not like '\_\_pgboss\_\_%') then
      drop schema pgboss cascade;
    end if;
  end if;
end $$;

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
