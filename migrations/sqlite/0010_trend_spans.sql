-- The confirmed records of a branch and language within 6 hours: their number, and the lowest and the highest percentage, each times 2 to
-- the power of 49 plus the id of its record. The chart of a long history reads them instead of the records. A branch has no rows, or all:
-- it gets them with its 1200th record. Triggers keep them.
create table trend_spans (
    branch_id integer not null references branches (id) on delete cascade,
    language  text    not null,
    span      integer not null, -- the time of the last upload, in units of 6 hours
    records   integer not null,
    lowest    integer not null,
    highest   integer not null,
    primary key (branch_id, language, span)
) strict;

insert into trend_spans (branch_id, language, span, records, lowest, highest)
select r.branch_id, r.language, r.updated_at / 21600000000, count(*),
       min(r.percentage_basis_points * 562949953421312 + r.id), max(r.percentage_basis_points * 562949953421312 + r.id)
from branches b
join records r on r.branch_id = b.id and r.unconfirmed_at is null
where b.record_count >= 1200
group by 1, 2, 3;

create trigger trend_spans_of_long_branches after update of record_count on branches
when new.record_count >= 1200 and not exists (select 1 from trend_spans t where t.branch_id = new.id)
begin
    insert into trend_spans (branch_id, language, span, records, lowest, highest)
    select r.branch_id, r.language, r.updated_at / 21600000000, count(*),
           min(r.percentage_basis_points * 562949953421312 + r.id), max(r.percentage_basis_points * 562949953421312 + r.id)
    from records r where r.branch_id = new.id and r.unconfirmed_at is null
    group by 1, 2, 3;
end;

create trigger trend_spans_after_insert after insert on records
when new.unconfirmed_at is null and exists (select 1 from trend_spans t where t.branch_id = new.branch_id)
begin
    insert into trend_spans (branch_id, language, span, records, lowest, highest)
    values (new.branch_id, new.language, new.updated_at / 21600000000, 1,
            new.percentage_basis_points * 562949953421312 + new.id, new.percentage_basis_points * 562949953421312 + new.id)
    on conflict (branch_id, language, span) do update set
        records = trend_spans.records + 1,
        lowest = min(trend_spans.lowest, excluded.lowest),
        highest = max(trend_spans.highest, excluded.highest);
end;

-- If these are the only rows of a branch, it has none then.
create trigger trend_spans_after_update
after update of branch_id, language, percentage_basis_points, updated_at, unconfirmed_at on records
when exists (select 1 from trend_spans t where t.branch_id in (old.branch_id, new.branch_id))
begin
    delete from trend_spans where (branch_id, language, span) in (
        select old.branch_id, old.language, old.updated_at / 21600000000
        union select new.branch_id, new.language, new.updated_at / 21600000000);
    insert into trend_spans (branch_id, language, span, records, lowest, highest)
    select k.branch_id, k.language, k.span, count(*),
           min(r.percentage_basis_points * 562949953421312 + r.id), max(r.percentage_basis_points * 562949953421312 + r.id)
    from (select old.branch_id as branch_id, old.language as language, old.updated_at / 21600000000 as span
          union select new.branch_id, new.language, new.updated_at / 21600000000) k
    join records r on r.branch_id = k.branch_id and r.language = k.language and r.unconfirmed_at is null
                  and r.updated_at >= k.span * 21600000000 and r.updated_at < (k.span + 1) * 21600000000
    where exists (select 1 from trend_spans t where t.branch_id = k.branch_id)
    group by 1, 2, 3;
end;

create trigger trend_spans_after_delete after delete on records
when exists (select 1 from trend_spans t where t.branch_id = old.branch_id)
begin
    delete from trend_spans
    where branch_id = old.branch_id and language = old.language and span = old.updated_at / 21600000000;
    insert into trend_spans (branch_id, language, span, records, lowest, highest)
    select r.branch_id, r.language, r.updated_at / 21600000000, count(*),
           min(r.percentage_basis_points * 562949953421312 + r.id), max(r.percentage_basis_points * 562949953421312 + r.id)
    from records r
    where r.branch_id = old.branch_id and r.language = old.language and r.unconfirmed_at is null
      and r.updated_at >= old.updated_at / 21600000000 * 21600000000
      and r.updated_at < old.updated_at / 21600000000 * 21600000000 + 21600000000
      and exists (select 1 from trend_spans t where t.branch_id = old.branch_id)
    group by 1, 2, 3;
end;
