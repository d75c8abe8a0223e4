-- The overview counts the repositories of each org: with `repository_id`, the count reads the index alone.
drop index main_records_by_name;
create index main_records_by_name on main_records (org_name, repo_name, language, repository_id);
