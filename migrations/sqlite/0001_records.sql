create table repositories (
    id         integer primary key,
    org_name   text    not null,
    repo_name  text    not null,
    created_at integer not null,
    unique (org_name, repo_name)
) strict;

create table branches (
    id            integer primary key,
    repository_id integer not null references repositories (id),
    name          text    not null,
    -- How many records it ever had: a repository without a `main` takes the branch with the most for one.
    record_count  integer not null default 0,
    unique (repository_id, name)
) strict;

create table records (
    id                      integer primary key autoincrement, -- never given twice: it stands in links
    repository_id           integer not null references repositories (id),
    branch_id               integer not null references branches (id),
    language                text    not null,
    commit_hash             text    not null,
    commit_author           text    not null,
    percentage_basis_points integer not null check (percentage_basis_points between 0 and 10000),
    -- Null where the report states no such count.
    lines_covered           integer,
    lines_total             integer,
    branches_covered        integer,
    branches_total          integer,
    functions_covered       integer,
    functions_total         integer,
    report_format           text    not null,
    -- The key of the stored HTML and the page it opens with; null where no HTML was uploaded.
    report_key              text unique,
    report_start_page       text,
    created_at              integer not null,
    updated_at              integer not null,
    -- Null while this is the current record of its branch and language.
    superseded_at           integer,
    unique (branch_id, language, commit_hash)
) strict;

-- At most one current record for each branch and language.
create unique index records_current on records (branch_id, language) where superseded_at is null;

-- `superseded_at` stands in these so that looking for current records fixes two columns of them and only one of those
-- below: without statistics that is what makes SQLite prefer them, and what it reads not grow with the history.
create index records_current_by_branch on records (branch_id, superseded_at, language);
create index records_current_by_repository on records (repository_id, superseded_at, created_at desc, id desc);

create index records_by_repository on records (repository_id, created_at desc, id desc);
create index records_history on records (branch_id, language, updated_at);
