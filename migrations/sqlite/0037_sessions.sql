-- People who have logged in at an issuer.
create table sessions (
    id         integer primary key autoincrement,
    hash       text    not null unique, -- the SHA-256 of the secret in the browser's cookie
    issuer     text    not null,
    subject    text    not null, -- what the issuer calls the person
    person     text    not null, -- the name to show
    groups     text    not null, -- JSON: the person's groups that READ_ORGS named at the login
    created_at integer not null,
    expires_at integer not null
) strict;
create index sessions_by_end on sessions (expires_at);
create index sessions_of_person on sessions (issuer, subject, id);
