-- Makes a reservation of one call one of `calls`, for an answer with several images; or returns why not, and changes nothing.
-- `call_limit` is that of admit_call(). `remaining` is the number of calls or credits left; after a refusal those that were available
-- besides the one that is reserved.
create or replace function widen_call(
  reservation_id uuid, calls int, call_limit bigint, out verdict text, out remaining bigint
) language plpgsql as $$
declare
  held  record;
  extra int;
begin
  select r.account_id, r.period, r.cost into held from reservation r where r.id = reservation_id and r.meter = 'call'
     for no key update;
  if not found then
    verdict := 'reservation_is_void';
    return;
  end if;
  extra := calls - held.cost;
  if held.period is not null then
    update usage_month u set used = u.used + extra
     where u.account_id = held.account_id and u.month = held.period and (call_limit is null or u.used + extra <= call_limit)
    returning call_limit - u.used into remaining;
  else
    update account a set reserved = a.reserved + extra where a.id = held.account_id and a.credits - a.reserved >= extra
    returning a.credits - a.reserved into remaining;
  end if;
  if not found then
    verdict := case when held.period is null then 'insufficient_credits' else 'monthly_limit_exceeded' end;
    remaining := spendable(held.account_id, held.period, call_limit);
    return;
  end if;
  update reservation r set cost = widen_call.calls where r.id = reservation_id and r.meter = 'call';
  verdict := 'ok';
end $$;
