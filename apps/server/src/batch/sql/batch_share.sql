-- The number of an account's unfinished batches, and the total bytes of their archives.
create or replace function batch_share(account uuid, out batches int, out upload_bytes bigint) language sql stable as $$
  select count(*)::int, coalesce(sum(b.upload_bytes), 0)::bigint from batch b where b.account_id = account and b.finished_at is null
$$;
