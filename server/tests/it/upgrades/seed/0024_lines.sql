-- The lines of a record, in the first version of their encoding: of src/fee.c, line 1 ran twice, 2 did not run, and one of the two
-- branches of 4 was taken.
insert into record_lines (record_id, covered, coverable, review_at, lines) values
    (6, 2, 3, {now} + 30 * {day}, {bytes 43564c015d95767d28b52ffd2014a100000100097372632f6665652e630487020102010101});
