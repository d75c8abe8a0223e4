-- The comment of a pull request.
insert into pull_request_comments (
    repository_id, forge, pull_request, sequence, leased_until, attempted_at, comment_id, author
) values
    (1, 'https://forge.example.com/api', '17', 3, 0, {now} - 2 * {day}, '501', 'coverage-bot');
