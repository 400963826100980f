-- Admission only. The limit of 30 calls a minute is never reached.
\set n random(1, 3000)
select verdict from admit_call(sha256(convert_to('key team' || :n || '@example.com', 'utf8')), gen_random_uuid(), 1, 1, 30, :rules, null, null);
