-- Null where a batch was sent without `quality`: a PNG is then lossless, and the status reports the default.
alter table batch alter column quality drop not null;
