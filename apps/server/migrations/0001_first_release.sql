-- Tables and indexes. What works on them is one function a file in src/<feature>/sql; the triggers stand with theirs.

-- People. What may be spent is credits - reserved; a refunded purchase may leave less than nothing.
create table account (
  id            uuid primary key default gen_random_uuid(),
  email         text not null unique check (email = lower(email)),
  name          text not null default '',
  password_hash text not null,
  role          text not null default 'user' check (role in ('user', 'admin')),
  plan          text not null default 'free' check (plan in ('free', 'pro', 'team', 'enterprise')),
  -- The sum of the account's credit entries.
  credits       bigint not null default 0,
  disabled_at   timestamptz,
  created_at    timestamptz not null default now(),
  -- Credits held by open reservations.
  reserved      bigint not null default 0 check (reserved >= 0),
  -- By its owner. The row stays, without a name and as a disabled account, since the ledger refers to it: work that was under way
  -- settles as ever. `cleared_at` is when nothing else was left.
  deleted_at    timestamptz check (deleted_at is null or disabled_at is not null),
  cleared_at    timestamptz check (cleared_at is null or deleted_at is not null),
  -- Which of DELIVERY_FOLDERS and DELIVERY_BUCKETS, or what below them, it may deliver from. Administrators need no grant.
  delivery_places text[] not null default '{}'
) with (fillfactor = 70);
-- The order in which administrators page through accounts.
create index account_created on account (created_at, id);
create index account_to_clear on account (deleted_at) where deleted_at is not null and cleared_at is null;

-- The keys that accounts call with, as hashes only.
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

-- The last minute's requests of a caller, oldest first: an exact sliding window. One for starting work, one for reading.
-- A caller is an API key, or the account itself where a login token reads.
-- Rewritten at every request, so half of each page is left free for updates in place.
create table request_window (
  caller     uuid not null,
  kind       text not null check (kind in ('work', 'read')),
  account_id uuid not null references account on delete cascade,
  hits       timestamptz[] not null default '{}',
  primary key (caller, kind)
) with (fillfactor = 50);

-- Numbers of servers; one is never given twice.
create sequence server_number as int;

-- What work under way has taken and may give back, by meter: calls of a month or of the credits, AI images of a day, removals of
-- backgrounds of a month. With an API key a removal is a call as well, under the same id.
create table reservation (
  id         uuid not null,
  account_id uuid not null references account on delete cascade,
  meter      text not null check (meter in ('call', 'ai_image', 'removal')),
  -- First day of what it was taken from; null where credits pay for calls.
  period     date check (period is not null or meter = 'call'),
  -- Calls, images or removals that are neither settled nor given back.
  cost       int not null check (cost > 0),
  -- Who works on it, a number of `server_number`; null for work that outlives its server and gives back itself.
  server     int,
  at         timestamptz not null default clock_timestamp(),
  primary key (id, meter)
);

-- Calls that were settled a moment ago and whose answer may not have begun, each under the number of the server that sends it. Without
-- WAL: after a crash of PostgreSQL the table is empty, and those calls stay charged. Without a foreign key, which would lock
-- the account's row for each call.
create unlogged table settled_call (
  id             uuid primary key,
  server         int not null,
  account_id     uuid not null,
  month          date,
  -- Of the removal of a background that was settled together with the call; else null.
  removals_month date,
  at             timestamptz not null default clock_timestamp(),
  -- A call that makes several images costs as many calls.
  calls          int not null default 1 check (calls > 0)
);

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
  kind       text not null check (kind in ('purchase', 'grant', 'call', 'refund', 'purchase_refund')),
  credits    bigint not null check (credits <> 0),
  -- Of the account, after this entry.
  balance    bigint not null,
  reference  text not null,
  at         timestamptz not null default now(),
  unique (kind, reference)
);
create index credit_entry_account on credit_entry (account_id, id);
-- What was bought, without the calls, which are many.
create index credit_entry_bought on credit_entry (account_id) include (credits) where kind in ('purchase', 'grant', 'purchase_refund');

-- Images of an account's UTC day, those of requests under way among them. By day first: old days are deleted.
create table ai_day (
  day        date not null,
  account_id uuid not null references account on delete cascade,
  used       bigint not null check (used >= 0),
  primary key (day, account_id)
) with (fillfactor = 70);

-- Removals of an account in a UTC calendar month, those under way among them. By month first: old ones are deleted.
create table background_month (
  month      date not null,
  account_id uuid not null references account on delete cascade,
  used       bigint not null check (used >= 0),
  primary key (month, account_id)
) with (fillfactor = 70);

