-- A call that makes several images costs as many calls.
alter table settled_call add column calls int not null default 1 check (calls > 0);
drop function if exists refund_call(uuid, text, date);

-- Recipes that an account keeps under a name.
create table preset (
  account_id uuid not null references account on delete cascade,
  name       text not null,
  recipe     jsonb not null,
  updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (account_id, name)
);

-- What is made of each image of a batch, in place of a format and a quality. An item is then one output of one image: of an image
-- with number i in the archive, the output k of n has the number i × n + k.
alter table batch add column recipe jsonb, alter column format drop not null,
  add check ((format is null) = (recipe is not null));
drop function if exists targets_of_batch(uuid);
