-- Locks the unfinished ones of these batches and returns them.
create or replace function lock_batches(ids uuid[]) returns setof batch language plpgsql as $$
begin
  return query
  select * from batch b where b.id = any(ids) and b.finished_at is null
   order by b.account_id, b.month nulls first, b.id
     for no key update;
end $$;
