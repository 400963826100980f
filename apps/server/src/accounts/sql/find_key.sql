-- The account of a key that is neither revoked nor of a disabled account; no row if there is none. The time of last use is
-- written at most once in so many seconds: it is only displayed, and a write at each call would double the writes of calls.
create or replace function find_key(key_hash bytea, last_use_seconds int, out account uuid, out key uuid, out plan text) language plpgsql as $$
declare
  last_used timestamptz;
begin
  select a.id, k.id, a.plan, k.last_used_at into account, key, plan, last_used
    from api_key k
    join account a on a.id = k.account_id
   where k.hash = key_hash and k.revoked_at is null and a.disabled_at is null;
  if found and (last_used is null or last_used < clock_timestamp() - make_interval(secs => last_use_seconds)) then
    update api_key k set last_used_at = clock_timestamp()
     where k.id = key and (k.last_used_at is null or k.last_used_at < clock_timestamp() - make_interval(secs => last_use_seconds));
  end if;
end $$;
