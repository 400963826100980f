-- Statistics of 20 calls, as apps/server/src/metering/usage-log.ts writes them: one transaction that does not wait for the disk.
\set n random(1, 2900)
select record_usage((
  select jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'account_id', k.account_id, 'key_id', k.id, 'endpoint', '/api/v1/convert',
           'status', 200, 'input_bytes', 500000, 'output_bytes', 60000, 'duration_ms', 90, 'age_ms', 50))
    from (select k.account_id, k.id from api_key k
           where k.hash = any(array(select sha256(convert_to('key team' || m || '@example.com', 'utf8')) from generate_series(:n::int, :n::int + 19) m))) k));
