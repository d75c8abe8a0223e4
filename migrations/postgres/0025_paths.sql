-- How many paths of a coverage file are files of the repository. Null if the upload did not list the repository's paths.
alter table record_details add column paths_matched bigint;
alter table record_details add column paths_of bigint;
-- The first few paths that are none, as a JSON list.
alter table record_details add column paths_unmatched text collate "C";
