-- A token may be for administration: to delete what was uploaded, and to read the audit log. SQLite changes no constraint of
-- a table, so the table is made anew; ids stay.
create table tokens_with_admin (
    id           integer primary key,
    name         text    not null,
    hash         text    not null unique, -- SHA-256 of the token, in hexadecimal; the token itself is kept nowhere
    created_at   integer not null,
    purpose      text    not null default 'upload' check (purpose in ('upload', 'read', 'admin')),
    org_name     text,
    -- Only with an org.
    repo_name    text,
    -- The last characters, by which people tell tokens apart; empty for those that were made before there were any.
    hint         text    not null default '',
    expires_at   integer,
    last_used_at integer,
    revoked_at   integer
) strict;

insert into tokens_with_admin (
    id, name, hash, created_at, purpose, org_name, repo_name, hint, expires_at, last_used_at, revoked_at
)
select id, name, hash, created_at, purpose, org_name, repo_name, hint, expires_at, last_used_at, revoked_at from tokens;

drop table tokens;
alter table tokens_with_admin rename to tokens;
create unique index tokens_in_force on tokens (name) where revoked_at is null;

-- The audit log: who changed what, when, and from where. Rows are only ever added.
create table audit (
    id         integer primary key autoincrement,
    at         integer not null,
    -- `command`, `token`, `forge`, `identity` or `service`, and the name of that.
    actor_kind text    not null,
    actor      text    not null,
    -- The client's address; of a command, the machine that it ran on.
    source     text    not null,
    action     text    not null,
    -- The repository that it is about, or the scope of a token; null where it is about all of them.
    org_name   text,
    repo_name  text,
    -- What was changed, in words; and what it was before and is now, where that can be said.
    subject    text    not null,
    old_value  text,
    new_value  text
) strict;

create trigger audit_refuses_updates before update on audit
begin
    select raise(abort, 'the audit log is append-only');
end;

create trigger audit_refuses_deletes before delete on audit
begin
    select raise(abort, 'the audit log is append-only');
end;
