-- Requests with an Idempotency-Key: running while `status` is null, else answered with what is kept.
create table idempotent_request (
  account_id  uuid not null references account on delete cascade,
  route       text not null,
  key         text not null,
  -- SHA-256 of what was asked for: the same key with another request is refused.
  fingerprint bytea not null,
  -- Who runs it: one whose lease has run out must not answer for its successor.
  claim       uuid not null unique,
  expires_at  timestamptz not null,
  status      int,
  headers     jsonb,
  body        bytea,
  primary key (account_id, route, key)
);
create index idempotent_request_expires on idempotent_request (expires_at);

-- Claims a key in one round trip, however many callers come at once: the primary key decides.
-- The verdict is `run` for whoever may work, `replay` with the kept answer, `running`, or `other_request`.
create function claim_idempotency_key(
  account uuid, route text, key text, fingerprint bytea, claim uuid, lease interval,
  out verdict text, out status int, out headers jsonb, out body bytea
) language plpgsql as $$
declare
  held record;
begin
  loop
    insert into idempotent_request as r (account_id, route, key, fingerprint, claim, expires_at)
    values (account, claim_idempotency_key.route, claim_idempotency_key.key, claim_idempotency_key.fingerprint,
            claim_idempotency_key.claim, clock_timestamp() + lease)
    on conflict on constraint idempotent_request_pkey do update
      set fingerprint = excluded.fingerprint, claim = excluded.claim, expires_at = excluded.expires_at,
          status = null, headers = null, body = null
      where r.expires_at <= clock_timestamp();
    if found then
      verdict := 'run';
      return;
    end if;
    select r.* into held from idempotent_request r
     where r.account_id = account and r.route = claim_idempotency_key.route and r.key = claim_idempotency_key.key;
    -- Freed between the two statements: it is ours to claim after all.
    continue when not found;
    verdict := case
      when held.fingerprint <> claim_idempotency_key.fingerprint then 'other_request'
      when held.status is null then 'running'
      else 'replay'
    end;
    if verdict = 'replay' then
      status := held.status;
      headers := held.headers;
      body := held.body;
    end if;
    return;
  end loop;
end $$;
