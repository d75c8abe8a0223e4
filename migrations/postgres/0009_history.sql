-- A branch's records in the order of their uploads, whatever their language: the pages of its history begin anywhere in it.
create index records_of_branch on records (branch_id, updated_at, id);
