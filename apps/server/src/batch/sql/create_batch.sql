-- Creates a batch from an upload and turns the one call that its request reserved into `cost` calls, one for each image; or
-- returns why not, and writes nothing. A repeated call with the same id or, for `key_seconds`, the same idempotency key returns the first
-- batch as `batch_id`. `remaining` is the number of calls or credits left (after a refusal: those that were available for the archive);
-- null is unlimited. `month_left` is the rest of the billing month in seconds.
create or replace function create_batch(
  batch jsonb, items jsonb, reservation_id uuid, plans jsonb, key_seconds int,
  out verdict text, out batch_id uuid, out remaining bigint, out month_left int
) language plpgsql as $$
declare
  made       record;
  held       record;
  call_limit bigint;
  moment     timestamp := clock_timestamp() at time zone 'utc';
  -- The month that pays; null when credits pay.
  payer      date;
  -- Calls used up, including the request's own call.
  taken      int := 1;
begin
  select * into made from jsonb_to_record(batch) as b(
    id uuid, account_id uuid, key_id uuid, format text, quality smallint, webhook_url text,
    idempotency_key text, request_fingerprint bytea, cost int, recipe jsonb, name text, visual_quality double precision,
    max_bytes int, upload_bytes bigint
  );
  -- A repeated call while the first one is running, for example after a broken connection, waits for it: otherwise it would find
  -- neither the batch nor the reservation, which belongs to the batch by then.
  perform pg_advisory_xact_lock(hashtextextended(made.id::text, 0));
  select (plans -> a.plan ->> 'callsPerMonth')::bigint into call_limit from account a where a.id = made.account_id;
  update batch b set idempotency_key = null, request_fingerprint = null
   where b.account_id = made.account_id and b.idempotency_key = made.idempotency_key
     and b.created_at <= clock_timestamp() - make_interval(secs => key_seconds);
  select b.id, b.month, b.request_fingerprint into held from batch b
   where b.id = made.id or (b.account_id = made.account_id and b.idempotency_key = made.idempotency_key);
  if found then
    batch_id := held.id;
    remaining := spendable(made.account_id, held.month, call_limit);
    verdict := case when held.request_fingerprint is distinct from made.request_fingerprint
      then 'idempotency_key_reused' else 'ok' end;
    return;
  end if;

  select r.period as month into held from reservation r
   where r.id = reservation_id and r.account_id = made.account_id and r.meter = 'call' and r.cost = 1
     for no key update;
  if not found then
    verdict := 'reservation_is_void';
    return;
  end if;
  if held.month is not null then
    -- An upload may continue into the next month: then all calls are taken from the new month.
    payer := greatest(held.month, date_trunc('month', moment)::date);
    taken := case when payer = held.month then 1 else 0 end;
    month_left := ceil(extract(epoch from payer + interval '1 month' - moment));
    perform from usage_month u where u.account_id = made.account_id and u.month = held.month for no key update;
    insert into usage_month as u (account_id, month, used)
    select made.account_id, payer, made.cost - taken where call_limit is null or made.cost - taken <= call_limit
    on conflict on constraint usage_month_pkey do update
      set used = u.used + made.cost - taken where call_limit is null or u.used + made.cost - taken <= call_limit;
  else
    update account a set reserved = a.reserved + made.cost - 1
     where a.id = made.account_id and a.credits - a.reserved >= made.cost - 1;
  end if;
  verdict := case when found then 'ok' when held.month is not null then 'monthly_limit_exceeded' else 'insufficient_credits' end;
  remaining := spendable(made.account_id, payer, call_limit);
  if verdict <> 'ok' then
    remaining := remaining + taken;
    return;
  end if;
  if payer <> held.month then
    update usage_month u set used = u.used - 1 where u.account_id = made.account_id and u.month = held.month;
  end if;

  -- From here on the reservation belongs to the batch: giving back the request's own call finds none.
  update reservation r set id = made.id, period = payer, cost = made.cost, server = null where r.id = reservation_id and r.meter = 'call';
  insert into batch (id, account_id, key_id, month, format, quality, visual_quality, max_bytes, recipe, name, webhook_url,
                     idempotency_key, request_fingerprint, upload_bytes, total, pending)
  values (made.id, made.account_id, made.key_id, payer, made.format, made.quality, made.visual_quality, made.max_bytes, made.recipe,
          made.name, made.webhook_url, made.idempotency_key, made.request_fingerprint, coalesce(made.upload_bytes, 0), made.cost, made.cost);
  insert into batch_item (batch_id, seq, source, output, state, entry)
  select made.id, i.seq, i.source, i.output, case when i.entry is null then 'skipped' else 'pending' end, i.entry
    from jsonb_to_recordset(items) as i(seq int, source text, output text, entry jsonb);
  batch_id := made.id;
end $$;
