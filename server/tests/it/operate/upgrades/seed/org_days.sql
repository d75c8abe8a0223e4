-- The main branches with their languages, and the changes of their lines on each day.
insert into main_series (repository_id, language, org_name, repo_name, branch_id, first_at, last_at, ended_at, counted_day) values
    (1, 'rust',       'acme',          'payments', 1, {now} - 20 * {day}, {now} - 3 * {day}, null,               {now} / {day} - 20),
    (1, 'go',         'acme',          'payments', 1, {now} - 3 * {day},  {now} - 3 * {day}, null,               null),
    (2, 'typescript', 'acme/platform', 'Web',      3, {now} - 60 * {day}, {now} - 60 * {day}, null,               {now} / {day} - 60),
    (3, 'rust',       'zoo',           'legacy',   5, {now} - 22 * {day}, {now} - 22 * {day}, {now} - 21 * {day}, {now} / {day} - 22),
    (4, 'go',         'acme',          'tools',    7, {now} - 6 * {day},  {now} - 6 * {day}, null,               {now} / {day} - 6);

insert into main_days (repository_id, language, org_name, day, lines_covered, lines_total) values
    (1, 'rust',       'acme',          {now} / {day} - 20, 700, 1000),
    (1, 'rust',       'acme',          {now} / {day} - 10, 50,  0),
    (1, 'rust',       'acme',          {now} / {day} - 3,  50,  0),
    (2, 'typescript', 'acme/platform', {now} / {day} - 60, 90,  100),
    (3, 'rust',       'zoo',           {now} / {day} - 22, 40,  100),
    (3, 'rust',       'zoo',           {now} / {day} - 21, -40, -100),
    (4, 'go',         'acme',          {now} / {day} - 6,  85,  100);
