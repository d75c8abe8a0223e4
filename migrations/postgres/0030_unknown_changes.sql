-- What a forge did not say about the change that a commit makes.
alter table record_changes add column unknown_files bigint check (unknown_files > 0); -- files that are missing in the changes
alter table record_changes add column unknown_reason text collate "C"; -- why, or why there are no changes
