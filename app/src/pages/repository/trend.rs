//! The trend of the chosen branch and of compared branches, over a selectable range.

use super::Page;
use crate::{
    Target,
    components::kept::kept,
    islands::{ChartData, Points, TrendFigure},
    links,
};
use domain::{CHART_LINES, Compared, Day, RepositoryQuery, TrendRange};
use leptos::prelude::*;

/// A card with the chart, the ranges and the compared branches.
#[component]
pub(super) fn TrendCard(page: Page) -> impl IntoView {
    let detail = &page.detail;
    let target = use_context::<Target>().map(|Target(target)| target);
    let query = &page.query;
    let data = ChartData {
        title: "Trend of line coverage".to_owned(),
        subject: detail.repository.to_string(),
        points: Points::Records(detail.trend.clone().into()),
        target,
        since: query.since(detail.now),
        until: query.until(detail.now),
        page: page.link(|query| *query = query.clone().between(None, None)),
        finer: Some(links::trend_points(&detail.repository, &page.chosen())),
        has_dates: query.has_dates(),
        is_past: query.is_past(detail.now),
    };
    let empty = if query.has_dates() {
        "Nothing was uploaded on these days. Choose other dates above.".to_owned()
    } else {
        format!(
            "Nothing was uploaded in {}. Choose a longer range above.",
            query.range.long()
        )
    };
    view! {
        <section class="card" aria-labelledby="trend">
            <div class="head">
                <h2 id="trend">"Trend"</h2>
            </div>
            <div class="controls trend-controls">
                {ranges(&page)}
                <Dates page=page.clone()/>
            </div>
            <TrendFigure data empty/>
            {compared(&page)}
        </section>
    }
}

fn ranges(page: &Page) -> impl IntoView + use<> {
    let links = TrendRange::ALL.iter().copied().map(|range| {
        let href = page.link(|query| {
            query.range = range;
            (query.from, query.to) = (None, None);
        });
        let is_current = range == page.query.range && !page.query.has_dates();
        let current = is_current.then_some("true");
        // The accessible name begins with the visible label, for speech control.
        let name = format!("{}: {}", range.label(), range.long());
        view! { <a href=href aria-current=current aria-label=name>{range.label()}</a> }
    });
    view! { <nav class="seg" aria-label="Time">{links.collect_view()}</nav> }
}

/// Two dates with a submit button. A change does not submit the form, because each key typed into a field changes its
/// date.
#[component]
fn Dates(page: Page) -> impl IntoView {
    let (query, now) = (&page.query, page.detail.now);
    let from = query.since(now).map(|since| Day::of(since).to_string());
    let (_, to) = query.dates(now);
    let to = to.unwrap_or(Day::of(now)).to_string();
    let current = query.has_dates().then_some("true");
    view! {
        <form method="get" action=links::repository(&page.detail.repository) class="dates">
            {kept(lines(&page).parameters(), &[])}
            <label>"From"<input type="date" name="from" value=from min="1970-01-01"/></label>
            <label>"To"<input type="date" name="to" value=to min="1970-01-01"/></label>
            <button class="btn" type="submit" aria-current=current>"Apply dates"</button>
        </form>
    }
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
    let others: Vec<_> = detail
        .choices
        .iter()
        .filter(|branch| **branch != detail.branch && !branches.contains(branch))
        .map(ToString::to_string)
        .collect();
    let has_room = branches.len() + 1 < CHART_LINES && !others.is_empty();
    let form = has_room.then(|| {
        let chart = RepositoryQuery {
            branch: page.query.branch.clone(),
            language: page.query.language.clone(),
            compared: lines(page).compared,
            ..page.period()
        };
        let options = others
            .into_iter()
            .map(|name| view! { <option value=name.clone()>{name.clone()}</option> });
        view! {
            <form method="get" action=links::repository(&detail.repository) class="controls">
                {kept(chart.parameters(), &[])}
                <label class="inline">
                    <span class="unseen">"Compare with the branch"</span>
                    <select name="compare" dir="auto" data-submit>
                        <option value="">"Compare with …"</option>
                        {options.collect_view()}
                    </select>
                </label>
                <button class="btn unscripted" type="submit">"Compare"</button>
            </form>
        }
    });
    let has_any = !branches.is_empty() || form.is_some();
    has_any.then(|| {
        view! {
            <div class="compared" data-testid="compared">
                {(!branches.is_empty()).then_some("Compared with: ")}
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
            none if none.is_empty() => page.query.compared.clone(),
            branches => Compared::Branches(branches),
        },
        language: page.query.language.clone(),
        ..RepositoryQuery::default()
    }
}
