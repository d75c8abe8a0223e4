//! The trend of the chosen branch and of compared branches, over a selectable range.

use super::Page;
use crate::{
    Target,
    components::{
        card::card,
        form::{are_other_days, choice, choices, dates, hidden, option, other_days, quarters},
        view_choice::shown_view,
    },
    islands::{ChartData, Points, TrendFigure},
    links,
};
use domain::{CHART_LINES, Compared, Day, HistoryPosition, Metric, RepositoryQuery, TrendRange};
use leptos::prelude::*;

/// A card with the chart, the ranges and the compared branches.
pub(super) fn trend(page: &Page) -> AnyView {
    let (detail, query) = (&page.detail, &page.query);
    let target = use_context::<Target>().map(|Target(target)| target);
    let data = ChartData {
        title: heading(query),
        subject: detail.repository.to_string(),
        points: Points::Records(detail.trend.clone().into()),
        target,
        since: query.since(detail.now),
        until: query.until(detail.now),
        page: page.link(|query| *query = query.clone().between(None, None)),
        finer: Some(links::trend_points(&detail.repository, &page.chosen())),
        has_dates: query.has_dates(),
        is_share: false,
        is_past: query.is_past(detail.now),
    };
    let empty = if query.metric != Metric::Lines || query.view.is_some() {
        "No record of this period has such counts.".to_owned()
    } else if query.has_dates() {
        "Nothing was uploaded on these days. Choose other dates above.".to_owned()
    } else {
        format!(
            "Nothing was uploaded in {}. Choose a longer range above.",
            query.range.long()
        )
    };
    let content = view! {
        <div class="controls trend-controls">
            {metrics(page)}
            {period(page)}
            {compared(page)}
        </div>
        {view(page)}
        <TrendFigure data empty/>
    };
    card("trend", "Trend", None::<()>, content)
}

fn metrics(page: &Page) -> AnyView {
    let links = Metric::ALL.iter().map(|&metric| {
        let href = page.link(|query| query.metric = metric);
        choice(href, metric == page.query.metric, metric.label())
    });
    choices("What is counted", links)
}

/// The view that the chart counts, with a link to remove it.
fn view(page: &Page) -> Option<AnyView> {
    let view = page.query.view.as_ref()?;
    let without = page.link(|query| query.view = None);
    Some(shown_view(&page.detail.repository, view, without))
}

/// What the chart shows, for people who cannot see it.
fn heading(query: &RepositoryQuery) -> String {
    let what = match query.metric {
        Metric::Lines => "line coverage",
        Metric::Branches => "branch coverage",
        Metric::Functions => "function coverage",
        Metric::New => "the coverage of new code",
    };
    match &query.view {
        Some(view) => format!("Trend of {what}, {view}"),
        None => format!("Trend of {what}"),
    }
}

/// The links and the form that choose the period of the page.
pub(super) fn period(page: &Page) -> AnyView {
    let (detail, query) = (&page.detail, &page.query);
    let from = query.since(detail.now);
    let from = from.map(|since| Day::of(since).to_string());
    let (_, to) = query.dates(detail.now);
    let to = to.unwrap_or(Day::of(detail.now)).to_string();
    let action = links::repository(&detail.repository);
    let kept = hidden(lines(page).parameters(), &[]);
    let dates = dates(action, kept, (from, Some(to)), query.has_dates());
    let are_other = are_other_days(Day::of(detail.now), (query.from, query.to));
    view! { {ranges(page)}{other_days(dates, are_other)} }.into_any()
}

fn ranges(page: &Page) -> AnyView {
    let link = |range, from, to| {
        page.link(|query| {
            (query.range, query.from, query.to) = (range, from, to);
            // A part of another period is not in this one.
            if !matches!(query.place, HistoryPosition::Sorted(_)) {
                query.place = HistoryPosition::Newest;
            }
        })
    };
    let chosen = (page.query.from, page.query.to);
    let quarters = quarters(Day::of(page.detail.now), chosen, |period| {
        link(TrendRange::default(), Some(period.from), Some(period.to))
    });
    let links = TrendRange::ALL.iter().map(|&range| {
        let href = link(range, None, None);
        let is_current = range == page.query.range && !page.query.has_dates();
        let current = is_current.then_some("true");
        // The accessible name begins with the visible label, for speech control.
        let name = format!("{}: {}", range.label(), range.long());
        view! { <a href=href aria-current=current aria-label=name>{range.label()}</a> }.into_any()
    });
    choices("Time", links.chain(quarters))
}

/// The compared branches, each with a link to remove it, and a list to add others.
fn compared(page: &Page) -> impl IntoView + use<> {
    let branches = page.compared_branches();
    let detail = &page.detail;
    let chips = branches.iter().map(|branch| {
        let rest = branches.iter().filter(|other| *other != branch).cloned();
        let rest = Compared::Branches(rest.collect());
        let href = page.link(|query| query.compared = rest);
        let label = format!("Remove {branch} from the chart");
        view! {
            <a class="chip removable" href=href aria-label=label>
                <bdi>{branch.to_string()}</bdi>
                <span aria-hidden="true">" ×"</span>
            </a>
        }
    });
    let others = detail.choices.iter();
    let others = others.filter(|branch| **branch != detail.branch && !branches.contains(branch));
    let others: Vec<_> = others
        .map(|branch| option(branch.to_string(), false, branch.to_string()))
        .collect();
    let has_room = branches.len() + 1 < CHART_LINES && !others.is_empty();
    let form = has_room.then(|| {
        let chart = RepositoryQuery {
            branch: page.query.branch.clone(),
            language: page.query.language.clone(),
            compared: lines(page).compared,
            view: page.query.view.clone(),
            metric: page.query.metric,
            since: page.query.since.clone(),
            ..page.period()
        };
        view! {
            <form method="get" action=links::repository(&detail.repository) class="controls">
                {hidden(chart.parameters(), &[])}
                <label class="inline">
                    <span class="unseen">"Add a branch to the chart"</span>
                    <select name="compare" dir="auto" data-submit>
                        <option value="">"Add a branch …"</option>
                        {others}
                    </select>
                </label>
                <button class="btn unscripted" type="submit">"Add"</button>
            </form>
        }
    });
    let has_any = !branches.is_empty() || form.is_some();
    has_any.then(|| {
        view! {
            <div class="compared" data-testid="compared">
                {(!branches.is_empty()).then_some("Beside: ")}
                {chips.collect_view()}
                {form}
            </div>
        }
    })
}

/// The chosen branches and the language.
fn lines(page: &Page) -> RepositoryQuery {
    RepositoryQuery {
        branch: page.query.branch.clone(),
        compared: match page.compared_branches() {
            branches if branches.is_empty() => page.query.compared.clone(),
            branches => Compared::Branches(branches),
        },
        language: page.query.language.clone(),
        view: page.query.view.clone(),
        metric: page.query.metric,
        since: page.query.since.clone(),
        tab: page.query.tab,
        ..RepositoryQuery::default()
    }
}