-- Login tokens and browser sessions, which are the same tokens in a cookie. Kept as hashes only.
create table login_token (
  id           uuid primary key default gen_random_uuid(),
  account_id   uuid not null references account on delete cascade,
  hash         bytea not null unique,
  created_at   timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  expires_at   timestamptz not null,
  -- The program that signed in, in its own words.
  user_agent   text check (length(user_agent) <= 200)
);
create index login_token_account on login_token (account_id);
create index login_token_expires on login_token (expires_at);

-- Attempts that are limited, as exact sliding windows: counted here, so that the limits hold on every server at once.
-- A key is the hash of what is counted: an address typed here by mistake may be a password.
create table throttle (
  key        bytea primary key,
  hits       timestamptz[] not null,
  expires_at timestamptz not null,
  -- Guesses that are being judged: a right one is not refused for another that is under way, and at no moment are more judged than
  -- may still be wrong.
  pending    timestamptz[] not null default '{}'
) with (fillfactor = 50);

-- From where an account has signed in: SHA-256 of its e-mail address and the client's network, for 30 days. What others do
-- in this network, or elsewhere to this account, keeps nobody out of here.
create table known_place (
  key        bytea primary key,
  expires_at timestamptz not null
);
create index known_place_expires on known_place (expires_at);

-- What was changed on an account, by whom: written in the transaction of the change, and never again.
-- No foreign keys: the log outlives what it tells of.
create table audit_entry (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default clock_timestamp(),
  -- Null when nobody was signed in.
  actor_id   uuid,
  action     text not null,
  -- Whom it concerns.
  account_id uuid not null,
  details    jsonb not null default '{}',
  request_id text,
  address    text
);
create index audit_entry_account on audit_entry (account_id, id);

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

-- Every event of Stripe that was processed, for 90 days: one that is sent again is not processed again.
create table stripe_event (
  id          text primary key,
  type        text not null,
  purchase_id uuid references purchase on delete set null,
  outcome     text not null,
  at          timestamptz not null default clock_timestamp()
);
create index stripe_event_at on stripe_event (at);

-- Requests with an Idempotency-Key: running while `status` is null, else answered with what is kept.
create table idempotent_request (
  account_id  uuid not null references account on delete cascade,
  route       text not null,
  key         text not null,
  -- SHA-256 of what was asked for: the same key with another request is refused.
  fingerprint bytea not null,
  -- Who runs it: one whose lease has run out must not answer for its successor.
  claim       uuid not null unique,
  expires_at  timestamptz not null,
  status      int,
  headers     jsonb,
  body        bytea,
  -- Who runs it.
  server      int,
  primary key (account_id, route, key)
);
create index idempotent_request_expires on idempotent_request (expires_at);

-- What became of calls: statistics, written in batches some time after the answer. What decides is usage_month and the ledger.
create table usage_event (
  id             uuid primary key,
  account_id     uuid not null references account on delete cascade,
  -- Null where somebody was signed in.
  key_id         uuid,
  endpoint       text not null,
  status         smallint not null,
  status_message text,
  input_bytes    bigint not null,
  output_bytes   bigint not null,
  duration_ms    int not null,
  at             timestamptz not null,
  -- A request to an AI endpoint is no call. What it has spent stands here where it came to a model; `cost` is in US dollars.
  ai             boolean not null default false,
  provider       text check (provider in ('platform', 'byok')),
  model          text,
  images         int,
  questions      int,
  input_tokens   bigint,
  output_tokens  bigint,
  cost           numeric
);
create index usage_event_account on usage_event (account_id, at desc);
create index usage_event_at on usage_event (at);
-- Calls that failed are few: their list must not read all those that did not.
create index usage_event_failed on usage_event (account_id, at desc) where status >= 400;

-- Successful calls of a UTC day.
create table usage_day (
  account_id uuid not null references account on delete cascade,
  day        date not null,
  endpoint   text not null,
  calls      bigint not null,
  -- That they were sent and answered with.
  input_bytes  bigint not null default 0,
  output_bytes bigint not null default 0,
  primary key (account_id, day, endpoint)
) with (fillfactor = 70);
create index usage_day_day on usage_day (day);

-- What the AI requests of a UTC day have spent: statistics, which decide nothing. What decides is ai_day.
create table ai_usage_day (
  account_id    uuid not null references account on delete cascade,
  day           date not null,
  images        bigint not null,
  questions     bigint not null,
  input_tokens  bigint not null,
  output_tokens bigint not null,
  cost          numeric,
  primary key (account_id, day)
) with (fillfactor = 70);
create index ai_usage_day_day on ai_usage_day (day);

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

