-- Queues the files of ended batches for removal, and adds their webhook deliveries. Called after all rows that pay for calls are
-- locked.
create or replace function after_batch_end(ended uuid[]) returns void language plpgsql as $$
declare
  b record;
begin
  for b in select * from batch where id = any(ended) order by account_id, id loop
    perform leave_files(b.id);
    if b.webhook_url is not null then
      perform add_webhook_delivery(b.id, 'batch.' || b.status);
    end if;
  end loop;
end $$;
