-- What a row was a week ago. It is right for the moments from week_ago_from to before week_ago_until; queries for others
-- read the history. Both are times of records; week_ago_from is 0 before the first record.
alter table main_records add column percentage_week_ago integer;
alter table main_records add column week_ago_from       integer not null default 0;
alter table main_records add column week_ago_until      integer not null default 0;

update main_records as s set
    percentage_week_ago = coalesce(
        (select h.percentage_basis_points from records h
         where h.branch_id = s.branch_id and h.language = s.language and h.unconfirmed_at is null
           and h.updated_at <= (unixepoch() - 604800) * 1000000
         order by h.updated_at desc limit 1),
        (select h.percentage_basis_points from records h
         where h.branch_id = s.branch_id and h.language = s.language and h.unconfirmed_at is null
           and h.id <> s.record_id
         order by h.updated_at limit 1)),
    week_ago_from = coalesce(
        (select max(h.updated_at) from records h
         where h.branch_id = s.branch_id and h.language = s.language and h.unconfirmed_at is null
           and h.updated_at <= (unixepoch() - 604800) * 1000000), 0),
    week_ago_until = coalesce(
        (select min(h.updated_at) from records h
         where h.branch_id = s.branch_id and h.language = s.language and h.unconfirmed_at is null
           and h.updated_at > (unixepoch() - 604800) * 1000000), s.updated_at);
