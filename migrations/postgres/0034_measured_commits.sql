-- The commit of a pull request's job, if it uploads for another one: usually the merge with the target branch.
alter table record_changes add column measured_commit text collate "C";
