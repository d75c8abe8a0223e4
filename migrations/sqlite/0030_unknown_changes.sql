-- What a forge did not say about the change that a commit makes.
alter table record_changes add column unknown_files integer check (unknown_files > 0); -- files that are missing in the changes
alter table record_changes add column unknown_reason text; -- why, or why there are no changes
