-- Adds to the used amount of an account's period, or subtracts with a negative number; returns the new amount. The period of
-- calls and removals is a month, that of AI images a day; it is null for calls that credits pay, which are reserved and not
-- counted here. Does nothing for a deleted account.
create or replace function change_used(meter text, account uuid, period date, change int) returns bigint language plpgsql as $$
declare
  used bigint;
begin
  if meter = 'call' and period is null then
    update account a set reserved = a.reserved + change where a.id = account;
  elsif meter = 'call' then
    update usage_month u set used = u.used + change where u.account_id = account and u.month = period returning u.used into used;
  elsif meter = 'ai_image' then
    update ai_day d set used = d.used + change where d.account_id = account and d.day = period returning d.used into used;
    if not found and change >= 0 then
      insert into ai_day as d (day, account_id, used) select period, a.id, change from account a where a.id = account
      on conflict on constraint ai_day_pkey do update set used = d.used + change
      returning d.used into used;
    end if;
  else
    update background_month b set used = b.used + change where b.account_id = account and b.month = period returning b.used into used;
    if not found and change >= 0 then
      insert into background_month as b (month, account_id, used) select period, a.id, change from account a where a.id = account
      on conflict on constraint background_month_pkey do update set used = b.used + change
      returning b.used into used;
    end if;
  end if;
  return used;
end $$;
