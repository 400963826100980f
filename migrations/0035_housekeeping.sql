-- pg-boss carried two kinds of jobs. Both are found in these tables now, by the same claims as deliveries of webhooks. Nothing is
-- lost with its schema: each job to remove the files of a batch had a row in batch_cleanup, and periodic jobs find what is to be done.

-- Periodic jobs: when each is due next, and whether a process is running it.
create table housekeeping_job (
  name          text primary key,
  due_at        timestamptz not null,
  -- Claims so far: the number of a claim, so that one whose lease ended changes nothing any more.
  runs          bigint not null default 0,
  -- While a process runs it, at most until then.
  claimed_until timestamptz
) with (fillfactor = 50);

-- The `at` that a worker has taken on; another `at` is new work. What that worker fails to remove, the housekeeping does.
alter table batch_cleanup add column taken_at timestamptz;

drop schema if exists pgboss cascade;
