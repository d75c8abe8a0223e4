create table repositories (
    id                  integer primary key,
    org_name            text    not null,
    repo_name           text    not null,
    -- `org/repo` in lower case. Lookups use it, so that the case of a name does not matter.
    name_key            text    not null generated always as (lower(org_name || '/' || repo_name)) stored,
    created_at          integer not null,
    -- The main branch that the operator set; null if the service chooses it. It may have no record yet.
    configured_branch   text,
    -- The main branch now (server/store/src/main_branch/rule.rs); null if no record is current.
    main_branch_id      integer references branches (id),
    record_count        integer not null default 0,
    current_count       integer not null default 0,
    -- The time of the last upload; the next upload gets a later time.
    last_upload_at      integer not null default 0,
    -- The host of the first forge that authorized an upload. The same name on another forge is another repository.
    -- Null if all uploads used tokens of this service.
    forge               text,
    -- The ids that the first identity stated for the repository and its owner: another repository may get the name one day.
    forge_repository_id text,
    forge_owner_id      text,
    -- The forge that got the last commit status, if no forge authorized an upload. Pages link to it.
    reporting_forge     text,
    unique (org_name, repo_name)
) strict;

create unique index repositories_by_key on repositories (name_key);
-- Repositories without an upload for some days.
create index repositories_by_last_upload on repositories (last_upload_at);

create table branches (
    id            integer primary key,
    repository_id integer not null references repositories (id),
    name          text    not null,
    -- The number of its confirmed records. If no branch has a usual name, the branch with the most is the main branch.
    record_count  integer not null default 0,
    unique (repository_id, name)
) strict;

-- The numbers of records for all repositories of an org. With these numbers, a page of the listing skips whole orgs.
create table orgs (
    org_name      text    primary key,
    record_count  integer not null,
    current_count integer not null
) strict;

create table records (
    id                      integer primary key autoincrement, -- links contain it, so no id is used twice
    repository_id           integer not null references repositories (id),
    branch_id               integer not null references branches (id),
    language                text    not null,
    commit_hash             text    not null,
    commit_author           text    not null,
    percentage_basis_points integer not null check (percentage_basis_points between 0 and 10000),
    -- Null if the coverage file has no such count.
    lines_covered           integer,
    lines_total             integer,
    branches_covered        integer,
    branches_total          integer,
    functions_covered       integer,
    functions_total         integer,
    report_format           text    not null,
    -- The key of the stored HTML report, its first page and its bytes. Null if there is none.
    report_key              text    unique,
    report_start_page       text,
    report_bytes            integer,
    -- When retention removed the HTML report.
    report_removed_at       integer,
    -- Since when the HTML report is kept whatever its age.
    pinned_at               integer,
    created_at              integer not null,
    updated_at              integer not null,
    -- Null while this is the current record of its branch and language.
    superseded_at           integer,
    -- Set if the record is unconfirmed or waits for parts. It is then listed, but not current and in no trend.
    unconfirmed_at          integer check (unconfirmed_at is null or superseded_at is not null),
    -- 1 is the oldest record of its repository. The listing uses it for pages.
    place                   integer not null default 0,
    -- Grows with each change of lines, hunks or parts. Derived data names the revision that it is from.
    revision                integer not null default 0,
    -- The bytes of its lines, lists of files and changes, which count in quotas.
    database_bytes          integer not null default 0,
    unique (branch_id, language, commit_hash)
) strict;

-- At most one current record for each branch and language.
create unique index records_current on records (branch_id, language) where superseded_at is null;

-- A search for current records fixes two columns of these indexes. So SQLite prefers these indexes, even without statistics, and does
-- not read the history.
create index records_current_by_branch on records (branch_id, superseded_at, language);
create index records_current_by_repository on records (repository_id, superseded_at, created_at desc, id desc);

-- Pages of the listing, for each filter.
create index records_by_place on records (repository_id, place);
create index records_of_branch_by_place on records (branch_id, place);
create index records_of_branch_and_language_by_place on records (branch_id, language, place);
create index records_of_language_by_place on records (language, repository_id, place);
create index records_of_author_by_place on records (commit_author, repository_id, place);

create index records_of_branch on records (branch_id, updated_at, id);
create index records_by_author on records (commit_author, updated_at desc, id desc, repository_id, language);
create index records_by_commit on records (commit_hash, id desc);

-- Confirmed records. It has all columns of a trend, so a query reads the index alone.
create index records_history on records (branch_id, language, updated_at, percentage_basis_points, unconfirmed_at)
where unconfirmed_at is null;
-- Records that an org's percentage can be computed from. No program has a trillion lines.
create index records_weighed on records (branch_id, language, updated_at)
where lines_total > 0 and lines_total <= 1000000000000 and unconfirmed_at is null;
create index records_unconfirmed on records (branch_id) where unconfirmed_at is not null;

