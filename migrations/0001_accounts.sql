-- People, and the keys they call with. Secrets are kept as hashes only.
create table account (
  id            uuid primary key default gen_random_uuid(),
  email         text not null unique check (email = lower(email)),
  name          text not null default '',
  password_hash text not null,
  role          text not null default 'user' check (role in ('user', 'admin')),
  plan          text not null default 'free' check (plan in ('free', 'pro', 'team', 'enterprise')),
  credits       bigint not null default 0 check (credits >= 0),
  disabled_at   timestamptz,
  created_at    timestamptz not null default now()
);

create table api_key (
  id           uuid primary key default gen_random_uuid(),
  account_id   uuid not null references account on delete cascade,
  name         text not null,
  hash         bytea not null unique,
  prefix       text not null,
  last_four    text not null,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at   timestamptz
);
create index api_key_account on api_key (account_id);
