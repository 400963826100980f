-- Background removal: how many an account may have in a month. With an API key each is a call as well, reserved, settled and given
-- back together with it, under the same id.

-- Removals of an account in a UTC calendar month, those under way among them. By month first: old ones are deleted.
create table background_month (
  month      date not null,
  account_id uuid not null references account on delete cascade,
  used       bigint not null check (used >= 0),
  primary key (month, account_id)
) with (fillfactor = 70);

-- Removals under way. `server` is who works on them, a number of `server_number`.
create table background_reservation (
  id         uuid primary key,
  account_id uuid not null references account on delete cascade,
  month      date not null,
  server     int not null,
  at         timestamptz not null default clock_timestamp()
);

-- Admission in one round trip: with an API key as admit() has it, for one call; without, the account that is signed in takes a place
-- of its burst. Then one removal of the account's month, or else the call is given back. `limits` is BG_MONTHLY_LIMIT, by plan, null
-- is no limit. `given_moment` is for tests of the clock; otherwise it is the database's, the same for every server.
create function admit_background(
  key_hash bytea, account uuid, reservation_id uuid, server int, burst int, plans jsonb, limits jsonb,
  given_moment timestamptz default null,
  out verdict text, out account_id uuid, out key_id uuid, out source text, out month date,
  out call_limit bigint, out remaining bigint, out month_left int, out burst_left int, out burst_free_in int,
  out removals_month date, out removals_limit bigint, out removals_used bigint, out resets_at timestamptz, out resets_in int
) language plpgsql as $$
declare
  called record;
  place  record;
  moment timestamptz := coalesce(given_moment, clock_timestamp());
begin
  if key_hash is not null then
    select * into called from admit(key_hash, reservation_id, 1, server, burst, plans, given_moment);
    verdict := called.verdict;
    account_id := called.account_id;
    key_id := called.key_id;
    source := called.source;
    month := called.month;
    call_limit := called.call_limit;
    remaining := called.remaining;
    month_left := called.month_left;
    burst_left := called.burst_left;
    burst_free_in := called.burst_free_in;
  else
    select * into place from take_place(account, 'work', account, burst, given_moment);
    verdict := case when place.taken then 'ok' else 'rate_limited' end;
    account_id := account;
    burst_left := place.places_left;
    burst_free_in := place.free_in;
  end if;
  if verdict <> 'ok' then
    return;
  end if;

  removals_month := date_trunc('month', moment at time zone 'utc')::date;
  resets_at := (removals_month + interval '1 month') at time zone 'utc';
  resets_in := ceil(extract(epoch from resets_at - moment));
  select (limits ->> a.plan)::bigint into removals_limit from account a where a.id = admit_background.account_id;
  insert into background_month as b (month, account_id, used)
  select removals_month, admit_background.account_id, 1 where removals_limit is null or removals_limit > 0
  on conflict on constraint background_month_pkey do update
    set used = b.used + 1 where removals_limit is null or b.used < removals_limit
  returning b.used into removals_used;
  if found then
    insert into background_reservation (id, account_id, month, server)
    values (reservation_id, admit_background.account_id, removals_month, admit_background.server);
    return;
  end if;
  verdict := 'background_quota_exceeded';
  removals_used := coalesce((select b.used from background_month b
                              where b.account_id = admit_background.account_id and b.month = removals_month), 0);
  if key_id is not null then
    perform void_reservation(reservation_id);
    remaining := remaining + 1;
  end if;
end $$;

-- Gives back what is left of a reservation, its call too. False when there is none: it was settled, or given back before.
create function void_background(reservation_id uuid) returns boolean language plpgsql as $$
declare
  voided boolean;
  held   record;
begin
  -- Before the call, as whoever settles it: so neither waits for the other.
  delete from background_reservation r where r.id = reservation_id returning r.* into held;
  voided := found;
  voided := void_reservation(reservation_id) or voided;
  if held.id is not null then
    update background_month b set used = b.used - 1 where b.account_id = held.account_id and b.month = held.month;
  end if;
  return voided;
end $$;

-- Charges a reservation for good. Of a call that somebody gave back meanwhile nothing is charged: `settled` is false then. A removal
-- alone counts all the same, on the account and month that are told: who cut it out may want to be paid.
create function settle_background(
  reservation_id uuid, with_call boolean, account uuid, of_month date, out settled boolean, out credits_left bigint
) language plpgsql as $$
declare
  held record;
begin
  delete from background_reservation r where r.id = reservation_id returning r.* into held;
  settled := true;
  if with_call then
    select s.settled, s.credits_left into settled, credits_left from settle(reservation_id, reservation_id::text) s;
  end if;
  if not settled then
    update background_month b set used = b.used - 1 where b.account_id = held.account_id and b.month = held.month;
  elsif held.id is null then
    insert into background_month as b (month, account_id, used) select of_month, a.id, 1 from account a where a.id = account
    on conflict on constraint background_month_pkey do update set used = b.used + 1;
  end if;
end $$;

-- Gives back what was settled, since its answer never arrived: a credit as refund_call() does, at most once and only if it was
-- charged, and the removal with it. `call_month` is null where credits paid, and ignored where there was no call.
create function refund_background(
  account uuid, reference text, with_call boolean, call_month date, of_month date
) returns void language plpgsql as $$
begin
  if with_call and call_month is null and (
    not exists (select from credit_entry e where e.kind = 'call' and e.reference = refund_background.reference)
    or exists (select from credit_entry e where e.kind = 'refund' and e.reference = refund_background.reference)
  ) then
    return;
  end if;
  if with_call then
    perform refund_call(account, reference, call_month);
  end if;
  update background_month b set used = b.used - 1 where b.account_id = account and b.month = of_month;
end $$;

-- Gives back up to `most` reservations of servers that are gone, and any that are older than the longest answer, with their
-- calls: as void_stale_reservations does. Returns how many.
create function void_stale_background(presence_lock int, most int) returns int language plpgsql as $$
declare
  stale  uuid;
  voided int := 0;
begin
  for stale in
    with gone as materialized (
      select s.server from (select distinct r.server from background_reservation r) s
       where pg_try_advisory_xact_lock(presence_lock, s.server)
    )
    select r.id from background_reservation r
     where r.server in (select server from gone) or r.at < clock_timestamp() - interval '1 hour'
     order by r.account_id, r.month, r.id
     limit most
       for update skip locked
  loop
    if void_background(stale) then
      voided := voided + 1;
    end if;
  end loop;
  return voided;
end $$;

-- As 0015 has it, but that days count calls alone: who is signed in has removals of the background without one.
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
  select w.account_id, w.day, w.endpoint, count(*) from written w where w.status between 200 and 299 and not w.ai and w.key_id is not null
   group by w.account_id, w.day, w.endpoint
   -- In one order, so that two servers do not wait for each other.
   order by w.account_id, w.day, w.endpoint
  on conflict (account_id, day, endpoint) do update set calls = d.calls + excluded.calls
$$;
