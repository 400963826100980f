-- Archives of images that are converted behind the answer. Everything that a batch promises stands in these rows, so any
-- process may die at any moment.
--
-- Locks are taken in one order, so that no two transactions wait for each other: batches by (account, month, id), then
-- their images, then per batch its reservation and what it was taken from. An image changes only under its batch's lock;
-- a renewed lease is no such change, and waits for nobody.

create table batch (
  id                  uuid primary key,
  account_id          uuid not null references account on delete cascade,
  key_id              uuid not null,
  -- First day of the month its calls are taken from; null when credits pay.
  month               date,
  format              text not null,
  quality             smallint not null check (quality between 1 and 100),
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
  -- The latest image that was done, or the creation; later by the time in which nobody watched for stale batches.
  idle_since          timestamptz not null default clock_timestamp(),
  -- Expired, and its images' rows deleted.
  cleared             boolean not null default false,
  check (pending + succeeded + failed <= total)
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
  -- What reading it from the upload needs (src/archives/entry.ts).
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
  primary key (batch_id, seq)
) with (fillfactor = 70);
-- Those that took their worker with them come last, so that they take few others along.
create index batch_item_pending on batch_item (batch_id, losses, seq) where state = 'pending';
create index batch_item_claimed on batch_item (server) where state = 'claimed';

-- Batches with files that nobody needs any more. The row goes when they are gone; no foreign key, as the batch may go first.
create table batch_cleanup (
  batch_id uuid primary key,
  at       timestamptz not null default clock_timestamp()
);

-- One number for each claim of images; the turns within it count from there.
create sequence batch_turn increment 1000;

-- When somebody last looked for stale batches.
create table batch_watch (
  single boolean primary key default true check (single),
  at   timestamptz not null
);

-- Statistics of calls, written in the caller's transaction.
create function write_usage(events jsonb) returns void language sql as $$
  with written as (
    insert into usage_event (id, account_id, key_id, endpoint, status, status_message, input_bytes, output_bytes, duration_ms, at)
    select e.id, e.account_id, e.key_id, e.endpoint, e.status, e.status_message, e.input_bytes, e.output_bytes, e.duration_ms,
           clock_timestamp() - e.age_ms * interval '1 millisecond'
      from jsonb_to_recordset(events) as e(
        id uuid, account_id uuid, key_id uuid, endpoint text, status smallint, status_message text,
        input_bytes bigint, output_bytes bigint, duration_ms int, age_ms bigint
      )
      -- An account may have been deleted meanwhile.
      join account a on a.id = e.account_id
    on conflict do nothing
    returning account_id, (at at time zone 'utc')::date as day, endpoint, status
  )
  insert into usage_day as d (account_id, day, endpoint, calls)
  select w.account_id, w.day, w.endpoint, count(*) from written w where w.status between 200 and 299
   group by w.account_id, w.day, w.endpoint
   -- In one order, so that two servers do not wait for each other.
   order by w.account_id, w.day, w.endpoint
  on conflict (account_id, day, endpoint) do update set calls = d.calls + excluded.calls
$$;

-- As 0009 has it, by write_usage: nothing waits for the disk.
create or replace function record_usage(events jsonb) returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform write_usage(events);
end $$;

-- Leaves an event of a batch to be delivered. Until 0012 there are no deliveries.
create function add_webhook_delivery(batch uuid, event text) returns void language sql as $$ $$;

-- Makes a batch of an upload, and of the one call that its request reserved one of `cost` calls, one for each image; or
-- says why not, and writes nothing. The same call again gives the same batch, as does the same idempotency key: then
-- `batch_id` is that batch's. `remaining` are the calls or credits left, with a refusal those that the archive could have
-- had; null without limit. `month_left` in seconds, of the month that pays.
create function create_batch(
  batch jsonb, items jsonb, reservation_id uuid, plans jsonb,
  out verdict text, out batch_id uuid, out remaining bigint, out month_left int
) language plpgsql as $$
declare
  made       record;
  held       record;
  call_limit bigint;
  moment     timestamp := clock_timestamp() at time zone 'utc';
  -- The month that pays; null when credits do.
  payer      date;
  -- Of its calls, those that the request's own call has taken already.
  taken      int := 1;
