-- Holds the instance locks of the workers in these scripts, as apps/server/src/metering/instance.ts does, until it is ended.
select count(pg_advisory_lock(7312002, 100000 + n)) from generate_series(0, 1023) as n;
select pg_sleep(36000);