-- Archives of images that are converted behind the answer. Everything that a batch promises stands in these rows, so any
-- process may die at any moment.
--
-- Locks are taken in one order, so that no two transactions wait for each other: batches by (account, month, id), then
-- their images, then per batch its reservation and what it was taken from. An image changes only under its batch's lock;
-- a renewed lease is no such change, and waits for nobody.
create table batch (
  id                  uuid primary key,
  account_id          uuid not null references account on delete cascade,
  -- Null where somebody was signed in.
  key_id              uuid,
  -- First day of the month its calls are taken from; null when credits pay.
  month               date,
  -- One format, or a recipe. An item is then one output of one image: of an image with number i in the archive, the output k of n has
  -- the number i × n + k.
  format              text,
  recipe              jsonb,
  -- Null where none was sent: a PNG is then lossless, and the status reports the default.
  quality             smallint check (quality between 1 and 100),
  -- What its images are to reach; null if it was not asked for.
  visual_quality      double precision check (visual_quality between 30 and 95),
  max_bytes           int check (max_bytes > 0),
  webhook_url         text,
  -- For 24 hours: a request that is sent again makes no second batch, though the server died before it had answered.
  idempotency_key     text,
  request_fingerprint bytea check ((request_fingerprint is null) = (idempotency_key is null)),
  status              text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed')),
  -- Images. What is neither pending nor done is being converted.
  total               int not null check (total > 0),
  pending             int not null check (pending >= 0),
  succeeded           int not null default 0,
  failed              int not null default 0,
  -- When it had its latest turn, as a number of `batch_turn`.
  turn                bigint not null default 0,
  error_code          text,
  error_message       text,
  -- As precise as a client's clock, so that a place in the list is exact.
  created_at          timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  started_at          timestamptz,
  finished_at         timestamptz check ((finished_at is null) = (status in ('queued', 'processing'))),
  expires_at          timestamptz check ((expires_at is null) = (finished_at is null)),
  -- The latest image that was done, or the creation; later by the time in which no process looked for stale batches.
  idle_since          timestamptz not null default clock_timestamp(),
  -- Expired, and its images' rows deleted.
  cleared             boolean not null default false,
  -- Of the archive.
  upload_bytes        bigint not null default 0,
  -- What its owner calls it; names the download.
  name                text,
  check (pending + succeeded + failed <= total),
  check ((format is null) = (recipe is not null))
) with (fillfactor = 70);
create unique index batch_idempotency on batch (account_id, idempotency_key) where idempotency_key is not null;
create index batch_account on batch (account_id, created_at desc, id desc);
create index batch_active on batch (account_id) where finished_at is null;
create index batch_expiring on batch (expires_at) where finished_at is not null and not cleared;
create index batch_cleared on batch (finished_at) where cleared;

-- Each entry of the archive, in its order.
create table batch_item (
  batch_id      uuid not null references batch on delete cascade,
  seq           int not null,
  -- Its path in the archive, and that of its result.
  source        text not null,
  output        text check ((output is null) = (state = 'skipped')),
  state         text not null check (state in ('pending', 'claimed', 'converted', 'failed', 'skipped')),
  -- What reading it from the upload needs (src/archives/inspect.ts).
  entry         jsonb check ((entry is null) = (state = 'skipped')),
  -- Claims so far. Never lowered, as it names the file that the claim writes.
  attempt       int not null default 0,
  -- Servers that were lost while they had it, each once: one whose connection breaks again and again is one.
  lost_with     int[] not null default '{}',
  losses        smallint not null generated always as (cardinality(lost_with)) stored,
  -- Claims that ended a renderer.
  crashes       smallint not null default 0,
  -- Who works on it, or did it: a number of `server_number`.
  server        int,
  claimed_at    timestamptz,
  lease_until   timestamptz,
  input_bytes   bigint,
  output_bytes  bigint,
  crc32         bigint,
  width         int,
  height        int,
  error_code    text,
  error_message text,
  -- What became of what the source of a converted image has: HDR, a C2PA manifest, further frames or pages. Null where it has none.
  features      jsonb,
  primary key (batch_id, seq)
) with (fillfactor = 70);
-- Those that took their worker with them come last, so that they take few others along.
create index batch_item_pending on batch_item (batch_id, losses, seq) where state = 'pending';
create index batch_item_claimed on batch_item (server) where state = 'claimed';

