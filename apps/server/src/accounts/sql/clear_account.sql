-- Deletes the data of a deleted account: keys, secrets, batches with their files, deliveries, stored answers. The ledger stays.
-- Returns the ids of the batches. May be repeated, since requests that were running may have written more.
create or replace function clear_account(account uuid) returns uuid[] language plpgsql as $$
declare
  of_account uuid;
  batches    uuid[];
  one        uuid;
begin
  select a.id into of_account from account a where a.id = clear_account.account and a.deleted_at is not null;
  if not found then
    raise exception 'account % is not deleted', clear_account.account using errcode = 'object_not_in_prerequisite_state';
  end if;
  -- All batches before any other lock, in the order of lock_batches().
  batches := array(select b.id from batch b where b.account_id = of_account order by b.month nulls first, b.id for update);
  foreach one in array batches loop
    perform cancel_batch(of_account, one);
  end loop;
  delete from webhook_delivery d where d.account_id = of_account;
  delete from webhook_turn t where t.account_id = of_account;
  delete from webhook_secret s where s.account_id = of_account;
  delete from ai_key k where k.account_id = of_account;
  delete from preset p where p.account_id = of_account;
  update source_change set version = version + 1 where exists (select from source s where s.account_id = of_account);
  delete from source s where s.account_id = of_account;
  delete from source_day d where d.account_id = of_account;
  -- Their files are removed as those of uploads that have expired.
  update upload u set expires_at = clock_timestamp() where u.account_id = of_account and u.expires_at > clock_timestamp();
  delete from login_token t where t.account_id = of_account;
  delete from idempotent_request r where r.account_id = of_account;
  delete from request_window w where w.account_id = of_account;
  -- Their names are removed too, since they may identify the person.
  delete from api_key k where k.account_id = of_account;
  return batches;
end $$;
