-- Refunds a settled removal whose answer never arrived: the call as in refund_call(), at most once and only if it was charged,
-- and the removal with it. `call_month` is null where credits paid, and ignored where there was no call.
create or replace function refund_removal(
  account uuid, reference text, with_call boolean, call_month date, of_month date
) returns void language plpgsql as $$
begin
  if with_call and call_month is null and (
    not exists (select from credit_entry e where e.kind = 'call' and e.reference = refund_removal.reference)
    or exists (select from credit_entry e where e.kind = 'refund' and e.reference = refund_removal.reference)
  ) then
    return;
  end if;
  if with_call then
    perform refund_call(account, reference, call_month);
  end if;
  update background_month b set used = b.used - 1 where b.account_id = account and b.month = of_month;
end $$;
