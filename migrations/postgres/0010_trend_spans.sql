-- The confirmed records of a branch and language within 6 hours: their number, and the lowest and the highest percentage, each times 2 to
-- the power of 49 plus the id of its record. The chart of a long history reads them instead of the records. A branch has no rows, or all:
-- it gets them with its 1200th record. Triggers keep them: a transaction that
-- changes records holds the row of their repository.
create table trend_spans (
    branch_id bigint not null references branches (id) on delete cascade,
    language  text   collate "C" not null,
    span      bigint not null, -- the time of the last upload, in units of 6 hours
    records   bigint not null,
    lowest    bigint not null,
    highest   bigint not null,
    primary key (branch_id, language, span)
);

insert into trend_spans (branch_id, language, span, records, lowest, highest)
select r.branch_id, r.language, r.updated_at / 21600000000, count(*),
       min(r.percentage_basis_points * 562949953421312 + r.id), max(r.percentage_basis_points * 562949953421312 + r.id)
from branches b
join records r on r.branch_id = b.id and r.unconfirmed_at is null
where b.record_count >= 1200
group by 1, 2, 3;

create function begin_trend_spans() returns trigger language plpgsql as $$
begin
    if not exists (select 1 from trend_spans t where t.branch_id = new.id) then
        insert into trend_spans (branch_id, language, span, records, lowest, highest)
        select r.branch_id, r.language, r.updated_at / 21600000000, count(*),
               min(r.percentage_basis_points * 562949953421312 + r.id), max(r.percentage_basis_points * 562949953421312 + r.id)
        from records r where r.branch_id = new.id and r.unconfirmed_at is null
        group by 1, 2, 3;
    end if;
    return null;
end
$$;

create trigger trend_spans_of_long_branches after update of record_count on branches
for each row when (new.record_count >= 1200) execute function begin_trend_spans();

create function enter_trend_span() returns trigger language plpgsql as $$
begin
    if exists (select 1 from trend_spans t where t.branch_id = new.branch_id) then
        insert into trend_spans (branch_id, language, span, records, lowest, highest)
        values (new.branch_id, new.language, new.updated_at / 21600000000, 1,
                new.percentage_basis_points * 562949953421312 + new.id, new.percentage_basis_points * 562949953421312 + new.id)
        on conflict (branch_id, language, span) do update set
            records = trend_spans.records + 1,
            lowest = least(trend_spans.lowest, excluded.lowest),
            highest = greatest(trend_spans.highest, excluded.highest);
    end if;
    return null;
end
$$;

create trigger trend_spans_after_insert after insert on records
for each row when (new.unconfirmed_at is null) execute function enter_trend_span();

-- If these are the only rows of a branch, it has none then.
create function count_trend_spans() returns trigger language plpgsql as $$
begin
    if not exists (select 1 from trend_spans t where t.branch_id in (old.branch_id, new.branch_id)) then
        return null;
    end if;
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
    return null;
end
$$;

create trigger trend_spans_after_update
after update of branch_id, language, percentage_basis_points, updated_at, unconfirmed_at on records
for each row execute function count_trend_spans();

-- `new` is null.
create trigger trend_spans_after_delete after delete on records
for each row execute function count_trend_spans();
