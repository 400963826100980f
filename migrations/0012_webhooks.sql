-- Events of batches that are told to addresses of their owners. A delivery is a row; whoever is free takes the next one that
-- is due, so nothing has to be told to anybody when it is written, and nothing is lost with a process.

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

-- Leaves an event of a batch to be delivered, if it has an address. It says the batch as it is now.
create or replace function add_webhook_delivery(batch uuid, event text) returns void language plpgsql as $$
#variable_conflict use_column
declare
  subject record;
begin
  select b.account_id, b.webhook_url, to_jsonb(b) - 'idempotency_key' - 'request_fingerprint' as facts into subject
    from batch b where b.id = add_webhook_delivery.batch;
  if subject.webhook_url is null then
    return;
  end if;
  insert into webhook_turn (account_id) values (subject.account_id) on conflict do nothing;
  insert into webhook_delivery (account_id, batch_id, event, url, facts)
  values (subject.account_id, add_webhook_delivery.batch, add_webhook_delivery.event, subject.webhook_url, subject.facts)
  on conflict do nothing;
end $$;

-- Begins an attempt at up to `most` deliveries that are due, at most one of each account, and none of an account that has
-- `per_account` under way. First come those accounts whose turn was longest ago: a receiver that is slow, or thousands of
-- deliveries to one that is gone, hold up nobody else. `since_first` are the seconds since the first attempt.
create function claim_webhook_deliveries(most int, per_account int, lease interval) returns table (
  id uuid, account_id uuid, event text, url text, body text, created_at timestamptz, number int, at timestamptz, since_first float8
) language plpgsql as $$
#variable_conflict use_column
declare
  moment timestamptz := clock_timestamp();
  turns  uuid[];
begin
  -- The account's row is the lock: two servers never count its deliveries under way at the same time.
  select array(
    select t.account_id from webhook_turn t
     where t.account_id in (
             select d.account_id from webhook_delivery d
              where d.status = 'pending' and d.next_attempt_at <= moment and (d.claimed_until is null or d.claimed_until <= moment))
       and (select count(*) from webhook_delivery u where u.account_id = t.account_id and u.claimed_until > moment) < per_account
     order by t.served_at limit most for no key update skip locked
  ) into turns;
  if cardinality(turns) = 0 then
    return;
  end if;
  -- Counted again, since what was under way may have changed before the lock was had.
  return query
  with chosen as (
    select d.id from unnest(turns) as t (account_id) cross join lateral (
      select q.id from webhook_delivery q
       where q.account_id = t.account_id and q.status = 'pending' and q.next_attempt_at <= moment
         and (q.claimed_until is null or q.claimed_until <= moment)
       order by q.next_attempt_at limit 1
    ) d
     where (select count(*) from webhook_delivery u where u.account_id = t.account_id and u.claimed_until > moment) < per_account
  ), claimed as (
    update webhook_delivery d set attempts = d.attempts + 1, claimed_until = clock_timestamp() + lease
      from chosen c where d.id = c.id and d.status = 'pending'
    returning d.*
  ), served as (
    update webhook_turn t set served_at = clock_timestamp() from claimed c where t.account_id = c.account_id
  ), begun as (
    insert into webhook_attempt as a (delivery_id, number) select c.id, c.attempts from claimed c
    returning a.delivery_id, a.at
  )
  select c.id, c.account_id, c.event, c.url, c.body, c.created_at, c.attempts, b.at,
         extract(epoch from b.at - coalesce(f.at, b.at))::float8
    from claimed c join begun b on b.delivery_id = c.id
    left join webhook_attempt f on f.delivery_id = c.id and f.number = 1;
end $$;

-- Writes what became of an attempt: the delivery's new status, and the wait for the next attempt where that is `pending`.
-- One whose lease ran out, and that somebody else makes again meanwhile, decides nothing any more.
create function finish_webhook_attempt(
  delivery uuid, attempt int, duration_ms int, http_status smallint, error text, outcome text, wait interval
) returns void language sql as $$
  update webhook_attempt a
     set duration_ms = finish_webhook_attempt.duration_ms, http_status = finish_webhook_attempt.http_status,
         error = finish_webhook_attempt.error
   where a.delivery_id = delivery and a.number = attempt;
  update webhook_delivery d
     set status = outcome, claimed_until = null,
         next_attempt_at = case when outcome = 'pending' then clock_timestamp() + wait end,
         delivered_at = case when outcome = 'delivered' then coalesce(d.delivered_at, clock_timestamp()) else d.delivered_at end
   where d.id = delivery and d.attempts = attempt and d.status = 'pending'
$$;
