-- What was changed on an account, by whom: written in the transaction of the change, and never again.
-- No foreign keys: the log outlives what it tells of.
create table audit_entry (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default clock_timestamp(),
  -- Null when nobody was signed in.
  actor_id   uuid,
  action     text not null,
  -- Whom it concerns.
  account_id uuid not null,
  details    jsonb not null default '{}',
  request_id text,
  address    text
);
create index audit_entry_account on audit_entry (account_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change();

-- The order in which administrators page through accounts.
create index account_created on account (created_at, id);
