//! Trends that count something else than all lines: the files of a view, branches, functions, or new lines.

use super::{
    Measure,
    files::{ViewFiles, unless_damaged},
    finder::ViewFinder,
    sides::Head,
};
use crate::{
    FileCounts, Reader, Store, StoreError, StoredFiles,
    blocking::blocking,
    repository::times,
    run::{Run, answered},
    sql::Sql,
    time::now,
    totals::Totals,
};
use domain::{
    BranchName, Count, DayPoint, Language, Metric, NewCount, NewSince, Percentage, Repository,
    RepositoryQuery, Series, Trend, TrendPoint, ViewCounts, ViewName,
};
use moka::sync::Cache;
use sqlx::FromRow;
use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

/// The most points of a series.
const MOST_POINTS: i64 = 500;

/// How many lists of files are in memory at a time.
const LISTS: usize = 50;

/// How many counts of a view in a record stay in memory, about 200 bytes each.
const KEPT: u64 = 100_000;

/// The trends of a table of views.
#[derive(Default)]
pub(super) struct Points {
    pub(super) views: BTreeMap<ViewName, Vec<DayPoint>>,
    pub(super) whole: Vec<DayPoint>,
    /// Of the files directly in the listed folder.
    pub(super) direct: Vec<DayPoint>,
}

/// The counts of a view in a record, by the record, its revision, and the definition of the view.
pub(crate) type Counts = Cache<(i64, i64, [u8; 32]), Option<FileCounts>>;

/// At most [`MOST_POINTS`] records of a branch and language, with the first and the last one.
pub(crate) const SAMPLES: &str = "
    select r.id as record_id, r.commit_hash, r.commit_author, r.percentage_basis_points as percentage, r.updated_at as at, r.revision, n.records,
           r.lines_covered, r.lines_total, r.branches_covered, r.branches_total, r.functions_covered, r.functions_total,
           case when a.record_id is null then 0 else 1 end as has_failed
    from (
        select h.id, row_number() over (order by h.updated_at, h.id) as place, count(*) over () as records
        from records h
        where h.branch_id = $1 and h.language = $2 and h.updated_at >= $3 and h.updated_at < $4 and h.unconfirmed_at is null
    ) n
    join records r on r.id = n.id
    left join record_analyses a on a.record_id = r.id and a.verdict = 'failed'
    where n.place = 1 or n.place * ($5 - 1) / n.records > (n.place - 1) * ($5 - 1) / n.records
    order by r.updated_at, r.id";

/// Counts that stay in memory.
pub(crate) fn counts() -> Counts {
    Cache::new(KEPT)
}

/// A record as a point of a trend, with what may be counted instead of its lines.
#[derive(FromRow)]
pub(crate) struct Sample {
    #[sqlx(flatten)]
    point: TrendPoint,
    revision: i64,
    records: i64,
    #[sqlx(flatten)]
    totals: Totals,
}

impl Sample {
    pub(crate) fn percentage(&self) -> Percentage {
        self.point.percentage
    }
}

#[derive(FromRow)]
struct Listed {
    record_id: i64,
    #[sqlx(flatten)]
    files: StoredFiles,
}

/// Why a trend has no points, or its series.
#[derive(Debug)]
pub enum Counted {
    /// The name of the branch, and its trend.
    Trend(BranchName, Trend),
    /// There is no such record, commit or tag.
    UnknownSince,
    /// No record of the period has files in the view, or finding its files takes too many steps.
    NoView,
}

