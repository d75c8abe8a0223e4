-- The newest records of an author, and all that is counted of them, without looking at any other.
create index records_by_author on records (commit_author, updated_at desc, id desc, repository_id, language);
