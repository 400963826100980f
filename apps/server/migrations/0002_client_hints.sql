-- Whether a source's images may have the width and the density that a browser tells in headers.
alter table source add column client_hints boolean not null default false;
