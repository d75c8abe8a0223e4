-- The other counts of the current records.
alter table main_records add column branches_covered bigint;
alter table main_records add column branches_total bigint;
alter table main_records add column functions_covered bigint;
alter table main_records add column functions_total bigint;

-- The lines that are new since the repository's `new_since`, null if it is not known. `new_day` is the day for which they were
-- counted; null if they were not counted since the record, its history or the settings changed.
alter table main_records add column new_covered bigint;
alter table main_records add column new_total bigint;
alter table main_records add column new_unknown bigint;
alter table main_records add column new_day bigint;

update main_records set
    branches_covered = r.branches_covered, branches_total = r.branches_total,
    functions_covered = r.functions_covered, functions_total = r.functions_total
from records r where r.id = main_records.record_id;

-- Like `records_weighed`: records with a percentage of branches or functions.
create index records_with_branches on records (branch_id, language, updated_at)
where branches_total > 0 and branches_total <= 1000000000000 and unconfirmed_at is null;
create index records_with_functions on records (branch_id, language, updated_at)
where functions_total > 0 and functions_total <= 1000000000000 and unconfirmed_at is null;