begin
  select * into made from jsonb_to_record(batch) as b(
    id uuid, account_id uuid, key_id uuid, format text, quality smallint, webhook_url text,
    idempotency_key text, request_fingerprint bytea, cost int
  );
  -- Sent again while the first still runs, as after a connection that broke, it waits for it: else it would find neither
  -- the batch nor, as that is the batch's by now, the reservation.
  perform pg_advisory_xact_lock(hashtextextended(made.id::text, 0));
  select (plans -> a.plan ->> 'callsPerMonth')::bigint into call_limit from account a where a.id = made.account_id;
  update batch b set idempotency_key = null, request_fingerprint = null
   where b.account_id = made.account_id and b.idempotency_key = made.idempotency_key
     and b.created_at <= clock_timestamp() - interval '24 hours';
  select b.id, b.month, b.request_fingerprint into held from batch b
   where b.id = made.id or (b.account_id = made.account_id and b.idempotency_key = made.idempotency_key);
  if found then
    batch_id := held.id;
    remaining := spendable(made.account_id, held.month, call_limit);
    verdict := case when held.request_fingerprint is distinct from made.request_fingerprint
      then 'idempotency_key_reused' else 'ok' end;
    return;
  end if;

  select r.source, r.month into held from reservation r
   where r.id = reservation_id and r.account_id = made.account_id and r.cost = 1
     for no key update;
  if not found then
    verdict := 'reservation_is_void';
    return;
  end if;
  if held.source = 'month' then
    -- An upload may take until the next month: then all of its calls are of that one, and none of the month that is over.
    payer := greatest(held.month, date_trunc('month', moment)::date);
    taken := case when payer = held.month then 1 else 0 end;
    month_left := ceil(extract(epoch from payer + interval '1 month' - moment));
    perform from usage_month u where u.account_id = made.account_id and u.month = held.month for no key update;
    insert into usage_month as u (account_id, month, used)
    select made.account_id, payer, made.cost - taken where call_limit is null or made.cost - taken <= call_limit
    on conflict on constraint usage_month_pkey do update
      set used = u.used + made.cost - taken where call_limit is null or u.used + made.cost - taken <= call_limit;
  else
    update account a set reserved = a.reserved + made.cost - 1
     where a.id = made.account_id and a.credits - a.reserved >= made.cost - 1;
  end if;
  verdict := case when found then 'ok' when held.source = 'month' then 'monthly_limit_exceeded' else 'insufficient_credits' end;
  remaining := spendable(made.account_id, payer, call_limit);
  if verdict <> 'ok' then
    remaining := remaining + taken;
    return;
  end if;
  if payer <> held.month then
    update usage_month u set used = u.used - 1 where u.account_id = made.account_id and u.month = held.month;
  end if;

  -- From here on it is the batch's: whoever gives back the request's own call finds none.
  update reservation r set id = made.id, month = payer, cost = made.cost, server = null where r.id = reservation_id;
  insert into batch (id, account_id, key_id, month, format, quality, webhook_url, idempotency_key, request_fingerprint, total, pending)
  values (made.id, made.account_id, made.key_id, payer, made.format, made.quality, made.webhook_url, made.idempotency_key,
          made.request_fingerprint, made.cost, made.cost);
  insert into batch_item (batch_id, seq, source, output, state, entry)
  select made.id, i.seq, i.source, i.output, case when i.entry is null then 'skipped' else 'pending' end, i.entry
    from jsonb_to_recordset(items) as i(seq int, source text, output text, entry jsonb);
  batch_id := made.id;
end $$;

-- Locks those of these batches that have not ended, and returns them.
create function lock_batches(ids uuid[]) returns setof batch language sql as $$
  select * from batch b where b.id = any(ids) and b.finished_at is null
   order by b.account_id, b.month nulls first, b.id
     for no key update
$$;

-- Ends a batch that is locked, and gives back what is left of its calls; `tell_end` has to follow. One that fails has no
-- result, so nothing of it is charged: what was converted is given back as well.
create function end_batch(ended uuid, code text, message text) returns void language plpgsql as $$
declare
  b record;
