-- Marks the files of batches that have ended for removal, and adds their webhook deliveries. Comes after everything that locks what
-- calls are taken from.
create or replace function tell_end(ended uuid[]) returns void language plpgsql as $$
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
