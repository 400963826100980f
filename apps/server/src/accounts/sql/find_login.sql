-- The account of a valid login token, in one round trip. The time of last use is written at most once in so many seconds.
create or replace function find_login(
  token_hash bytea, last_use_seconds int,
  out token_id uuid, out id uuid, out email text, out name text, out role text, out plan text, out credits bigint,
  out created_at timestamptz
) returns setof record language sql rows 1 as $$
  with used as (
    update login_token t set last_used_at = clock_timestamp()
     where t.hash = token_hash and t.expires_at > clock_timestamp()
       and (t.last_used_at is null or t.last_used_at < clock_timestamp() - make_interval(secs => last_use_seconds))
  )
  select t.id, a.id, a.email, a.name, a.role, a.plan, a.credits, a.created_at
    from login_token t join account a on a.id = t.account_id
   where t.hash = token_hash and t.expires_at > clock_timestamp() and a.disabled_at is null
$$;
