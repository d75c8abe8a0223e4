-- When the record that pointed to a report let go of it: another upload of its commit took its place, or retention removed it.
-- Null where no record ever pointed to it. A copy of the database may still point to such a report, so it stays for a while.
alter table loose_reports add column released_at bigint;

update loose_reports set released_at = doomed_at where doomed_at = since;

-- The first to be removed where the storage is full.
create index loose_reports_released on loose_reports (released_at) where released_at is not null;
