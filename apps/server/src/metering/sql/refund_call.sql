-- Refunds settled calls whose answer never arrived. Credits are refunded at most once, and only if they were charged.
-- refund_unbegun() does not refund them a second time.
create or replace function refund_call(account uuid, reference text, month date, calls int default 1) returns void
language plpgsql as $$
begin
  delete from settled_call s where s.id = refund_call.reference::uuid;
  if month is not null then
    update usage_month u set used = u.used - calls where u.account_id = account and u.month = refund_call.month;
  elsif exists (select from credit_entry e where e.kind = 'call' and e.reference = refund_call.reference) then
    perform add_credits(account, 'refund', calls, reference);
  end if;
end $$;