impl Reader {
    /// Returns what a repository's page shows as its trend, counted by `query.metric` and over the files of `view`; `None` if the
    /// repository has no uploads.
    pub async fn counted_trend(
        &self,
        repository: &Repository,
        query: &RepositoryQuery,
        view: Option<ViewFiles>,
    ) -> Result<Option<Counted>, StoreError> {
        if view.is_none() && query.metric == Metric::Lines {
            let trend = self.trend(repository, query).await?;
            return Ok(trend.map(|(branch, trend)| Counted::Trend(branch, trend)));
        }
        let Some((store, main)) = self.main_of(repository).await? else {
            return Ok(None);
        };
        let name = query.branch.as_ref().unwrap_or(&main.branch).clone();
        let Some(branch_id) = store.branch_id(main.repository_id, &name).await? else {
            return Ok(None);
        };
        let lines = store.lines(&main, branch_id, &name, query).await?;
        let of = Counting {
            metric: query.metric,
            since: match &query.since {
                Some(since) => since.clone(),
                None => store.new_since(&main.repository).await?,
            },
            view,
        };
        let mut trend = Trend::default();
        for (branch_id, branch) in &lines {
            for language in store.languages(*branch_id).await? {
                let is_wanted = query.language.as_ref().is_none_or(|of| *of == language);
                if !is_wanted || trend.series.len() == domain::CHART_LINES {
                    trend.hidden += u32::from(is_wanted);
                    continue;
                }
                let times = times(query, now());
                let found = store.samples(*branch_id, &language, &times, &of).await?;
                let Some((points, records)) = found else {
                    return Ok(Some(Counted::UnknownSince));
                };
                trend.records += records;
                trend.series.push(Series {
                    branch: branch.clone(),
                    is_active: store.is_active(*branch_id, &language).await?,
                    language,
                    points,
                });
            }
        }
        let is_empty = trend.series.iter().all(|series| series.points.is_empty());
        let is_costly = of.view.as_ref().is_some_and(ViewFiles::is_costly);
        if is_costly || (of.view.is_some() && is_empty && of.metric == Metric::Lines) {
            return Ok(Some(Counted::NoView));
        }
        Ok(Some(Counted::Trend(name, trend)))
    }
}

impl Reader {
    /// The trend on a repository's page. A view or a position that does not exist has no trend.
    pub(crate) async fn shown_trend(
        &self,
        repository: &Repository,
        query: &RepositoryQuery,
    ) -> Result<Trend, StoreError> {
        let view = match &query.view {
            Some(view) => match self.view(repository, view).await? {
                Some(view) => Some(view),
                None => return Ok(Trend::default()),
            },
            None => None,
        };
        Ok(match self.counted_trend(repository, query, view).await? {
            Some(Counted::Trend(_, trend)) => trend,
            _ => Trend::default(),
        })
    }
}

/// What a trend counts.
struct Counting {
    metric: Metric,
    since: NewSince,
    view: Option<ViewFiles>,
}

impl Store {
    /// The points of a series and the number of records that they represent. Records without a count are left out. `None` if
    /// there is no such position for new lines.
    async fn samples(
        &self,
        branch_id: i64,
        language: &Language,
        times: &Range<i64>,
        of: &Counting,
    ) -> Result<Option<(Vec<TrendPoint>, u64)>, StoreError> {
        let values = (branch_id, language, times.start, times.end, MOST_POINTS);
        let samples: Vec<Sample> = self.all(SAMPLES, values).await?;
        let records = samples.first().map_or(0, |first| first.records);
        let Some(points) = self.counted(samples, of).await? else {
            return Ok(None);
        };
        let records = u64::try_from(records).unwrap_or_default();
        Ok(Some((points, records)))
    }

    /// The percentage of a record by what a badge counts; `None` if it is unknown.
    pub(crate) async fn measured(
        &self,
        repository: &Repository,
        record: Sample,
        what: Measure<'_>,
        view: Option<ViewFiles>,
    ) -> Result<Option<Percentage>, StoreError> {
        let of = Counting {
            metric: what.metric,
            since: match what.since {
                Some(since) => since.clone(),
                None => self.new_since(repository).await?,
            },
            view,
        };
        let points = self.counted(vec![record], &of).await?;
        Ok(points.and_then(|points| Some(points.first()?.percentage)))
    }

    /// Counts records. Records without a count are left out. `None` if there is no such position for new lines.
    async fn counted(
        &self,
        samples: Vec<Sample>,
        of: &Counting,
    ) -> Result<Option<Vec<TrendPoint>>, StoreError> {
        let counts = match (of.metric, &of.view) {
            (Metric::New, view) => {
                let records = samples.iter();
                let records: Vec<_> = records
                    .map(|sample| (sample.point.record_id, sample.point.at))
                    .collect();
                match self.new_of(&records, &of.since, view.as_ref()).await? {
                    Some(counts) => counts,
                    None => return Ok(None),
                }
            }
            (metric, None) => samples
                .iter()
                .map(|sample| sample.totals.of(metric).map(only))
                .collect(),
            (metric, Some(view)) => {
                let counts = self.file_counts(&samples, view).await?;
                let counts = counts.into_iter();
                counts
                    .map(|counts| counts.map(|counts| only(counts.of(metric))))
                    .collect()
            }
        };
        let points = samples
            .into_iter()
            .zip(counts)
            .filter_map(|(sample, count)| {
                Some(TrendPoint {
                    percentage: Percentage::of(count?.lines)?,
                    counted: count,
                    ..sample.point
                })
            });
        Ok(Some(points.collect()))
    }

