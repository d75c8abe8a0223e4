-- Records that can be weighed by lines: what an organisation's number goes by while newer reports of a branch count none.
-- No program has a trillion of them.
create index records_weighed on records (branch_id, language, updated_at)
where lines_total > 0 and lines_total <= 1000000000000;