begin
  update batch set status = case when code is null then 'completed' else 'failed' end, error_code = code, error_message = message,
         finished_at = clock_timestamp(), expires_at = clock_timestamp() + interval '24 hours'
   where id = ended returning * into b;
  perform void_reservation(ended);
  if b.status = 'failed' and b.succeeded > 0 then
    if b.month is null then
      perform add_credits(b.account_id, 'refund', b.succeeded, ended::text);
    else
      update usage_month u set used = u.used - b.succeeded where u.account_id = b.account_id and u.month = b.month;
    end if;
  end if;
end $$;

-- Leaves a batch's files to be looked through. A new time, so that whoever is looking does not strike it off.
create function leave_files(of_batch uuid) returns void language sql as $$
  insert into batch_cleanup as c (batch_id) values (of_batch) on conflict (batch_id) do update set at = clock_timestamp()
$$;

-- Leaves files and events of batches that have ended to be worked off. After all that locks what calls are taken from.
create function tell_end(ended uuid[]) returns void language plpgsql as $$
declare
  b record;
begin
  for b in select * from batch where id = any(ended) order by account_id, id loop
    perform leave_files(b.id);
    if b.webhook_url is not null then
      perform add_webhook_delivery(b.id, 'batch.' || b.status);
    end if;
  end loop;
end $$;

-- Books what became of claimed images of batches that are locked: statistics, one call for each that was converted, and
-- the end of those batches that have no more to do. `changes` are rows {batch_id, state, input_bytes, output_bytes,
-- duration_ms, status, error_code}, where `state` is the image's new one.
-- The ledger has one entry for each group of images; its reference counts the images so far and so is never used twice.
create function book_batch_items(changes jsonb) returns void language plpgsql as $$
declare
  one   record;
  b     record;
  cause record;
  ended uuid[] := '{}';
begin
  for one in
    select l.id, count(*) filter (where c.state = 'converted')::int as converted,
           count(*) filter (where c.state = 'failed')::int as failed, count(*) filter (where c.state = 'pending')::int as returned
      from jsonb_to_recordset(changes) as c(batch_id uuid, state text) join batch l on l.id = c.batch_id
     group by l.id
     order by l.account_id, l.month nulls first, l.id
  loop
    update batch set succeeded = succeeded + one.converted, failed = failed + one.failed, pending = pending + one.returned,
           idle_since = case when one.converted + one.failed > 0 then clock_timestamp() else idle_since end
     where id = one.id returning * into b;
    if one.converted > 0 and not (select s.settled from settle(b.id, b.id || '/' || b.succeeded, one.converted) s) then
      raise exception 'batch % has no calls left to pay for what was converted', b.id;
    end if;
    continue when b.succeeded + b.failed < b.total;
    ended := ended || b.id;
    if b.succeeded = 0 then
      select i.error_code as code, i.error_message as message into cause from batch_item i
       where i.batch_id = b.id and i.state = 'failed' order by i.seq limit 1;
      perform end_batch(b.id, cause.code, 'None of the images could be converted; of the first: ' || cause.message);
    else
      perform end_batch(b.id, null, null);
    end if;
  end loop;
  perform tell_end(ended);
  -- Last, as other servers write statistics too: whoever holds these rows waits for nothing else.
  perform write_usage((
    select jsonb_agg(jsonb_build_object(
             'id', gen_random_uuid(), 'account_id', l.account_id, 'key_id', l.key_id, 'endpoint', '/api/v2/batch',
             'status', case c.state when 'converted' then 200 else c.status end, 'status_message', c.error_code,
             'input_bytes', coalesce(c.input_bytes, 0), 'output_bytes', coalesce(c.output_bytes, 0),
             'duration_ms', coalesce(c.duration_ms, 0), 'age_ms', 0))
      from jsonb_to_recordset(changes) as c(
             batch_id uuid, state text, input_bytes bigint, output_bytes bigint, duration_ms int, status int, error_code text
           ) join batch l on l.id = c.batch_id
     where c.state in ('converted', 'failed')));
end $$;

