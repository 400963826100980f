-- The last calls of each key, oldest first: an exact sliding window.
-- Rewritten at every call, so half of each page is left free for updates in place.
create table key_window (
  key_id uuid primary key references api_key on delete cascade,
  hits   timestamptz[] not null
) with (fillfactor = 50);

-- Calls charged in a UTC calendar month; `month` is its first day.
create table usage_month (
  account_id uuid not null references account on delete cascade,
  month      date not null,
  used       bigint not null check (used >= 0),
  primary key (account_id, month)
) with (fillfactor = 50);

-- Every movement of credits, append-only; account.credits is their sum.
create table credit_entry (
  id         bigint generated always as identity primary key,
  account_id uuid not null references account on delete cascade,
  kind       text not null check (kind in ('purchase', 'grant', 'call', 'refund')),
  credits    bigint not null check (credits <> 0),
  balance    bigint not null check (balance >= 0),
  reference  text not null,
  at         timestamptz not null default now(),
  unique (kind, reference)
);
create index credit_entry_account on credit_entry (account_id, id);
