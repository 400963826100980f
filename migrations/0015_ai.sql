-- AI: who may ask, how many images a day, and what it took.

-- Images of an account's UTC day, those of requests under way among them. By day first: old days are deleted.
create table ai_day (
  day        date not null,
  account_id uuid not null references account on delete cascade,
  used       bigint not null check (used >= 0),
  primary key (day, account_id)
) with (fillfactor = 70);

-- Images of requests under way. `server` is who works on them, a number of `server_number`.
create table ai_reservation (
  id         uuid primary key,
  account_id uuid not null references account on delete cascade,
  day        date not null,
  images     int not null check (images > 0),
  server     int not null,
  at         timestamptz not null default clock_timestamp()
);

-- Takes images from today, all or none; null is no limit. `used` is what is taken then, `resets_in` the seconds until the
-- next 00:00 UTC. `given_moment` is for tests of the clock; otherwise it is the database's, the same for every server.
create function reserve_ai_images(
  reservation_id uuid, account uuid, images int, day_limit bigint, server int, given_moment timestamptz default null,
  out reserved boolean, out day date, out used bigint, out resets_at timestamptz, out resets_in int
) language plpgsql as $$
declare
  moment timestamptz := coalesce(given_moment, clock_timestamp());
begin
  day := (moment at time zone 'utc')::date;
  resets_at := (day + 1)::timestamp at time zone 'utc';
  resets_in := ceil(extract(epoch from resets_at - moment));
  insert into ai_day as d (day, account_id, used)
  select reserve_ai_images.day, account, images where day_limit is null or images <= day_limit
  on conflict on constraint ai_day_pkey do update
    set used = d.used + images where day_limit is null or d.used + images <= day_limit
  returning d.used into reserve_ai_images.used;
  reserved := found;
  if reserved then
    insert into ai_reservation (id, account_id, day, images, server)
    values (reservation_id, account, reserve_ai_images.day, reserve_ai_images.images, reserve_ai_images.server);
  else
    used := coalesce((select d.used from ai_day d where d.account_id = account and d.day = reserve_ai_images.day), 0);
  end if;
end $$;

-- Ends a reservation: `succeeded` of its images count, the rest is given back. Returns what the day has used then. Where there
-- is no such reservation, since somebody took this server for dead and gave it back, they are counted on the account and day
-- that are told: the model has answered. With null for them nothing is counted: it may have been settled before.
create function settle_ai_images(reservation_id uuid, succeeded int, account uuid, of_day date) returns bigint language plpgsql as $$
declare
  held record;
  used bigint;
begin
  delete from ai_reservation r where r.id = reservation_id returning r.* into held;
  if found then
    update ai_day d set used = d.used + succeeded - held.images where d.account_id = held.account_id and d.day = held.day
    returning d.used into used;
  else
    insert into ai_day as d (day, account_id, used) select of_day, a.id, succeeded from account a where a.id = account
    on conflict on constraint ai_day_pkey do update set used = d.used + succeeded
    returning d.used into used;
  end if;
  return used;
end $$;

-- Gives back up to `most` reservations of servers that are gone, which is to say whose lock is free, and any that are older
-- than the longest answer, as void_stale_reservations does. Returns how many.
create function give_back_stale_images(presence_lock int, most int) returns int language plpgsql as $$
declare
  stale uuid;
  given int := 0;
begin
  for stale in
    with gone as materialized (
      select s.server from (select distinct r.server from ai_reservation r) s
       where pg_try_advisory_xact_lock(presence_lock, s.server)
    )
    select r.id from ai_reservation r
     where r.server in (select server from gone) or r.at < clock_timestamp() - interval '1 hour'
     order by r.account_id, r.day, r.id
     limit most
       for update skip locked
  loop
    perform settle_ai_images(stale, 0, null, null);
    given := given + 1;
  end loop;
  return given;
end $$;

-- Whose key it is that is neither revoked nor of a disabled account; nothing where there is none. That it was used is written
-- at most once a minute: it is for people, and a write at each call would double the calls' own.
create function find_key(key_hash bytea, out account uuid, out key uuid, out plan text) language plpgsql as $$
declare
  last_used timestamptz;
begin
  select a.id, k.id, a.plan, k.last_used_at into account, key, plan, last_used
    from api_key k
    join account a on a.id = k.account_id
   where k.hash = key_hash and k.revoked_at is null and a.disabled_at is null;
  if found and (last_used is null or last_used < clock_timestamp() - interval '1 minute') then
    update api_key k set last_used_at = clock_timestamp()
     where k.id = key and (k.last_used_at is null or k.last_used_at < clock_timestamp() - interval '1 minute');
  end if;
end $$;

