-- Claims an idempotency key in one round trip; among concurrent callers the primary key decides. The verdict is `run` for the
-- caller that may do the work, `replay` with the stored answer, `running`, or `other_request`. If the server that claimed a key
-- has died (its instance lock is free), the key can be claimed again `reconnect` after the claim instead of after its lease: in that
-- time a live server that lost its database connection takes its lock again.
create or replace function claim_idempotency_key(
  account uuid, route text, key text, fingerprint bytea, claim uuid, lease interval, server int, instance_lock int, reconnect interval,
  out verdict text, out status int, out headers jsonb, out body bytea
) language plpgsql as $$
declare
  held record;
begin
  loop
    insert into idempotent_request as r (account_id, route, key, fingerprint, claim, expires_at, server)
    values (account, claim_idempotency_key.route, claim_idempotency_key.key, claim_idempotency_key.fingerprint,
            claim_idempotency_key.claim, clock_timestamp() + lease, claim_idempotency_key.server)
    on conflict on constraint idempotent_request_pkey do update
      set fingerprint = excluded.fingerprint, claim = excluded.claim, expires_at = excluded.expires_at, server = excluded.server,
          status = null, headers = null, body = null
      where case
        when r.expires_at <= clock_timestamp() then true
        when r.status is not null or r.server = excluded.server then false
        when r.expires_at > clock_timestamp() + lease - reconnect then false
        -- Shared, so that several concurrent checks all find it free.
        else coalesce(pg_try_advisory_xact_lock_shared(instance_lock, r.server), false)
      end;
    if found then
      verdict := 'run';
      return;
    end if;
    select r.* into held from idempotent_request r
     where r.account_id = account and r.route = claim_idempotency_key.route and r.key = claim_idempotency_key.key;
    -- The key was freed between the two statements: claim it after all.
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
