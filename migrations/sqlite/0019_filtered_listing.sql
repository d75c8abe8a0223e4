-- A page of the listing that a branch and a language pick out passes over what comes before it in this index alone.
create index records_of_branch_and_language_by_place on records (branch_id, language, place);
