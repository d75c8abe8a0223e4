-- A replaced report whose grace period is over, with whose it was.
insert into orphaned_reports (key, since, marked_at, released_at, record_id, repository_id, bytes) values
    ('cd1eff', {now} - 30 * {day}, {now} - 30 * {day}, {now} - 30 * {day}, 6, 1, 4);
