-- Files that clients send ahead of the requests that use them. Their bytes are in the store.
create table upload (
  id           uuid primary key default gen_random_uuid(),
  -- What its owner knows it by: 18 random bytes as base64url.
  handle       text not null unique,
  account_id   uuid not null references account on delete cascade,
  content_type text not null,
  name         text,
  -- Bytes as announced; null where that is not known yet.
  length       bigint check (length >= 0),
  -- Bytes of its parts: what is left after a crash, and where a client resumes.
  stored       bigint not null default 0 check (stored >= 0),
  -- SHA-256 of all bytes, where the client has announced it.
  sha256       bytea,
  created_at   timestamptz not null default clock_timestamp(),
  completed_at timestamptz,
  expires_at   timestamptz not null,
  -- When another request asked the one that is writing to stop.
  released_at  timestamptz
);
create index upload_account on upload (account_id);
create index upload_expires on upload (expires_at);

-- Its bytes in order, each part a file of the store.
create table upload_part (
  upload_id uuid not null references upload on delete cascade,
  first     bigint not null check (first >= 0),
  bytes     bigint not null check (bytes > 0),
  key       text not null,
  primary key (upload_id, first)
);