-- Makes images claimable again whose worker is gone, which is to say whose presence lock is free, or whose lease has ended.
-- Those that five workers were lost with have failed. A transaction of its own: it locks batches before a claim chooses others.
-- Who asks is there, whatever the lock says; and an image that was just claimed was claimed by somebody who was there: with
-- the 5 s a connection that breaks has time to come back.
create function return_lost_items(presence_lock int, asking int) returns void language plpgsql as $$
declare
  lost    jsonb;
  changes jsonb;
begin
  with gone as materialized (
    select s.server
      from (select distinct i.server from batch_item i
             where i.state = 'claimed' and i.server <> asking and i.claimed_at < clock_timestamp() - interval '5 seconds') s
     -- Shared, so that of several who try at once each finds it free.
     where pg_try_advisory_xact_lock_shared(presence_lock, s.server)
  )
  select jsonb_agg(jsonb_build_object('batch_id', i.batch_id, 'seq', i.seq, 'attempt', i.attempt)) into lost from batch_item i
   where i.state = 'claimed'
     and (i.lease_until < clock_timestamp()
       or (i.claimed_at < clock_timestamp() - interval '5 seconds' and i.server in (select g.server from gone g)));
  if lost is null then
    return;
  end if;
  perform from lock_batches(array(select distinct (l ->> 'batch_id')::uuid from jsonb_array_elements(lost) l));
  with returned as (
    update batch_item i
       set lost_with = array_remove(i.lost_with, i.server) || i.server, server = null, claimed_at = null, lease_until = null,
           state = case when cardinality(array_remove(i.lost_with, i.server)) < 4 then 'pending' else 'failed' end,
           error_code = case when cardinality(array_remove(i.lost_with, i.server)) < 4 then null else 'conversion_failed' end,
           error_message = case when cardinality(array_remove(i.lost_with, i.server)) < 4 then null
             else 'The image could not be processed: five workers were lost with it.' end
      from jsonb_to_recordset(lost) as l(batch_id uuid, seq int, attempt int)
     where i.batch_id = l.batch_id and i.seq = l.seq and i.attempt = l.attempt and i.state = 'claimed'
    returning i.batch_id, i.state, i.error_code, 500 as status
  )
  select jsonb_agg(to_jsonb(r)) into changes from returned r;
  if changes is not null then
    perform book_batch_items(changes);
  end if;
end $$;

-- Gives a worker up to `most` images, for two minutes each if it does not renew them. Turns go round: first to the account
-- with the fewest images under way, of these to the one whose turn was longest ago; and so among the batches of an account.
-- Costs as much as there are batches under way, however many images they have.
create function claim_batch_items(worker int, most int) returns table (
  batch_id uuid, account_id uuid, key_id uuid, format text, quality smallint, seq int, attempt int, source text, entry jsonb
) language plpgsql as $$
#variable_conflict use_column
declare
  round  bigint;
  chosen jsonb;
  one    record;
  taken  int;
begin
  with active as (
    select b.id, b.account_id, b.pending, b.turn, b.total - b.pending - b.succeeded - b.failed as under_way
      from batch b where b.finished_at is null
  ), next_accounts as (
    select a.account_id, sum(a.under_way) as under_way, max(a.turn) as turn from active a
     group by a.account_id having sum(a.pending) > 0
     order by sum(a.under_way), max(a.turn), a.account_id limit most
  ), own_order as (
    select a.id, n.account_id, n.under_way, n.turn,
           row_number() over (partition by a.account_id order by a.under_way + nth, a.turn, a.id) as nth
      from next_accounts n join active a using (account_id) cross join generate_series(1, least(a.pending, most)) as nth
  ), places as (
    select o.id, row_number() over (order by o.under_way + o.nth, o.turn, o.account_id) as place from own_order o
     order by place limit most
  )
  select jsonb_agg(jsonb_build_object('id', p.id, 'images', p.images, 'place', p.place)) into chosen
    from (select id, count(*) as images, max(place) as place from places group by id) p;
  if chosen is null then
    return;
  end if;
  perform from lock_batches(array(select (c ->> 'id')::uuid from jsonb_array_elements(chosen) c));
  round := nextval('batch_turn');
  -- One by one, as then the index is used, however little is known of the table.
  for one in select * from jsonb_to_recordset(chosen) as c(id uuid, images int, place int) order by place loop
    return query
    update batch_item i set state = 'claimed', server = worker, attempt = i.attempt + 1, claimed_at = clock_timestamp(),
           lease_until = clock_timestamp() + interval '2 minutes'
      from batch b
     where b.id = one.id and i.batch_id = one.id and i.seq = any(array(
             select p.seq from batch_item p where p.batch_id = one.id and p.state = 'pending'
              order by p.losses, p.seq limit one.images for no key update skip locked))
    returning b.id, b.account_id, b.key_id, b.format, b.quality, i.seq, i.attempt, i.source, i.entry;
    get diagnostics taken = row_count;
    update batch b set pending = b.pending - taken, turn = round + one.place, status = 'processing',
           started_at = coalesce(b.started_at, clock_timestamp())
     where b.id = one.id and taken > 0;
  end loop;
