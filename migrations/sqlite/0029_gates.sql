-- The gates that the operator has set, of orgs and of repositories, which need no records.
create table gates (
    org_key  text    not null, -- in lower case
    repo_key text    not null, -- in lower case; empty for the org
    rules    text    not null, -- JSON
    set_at   integer not null,
    primary key (org_key, repo_key)
) strict;

-- What the .coverage.toml of a record says, besides the parts that the commit has. Other records have no row.
create table record_settings (
    record_id integer primary key references records (id) on delete cascade,
    settings  text not null -- JSON: rules and carry
) strict;
