-- The client of an upload, and what a client stated for the body of its upload.
update uploads set client = 'codecov-cli 11.3.1' where record_id = 6;
insert into foreign_requests (key_hash, repository, expires_at, stated) values ('{hash of left}', 'acme/app', {now} + {day}, '{}');
