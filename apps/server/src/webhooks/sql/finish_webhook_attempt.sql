-- Records the outcome of an attempt: the delivery's new status, and the delay until the next attempt if that is `pending`. An
-- attempt whose lease has expired, and that another process has repeated, changes nothing.
create or replace function finish_webhook_attempt(
  delivery uuid, attempt int, duration_ms int, http_status smallint, error text, outcome text, wait interval
) returns void language sql as $$
  update webhook_attempt a
     set duration_ms = finish_webhook_attempt.duration_ms, http_status = finish_webhook_attempt.http_status,
         error = finish_webhook_attempt.error
   where a.delivery_id = delivery and a.number = attempt;
  update webhook_delivery d
     set status = outcome, claimed_until = null,
         next_attempt_at = case when outcome = 'pending' then clock_timestamp() + wait end,
         delivered_at = case when outcome = 'delivered' then coalesce(d.delivered_at, clock_timestamp()) else d.delivered_at end
   where d.id = delivery and d.attempts = attempt and d.status = 'pending'
$$;
