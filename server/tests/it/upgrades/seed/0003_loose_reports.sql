-- A replaced report whose grace period is over.
insert into loose_reports (key, since, doomed_at) values ('cd1eff', {now} - 30 * {day}, {now} - 30 * {day});
