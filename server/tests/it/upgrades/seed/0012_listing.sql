-- The places of records, and the counts of repositories and orgs.
update records set place = case id when 5 then 2 when 6 then 3 when 7 then 4 when 8 then 5 when 2 then 2 when 10 then 2 else 1 end;

update repositories set record_count = 5, current_count = 3, last_upload_at = {now} - 2 * {day}  where id = 1;
update repositories set record_count = 2, current_count = 2, last_upload_at = {now} - 25 * {day} where id = 2;
update repositories set record_count = 1, current_count = 0, last_upload_at = {now} - 22 * {day} where id = 3;
update repositories set record_count = 2, current_count = 2, last_upload_at = {now} - 5 * {day}  where id = 4;

insert into orgs (org_name, record_count, current_count) values
    ('acme',          7, 5),
    ('acme/platform', 2, 2),
    ('zoo',           1, 0);
