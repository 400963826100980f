-- Admission of a background removal in one round trip. With an API key it admits one call like admit_call(); without one, the
-- signed-in account takes a place in its burst window. Then it reserves one removal of the account's month; if there is none
-- left, it gives the call back. `limits` is BG_MONTHLY_LIMIT by plan; null is no limit. `given_moment` is for tests of the clock;
-- otherwise it is the database's, the same for every server.
create or replace function admit_removal(
  key_hash bytea, account uuid, reservation_id uuid, server int, burst int, rules jsonb, limits jsonb,
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
    select * into called from admit_call(key_hash, reservation_id, 1, server, burst, rules, given_moment);
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
    select * into place from take_place(account, 'work', account, burst, (rules ->> 'windowSeconds')::int, given_moment);
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
  select (limits ->> a.plan)::bigint into removals_limit from account a where a.id = admit_removal.account_id;
  insert into background_month as b (month, account_id, used)
  select removals_month, admit_removal.account_id, 1 where removals_limit is null or removals_limit > 0
  on conflict on constraint background_month_pkey do update
    set used = b.used + 1 where removals_limit is null or b.used < removals_limit
  returning b.used into removals_used;
  if found then
    insert into reservation (id, account_id, meter, period, cost, server)
    values (reservation_id, admit_removal.account_id, 'removal', removals_month, 1, admit_removal.server);
    return;
  end if;
  verdict := 'background_quota_exceeded';
  removals_used := coalesce((select b.used from background_month b
                              where b.account_id = admit_removal.account_id and b.month = removals_month), 0);
  if key_id is not null then
    perform void_reservation(reservation_id);
    remaining := remaining + 1;
  end if;
end $$;
