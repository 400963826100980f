-- Admission, anew: it reserves where it used to charge, and tells what is left.

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

drop table key_window;

-- Takes a place among the `places` of the last minute, unless all are taken; 0 places is no limit.
-- `free_in` is the number of seconds until the next place is free.
create function take_place(
  caller_id uuid, window_kind text, account uuid, places int, given_moment timestamptz,
  out taken boolean, out places_left int, out free_in int
) language plpgsql as $$
declare
  recent timestamptz[];
  moment timestamptz := coalesce(given_moment, clock_timestamp());
  first  int := 1;
  last   int;
begin
  taken := true;
  if places = 0 then
    return;
  end if;
  select w.hits into recent from request_window w where w.caller = caller_id and w.kind = window_kind;
  if not found then
    insert into request_window (caller, kind, account_id) values (caller_id, window_kind, account) on conflict do nothing;
  end if;
  last := cardinality(recent);
  -- A look without a lock is enough to refuse, as hits are only added: a caller who hammers writes nothing.
  if recent[last + 1 - places] > moment - interval '1 minute' and recent[last] < moment + interval '1 minute' then
    taken := false;
  else
    select w.hits into recent from request_window w where w.caller = caller_id and w.kind = window_kind for update;
    -- Once more, after the wait for the row: so the hits stand in the order of their times.
    moment := coalesce(given_moment, clock_timestamp());
    -- A hit from the future is one from before the clock was set back: within a minute it still counts, beyond it would
    -- lock the caller out.
    last := cardinality(recent);
    while recent[last] >= moment + interval '1 minute' loop last := last - 1; end loop;
    while recent[first] <= moment - interval '1 minute' and first <= last loop first := first + 1; end loop;
    recent := recent[first:last];
    taken := cardinality(recent) < places;
    if taken then
      recent := recent || greatest(moment, recent[cardinality(recent)]);
      update request_window w set hits = recent where w.caller = caller_id and w.kind = window_kind;
    end if;
  end if;
  places_left := greatest(0, places - cardinality(recent));
  free_in := greatest(1, ceil(extract(epoch from recent[greatest(1, cardinality(recent) + 1 - places)] + interval '1 minute' - moment)));
end $$;

-- Who calls with a key that is neither revoked nor of a disabled account. `plans` is the table of contract/plans.ts as it
-- stands, so that its numbers live in one place. `bought` is null for who has a plan with calls, or never had credits.
-- `refusal` is null for who may use the API.
create function find_caller(
  key_hash bytea, plans jsonb,
  out refusal text, out account uuid, out key uuid, out api_access boolean, out calls_per_month bigint, out bought bigint
) language plpgsql as $$
declare
  last_used timestamptz;
begin
  select a.id, k.id, (plans -> a.plan ->> 'apiAccess')::boolean, (plans -> a.plan ->> 'callsPerMonth')::bigint, k.last_used_at
    into account, key, api_access, calls_per_month, last_used
    from api_key k
    join account a on a.id = k.account_id
   where k.hash = key_hash and k.revoked_at is null and a.disabled_at is null;
  if not found then
    refusal := 'invalid_or_revoked_api_key';
    return;
  end if;
  -- At most once a minute: it is for people, and a write at each call would double the calls' own.
  if last_used is null or last_used < clock_timestamp() - interval '1 minute' then
    update api_key k set last_used_at = clock_timestamp()
     where k.id = key and (k.last_used_at is null or k.last_used_at < clock_timestamp() - interval '1 minute');
  end if;
  if not api_access then
    select sum(e.credits) into bought from credit_entry e
     where e.account_id = account and e.kind in ('purchase', 'grant', 'purchase_refund');
    if bought is null then
      refusal := 'api_access_not_available';
    end if;
  end if;
end $$;

-- Admission in one round trip: who calls, may they, and `cost` calls reserved from the month or from the credits.
-- The order is the contract's: key, plan, burst, quota or credits. A refusal takes nothing further.
-- `given_moment` is for tests of the clock; otherwise it is the database's, the same for every server.
create function admit(
  key_hash bytea, reservation_id uuid, cost int, server int, burst int, plans jsonb, given_moment timestamptz default null,
  out verdict text, out account_id uuid, out key_id uuid, out source text, out month date,
  out call_limit bigint, out remaining bigint, out month_left int, out burst_left int, out burst_free_in int
) language plpgsql as $$
declare
  caller record;
  place  record;
  moment timestamptz := coalesce(given_moment, clock_timestamp());
begin
  select * into caller from find_caller(key_hash, plans);
  account_id := caller.account;
  key_id := caller.key;
  verdict := caller.refusal;
  if verdict is not null then
    return;
  end if;

  select * into place from take_place(caller.key, 'work', caller.account, burst, given_moment);
  burst_left := place.places_left;
  burst_free_in := place.free_in;
  if not place.taken then
    verdict := 'rate_limited';
    return;
  end if;

  if caller.api_access then
    source := 'month';
    month := date_trunc('month', moment at time zone 'utc')::date;
    month_left := ceil(extract(epoch from month + interval '1 month' - (moment at time zone 'utc')));
    call_limit := caller.calls_per_month;
    insert into usage_month as u (account_id, month, used)
    select caller.account, admit.month, cost where call_limit is null or cost <= call_limit
    on conflict on constraint usage_month_pkey do update
      set used = u.used + cost where call_limit is null or u.used + cost <= call_limit
    returning call_limit - u.used into remaining;
  else
    source := 'credit';
    call_limit := caller.bought;
    update account a set reserved = a.reserved + cost where a.id = caller.account and a.credits - a.reserved >= cost
    returning a.credits - a.reserved into remaining;
  end if;
  if not found then
    verdict := case source when 'month' then 'monthly_limit_exceeded' else 'insufficient_credits' end;
    remaining := spendable(caller.account, month, call_limit);
    return;
  end if;
  insert into reservation (id, account_id, source, month, cost, server)
  values (reservation_id, caller.account, source, month, cost, server);
  verdict := 'ok';
end $$;

-- Calls left of a month, or credits left when `month` is null; never less than nothing.
create function spendable(account uuid, month date, call_limit bigint) returns bigint language sql stable as $$
  select greatest(0, case when month is null
    then (select a.credits - a.reserved from account a where a.id = account)
    else call_limit - coalesce((select u.used from usage_month u where u.account_id = account and u.month = spendable.month), 0)
  end)
$$;

-- Reading (usage, credits, a batch's status) has a window of its own. Without a key it is an account's login token that reads.
create function admit_read(
  key_hash bytea, account uuid, places int, plans jsonb,
  out verdict text, out account_id uuid, out burst_left int, out burst_free_in int
) language plpgsql as $$
declare
  caller record;
  place  record;
begin
  account_id := account;
  if key_hash is not null then
    select * into caller from find_caller(key_hash, plans);
    account_id := caller.account;
    verdict := caller.refusal;
    if verdict is not null then
      return;
    end if;
    select * into place from take_place(caller.key, 'read', caller.account, places, null);
  else
    select * into place from take_place(account, 'read', account, places, null);
  end if;
  burst_left := place.places_left;
  burst_free_in := place.free_in;
  verdict := case when place.taken then 'ok' else 'rate_limited' end;
end $$;
