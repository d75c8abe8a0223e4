-- A part that was not measured again: it has the lines of an earlier commit.
insert into carried_parts (record_id, part, source_id, source_commit, measured_at, covered, coverable, lines) values
    (8, 'slow', 6, 'c3', {now} - 3 * {day}, 2, 3, {bytes 43564c015d95767d28b52ffd2014a100000100097372632f6665652e630487020102010101});
