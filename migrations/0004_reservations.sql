-- A call is reserved before its body is read, settled before its answer is sent, and given back when there is none.

-- Credits held by open reservations. Spendable are credits - reserved; a refunded purchase may leave less than nothing.
alter table account drop constraint account_credits_check;
alter table account add column reserved bigint not null default 0 check (reserved >= 0);
alter table account set (fillfactor = 70);

alter table credit_entry drop constraint credit_entry_kind_check, drop constraint credit_entry_balance_check;
alter table credit_entry add constraint credit_entry_kind_check
  check (kind in ('purchase', 'grant', 'call', 'refund', 'purchase_refund'));
-- What was bought, without the calls, which are many.
create index credit_entry_bought on credit_entry (account_id) include (credits) where kind in ('purchase', 'grant', 'purchase_refund');

-- Calls taken from a month or from the credits whose answer is still under way.
create table reservation (
  id         uuid primary key,
  account_id uuid not null references account on delete cascade,
  source     text not null check (source in ('month', 'credit')),
  month      date check ((month is not null) = (source = 'month')),
  cost       int not null check (cost > 0),
  -- Who works on it, a number of `server_number`; null for work that outlives its server and gives back itself.
  server     int,
  at         timestamptz not null default clock_timestamp()
);
create sequence server_number as int;

drop function admit, give_back;

-- Charges `calls` of a reservation for good; the ledger's entry has the reference. False when there is no such reservation
-- any more: somebody gave it back. Work on many images settles one at a time.
create function settle(
  reservation_id uuid, reference text, calls int default 1, out settled boolean, out credits_left bigint
) language plpgsql as $$
declare
  held        record;
  new_balance bigint;
begin
  delete from reservation r where r.id = reservation_id and r.cost = calls returning r.account_id, r.source into held;
  if not found then
    update reservation r set cost = r.cost - calls where r.id = reservation_id and r.cost > calls
    returning r.account_id, r.source into held;
  end if;
  settled := found;
  if not settled or held.source = 'month' then
    return;
  end if;
  update account a set credits = a.credits - calls, reserved = a.reserved - calls where a.id = held.account_id
  returning a.credits, greatest(0, a.credits - a.reserved) into new_balance, credits_left;
  insert into credit_entry (account_id, kind, credits, balance, reference)
  values (held.account_id, 'call', -calls, new_balance, settle.reference);
end $$;

-- Gives back what is left of a reservation. False when there is none: it was settled, or given back before.
create function void_reservation(reservation_id uuid) returns boolean language plpgsql as $$
declare
  held record;
begin
  delete from reservation r where r.id = reservation_id returning r.* into held;
  if not found then
    return false;
  end if;
  if held.source = 'month' then
    update usage_month u set used = u.used - held.cost where u.account_id = held.account_id and u.month = held.month;
  else
    update account a set reserved = a.reserved - held.cost where a.id = held.account_id;
  end if;
  return true;
end $$;

-- Books credits in, or out with a negative number. Returns the new balance, or null when this kind and reference was
-- booked before. Nothing else adds credits.
create function add_credits(account uuid, kind text, credits bigint, reference text) returns bigint language plpgsql as $$
declare
  new_balance bigint;
begin
  select a.credits + add_credits.credits into new_balance from account a where a.id = account for no key update;
  if not found then
    raise exception 'there is no account %', account using errcode = 'no_data_found';
  end if;
  insert into credit_entry (account_id, kind, credits, balance, reference)
  values (account, add_credits.kind, add_credits.credits, new_balance, add_credits.reference)
  on conflict on constraint credit_entry_kind_reference_key do nothing;
  if not found then
    return null;
  end if;
  update account a set credits = new_balance where a.id = account;
  return new_balance;
end $$;

-- Gives back a call that was settled, since its answer never arrived. A credit at most once, and only if it was charged.
create function refund_call(account uuid, reference text, month date) returns void language plpgsql as $$
begin
  if month is not null then
    update usage_month u set used = u.used - 1 where u.account_id = account and u.month = refund_call.month;
  elsif exists (select from credit_entry e where e.kind = 'call' and e.reference = refund_call.reference) then
    perform add_credits(account, 'refund', 1, reference);
  end if;
end $$;

-- Gives back up to `most` reservations of servers that are gone, which is to say whose lock is free, and any that are
-- older than the longest answer. Those being settled at this moment are passed over. Returns how many.
create function void_stale_reservations(presence_lock int, most int) returns int language plpgsql as $$
declare
  stale  uuid;
  voided int := 0;
begin
  for stale in
    with gone as materialized (
      select s.server from (select distinct r.server from reservation r where r.server is not null) s
       where pg_try_advisory_xact_lock(presence_lock, s.server)
    )
    select r.id from reservation r
     where r.server in (select server from gone) or (r.server is not null and r.at < clock_timestamp() - interval '1 hour')
     order by r.account_id, r.source, r.month, r.id
     limit most
       for update skip locked
  loop
    if void_reservation(stale) then
      voided := voided + 1;
    end if;
  end loop;
  return voided;
end $$;
