-- Ends a locked batch, whose result can be downloaded for so many seconds, and gives back its unused calls; the caller then calls `after_batch_end`. A failed batch has no result, so
-- its converted images are refunded too.
create or replace function end_batch(ended uuid, code text, message text, result_seconds int) returns void language plpgsql as $$
declare
  b record;
begin
  update batch set status = case when code is null then 'completed' else 'failed' end, error_code = code, error_message = message,
         finished_at = clock_timestamp(), expires_at = clock_timestamp() + make_interval(secs => result_seconds)
   where id = ended returning * into b;
  perform void_reservation(ended);
  if b.status = 'failed' and b.succeeded > 0 then
    if b.month is null then
      perform add_credits(b.account_id, 'refund', b.succeeded, ended::text);
    else
      update usage_month u set used = u.used - b.succeeded where u.account_id = b.account_id and u.month = b.month;
    end if;
  end if;
end $$;