-- Sums of quotas. With `report_key` in it, a query reads the index alone.
create index records_report_bytes on records (repository_id, report_key, report_bytes) where report_key is not null;
create index records_database_bytes on records (repository_id, database_bytes) where database_bytes > 0;

-- All columns that retention and the page of the storage read.
create index records_of_reports on records
    (branch_id, language, updated_at, report_bytes, pinned_at, unconfirmed_at, repository_id, report_key)
    where report_key is not null;
create index records_pinned on records (pinned_at) where pinned_at is not null;

-- The summary table: current records of main branches. Lists of repositories read this table alone. Transactions that change
-- records update it.
create table main_records (
    repository_id           integer not null references repositories (id),
    language                text    not null,
    org_name                text    not null,
    repo_name               text    not null,
    branch_id               integer not null references branches (id),
    record_id               integer not null references records (id),
    percentage_basis_points integer not null,
    -- The percentage of the record before it on its branch; null if there is none.
    percentage_before       integer,
    lines_covered           integer,
    lines_total             integer,
    updated_at              integer not null,
    -- The percentage a week ago, valid from `week_ago_from` until before `week_ago_until`. Outside of this period, queries read the
    -- history. Both are times of records; `week_ago_from` is 0 before the first record.
    percentage_week_ago     integer,
    week_ago_from           integer not null default 0,
    week_ago_until          integer not null default 0,
    primary key (repository_id, language)
) strict;

create index main_records_by_name on main_records (org_name, repo_name, language);

-- What a coverage file states besides the totals. A record without a row has no such data.
create table record_details (
    record_id       integer primary key references records (id) on delete cascade,
    tool            text,             -- name and version, as the coverage file states them
    counters        text    not null, -- JSON: [["line", covered, total], …]
    warnings        text    not null, -- JSON: sentences
    files_counter   text    not null, -- what `files` counts: `line`, with few exceptions
    files_root      text    not null, -- the common beginning of all paths, which `files` omits
    file_count      integer not null,
    files           blob,             -- server/store/src/record_details/encoding.rs; null if there is no list, or too long a list
    -- How many paths are files of the repository. Null if the upload did not list the repository's paths.
    paths_matched   integer,
    paths_of        integer,
    paths_unmatched text,             -- JSON: the first other paths
    is_root_stated  integer           -- whether the coverage file states the folder that was removed from its paths
) strict;

create table record_lines (
    record_id integer primary key references records (id) on delete cascade,
    covered   integer not null,
    coverable integer not null,
    -- When to decide next whether the lines are still kept.
    review_at integer not null,
    lines     blob    not null -- server/lines/src/encoding.rs
) strict;

create index record_lines_to_review on record_lines (review_at);

-- Lines that ran in one upload of a part and not in another upload of it: they may flicker.
create table record_reruns (
    record_id  integer not null references records (id) on delete cascade,
    arrived_at integer not null, -- when the later of the two uploads arrived
    files      blob    not null -- server/store/src/flicker.rs
) strict;

create index record_reruns_of_record on record_reruns (record_id, arrived_at);

-- The flickering lines of the newest record of a main branch.
create table flickering_lines (
    repository_id integer not null references repositories (id) on delete cascade,
    language      text    not null,
    record_id     integer not null references records (id) on delete cascade, -- the newest record that was searched
    records       integer not null, -- how many were searched
    files         blob    not null, -- server/store/src/flicker.rs
    primary key (repository_id, language)
) strict;

-- The parts of records that have named or several parts, or a part without lines. A record without rows here has one unnamed part
-- with lines: itself.
create table record_parts (
    record_id               integer not null references records (id) on delete cascade,
    part                    text    not null, -- empty for the unnamed part
    arrived_at              integer not null,
    -- Why the part was skipped. Null if it was measured. All further columns are null if it was skipped.
    skip_reason             text,
    -- What its own coverage file states.
    percentage_basis_points integer,
    lines_covered           integer,
    lines_total             integer,
    branches_covered        integer,
    branches_total          integer,
    functions_covered       integer,
    functions_total         integer,
    report_format           text,
    tool                    text,
    warnings                text, -- JSON: sentences
    paths_matched           integer,
    paths_of                integer,
    paths_unmatched         text, -- JSON
    root                    text, -- the folder that was removed from its paths
    is_root_stated          integer,
    -- The counts are null if its coverage file has no lines. The lines are null as well if they have expired, or if `record_lines`
    -- has them: if it is the only measured part and none is carried.
    covered                 integer,
    coverable               integer,
    lines                   blob,
    -- Its HTML report. The record has the HTML report of the newest part with one.
    report_key              text    unique,
    report_start_page       text,
    report_bytes            integer,
    primary key (record_id, part)
) strict;

