-- How many paths of a coverage file are files of the repository.
update record_details set paths_matched = 1, paths_of = 2, paths_unmatched = '["src/tax.c"]' where record_id = 6;