end $$;

-- Prolongs the leases of these claims {batch_id, seq, attempt}, and returns those that are still the worker's.
create function renew_batch_leases(worker int, claims jsonb) returns table (batch_id uuid, seq int, attempt int) language sql as $$
  with held as materialized (
    select i.batch_id, i.seq, i.attempt from batch_item i
      join jsonb_to_recordset(claims) as c(batch_id uuid, seq int, attempt int) using (batch_id, seq, attempt)
     where i.server = worker and i.state = 'claimed'
  ), own as materialized (
    select i.batch_id, i.seq from batch_item i join held using (batch_id, seq) for no key update of i skip locked
  ), renewed as (
    update batch_item i set lease_until = clock_timestamp() + interval '2 minutes'
      from own o where i.batch_id = o.batch_id and i.seq = o.seq and i.server = worker and i.state = 'claimed'
  )
  select h.batch_id, h.seq, h.attempt from held h
$$;

-- Hands these claims {batch_id, seq, attempt} back, as if they had not been made. Returns how many were the worker's.
create function release_batch_items(worker int, claims jsonb) returns int language plpgsql as $$
declare
  changes jsonb;
begin
  perform from lock_batches(array(select distinct (c ->> 'batch_id')::uuid from jsonb_array_elements(claims) c));
  with released as (
    update batch_item i set state = 'pending', server = null, claimed_at = null, lease_until = null
      from jsonb_to_recordset(claims) as c(batch_id uuid, seq int, attempt int)
     where i.batch_id = c.batch_id and i.seq = c.seq and i.attempt = c.attempt and i.server = worker and i.state = 'claimed'
    returning i.batch_id, i.state
  )
  select jsonb_agg(to_jsonb(r)) into changes from released r;
  if changes is not null then
    perform book_batch_items(changes);
  end if;
  return coalesce(jsonb_array_length(changes), 0);
end $$;