-- The expected parts of a record.
create table record_completions (
    record_id        integer primary key references records (id) on delete cascade,
    expected         text    not null, -- JSON: parts
    -- When `finish` or the timeout ended the wait; else null.
    closed_at        integer,
    -- Until when the record waits; null if no part is missing.
    waits_until      integer,
    -- Set if the last upload had no right to change the main branch.
    unconfirmed_at   integer,
    -- Set if parts did not arrive in time, and the commit status is still pending.
    unreported_since integer
) strict;

create index record_completions_waiting on record_completions (waits_until) where waits_until is not null;

-- Parts that were skipped before the first measured part of their commit: there is no record yet.
create table early_skips (
    repository_key text    not null, -- `org/repo` in lower case
    branch_name    text    not null,
    language       text    not null,
    commit_hash    text    not null,
    part           text    not null,
    reason         text    not null,
    expected       text    not null, -- JSON: parts
    skipped_at     integer not null,
    primary key (repository_key, branch_name, language, commit_hash, part)
) strict;

create index early_skips_skipped on early_skips (skipped_at);

-- Parts that were not measured again: their unchanged lines come from an earlier commit.
create table carried_parts (
    record_id     integer not null references records (id) on delete cascade,
    part          text    not null,
    source_id     integer not null, -- the record that measured it; may be deleted
    source_commit text    not null,
    measured_at   integer not null,
    covered       integer not null,
    coverable     integer not null,
    lines         blob, -- null if they have expired
    primary key (record_id, part)
) strict;

-- What an upload states about the change of its commit. Other records have no row.
create table record_changes (
    record_id       integer primary key references records (id) on delete cascade,
    pull_request    text,
    target_branch   text,
    base_commit     text, -- the changes start from it
    base_tree       text, -- the tree of that commit
    tree_hash       text, -- the tree that was measured
    measured_commit text, -- the commit of the job if it differs: usually the merge with the target branch
    changes         blob, -- server/lines/src/changes/encoding.rs
    unknown_files   integer check (unknown_files > 0), -- how many files the forge left out
    unknown_reason  text -- why, or why there are no changes
) strict;

create index record_changes_by_tree on record_changes (tree_hash) where tree_hash is not null;
create index record_changes_by_pull_request on record_changes (pull_request) where pull_request is not null;

-- What is derived from a record and its base: changed lines, lost lines, and why the percentage changed.
create table record_analyses (
    record_id         integer primary key references records (id) on delete cascade,
    -- The revisions of its sources. The base is null if there was none.
    revision          integer not null,
    base_id           integer,
    base_revision     integer,
    -- For lists: the changed lines that ran, and all coverable ones. Null if unknown.
    changed_covered   integer,
    changed_coverable integer,
    -- The verdict when the record was last uploaded or completed. Null without a gate.
    verdict           text,
    analysis          blob    not null -- server/store/src/analysis/stored.rs
) strict;

-- A trend marks failed records.
create index record_analyses_failed on record_analyses (record_id) where verdict = 'failed';

-- The gates that the operator set. They need no records.
create table gates (
    org_key  text    not null, -- in lower case
    repo_key text    not null, -- in lower case; empty for the org
    rules    text    not null, -- JSON
    set_at   integer not null,
    primary key (org_key, repo_key)
) strict;

-- Rules and carried parts of a record's coverage-dashboard.toml. Other records have no row.
create table record_settings (
    record_id integer primary key references records (id) on delete cascade,
    settings  text not null -- JSON
) strict;

-- The comment of each pull request. One upload at a time writes it, for the newest commit.
create table pull_request_comments (
    repository_id integer not null references repositories (id) on delete cascade,
    forge         text    not null, -- the address of its API
    pull_request  text    not null,
    -- Each upload with new text increments it. The writer then writes the comment again.
    sequence      integer not null,
    -- Until when an upload writes it; 0 if none does.
    leased_until  integer not null,
    -- When an upload began to create it. If the answer was lost, the comment exists although its id is unknown.
    attempted_at  integer,
    comment_id    text, -- the forge's id
    author        text, -- as the forge states it
    primary key (repository_id, forge, pull_request)
) strict;

-- Stored HTML reports without a record: they will get one, or will be removed. A start after a crash reads this table and need not
-- search the storage.
create table orphaned_reports (
    key           text    primary key,
    since         integer not null,
    -- Set if it must be removed. Null while an upload may still publish it.
    marked_at     integer,
    -- The start of the grace period, for copies of the database. Null without one: deleted, removed for room, or never published.
    released_at   integer,
    -- Its former record. The report counts in the quota of the repository until it is removed.
    record_id     integer,
    repository_id integer,
    bytes         integer
) strict;

