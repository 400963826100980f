-- The model server of an account, and its API key there: encrypted by the server, which alone can read it.
create table ai_key (
  account_id uuid primary key references account (id) on delete cascade,
  base_url   text not null,
  model      text not null,
  encrypted  text not null,
  -- What its owner is shown of it, so that showing opens nothing.
  masked     text not null,
  updated_at timestamptz not null default clock_timestamp()
);