-- Batches with files that are no longer needed. The row goes when they are gone; no foreign key, as the batch may go first.
create table batch_cleanup (
  batch_id uuid primary key,
  at       timestamptz not null default clock_timestamp(),
  -- The `at` that a worker has taken on; another `at` is new work. What that worker fails to remove, the housekeeping does.
  taken_at timestamptz
);

-- One number for each claim of images; the turns within it count from there.
create sequence batch_turn increment 1000;

-- When a process last looked for stale batches.
create table batch_watch (
  single boolean primary key default true check (single),
  at     timestamptz not null
);

-- When a worker last looked for images of workers that are gone.
create table lost_look (
  single  boolean primary key default true check (single),
  at      timestamptz not null default '-infinity',
  -- Workers that had images in progress at that look: what is left of all batches is shared evenly among so many.
  workers int not null default 0
);
insert into lost_look default values;

-- What an account's deliveries are signed with. Kept as it is: to sign, it must be had.
create table webhook_secret (
  account_id     uuid primary key references account on delete cascade,
  secret         text not null,
  -- The one before signs beside it until then.
  previous       text,
  previous_until timestamptz check ((previous_until is null) = (previous is null))
);

-- When an account's deliveries had their latest turn. A row for each account that ever had one.
create table webhook_turn (
  account_id uuid primary key references account on delete cascade,
  served_at  timestamptz not null default '-infinity'
) with (fillfactor = 50);

-- Deliveries of events of batches to addresses of their owners. A delivery is a row, and workers poll for rows that are due: it
-- counts as soon as it is committed, and nothing is lost with a process.
create table webhook_delivery (
  -- The webhook-id of the standard: the same at every attempt.
  id              uuid primary key default gen_random_uuid(),
  account_id      uuid not null references account on delete cascade,
  -- No foreign key: a batch that is removed leaves its deliveries.
  batch_id        uuid not null,
  event           text not null,
  url             text not null,
  -- The batch's row as it was at the event, and the body made of it at the first attempt, which every attempt sends.
  facts           jsonb not null,
  body            text,
  status          text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'stopped')),
  -- Counted as they begin, so that one that takes its process along counts too.
  attempts        int not null default 0,
  next_attempt_at timestamptz default clock_timestamp() check ((next_attempt_at is null) = (status <> 'pending')),
  -- While an attempt is under way, at most until then.
  claimed_until   timestamptz,
  created_at      timestamptz not null default clock_timestamp(),
  -- The first time it was taken.
  delivered_at    timestamptz check (delivered_at is not null or status <> 'delivered'),
  unique (batch_id, event)
) with (fillfactor = 70);
create index webhook_delivery_account on webhook_delivery (account_id, created_at desc, id desc);
create index webhook_delivery_due on webhook_delivery (next_attempt_at) where status = 'pending';
create index webhook_delivery_queue on webhook_delivery (account_id, next_attempt_at) where status = 'pending';
create index webhook_delivery_claimed on webhook_delivery (account_id) where claimed_until is not null;
create index webhook_delivery_created on webhook_delivery (created_at);

-- One that has neither a duration nor an end is under way, or ended with its process.
create table webhook_attempt (
  delivery_id uuid not null references webhook_delivery on delete cascade,
  number      int not null,
  at          timestamptz not null default clock_timestamp(),
  duration_ms int,
  http_status smallint,
  -- In words for the caller.
  error       text,
  primary key (delivery_id, number)
);

-- Recipes that an account keeps under a name.
create table preset (
  account_id uuid not null references account on delete cascade,
  name       text not null,
  recipe     jsonb not null,
  updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (account_id, name)
);

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
  -- As apps/server/src/delivery/source.ts describes it; the key of a bucket is encrypted.
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

-- Periodic jobs: when each is due next, and whether a process is running it.
create table housekeeping_job (
  name          text primary key,
  due_at        timestamptz not null,
  -- Claims so far: the number of a claim, so that one whose lease ended changes nothing any more.
  runs          bigint not null default 0,
  -- While a process runs it, at most until then.
  claimed_until timestamptz
) with (fillfactor = 50);

-- Which installation this database is: its blob store carries the same id, so that none removes the files of another.
create table installation (
  id  uuid not null default gen_random_uuid(),
  one boolean primary key default true check (one)
);
insert into installation default values;

-- The functions of src/<feature>/sql that this database has: the hash of their text, and the release that brought them.
create table applied_functions (
  single  boolean primary key default true check (single),
  hash    text not null,
  release text not null
);