-- Writes results of claims {batch_id, seq, attempt, state, input_bytes, output_bytes, crc32, width, height, status,
-- error_code, error_message, duration_ms}: `converted`, `failed`, or `crashed` for one that ended its renderer, which is
-- tried three times. Returns those that count; of a claim that was lost meanwhile none does. What is sent again counts again
-- and changes nothing. `ended` tells of batches that have no more to do.
create function finish_batch_items(worker int, results jsonb) returns table (batch_id uuid, seq int, attempt int, ended boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  changes jsonb;
begin
  perform from lock_batches(array(select distinct (r ->> 'batch_id')::uuid from jsonb_array_elements(results) r));
  with written as (
    update batch_item i
       set state = case when r.state <> 'crashed' then r.state when i.crashes < 2 then 'pending' else 'failed' end,
           crashes = i.crashes + (r.state = 'crashed')::int,
           server = case when r.state = 'crashed' and i.crashes < 2 then null else worker end,
           lease_until = null, input_bytes = r.input_bytes, output_bytes = r.output_bytes, crc32 = r.crc32,
           width = r.width, height = r.height, error_code = r.error_code, error_message = r.error_message
      from jsonb_to_recordset(results) as r(
             batch_id uuid, seq int, attempt int, state text, input_bytes bigint, output_bytes bigint, crc32 bigint,
             width int, height int, status int, error_code text, error_message text, duration_ms int
           )
     where i.batch_id = r.batch_id and i.seq = r.seq and i.attempt = r.attempt and i.server = worker and i.state = 'claimed'
    returning i.batch_id, i.state, i.input_bytes, i.output_bytes, i.error_code, r.status, r.duration_ms
  )
  select jsonb_agg(to_jsonb(w)) into changes from written w;
  if changes is not null then
    perform book_batch_items(changes);
  end if;
  return query
  select i.batch_id, i.seq, i.attempt, b.finished_at is not null
    from jsonb_to_recordset(results) as r(batch_id uuid, seq int, attempt int, state text)
    join batch_item i using (batch_id, seq, attempt)
    join batch b on b.id = i.batch_id
   where i.server = worker and i.state = case r.state when 'crashed' then 'failed' else r.state end;
end $$;

-- Fails those of these batches that have not ended, as a whole, and returns them.
create function fail_batches(ids uuid[], code text, message text) returns setof uuid language plpgsql as $$
declare
  failing uuid[] := array(select l.id from lock_batches(ids) l);
  one     uuid;
begin
  foreach one in array failing loop
    -- Without a server, so that a late result does not count.
    update batch_item i set state = 'failed', error_code = code, error_message = message,
           server = null, claimed_at = null, lease_until = null
     where i.batch_id = one and i.state in ('pending', 'claimed');
    update batch b set pending = 0, failed = b.total - b.succeeded where b.id = one;
    perform end_batch(one, code, message);
  end loop;
  perform tell_end(failing);
  return query select unnest(failing);
end $$;

-- Removes a batch of an account in any state; its files are left to be removed. What was converted stays charged, as the
-- work was done. False when there is none.
create function cancel_batch(account uuid, cancelled uuid) returns boolean language plpgsql as $$
begin
  perform from batch b where b.id = cancelled and b.account_id = account for update;
  if not found then
    return false;
  end if;
  perform void_reservation(cancelled);
  delete from batch b where b.id = cancelled;
  perform leave_files(cancelled);
  return true;
end $$;

-- Fails up to `most` batches without progress for 30 minutes, and returns them. A batch that waits for its turn while others
-- make progress is not stale, nor is one that has just had its turn, nor does time count in which nobody watched, since the
-- service was down.
create function fail_stale_batches(most int) returns setof uuid language plpgsql as $$
declare
  moment    timestamptz := clock_timestamp();
  patience  interval := '30 minutes';
  unwatched interval;
  stale     uuid[];
begin
  insert into batch_watch (at) values (moment) on conflict do nothing;
  select moment - w.at into unwatched from batch_watch w for no key update;
  update batch_watch set at = moment;
  if unwatched > interval '5 minutes' then
    perform from lock_batches(array(select b.id from batch b where b.finished_at is null));
    update batch b set idle_since = least(moment, b.idle_since + unwatched) where b.finished_at is null;
  end if;
  select array(
    select b.id from batch b
     where b.finished_at is null and b.idle_since < moment - patience
       and not exists (
         select from batch_item i
          where i.batch_id = b.id and i.state = 'claimed' and i.claimed_at > moment - patience)
       and not (b.total = b.pending + b.succeeded + b.failed and exists (
         select from batch o
          where (o.finished_at is null or o.expires_at > moment) and o.id <> b.id and o.succeeded + o.failed > 0
            and o.idle_since > moment - patience))
     order by b.idle_since limit most
  ) into stale;
  -- Once more when they are locked, as an image may have been done meanwhile.
  stale := array(select l.id from lock_batches(stale) l where l.idle_since < moment - patience);
  return query
  select fail_batches(stale, 'stale', 'The batch made no progress for 30 minutes. Nothing was charged; please send it again.');
end $$;

-- Ends the life of up to `most` batches that expired: their images' rows go, their files are left to be removed.
create function expire_batches(most int) returns setof uuid language plpgsql as $$
declare
  expired uuid;
begin
  for expired in
    select b.id from batch b where b.finished_at is not null and not b.cleared and b.expires_at <= clock_timestamp()
     order by b.expires_at limit most for no key update skip locked
  loop
    delete from batch_item i where i.batch_id = expired;
    update batch b set cleared = true where b.id = expired;
    perform leave_files(expired);
    return next expired;
  end loop;
end $$;
