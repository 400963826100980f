-- Refunds a settled call whose answer never arrived. A credit is refunded at most once, and only if it was charged.
-- refund_unbegun() does not refund it a second time.
create or replace function refund_call(account uuid, reference text, month date) returns void language plpgsql as $$
begin
  delete from settled_call s where s.id = refund_call.reference::uuid;
  if month is not null then
    update usage_month u set used = u.used - 1 where u.account_id = account and u.month = refund_call.month;
  elsif exists (select from credit_entry e where e.kind = 'call' and e.reference = refund_call.reference) then
    perform add_credits(account, 'refund', 1, reference);
  end if;
end $$;
