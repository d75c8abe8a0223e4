//! The views of a repository, with their counts.

use super::{
    files::unless_damaged,
    finder::{MAX_NAMED, Sums, ViewFinder},
    sides::{Head, RECORD},
};
use crate::{Reader, Store, StoreError, blocking::blocking, repository::Main, run::Run, time::now};
use domain::{
    Count, Day, NewSince, PathGlobs, Repository, Timestamp, TrendRange, ViewCounts, ViewKind,
    Views, ViewsQuery,
};
use std::collections::{BTreeMap, BTreeSet};

/// When a period begins by default: as the default period of a trend.
pub(super) fn default_start(until: Timestamp) -> Timestamp {
    let last = Day::of(Timestamp(until.0 - 1));
    let first = TrendRange::default().first_day(last);
    first.unwrap_or(last).start()
}

/// Whether the trend of each view is read too, if the branch has one language or one is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trends {
    /// The trends are read, for a page. It opens with the first folder that has several rows.
    Wanted,
    /// The trends are left out.
    Omitted,
}

impl Reader {
    /// Returns the views of a repository; `None` if it has no uploads.
    pub async fn views(
        &self,
        repository: &Repository,
        query: &ViewsQuery,
        trends: Trends,
    ) -> Result<Option<Views>, StoreError> {
        match self.main_of(repository).await? {
            Some((store, main)) => store.views(&main, query, trends).await,
            None => Ok(None),
        }
    }
}

impl Store {
    pub(super) async fn views(
        &self,
        main: &Main,
        query: &ViewsQuery,
        trends: Trends,
    ) -> Result<Option<Views>, StoreError> {
        let now = now();
        let branch = query.branch.as_ref().unwrap_or(&main.branch);
        let branch_id = match branch == &main.branch {
            true => main.branch_id,
            false => match self.branch_id(main.repository_id, branch).await? {
                Some(id) => id,
                None => return Ok(None),
            },
        };
        let end = query.to.map(|day| day.end());
        let until = end.map_or(now, |end| end.min(now));
        let from = query.from.map(|day| day.start());
        let from = from.unwrap_or_else(|| default_start(until));
        let heads = self
            .heads(branch_id, query.language.as_ref(), end.map(|end| end.0))
            .await?;
        let definitions = self.definitions(&main.repository).await?;
        let only = match heads.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        };
        let kinds = query
            .kind
            .as_ref()
            .map_or(ViewKind::ALL, std::slice::from_ref);
        // The answers of the API list the folders that were requested.
        let is_opened = trends == Trends::Wanted && kinds == [ViewKind::Folder];
        let under = match is_opened && query.under.is_empty() {
            true => self.opening(&heads).await?,
            false => query.under.clone(),
        };
        let mut views = Views {
            branch: branch.clone(),
            until,
            from: until,
            whole: None,
            other: None,
            direct: ViewCounts::default(),
            views: Vec::new(),
            record: only.as_ref().map(|head| head.id),
            under,
            parents: BTreeSet::new(),
            points: BTreeMap::new(),
            whole_points: Vec::new(),
            direct_points: Vec::new(),
            since: query.since.clone().unwrap_or(definitions.new_since.clone()),
            notices: definitions.notices(),
        };
        let mut groups = ViewFinder::new(definitions.clone(), kinds, &views.under);
        let mut sums: Option<Sums> = None;
        let (mut stated, mut stated_before) = (Some(Count::default()), Some(Count::default()));
        for head in &heads {
            let before = self.beginning(branch_id, &head.language, from.0).await?;
            stated = stated.zip(head.lines).map(|(sum, lines)| sum.plus(lines));
            let record: Option<Head> = match before {
                Some((id, _)) => self.first(RECORD, [id]).await?,
                None => None,
            };
            let lines = record.and_then(|record| record.lines);
            stated_before = stated_before.zip(lines).map(|(sum, lines)| sum.plus(lines));
            let own;
            (groups, own) = self
                .sums_of(head, before, groups, (&views.since, until))
                .await?;
            let Some(own) = own else {
                let notice = format!("The record in {} has no list of files.", head.language);
                views.notices.push(notice);
                stated = None;
                continue;
            };
            views.from = before.map_or(views.from, |(_, at)| views.from.min(Timestamp(at)));
            match &mut sums {
                None => sums = Some(own),
                Some(sums) => sums.plus(own),
            }
        }
        let mut sums = sums.unwrap_or_default();
        for kind in groups.costly() {
            views.notices.push(format!(
                "{} do not count: finding the files of all of them takes more than {} steps, or there are more than {MAX_NAMED} files of them.",
                kind.label(),
                PathGlobs::MAX_STEPS
            ));
            sums.views.retain(|view, _| view.kind() != kind);
        }
        if kinds.contains(&ViewKind::View) {
            let defined = definitions.all(ViewKind::View).into_iter();
            for view in defined {
                sums.views.entry(view).or_default();
            }
        }
        let files = sums.all.now.lines;
        let signed = |of: u64| i64::try_from(of).unwrap_or(i64::MAX);
        views.other = stated.map(|stated| {
            (
                signed(stated.covered) - signed(files.covered),
                signed(stated.total) - signed(files.total),
            )
        });
        views.whole = stated.map(|stated| {
            let mut whole = sums.all;
            whole.now.lines = stated;
            whole.before = stated_before;
            whole
        });
        if let (Trends::Wanted, Some(only)) = (trends, only) {
            let times = views.from.0..end.map_or(i64::MAX, |end| end.0);
            let trends;
            (groups, trends) = self.points_of(branch_id, &only, times, groups).await?;
            views.points = trends.views;
            (views.whole_points, views.direct_points) = (trends.whole, trends.direct);
        }
        views.parents = groups.parents;
        views.direct = sums.direct;
        views.views = sums.views.into_iter().collect();
        Ok(Some(views))
    }

    /// The sums of a record; `None` if it has no readable list of files. `before` is the record at the beginning of the period. An
    /// age of new lines counts back from `until`.
    async fn sums_of(
        &self,
        head: &Head,
        before: Option<(i64, i64)>,
        mut groups: ViewFinder,
        (since, until): (&NewSince, Timestamp),
    ) -> Result<(ViewFinder, Option<Sums>), StoreError> {
        let Some(files) = self.listed(head.id).await? else {
            return Ok((groups, None));
        };
        let before = match before {
            Some((id, _)) => self.listed(id).await?,
            None => None,
        };
        let new = self.new_by_file(head.id, since, until).await?;
        let id = head.id;
        let sums = blocking(move || {
            let mut new = new.as_ref().map(|new| new.files());
            let new = new.as_mut().map(|new| new as &mut dyn Iterator<Item = _>);
            let sums = groups.sums(&files, before.as_ref(), new);
            (groups, unless_damaged(id, sums))
        });
        sums.await
    }
}
