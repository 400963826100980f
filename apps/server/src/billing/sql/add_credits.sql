-- Adds credits, or removes them with a negative number. Returns the new balance, or null when an entry of this kind and reference
-- exists already. Nothing else changes credits.
create or replace function add_credits(account uuid, kind text, credits bigint, reference text) returns bigint language plpgsql as $$
declare
  new_balance bigint;
begin
  select a.credits + add_credits.credits into new_balance from account a where a.id = account for no key update;
  if not found then
    raise exception 'there is no account %', account using errcode = 'no_data_found';
  end if;
  insert into credit_entry (account_id, kind, credits, balance, reference)
  values (account, add_credits.kind, add_credits.credits, new_balance, add_credits.reference)
  on conflict on constraint credit_entry_kind_reference_key do nothing;
  if not found then
    return null;
  end if;
  update account a set credits = new_balance where a.id = account;
  return new_balance;
end $$;
