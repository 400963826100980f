-- Calls that failed are few: their list must not read all those that did not.
create index usage_event_failed on usage_event (account_id, at desc) where status >= 400;
