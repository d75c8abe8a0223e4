create table tokens (
    id         integer primary key,
    name       text    not null,
    hash       text    not null unique, -- SHA-256 of the token, in hexadecimal; the token itself is kept nowhere
    created_at integer not null
) strict;
