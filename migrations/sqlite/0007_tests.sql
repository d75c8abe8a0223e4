-- The tests that ran each line, if the coverage file says so: server/lines/src/test_sets/encoding.rs. They are stored where the lines
-- are: of a record, united over its parts, and of each part if there are several.
alter table record_lines add column tests blob;
alter table record_parts add column tests blob;
-- 1 if the part says which tests ran its lines: these are among the tests of the record.
alter table carried_parts add column has_tests integer not null default 0;
