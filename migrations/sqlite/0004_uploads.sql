-- The ledger of uploads: every attempt, whatever became of it. Kept bounded: the oldest rows go.
create table uploads (
    id            integer primary key autoincrement,
    received_at   integer not null,
    milliseconds  integer not null,
    request_id    text    not null,
    -- What the client said, cut to length and not checked; null where it said nothing.
    org_name      text,
    repo_name     text,
    branch_name   text,
    commit_hash   text,
    language      text,
    -- Whose token was accepted; null where none was. Never the token itself.
    token_name    text,
    status        integer not null,
    -- `created`, `replaced`, or the code of the refusal, and the sentence that the client was told.
    code          text    not null,
    detail        text    not null,
    -- Null where the upload was refused.
    record_id     integer,
    report_format text,
    files         integer,
    bytes         integer not null -- of the request's body, as far as it was read
) strict;

create index uploads_by_repository on uploads (org_name, repo_name, id);

-- What is refused for want of a token is kept apart, so that a stranger cannot push the others out.
create index uploads_of_strangers on uploads (id) where token_name is null;
create index uploads_of_known on uploads (id) where token_name is not null;