create index orphaned_reports_released on orphaned_reports (released_at) where released_at is not null;
create index orphaned_reports_record on orphaned_reports (record_id) where record_id is not null;
create index orphaned_reports_repository on orphaned_reports (repository_id, released_at, bytes) where released_at is not null;

-- The ledger: upload attempts, up to a maximum of rows.
create table uploads (
    id            integer primary key autoincrement,
    received_at   integer not null,
    milliseconds  integer not null,
    request_id    text    not null,
    -- As the client stated them: cut to length, not checked. Null if not stated.
    org_name      text,
    repo_name     text,
    branch_name   text,
    commit_hash   text,
    language      text,
    run_url       text, -- the page of the CI run
    -- The name of the accepted token; null if no token was accepted.
    token_name    text,
    status        integer not null,
    -- The result or the error code (server/src/routes/upload/attempt.rs), and the sentence of the answer.
    code          text    not null,
    detail        text    not null,
    -- Null if there is no record.
    record_id     integer,
    report_format text,
    files         integer,
    bytes         integer not null -- of the request's body, as far as it was read
) strict;

-- Clients may write a name in any case.
create index uploads_by_repository on uploads (lower(org_name), lower(repo_name), id);
create index uploads_of_records on uploads (record_id) where record_id is not null;
-- Attempts without an accepted token have a maximum of their own, so that a stranger displaces no other rows.
create index uploads_of_strangers on uploads (id) where token_name is null;
create index uploads_of_known on uploads (id) where token_name is not null;

-- Rows of revoked tokens stay, because the ledger names them.
create table tokens (
    id           integer primary key,
    name         text    not null,
    hash         text    not null unique, -- SHA-256 of the token, in hexadecimal
    created_at   integer not null,
    purpose      text    not null default 'upload' check (purpose in ('upload', 'read', 'admin')),
    org_name     text,
    repo_name    text, -- only with an org
    hint         text    not null default '', -- the last characters, which tell tokens apart
    expires_at   integer,
    last_used_at integer,
    revoked_at   integer
) strict;

create unique index tokens_in_force on tokens (name) where revoked_at is null;

-- People who have logged in at an issuer.
create table sessions (
    id         integer primary key autoincrement,
    hash       text    not null unique, -- SHA-256 of the secret in the browser's cookie
    issuer     text    not null,
    subject    text    not null, -- the issuer's id of the person
    person     text    not null, -- the name to show
    groups     text    not null, -- JSON: the person's groups that READ_ORGS named at the login
    created_at integer not null,
    expires_at integer not null
) strict;

create index sessions_by_end on sessions (expires_at);
create index sessions_of_person on sessions (issuer, subject, id);

-- Keys with which this service signs.
create table signing_keys (
    name text primary key,
    key  text not null -- in hexadecimal
) strict;

-- The audit log: who changed what, when, and from where.
create table audit (
    id         integer primary key autoincrement,
    at         integer not null,
    -- `command`, `token`, `forge`, `identity` or `service`, and its name.
    actor_kind text    not null,
    actor      text    not null,
    -- The address of the client, or the machine of a command.
    source     text    not null,
    action     text    not null,
    -- The repository, or the scope of a token; null for all.
    org_name   text,
    repo_name  text,
    -- What was changed, in words, and its values if they can be stated.
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

-- Records whose events are not detected yet. An upload adds its row in its own transaction, so a restart loses none.
create table unnotified_records (
    record_id integer primary key references records (id) on delete cascade,
    noted_at  integer not null
) strict;

create index unnotified_records_in_order on unnotified_records (noted_at, record_id);

create table notifications (
    id         integer primary key autoincrement,
    -- Receivers recognise repetitions by it. It is random, so that a restored backup does not repeat it.
    public_id  text    not null,
    subject    text    not null unique, -- the event: each is sent once
    -- `org/repo` in lower case: repositories take turns, each with a limit of notifications per hour.
    repository text    not null default '',
    body       text    not null, -- JSON
    created_at integer not null
) strict;

create index notifications_of_repository on notifications (repository, created_at);

create table notification_deliveries (
    notification_id integer not null references notifications (id) on delete cascade,
    webhook         text    not null, -- a digest of its kind and address
    attempts        integer not null default 0,
    due_at          integer, -- null if it was delivered or given up
    leased_until    integer not null default 0, -- until when an instance sends it
    delivered_at    integer,
    primary key (notification_id, webhook)
) strict;

create index notification_deliveries_due on notification_deliveries (webhook, due_at) where due_at is not null;
