-- Two tasks may compute the same history from different histories of its base: the version says which one it was.
alter table record_histories add column version integer not null default 0; -- a hash of the lines and their history
alter table record_histories add column base_version integer; -- null without a base

-- Rows of deleted records go with the repository.
alter table record_chain add column repository_id integer references repositories (id) on delete cascade;
update record_chain set repository_id = (select r.repository_id from records r where r.id = record_chain.record_id);
create index record_chain_by_repository on record_chain (repository_id) where repository_id is not null;