-- As 0010 has it, by find_key.
create or replace function find_caller(
  key_hash bytea, plans jsonb,
  out refusal text, out account uuid, out key uuid, out api_access boolean, out calls_per_month bigint, out bought bigint
) language plpgsql as $$
declare
  plan text;
begin
  select f.account, f.key, f.plan into account, key, plan from find_key(key_hash) f;
  if account is null then
    refusal := 'invalid_or_revoked_api_key';
    return;
  end if;
  api_access := (plans -> plan ->> 'apiAccess')::boolean;
  calls_per_month := (plans -> plan ->> 'callsPerMonth')::bigint;
  if not api_access then
    select sum(e.credits) into bought from credit_entry e
     where e.account_id = account and e.kind in ('purchase', 'grant', 'purchase_refund');
    if bought is null then
      refusal := 'api_access_not_available';
    end if;
  end if;
end $$;

-- Admission to the AI endpoints in one round trip: an API key of an account whose plan has AI, or, without a key, the account
-- that is signed in; then a place of the minute's burst, which a key shares with its calls. An account has places of its own.
create function admit_ai(
  key_hash bytea, account uuid, places int, plans jsonb, given_moment timestamptz default null,
  out verdict text, out account_id uuid, out key_id uuid, out plan text, out burst_left int, out burst_free_in int
) language plpgsql as $$
declare
  place record;
begin
  account_id := account;
  if key_hash is not null then
    select f.account, f.key, f.plan into account_id, key_id, plan from find_key(key_hash) f;
    if key_id is null then
      verdict := 'invalid_or_revoked_api_key';
    elsif not (plans -> plan ->> 'ai')::boolean then
      verdict := 'ai_access_denied';
    end if;
    if verdict is not null then
      return;
    end if;
  end if;
  select * into place from take_place(coalesce(key_id, account), 'work', account_id, places, given_moment);
  burst_left := place.places_left;
  burst_free_in := place.free_in;
  verdict := case when place.taken then 'ok' else 'rate_limited' end;
end $$;

-- An AI request is no call: it has no key where somebody is signed in, and what it has spent where it came to a model.
-- `cost` is in US dollars.
alter table usage_event alter column key_id drop not null;
alter table usage_event
  add column ai boolean not null default false,
  add column provider text check (provider in ('platform', 'byok')),
  add column model text,
  add column images int,
  add column questions int,
  add column input_tokens bigint,
  add column output_tokens bigint,
  add column cost numeric;

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

-- As 0011 has it, with AI requests, which count on days of their own. Prices are those of a million tokens.
create or replace function write_usage(events jsonb) returns void language sql as $$
  with written as (
    insert into usage_event (id, account_id, key_id, endpoint, status, status_message, input_bytes, output_bytes, duration_ms, at,
                             ai, provider, model, images, questions, input_tokens, output_tokens, cost)
    select e.id, e.account_id, e.key_id, e.endpoint, e.status, e.status_message, e.input_bytes, e.output_bytes, e.duration_ms,
           clock_timestamp() - e.age_ms * interval '1 millisecond',
           coalesce(e.ai, false), e.provider, e.model, e.images, e.questions, e.input_tokens, e.output_tokens,
           (e.input_tokens * e.input_price + e.output_tokens * e.output_price) / 1000000
      from jsonb_to_recordset(events) as e(
        id uuid, account_id uuid, key_id uuid, endpoint text, status smallint, status_message text,
        input_bytes bigint, output_bytes bigint, duration_ms int, age_ms bigint,
        ai boolean, provider text, model text, images int, questions int, input_tokens bigint, output_tokens bigint,
        input_price numeric, output_price numeric
      )
      -- An account may have been deleted meanwhile.
      join account a on a.id = e.account_id
    on conflict do nothing
    returning *, (at at time zone 'utc')::date as day
  ), spent as (
    insert into ai_usage_day as d (account_id, day, images, questions, input_tokens, output_tokens, cost)
    select w.account_id, w.day, sum(w.images), sum(w.questions), sum(w.input_tokens), sum(w.output_tokens), sum(w.cost)
      from written w where w.provider is not null
     group by w.account_id, w.day
     order by w.account_id, w.day
    on conflict (account_id, day) do update
      set images = d.images + excluded.images, questions = d.questions + excluded.questions,
          input_tokens = d.input_tokens + excluded.input_tokens, output_tokens = d.output_tokens + excluded.output_tokens,
          cost = coalesce(d.cost + excluded.cost, d.cost, excluded.cost)
  )
  insert into usage_day as d (account_id, day, endpoint, calls)
  select w.account_id, w.day, w.endpoint, count(*) from written w where w.status between 200 and 299 and not w.ai
   group by w.account_id, w.day, w.endpoint
   -- In one order, so that two servers do not wait for each other.
   order by w.account_id, w.day, w.endpoint
  on conflict (account_id, day, endpoint) do update set calls = d.calls + excluded.calls
$$;
