-- Where people are signed in, and how they leave.

-- The program that signed in, in its own words; null for sign-ins from before.
alter table login_token add column user_agent text check (length(user_agent) <= 200);

-- An account that its owner deleted. The row stays, without a name and as a disabled account, as the books are kept by it: what
-- was bought is told by its ledger, and work that was under way settles as ever. `cleared_at` is when nothing else was left.
alter table account
  add column deleted_at timestamptz check (deleted_at is null or disabled_at is not null),
  add column cleared_at timestamptz check (cleared_at is null or deleted_at is not null);
create index account_to_clear on account (deleted_at) where deleted_at is not null and cleared_at is null;

-- Removes what a deleted account leaves: keys and secrets, batches with their files, deliveries, kept answers. The ledger stays.
-- Returns the batches. May be repeated: what was under way may leave something once more.
create function clear_account(account uuid) returns uuid[] language plpgsql as $$
declare
  of_account uuid;
  batches    uuid[];
  one        uuid;
begin
  select a.id into of_account from account a where a.id = clear_account.account and a.deleted_at is not null;
  if not found then
    raise exception 'account % is not deleted', clear_account.account using errcode = 'object_not_in_prerequisite_state';
  end if;
  -- All batches before anything else is locked, in the order of 0011.
  batches := array(select b.id from batch b where b.account_id = of_account order by b.month nulls first, b.id for update);
  foreach one in array batches loop
    perform cancel_batch(of_account, one);
  end loop;
  delete from webhook_delivery d where d.account_id = of_account;
  delete from webhook_turn t where t.account_id = of_account;
  delete from webhook_secret s where s.account_id = of_account;
  delete from ai_key k where k.account_id = of_account;
  delete from login_token t where t.account_id = of_account;
  delete from idempotent_request r where r.account_id = of_account;
  delete from request_window w where w.account_id = of_account;
  -- With their names, which may tell who used them.
  delete from api_key k where k.account_id = of_account;
  return batches;
end $$;
