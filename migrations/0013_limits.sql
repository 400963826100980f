-- Guesses that are being judged count apart from those that were wrong: a right one must not be refused for another
-- that is under way, and at no moment may more be judged than may still be wrong.
alter table throttle add column pending timestamptz[] not null default '{}';

drop function forget_attempt;

-- Begins a guess on all of these windows, or on none. `begun_at` is when; or `retry_seconds` until the wrong ones before it
-- leave room; or both are null: there may be room as soon as those under way have been judged.
create function begin_guess(keys bytea[], caps int[], seconds int[], out retry_seconds int, out begun_at timestamptz)
language plpgsql as $$
declare
  -- No guess takes that long: its server has died, and it may have been wrong.
  lost timestamptz := clock_timestamp() - interval '1 minute';
begin
  -- First without a lock or a row, so that a flood of refusals writes nothing.
  retry_seconds := throttle_wait(keys, caps, seconds);
  if retry_seconds is not null then
    return;
  end if;
  -- In the order of the keys, so that two guesses cannot wait for each other.
  insert into throttle as t (key, hits, expires_at)
  select w.key, '{}', clock_timestamp() + make_interval(secs => w.seconds)
    from unnest(keys, seconds) as w (key, seconds) order by w.key
  on conflict on constraint throttle_pkey do update set expires_at = excluded.expires_at;
  update throttle t
     set hits = array(select h from unnest(t.hits || array(select p from unnest(t.pending) p where p <= lost)) h order by h),
         pending = array(select p from unnest(t.pending) p where p > lost)
   where t.key = any (keys) and t.pending[1] <= lost;
  retry_seconds := throttle_wait(keys, caps, seconds);
  if retry_seconds is not null then
    return;
  end if;
  perform from unnest(keys, caps, seconds) as w (key, cap, seconds) join throttle t using (key)
    where cardinality(t.pending) >= w.cap
      - (select count(*) from unnest(t.hits) h where h > clock_timestamp() - make_interval(secs => w.seconds));
  if found then
    return;
  end if;
  begun_at := clock_timestamp();
  update throttle t set pending = t.pending || begun_at, hits = t.hits[greatest(1, cardinality(t.hits) + 1 - w.cap):]
    from unnest(keys, caps) as w (key, cap) where t.key = w.key;
end $$;

-- A guess has been judged: it was `wrong`, and counts; `right`, and forgives those before it on the first window; or
-- `unjudged`, and never was.
create function end_guess(keys bytea[], begun_at timestamptz, outcome text) returns void language sql as $$
  update throttle t
     set pending = array_remove(t.pending, begun_at),
         hits = case
           when outcome = 'right' and t.key = keys[1] then '{}'
           when outcome <> 'wrong' then array_remove(t.hits, begun_at)
           when begun_at = any (t.pending) then array(select h from unnest(t.hits || begun_at) h order by h)
           else t.hits
         end
    from (select key from throttle where key = any (keys) order by key for update) as held where t.key = held.key
$$;

-- From where an account has signed in: SHA-256 of its e-mail address and the client's network, for 30 days. What others do
-- in this network, or elsewhere to this account, keeps nobody out of here.
create table known_place (
  key        bytea primary key,
  expires_at timestamptz not null
);
create index known_place_expires on known_place (expires_at);

-- What `admit()` would say to one call, without taking anything: for a server that is full.
create function preview_call(
  key_hash bytea, burst int, plans jsonb,
  out verdict text, out account_id uuid, out key_id uuid, out source text, out month date,
  out call_limit bigint, out remaining bigint, out month_left int, out burst_left int, out burst_free_in int
) language plpgsql as $$
declare
  caller record;
  moment timestamptz := clock_timestamp();
  recent timestamptz[];
begin
  select * into caller from find_caller(key_hash, plans);
  account_id := caller.account;
  key_id := caller.key;
  verdict := caller.refusal;
  if verdict is not null then
    return;
  end if;

  if burst > 0 then
    select array(select h from unnest(w.hits) h where h > moment - interval '1 minute' and h < moment + interval '1 minute' order by h)
      into recent from request_window w where w.caller = caller.key and w.kind = 'work';
    recent := coalesce(recent, '{}');
    burst_left := greatest(0, burst - cardinality(recent));
    burst_free_in := greatest(1, ceil(extract(epoch from
      recent[greatest(1, cardinality(recent) + 1 - burst)] + interval '1 minute' - moment)));
    if burst_left = 0 then
      verdict := 'rate_limited';
      return;
    end if;
  end if;

  if caller.api_access then
    source := 'month';
    month := date_trunc('month', moment at time zone 'utc')::date;
    month_left := ceil(extract(epoch from month + interval '1 month' - (moment at time zone 'utc')));
    call_limit := caller.calls_per_month;
  else
    source := 'credit';
    call_limit := caller.bought;
  end if;
  -- A month without a limit has nothing that could be used up.
  remaining := case when call_limit is not null then spendable(caller.account, month, call_limit) end;
  verdict := case when remaining is null or remaining > 0 then 'ok'
    when source = 'month' then 'monthly_limit_exceeded' else 'insufficient_credits' end;
end $$;

-- What housekeeping looks for.
create index usage_day_day on usage_day (day);
create index login_token_expires on login_token (expires_at);

-- The windows of keys that were revoked: nobody comes with them any more. From now on they go with the key.
delete from request_window w using api_key k where k.id = w.caller and k.revoked_at is not null;
