-- A record that was confirmed and then replaced by an upload without the right: before schema 20 it counted as one of its branch.
insert into records (
    id, repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points, lines_covered, lines_total,
    report_format, created_at, updated_at, superseded_at, unconfirmed_at, place
) values
    (12, 3, 5, 'rust', 'f2', 'Eve', 10000, 100, 100, 'cobertura', {now} - 20 * {day}, {now} - 18 * {day}, {now} - 19 * {day},
        {now} - 18 * {day}, 2);

update branches set record_count = 2 where id = 5;
update repositories set record_count = 2, last_upload_at = {now} - 18 * {day} where id = 3;
update orgs set record_count = 2 where org_name = 'zoo';
