-- When a commit was uploaded that nobody confirmed to be in its branch, which is the main one or would have become it. Such a
-- record is listed, but is not current, and no trend or change includes it. Null for all others. `superseded_at` is the same
-- moment, or an earlier one where the record was confirmed before: it counts as one of its branch then.
alter table records add column unconfirmed_at bigint check (unconfirmed_at is null or superseded_at is not null);

-- The history of a branch has confirmed records only. `unconfirmed_at` stands in it so that it answers alone.
drop index records_history;
create index records_history on records (branch_id, language, updated_at, percentage_basis_points, unconfirmed_at)
where unconfirmed_at is null;
drop index records_weighed;
create index records_weighed on records (branch_id, language, updated_at)
where lines_total > 0 and lines_total <= 1000000000000 and unconfirmed_at is null;
create index records_unconfirmed on records (branch_id) where unconfirmed_at is not null;

-- By which numbers its source-hosting service knows the repository and its owner, as the first identity said: another one
-- may get the name one day. Null as long as no identity with such numbers uploaded.
alter table repositories add column forge_repository_id text collate "C";
alter table repositories add column forge_owner_id      text collate "C";
