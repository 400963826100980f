-- A call of the month: admitted and settled, as apps/server/src/metering/calls.ts does it. Two transactions.
\set n random(1, 3000)
select gen_random_uuid() as id \gset
select verdict from admit_call(sha256(convert_to('key team' || :n || '@example.com', 'utf8')), :id, 1, 1, 30, :rules, null, null);
select settled from charge_call(:id::uuid, :id::text);
