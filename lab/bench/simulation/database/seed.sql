-- Accounts, keys and batches for the pgbench scripts in this folder, in a database with our tables. With 3,000 keys each recurs
-- so
-- seldom that its burst window has a realistic length. Key number n has the SHA-256 of 'key n'.
insert into account (email, password_hash, plan, credits)
select kind || n || '@example.com', '-', kind, 0 from unnest('{team,free}'::text[]) as kind, generate_series(1, 3000) as n
on conflict do nothing;

insert into api_key (account_id, name, hash, prefix, last_four, last_used_at)
select a.id, 'bench', sha256(convert_to('key ' || a.email, 'utf8')), 'sk_', '', now() + interval '1 day' from account a
 where a.email ~ '^(team|free)[0-9]+@example.com$'
on conflict do nothing;

select count(add_credits(a.id, 'grant', 1000000, a.id::text)) as credited from account a where a.plan = 'free' and a.credits = 0;
analyze;
