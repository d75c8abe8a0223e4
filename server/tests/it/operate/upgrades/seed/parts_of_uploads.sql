-- The part of an upload.
update uploads set part = 'unit' where record_id = 6;
