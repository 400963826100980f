-- Login tokens and browser sessions, which are the same tokens in a cookie. Kept as hashes only.
create table login_token (
  id           uuid primary key default gen_random_uuid(),
  account_id   uuid not null references account on delete cascade,
  hash         bytea not null unique,
  created_at   timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  expires_at   timestamptz not null
);
create index login_token_account on login_token (account_id);

-- The account of a live login token, in one round trip. That it was used is written at most once a minute.
create function find_login(
  token_hash bytea,
  out token_id uuid, out id uuid, out email text, out name text, out role text, out plan text, out credits bigint,
  out created_at timestamptz
) returns setof record language sql rows 1 as $$
  with used as (
    update login_token t set last_used_at = clock_timestamp()
     where t.hash = token_hash and t.expires_at > clock_timestamp()
       and (t.last_used_at is null or t.last_used_at < clock_timestamp() - interval '1 minute')
  )
  select t.id, a.id, a.email, a.name, a.role, a.plan, a.credits, a.created_at
    from login_token t join account a on a.id = t.account_id
   where t.hash = token_hash and t.expires_at > clock_timestamp() and a.disabled_at is null
$$;

-- Attempts that are limited, as exact sliding windows: counted here, so that the limits hold on every server at once.
-- A key is the hash of what is counted: an address typed here by mistake may be a password.
create table throttle (
  key        bytea primary key,
  hits       timestamptz[] not null,
  expires_at timestamptz not null
) with (fillfactor = 50);

-- Seconds until each of these windows has room; null when all have. `cap` of the latest attempts are on record.
create function throttle_wait(keys bytea[], caps int[], seconds int[]) returns int language sql as $$
  select max(greatest(1, ceil(extract(epoch from blocking.until - clock_timestamp()))))::int
    from unnest(keys, caps, seconds) as w (key, cap, seconds)
    join throttle t using (key)
   cross join lateral (select t.hits[cardinality(t.hits) + 1 - w.cap] + make_interval(secs => w.seconds) as until) blocking
   where blocking.until > clock_timestamp()
$$;

-- Takes one attempt from all of these windows, or from none of them. Counted before the attempt is judged: of fifty at
-- once no more are judged than there is room for.
create function take_attempt(keys bytea[], caps int[], seconds int[], out retry_seconds int, out taken_at timestamptz)
language plpgsql as $$
begin
  -- First without a lock or a row, so that a flood of refusals writes nothing.
  retry_seconds := throttle_wait(keys, caps, seconds);
  if retry_seconds is not null then
    return;
  end if;
  -- In the order of the keys, so that two attempts cannot wait for each other.
  insert into throttle as t (key, hits, expires_at)
  select w.key, '{}', clock_timestamp() + make_interval(secs => w.seconds)
    from unnest(keys, seconds) as w (key, seconds) order by w.key
  on conflict on constraint throttle_pkey do update set expires_at = excluded.expires_at;
  retry_seconds := throttle_wait(keys, caps, seconds);
  if retry_seconds is not null then
    return;
  end if;
  taken_at := clock_timestamp();
  update throttle t set hits = (t.hits || taken_at)[greatest(1, cardinality(t.hits) + 2 - w.cap):]
    from unnest(keys, caps) as w (key, cap) where t.key = w.key;
end $$;

-- After a success: the attempt counts no longer, and those before it on `cleared` neither.
create function forget_attempt(keys bytea[], cleared bytea, taken_at timestamptz) returns void language sql as $$
  update throttle t set hits = case when t.key = cleared then '{}' else array_remove(t.hits, taken_at) end
    from (select key from throttle where key = any (keys) order by key for update) as held where t.key = held.key
$$;
