-- What a server that is full asks: it takes nothing.
\set n random(1, 3000)
select verdict from preview_call(sha256(convert_to('key team' || :n || '@example.com', 'utf8')), 30, :plans, null);
