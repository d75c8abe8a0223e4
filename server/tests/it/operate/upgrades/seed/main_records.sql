-- The other counts in the summary of all repositories, and a count of new code.
update main_records set branches_covered = 30, branches_total = 40, functions_covered = 5, functions_total = 6
where record_id = 6;
update main_records set new_day = {now} / {day}, new_covered = 1, new_total = 2, new_unknown = 0 where record_id = 6;
update main_records set new_day = {now} / {day} where record_id = 7;
