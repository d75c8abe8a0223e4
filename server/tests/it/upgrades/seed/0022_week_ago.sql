-- What the summary was a week ago.
update main_records set percentage_week_ago = 7500, week_ago_from = {now} - 10 * {day}, week_ago_until = {now} - 3 * {day}
where record_id = 6;
update main_records set week_ago_until = {now} - 3 * {day} where record_id = 7;
update main_records set percentage_week_ago = 9000, week_ago_from = {now} - 60 * {day}, week_ago_until = {now} - 60 * {day}
where record_id = 1;
update main_records set week_ago_until = {now} - 6 * {day} where record_id = 9;
