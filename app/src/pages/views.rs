//! `/views?repo=`: the folders, owners and views of a repository, each with its coverage, its change and its trend.

pub(super) mod table;
#[cfg(test)]
pub(super) mod tests;

use super::not_found::no_repository;
use crate::{
    AppError, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        card::{aside, card, message, note},
        crumbs::{Crumb, Crumbs},
        form::{
            are_other_days, choice, choices, compared_since, dates, hidden, other_days, periods,
        },
        page_head::PageHead,
        repository_head::{Tab, repository_head},
    },
    links,
};
use domain::{Day, NewSince, Repository, TrendRange, ViewKind, ViewName, Views, ViewsQuery};
use leptos::prelude::*;
use std::cmp::Reverse;
use table::{Row, table};

/// The views of a repository. The parameter `repo` names the repository; the others hold the choices.
#[component]
pub(crate) fn ViewsPage() -> impl IntoView {
    let address = Address::current();
    let name = address.get("repo");
    let mut query = ViewsQuery::of(&|name| address.values(name));
    query.kind = Some(query.kind.unwrap_or_default());
    let model: SharedReadModel = expect_context();
    let answer = async move {
        let Ok(repository) = name.parse::<Repository>() else {
            return Err(no_repository(&name, &*model).await);
        };
        match model.views(&repository, &query).await? {
            Some(views) => {
                query.under = views.under.clone();
                Ok(Page {
                    repository,
                    query,
                    views,
                })
            }
            None => Err::<_, AppError>(no_repository(&name, &*model).await),
        }
    };
    answered(answer, |page| content(&page))
}

struct Page {
    repository: Repository,
    query: ViewsQuery,
    views: Views,
}

impl Page {
    fn kind(&self) -> ViewKind {
        self.query.kind.unwrap_or_default()
    }

    /// The address of this page with a changed query.
    fn link(&self, choose: impl FnOnce(&mut ViewsQuery)) -> String {
        let mut query = self.query.clone();
        choose(&mut query);
        links::views(&self.repository, &query)
    }

    fn row(&self, view: &ViewName) -> Row {
        let counts = self.views.views.iter().find(|(name, _)| name == view);
        let href = match view {
            ViewName::Folder(folder) => {
                let has_folders = self.views.parents.contains(view);
                has_folders.then(|| self.link(|query| query.under = folder.clone()))
            }
            _ => None,
        };
        let name = match view {
            ViewName::NoOwner => "no owner".to_owned(),
            ViewName::Folder(folder) => {
                let own = folder.rsplit('/').next().unwrap_or_default();
                format!("{own}/")
            }
            view => view.name().to_owned(),
        };
        Row {
            name,
            href: href.or_else(|| Some(links::view_trend(&self.repository, view))),
            trend: Some(links::view_trend(&self.repository, view)),
            files: self
                .views
                .record
                .map(|record| links::record_view(record, Some(view))),
            counts: counts.map(|(_, counts)| *counts).unwrap_or_default(),
            points: self.views.points.get(view).cloned().unwrap_or_default(),
            ..Row::default()
        }
    }
}

fn content(page: &Page) -> impl IntoView + use<> {
    let (repository, views) = (&page.repository, &page.views);
    let kind = page.kind();
    let title = format!("{} · {repository}", kind.label());
    let kinds = ViewKind::ALL.iter().map(|&kind| {
        let href = page.link(|query| {
            query.kind = Some(kind);
            query.under = String::new();
        });
        choice(href, kind == page.kind(), kind.label())
    });
    let to = page.query.to.unwrap_or(Day::of(views.until));
    let mut kept = page.query.parameters();
    kept.push(("repo", repository.to_string()));
    let notices = views.notices.iter().map(|notice| note(notice.clone()));
    // The counts begin with the last record before the first day, or with the first record.
    let first = page.query.from.or(TrendRange::default().first_day(to));
    let days = (first.map(|day| day.to_string()), Some(to.to_string()));
    let chosen = (page.query.from, page.query.to);
    // The ranges end on the last shown day.
    let periods = periods(to, chosen, TrendRange::default(), |period| {
        page.link(|query| (query.from, query.to) = (Some(period.from), Some(period.to)))
    });
    let has_dates = are_other_days(to, chosen);
    let began = Day::of(views.from);
    let from = first.filter(|first| *first > began).unwrap_or(began);
    let is_late = from == began && first.is_some_and(|first| first < began);
    let late = is_late.then(|| compared_since(began, &[repository.repo.to_string()]));
    view! {
        <PageHead title description="Coverage by folder, owner and view."/>
        {repository_head(repository, Some(Tab::Views), kind.label(), ())}
        <div class="controls org-controls">
            {choices("Kind", kinds)}
            {periods}
            {other_days(dates("/views".to_owned(), hidden(kept, &["from", "to"]), days, has_dates), has_dates)}
            {late}
        </div>
        {rows(page, from)}
        {notices.collect_view()}
    }
}