    /// The counts of a view in records; `None` for a record without a list of files, or if finding the files takes too many
    /// steps.
    async fn file_counts(
        &self,
        samples: &[Sample],
        view: &ViewFiles,
    ) -> Result<Vec<Option<FileCounts>>, StoreError> {
        let digest = view.digest();
        let key = |sample: &Sample| (sample.point.record_id, sample.revision, digest);
        let known: Vec<_> = samples
            .iter()
            .map(|sample| self.view_counts.get(&key(sample)))
            .collect();
        let mut counts: Vec<Option<FileCounts>> = vec![None; samples.len()];
        let mut missing = Vec::new();
        for (place, known) in known.into_iter().enumerate() {
            match known {
                Some(known) => counts[place] = known,
                None => missing.push(place),
            }
        }
        for places in missing.chunks(LISTS) {
            let listed = self
                .lists(places.iter().map(|&place| &samples[place]))
                .await?;
            let of_view = view.clone();
            let counted = blocking(move || {
                let counted = listed.iter();
                let counted = counted.map(|listed| (listed.record_id, sum(listed, &of_view)));
                counted.collect::<HashMap<_, _>>()
            });
            let counted = counted.await?;
            for &place in places {
                let of_record = counted.get(&samples[place].point.record_id);
                counts[place] = of_record.copied().flatten();
                if !view.is_costly() {
                    self.view_counts.insert(key(&samples[place]), counts[place]);
                }
            }
        }
        Ok(counts)
    }
}

/// The most points of the small trend of a view.
const FEW_POINTS: i64 = 30;

impl Store {
    /// The trends of all views in a few records.
    pub(super) async fn points_of(
        &self,
        branch_id: i64,
        of: &Head,
        times: Range<i64>,
        mut groups: ViewFinder,
    ) -> Result<(ViewFinder, Points), StoreError> {
        let values = (branch_id, &of.language, times.start, times.end, FEW_POINTS);
        let samples: Vec<Sample> = self.all(SAMPLES, values).await?;
        let listed = self.lists(samples.iter()).await?;
        let count = move || {
            let mut points = Points::default();
            for point in samples.into_iter().map(|sample| sample.point) {
                let TrendPoint {
                    record_id,
                    at,
                    percentage,
                    ..
                } = point;
                points.whole.push(DayPoint { at, percentage });
                let files = listed.iter().find(|listed| listed.record_id == record_id);
                let sums = files.map(|listed| groups.sums(&listed.files, None, None));
                let sums = sums.and_then(|sums| unless_damaged(record_id, sums));
                let Some(sums) = sums else {
                    continue;
                };
                let point = |counts: &ViewCounts| {
                    let percentage = counts.percentage()?;
                    Some(DayPoint { at, percentage })
                };
                points.direct.extend(point(&sums.direct));
                for (view, counts) in sums.views {
                    points.views.entry(view).or_default().extend(point(&counts));
                }
            }
            (groups, points)
        };
        blocking(count).await
    }

    /// The lists of files of records.
    async fn lists(
        &self,
        samples: impl Iterator<Item = &Sample>,
    ) -> Result<Vec<Listed>, StoreError> {
        let mut sql = Sql::new(
            "select d.record_id, d.files_counter, d.files_root, d.file_count, d.files
             from record_details d where d.files is not null and d.record_id in (",
        );
        sql.push_list(samples.map(|sample| sample.point.record_id))
            .push(")");
        Ok(answered(sql.rows()?.fetch_all(&self.read_pool)).await?)
    }
}

fn sum(listed: &Listed, view: &ViewFiles) -> Option<FileCounts> {
    let mut sum = Some(FileCounts::default());
    let read = listed.files.each(|path, counts| {
        sum = sum.zip(view.has(path)).map(|(sum, is_in)| match is_in {
            true => sum.plus(counts),
            false => sum,
        });
    });
    unless_damaged(listed.record_id, read).and(sum)
}

/// Counts without lines that may be new.
fn only(lines: Count) -> NewCount {
    NewCount { lines, unknown: 0 }
}
