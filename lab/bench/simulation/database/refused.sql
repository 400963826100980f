-- The query of a server whose queue is full: it reserves nothing.
\set n random(1, 3000)
select verdict from preview_call(sha256(convert_to('key team' || :n || '@example.com', 'utf8')), 30, :rules, null);