/// The steps to the listed folder, unless it is the top.
fn folder(page: &Page) -> Option<AnyView> {
    let under = page.query.under.trim_matches('/');
    if under.is_empty() || page.kind() != ViewKind::Folder {
        return None;
    }
    let mut steps = vec![Crumb::fixed(
        "All files",
        page.link(|query| query.under = String::new()),
    )];
    for (end, name) in ends(under) {
        let folder = under.get(..end).unwrap_or_default().to_owned();
        let is_last = end == under.len();
        let href = page.link(|query| query.under = folder);
        steps.push(Crumb::named(name.to_owned(), href).current_if(is_last));
    }
    Some(view! { <div class="note"><Crumbs steps label="Folder"/></div> }.into_any())
}

/// The components of a path, each with the place where it ends.
fn ends(path: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    path.split('/').map(move |name| {
        let start = if end == 0 { 0 } else { end + 1 };
        end = start + name.len();
        (end, name)
    })
}

fn rows(page: &Page, from: Day) -> AnyView {
    let views = &page.views;
    if views.views.is_empty() && views.direct.now.files == 0 {
        return nothing(page);
    }
    let rows = views.views.iter().map(|(view, _)| page.row(view));
    let direct = (page.kind() == ViewKind::Folder && views.direct.now.files > 0).then(|| Row {
        name: "files directly in this folder".to_owned(),
        counts: views.direct,
        points: views.direct_points.clone(),
        ..Row::default()
    });
    let whole = views.whole.map(|counts| Row {
        name: "the whole repository".to_owned(),
        counts,
        points: views.whole_points.clone(),
        ..Row::default()
    });
    let period = (views.from, views.until);
    let heading = match page.kind() {
        ViewKind::Folder => "Folder",
        ViewKind::Owner => "Owner",
        ViewKind::View => "View",
    };
    let since = match &views.since {
        NewSince::Days(days) => format!("in the last {days} days"),
        NewSince::Day(day) => format!("since {}", day.long()),
        since => format!("since {since}"),
    };
    let about = format!("change since {}, new lines {since}", from.long());
    // The most work first.
    let mut sorted: Vec<_> = rows.chain(direct).collect();
    sorted.sort_by_key(|row| Reverse(row.counts.now.lines.uncovered()));
    let other = views.other.filter(|other| *other != (0, 0)).map(|(covered, total)| {
        note(format!(
            "The coverage files state {total} more lines than their files, {covered} of them covered."
        ))
    });
    let several = (page.kind() != ViewKind::Folder).then(|| {
        note("A file that is in several rows counts in each, and once in the whole repository.")
    });
    let content = view! {
        {folder(page)}
        {table("views", heading, sorted, whole, period)}
        {other}
        {several}
    };
    let csv = links::views_csv(&page.repository, &page.query);
    let beside = view! {
        {aside(about)}
        <span class="grow"></span>
        {as_csv(csv, page.kind().label())}
    };
    card("views", page.kind().label(), beside, content)
}

/// A link to the file with a table.
pub(super) fn as_csv(href: String, what: &str) -> AnyView {
    view! { <a class="btn small" rel="external" download href=href>{format!("{what} as CSV")}</a> }
        .into_any()
}

fn nothing(page: &Page) -> AnyView {
    let (title, sentence) = match page.kind() {
        ViewKind::Folder => (
            "No files",
            "The coverage files of this branch list no files in this folder.",
        ),
        ViewKind::Owner => (
            "No owners",
            "No upload to the main branch has sent a CODEOWNERS file. The upload script sends it if the repository has one.",
        ),
        ViewKind::View => (
            "No views",
            "The settings of the main branch define no views. Add a table [views] to coverage-dashboard.toml.",
        ),
    };
    message(title, sentence, None)
}
