-- A call paid by credits: admitted and settled. Two transactions.
\set n random(1, 3000)
select gen_random_uuid() as id \gset
select verdict from admit_call(sha256(convert_to('key free' || :n || '@example.com', 'utf8')), :id, 1, 1, 30, :rules, null, null);
select settled from charge_call(:id::uuid, :id::text);
