-- A pinned report, and one that retention has removed.
update records set pinned_at = {now} - 1 * {day} where id = 6;
update records set report_removed_at = {now} - 2 * {day} where id = 5;
