-- A token may be for reading, where reading is protected; for one org with its nested groups, or for one repository;
-- for a time; and it may be revoked. The row of one that was is kept: the ledger names it.
alter table tokens add column purpose      text collate "C" not null default 'upload' check (purpose in ('upload', 'read'));
alter table tokens add column org_name     text collate "C";
-- Only with an org.
alter table tokens add column repo_name    text collate "C";
-- The last characters, by which people tell tokens apart; empty for those that were made before there were any.
alter table tokens add column hint         text collate "C" not null default '';
alter table tokens add column expires_at   bigint;
alter table tokens add column last_used_at bigint;
alter table tokens add column revoked_at   bigint;

-- Two first starts at the same moment could make two tokens of one name.
update tokens set name = name || ' (' || id || ')'
where exists (select 1 from tokens other where other.name = tokens.name and other.id < tokens.id);

create unique index tokens_in_force on tokens (name) where revoked_at is null;

-- The host of the source-hosting service that vouched for this repository first. Another one may have a repository of the
-- same name, which is not this one. Null as long as only tokens of our own were used.
alter table repositories add column forge text collate "C";

-- Keys that this service made for itself, to sign what it hands out.
create table signing_keys (
    name text collate "C" primary key,
    key  text collate "C" not null -- in hexadecimal
);
