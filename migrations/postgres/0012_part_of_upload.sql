-- The part that an upload stated, not checked. Null if not stated.
alter table uploads add column part text collate "C";
