-- A record of an upload without the right to change what the main branch shows.
insert into records (
    id, repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points, lines_covered, lines_total,
    report_format, created_at, updated_at, superseded_at, unconfirmed_at, place
) values
    (11, 1, 1, 'rust', 'c4', 'Eve', 10000, 1000, 1000, 'cobertura', {now} - 1 * {day}, {now} - 1 * {day}, {now} - 1 * {day},
        {now} - 1 * {day}, 6);

update repositories set record_count = 6, last_upload_at = {now} - 1 * {day} where id = 1;
update orgs set record_count = 8 where org_name = 'acme';

-- The numbers with which its forge knows a repository and its owner.
update repositories set forge_repository_id = '77', forge_owner_id = '7' where id = 2;
