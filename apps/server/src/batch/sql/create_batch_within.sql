-- create_batch within an account's limits of `most_batches` batches and `most_bytes` bytes of archives. Beyond them the verdict
-- is 'too_many_batches' and nothing is written. An account without batches may always create one; a batch that exists already is
-- returned as by create_batch.
create or replace function create_batch_within(
  batch jsonb, items jsonb, reservation_id uuid, plans jsonb, key_seconds int, most_batches int, most_bytes bigint,
  out verdict text, out batch_id uuid, out remaining bigint, out month_left int, out held_batches int, out held_bytes bigint
) language plpgsql as $$
declare
  made record;
begin
  select * into made from jsonb_to_record(batch) as b(id uuid, account_id uuid, idempotency_key text, upload_bytes bigint);
  -- Of two concurrent calls the second waits and counts the first.
  perform pg_advisory_xact_lock(hashtextextended('batch_share ' || made.account_id, 0));
  select s.batches, s.upload_bytes into held_batches, held_bytes from batch_share(made.account_id) s;
  if held_batches > 0 and (held_batches >= most_batches or held_bytes + made.upload_bytes > most_bytes)
    and not exists (
      select from batch b
       where b.id = made.id or (b.account_id = made.account_id and b.idempotency_key = made.idempotency_key)
    )
  then
    verdict := 'too_many_batches';
    return;
  end if;
  select c.verdict, c.batch_id, c.remaining, c.month_left into verdict, batch_id, remaining, month_left
    from create_batch(batch, items, reservation_id, plans, key_seconds) c;
end $$;
