-- One number for all changes of sources. Each change takes the next one in its own transaction, so that a server that reads a
-- new number also reads the change.
create table source_change (
  only_row boolean primary key default true check (only_row),
  version  bigint not null
);
insert into source_change (version) values (0);

-- Places from which images are delivered under /i/{name}/.
create table source (
  name            text primary key,
  account_id      uuid not null references account on delete cascade,
  -- As src/delivery/source.ts describes it; the key of a bucket is encrypted.
  place           jsonb not null,
  max_age         int not null check (max_age > 0),
  unsigned        boolean not null,
  -- 32 bytes as base64url.
  secret          text not null,
  previous_secret text,
  -- Part of the keys of cached results. A purge raises it to the number of the change.
  generation      bigint not null,
  updated_at      timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index on source (account_id);

-- Single paths that were purged since the generation of their source began.
create table source_purge (
  source     text not null references source on delete cascade,
  path       text not null,
  generation bigint not null,
  primary key (source, path)
);

-- What was delivered on a UTC day. Without a reference to the source: its numbers outlive it for 13 months.
create table source_day (
  account_id uuid not null references account on delete cascade,
  source     text not null,
  day        date not null,
  hits       bigint not null default 0,
  misses     bigint not null default 0,
  bytes      bigint not null default 0,
  primary key (account_id, source, day)
);
create index source_day_day on source_day (day);
