-- The client of another service that sent an upload: `codecov-cli 11.3.1`.
alter table uploads add column client text collate "C";

-- What clients of other services stated in a request, for their next ones: the upload whose body follows, the branch of a commit.
create table foreign_requests (
    key_hash   text collate "C" primary key,
    repository text collate "C" not null,
    expires_at bigint not null,
    stated     text collate "C" not null,
    -- When the body was stored.
    used_at    bigint
);

create index foreign_requests_by_expiry on foreign_requests (expires_at);
create index foreign_requests_of_repository on foreign_requests (repository);
