-- The sums over the languages of each main branch.
insert into main_repositories (repository_id, org_name, first_day, last_day, active_since, counted_since, languages, lines_covered,
                               lines_total, percentage_basis_points) values
    (1, 'acme',          {now} / {day} - 20, {now} / {day} - 3,  {now} / {day} - 20, null,               2, 800, 1000, 8000),
    (2, 'acme/platform', {now} / {day} - 60, {now} / {day} - 60, {now} / {day} - 60, {now} / {day} - 60, 1, 90,  100,  9000),
    (3, 'zoo',           {now} / {day} - 22, {now} / {day} - 21, null,               null,               1, 0,   0,    null),
    (4, 'acme',          {now} / {day} - 6,  {now} / {day} - 6,  {now} / {day} - 6,  {now} / {day} - 6,  1, 85,  100,  8500);
