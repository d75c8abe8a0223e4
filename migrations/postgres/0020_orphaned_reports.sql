-- Stored reports that no record points to have a name that says so.
alter table loose_reports rename to orphaned_reports;
alter table orphaned_reports rename column doomed_at to marked_at;
drop index loose_reports_released;
create index orphaned_reports_released on orphaned_reports (released_at) where released_at is not null;

-- Whose a released report was. It takes room of its repository's quota until it is removed, and goes with its record. Null for
-- what no record ever had, and for what was released before this was noted.
alter table orphaned_reports add column record_id     bigint;
alter table orphaned_reports add column repository_id bigint;
alter table orphaned_reports add column bytes         bigint;

create index orphaned_reports_record on orphaned_reports (record_id) where record_id is not null;
create index orphaned_reports_repository on orphaned_reports (repository_id, released_at, bytes) where released_at is not null;

-- A record is either confirmed or it is not. One that was confirmed and then replaced by an upload that was not used to count.
update branches set record_count = (
    select count(*) from records r where r.branch_id = branches.id and r.unconfirmed_at is null)
where id in (select r.branch_id from records r where r.unconfirmed_at is not null and r.superseded_at < r.unconfirmed_at);
update records set superseded_at = unconfirmed_at where unconfirmed_at is not null and superseded_at < unconfirmed_at;
