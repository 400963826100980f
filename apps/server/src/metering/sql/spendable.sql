-- Calls left of a month, or credits left when `month` is null; never negative.
create or replace function spendable(account uuid, month date, call_limit bigint) returns bigint language sql stable as $$
  select greatest(0, case when month is null
    then (select a.credits - a.reserved from account a where a.id = account)
    else call_limit - coalesce((select u.used from usage_month u where u.account_id = account and u.month = spendable.month), 0)
  end)
$$;
