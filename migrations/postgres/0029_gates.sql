-- The gates that the operator has set, of orgs and of repositories, which need no records.
create table gates (
    org_key  text collate "C" not null, -- in lower case
    repo_key text collate "C" not null, -- in lower case; empty for the org
    rules    text collate "C" not null, -- JSON
    set_at   bigint not null,
    primary key (org_key, repo_key)
);

-- What the .coverage.toml of a record says, besides the parts that the commit has. Other records have no row.
create table record_settings (
    record_id bigint primary key references records (id) on delete cascade,
    settings  text collate "C" not null -- JSON: rules and carry
);
