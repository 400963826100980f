-- Claims up to `most` due deliveries for an attempt: at most one of each account, and none of an account with `per_account`
-- attempts in flight. Accounts that were served longest ago come first, so that a slow receiver, or thousands of deliveries to an
-- unreachable one, delay no other account. `since_first` is the number of seconds since the first attempt.
create or replace function claim_webhook_deliveries(most int, per_account int, lease interval) returns table (
  id uuid, account_id uuid, event text, url text, body text, created_at timestamptz, number int, at timestamptz, since_first float8
) language plpgsql as $$
#variable_conflict use_column
declare
  moment timestamptz := clock_timestamp();
  turns  uuid[];
begin
  -- The account's row serves as the lock, so that two servers never count its deliveries in flight at the same time.
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
  -- Counted again, since the number may have changed before the lock was acquired.
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
