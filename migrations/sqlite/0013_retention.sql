-- Whose report is kept whatever its age; null where that is for retention to say.
alter table records add column pinned_at         integer;
-- When retention removed the report. Its numbers stay.
alter table records add column report_removed_at integer;

-- Reports of a branch and language in the order of their uploads: what retention goes through.
create index records_with_report on records (branch_id, language, updated_at) where report_key is not null;
