-- A call of one account without a burst limit: all callers contend for its rows.
select gen_random_uuid() as id \gset
select verdict from admit_call(sha256(convert_to('key team1@example.com', 'utf8')), :id, 1, 1, 0, :rules, null, null);
select settled from charge_call(:id::uuid, :id::text);
