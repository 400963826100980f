-- Credits bought through Stripe. What Stripe told us is kept as facts, in whatever order it came; what follows from them
-- in the ledger is booked by comparing.
create table purchase (
  id                 uuid primary key default gen_random_uuid(),
  account_id         uuid not null references account on delete cascade,
  package_id         text not null,
  credits            bigint not null check (credits > 0),
  -- In the currency's smallest unit, as Stripe counts it.
  amount             bigint not null check (amount > 0),
  currency           text not null check (currency ~ '^[a-z]{3}$'),
  status             text not null default 'pending' check (status in ('pending', 'paid', 'failed', 'expired', 'refunded')),
  session_id         text unique,
  payment_intent     text unique,
  refunded_amount    bigint not null default 0 check (refunded_amount between 0 and amount),
  -- Of a dispute that was lost.
  disputed_amount    bigint not null default 0 check (disputed_amount between 0 and amount),
  credits_taken_back bigint not null default 0 check (credits_taken_back between 0 and credits),
  created_at         timestamptz not null default clock_timestamp(),
  paid_at            timestamptz check (paid_at is not null or status in ('pending', 'failed', 'expired'))
);
create index purchase_account on purchase (account_id, created_at);

-- Every event of Stripe that was worked off, for 90 days: what is sent again is not worked off again.
create table stripe_event (
  id          text primary key,
  type        text not null,
  purchase_id uuid references purchase on delete set null,
  outcome     text not null,
  at          timestamptz not null default clock_timestamp()
);
create index stripe_event_at on stripe_event (at);
