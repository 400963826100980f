-- Adds the delivery of an event of a batch, if the batch has a webhook URL. The delivery stores the batch as it is now.
create or replace function add_webhook_delivery(batch uuid, event text) returns void language plpgsql as $$
#variable_conflict use_column
declare
  subject record;
begin
  select b.account_id, b.webhook_url, to_jsonb(b) - 'idempotency_key' - 'request_fingerprint' as facts into subject
    from batch b where b.id = add_webhook_delivery.batch;
  if subject.webhook_url is null then
    return;
  end if;
  insert into webhook_turn (account_id) values (subject.account_id) on conflict do nothing;
  insert into webhook_delivery (account_id, batch_id, event, url, facts)
  values (subject.account_id, add_webhook_delivery.batch, add_webhook_delivery.event, subject.webhook_url, subject.facts)
  on conflict do nothing;
end $$;
