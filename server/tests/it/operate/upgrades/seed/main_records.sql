-- The other counts in the summary of all repositories, and a count of new code: no line is new.
update main_records set branches_covered = 30, branches_total = 40, functions_covered = 5, functions_total = 6
where record_id = 6;
update main_records set new_day = {now} / {day}, new_covered = 0, new_total = 0, new_unknown = 3 where record_id = 6;
update main_records set new_day = {now} / {day} where record_id = 7;
