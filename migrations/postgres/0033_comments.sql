-- The comment of each pull request. One upload at a time writes it, with what the newest commit says then.
create table pull_request_comments (
    repository_id bigint not null references repositories (id) on delete cascade,
    forge         text collate "C"    not null, -- the address of its API
    pull_request  text collate "C"    not null,
    -- Grows with each upload that has something new to say. Who writes does so again if it has grown meanwhile.
    sequence      bigint not null,
    -- Until when an upload is writing it; 0 if none is.
    leased_until  bigint not null,
    -- When an upload began to create it. Its answer may be lost, so the comment may be there although its id is not known.
    attempted_at  bigint,
    comment_id    text collate "C", -- as the forge numbers it
    author        text collate "C", -- whose the forge says that it is
    primary key (repository_id, forge, pull_request)
);
