//! `/orgs/{org}`: an org with its nested groups over time; and the parts that the page of all orgs shares with it.

mod arithmetic;
mod controls;
mod groups;
mod heat_map;
pub(super) mod movements;
mod on_paper;
#[cfg(test)]
pub(super) mod tests;
pub(super) mod trend;

use super::{owners, waiting::WaitingOrg};
use crate::{
    AppError, SharedReadModel, Target,
    address::{Address, part},
    components::{
        answered::answered,
        card::{card, how_counted, message, note},
        change::Change,
        coverage::Percent,
        crumbs::Crumbs,
        name::Name,
        new_code,
        org_head::{OrgTab, org_head, steps},
        page_head::PageHead,
    },
    links,
    numbers::{counted, covered_of, grouped},
};
use domain::{
    Change as Points, Day, LeftOut, Mean, Movement, OrgHistory, OrgName, OrgNewCode, OrgOwners,
    OrgPoint, OrgQuery, OrgReport, Over, Percentage, Reason, State, TrendRange,
};
use leptos::prelude::*;
use std::collections::{BTreeSet, HashSet};

/// The maximum number of names of what does not count.
const LEFT_OUT: usize = 100;

/// An org; its address holds all choices.
#[component]
pub(crate) fn OrgPage() -> impl IntoView {
    let name = part("org");
    let address = Address::current();
    let model: SharedReadModel = expect_context();
    let Target(target) = expect_context();
    let answer = async move {
        let missing = || AppError::NotFound(format!("No coverage was uploaded for {name}."));
        let org: OrgName = name.trim_end_matches('/').parse().map_err(|_| missing())?;
        let (query, wrong) = OrgQuery::read(Some(org), |name| address.values(name).pop());
        let Some(history) = model.org(&query, target).await? else {
            let org = query.org.ok_or_else(missing)?;
            if let Some(waiting) = WaitingOrg::find(&*model, &org).await? {
                return Ok(Shown::Waiting(waiting));
            }
            let parent = org.as_str().strip_suffix("/owners");
            let Some(Ok(org)) = parent.map(str::parse::<OrgName>) else {
                return Err(missing());
            };
            let chosen = owners::Chosen::of(&address);
            return match model.owners(&org, &chosen.period).await? {
                Some(found) => Ok(Shown::Owners(org, found, chosen)),
                None => {
                    let waiting = WaitingOrg::find(&*model, &org).await?;
                    Ok(Shown::Waiting(waiting.ok_or_else(missing)?))
                }
            };
        };
        // The address may use another case.
        let query = OrgQuery {
            org: history.org.clone(),
            ..query
        };
        Ok(Shown::Org(query, wrong, history))
    };
    answered(answer, |shown| match shown {
        Shown::Org(query, wrong, history) => content(&query, wrong, &history).into_any(),
        Shown::Owners(org, found, chosen) => owners::content(&org, &found, &chosen),
        Shown::Waiting(org) => org.page(),
    })
}

/// What an address below `/orgs/` shows. A group `acme/owners` has no page of its owners.
enum Shown {
    Org(OrgQuery, Vec<(&'static str, String)>, OrgHistory),
    Owners(OrgName, OrgOwners, owners::Chosen),
    Waiting(WaitingOrg),
}

/// The content of the page of an org or of all orgs. `wrong` are invalid parameters with their errors.
pub(super) fn content(
    query: &OrgQuery,
    wrong: Vec<(&'static str, String)>,
    history: &OrgHistory,
) -> impl IntoView + use<> {
    let Target(target) = expect_context();
    let shown = match OrgReport::of(history, query, target) {
        Some(report) => shown(query, &report, history).into_any(),
        None => empty_period(query, history),
    };
    let org = query.org.as_ref();
    let title = org.map_or("Orgs".to_owned(), OrgName::to_string);
    let description = format!("Code coverage of {} over time.", subject(query));
    let head = match org {
        Some(org) => org_head(org, OrgTab::Trend, None, about(history), ()),
        None => view! {
            <div>
                <Crumbs steps=steps(None)/>
                <h1>{title.clone()}</h1>
                <p class="muted small">{about(history)}</p>
            </div>
        }
        .into_any(),
    };
    view! {
        <PageHead title description/>
        {head}
        {controls::controls(query, wrong, history)}
        {shown}
    }
}

fn shown(query: &OrgQuery, report: &OrgReport, history: &OrgHistory) -> impl IntoView + use<> {
    // Only the page of one org shows the changes of its repositories.
    let of_one = query.org.is_some().then(|| {
        view! {
            {movements::movements(report, query, None)}
            {heat_map::heat_map(&report.movements, query)}
        }
    });
    let all = of_all(report, query, history);
    // The page of all orgs compares them; the trend of their sum comes after.
    let (trend, groups) = (
        trend::trend(report, all.as_ref(), query),
        groups::groups(report, query),
    );
    let (first, second) = match query.org {
        Some(_) => (Some(trend), groups),
        None => (groups, Some(trend)),
    };
    view! {
        {numbers(report, query, history)}
        {first}
        {second}
        {of_one}
        {left_out(report, query)}
        {how_counted(arithmetic::paragraphs(report, query, history))}
    }
}

/// The report of an org over all repositories, if the change is about some of them only.
fn of_all(report: &OrgReport, query: &OrgQuery, history: &OrgHistory) -> Option<OrgReport> {
    let all = OrgQuery {
        over: Over::All,
        ..query.clone()
    };
    let Target(target) = expect_context();
    // Sums of days are about the repositories that count.
    let is_known = query.org.is_some() && history.sums.is_none();
    (is_known && has_others(report, query))
        .then(|| OrgReport::of(history, &all, target))
        .flatten()
}

/// Whether the change leaves out repositories that have counts.
fn has_others(report: &OrgReport, query: &OrgQuery) -> bool {
    let mut reasons = report.left_out.iter().map(|one| one.reason);
    query.over == Over::Same && reasons.any(|reason| reason != Reason::NoCounts)
}

/// The numbers of an org: its coverage with all repositories, as on all pages; its lines; the change, of the repositories that
/// count; and its new code.
fn numbers(report: &OrgReport, query: &OrgQuery, history: &OrgHistory) -> impl IntoView + use<> {
    let (metric, whole) = (query.metric, &report.whole);
    let coverage = match whole.coverage {
        Some(coverage) => view! { {coverage.to_string()}<small><Percent/></small> }.into_any(),
        None => view! { <span title="no value">"–"</span> }.into_any(),
    };
    let (covered, total) = match whole.lines {
        Some(lines) => (
            grouped(lines.covered),
            format!("covered of {} {metric}", grouped(lines.total)),
        ),
        None => (
            "–".to_owned(),
            format!("covered {metric}: no coverage file counts {metric}"),
        ),
    };
    let repositories = all_of(whole.repositories.into());
    let on = match report.period.to < Day::of(history.now) {
        true => format!(" on {}", report.period.to.long()),
        false if has_others(report, query) => " now".to_owned(),
        false => String::new(),
    };
    let mean = match query.mean {
        Mean::Weighted => String::new(),
        Mean::Plain => format!(", {}", query.label_of(query.mean)),
    };
    let name = format!("{} coverage of {repositories}{on}{mean}", metric.singular());
    view! {
        <dl class="numbers card" data-testid="numbers">
            <div><dt>{name}</dt><dd class="figure">{coverage}</dd></div>
            <div><dt>{changed(report, query)}</dt><dd class="figure">{in_points(report.change)}</dd></div>
            <div><dt>{total}</dt><dd class="figure">{covered}</dd></div>
            {history.new_code.map(|new| of_new_code(new, query.org.as_ref()))}
        </dl>
    }
}

/// What the change is about: it may leave repositories out.
fn changed(report: &OrgReport, query: &OrgQuery) -> String {
    let (from, to) = (report.period.from.long(), report.period.to.long());
    let ends = |point: Option<&OrgPoint>| point.and_then(|point| point.coverage);
    match (ends(report.points.first()), ends(report.last())) {
        (Some(start), Some(end)) if report.change.is_some() => {
            let of = has_others(report, query).then_some(report.counted.into());
            change_of(of, report.period.from, (start, end))
        }
        _ if from == to => "one day: nothing to compare with".to_owned(),
        _ => format!("nothing to compare with on {from}"),
    }
}

/// A change as a figure.
fn in_points(change: Option<Points>) -> AnyView {
    let unit = change.map(|_| view! { " "<small>"points"</small> });
    view! { <Change change/>{unit} }.into_any()
}

/// The words under a change: since when and between which values, and in which repositories if not in all.
fn change_of(
    throughout: Option<u64>,
    since: Day,
    (start, end): (Percentage, Percentage),
) -> String {
    let since = since.long();
    match throughout {
        Some(count) => format!(
            "in the same {} since {since}: {start} → {end}\u{202f}%",
            counted(count, "repository", "repositories")
        ),
        None => format!("since {since}: {start} → {end}\u{202f}%"),
    }
}

/// Words at the beginning of a row or a sentence.
pub(super) fn capital(words: &str) -> String {
    let mut chars = words.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// `all 3 repositories`
pub(super) fn all_of(repositories: u64) -> String {
    match repositories {
        1 => "1 repository".to_owned(),
        2 => "both repositories".to_owned(),
        count => format!("all {} repositories", grouped(count)),
    }
}

/// New code, whatever the period and the metric. Of an org, it leads to the new code of each owner.
fn of_new_code(of: OrgNewCode, org: Option<&OrgName>) -> impl IntoView + use<> {
    let (percentage, lines) = match Percentage::of(of.new.lines) {
        Some(percentage) => {
            let lines = format!("{} new lines ran", covered_of(of.new.lines));
            let percentage = view! { {percentage.to_string()}<small><Percent/></small> };
            (percentage.into_any(), lines)
        }
        None => {
            let lines = format!("no line is new{}", new_code::may_be_new(of.new));
            ("–".into_any(), lines)
        }
    };
    let whose = match of.counted == of.repositories {
        true => String::new(),
        false => format!(
            "; {} of {} are counted",
            grouped(of.counted.into()),
            counted(of.repositories.into(), "repository", "repositories")
        ),
    };
    let name = match org {
        Some(org) => {
            view! { <a class="link" href=links::owners(org, None)>"new code"</a> }.into_any()
        }
        None => "new code".into_any(),
    };
    view! {
        <div class="new" data-testid="new-code" title=new_code::about(of.new, of.day)>
            <dt>{name}": "{lines}{whose}</dt>
            <dd class="figure">{percentage}</dd>
        </div>
    }
}

/// What does not count and has no row of its own under "What moved", with reasons; nothing if there is nothing.
fn left_out(report: &OrgReport, query: &OrgQuery) -> Option<AnyView> {
    let (rows, others) = without_row(report, query);
    let items = rows.iter().map(|one| {
        let name = within(query.org.as_ref(), &one.repository.to_string());
        view! {
            <li>
                <a class="name" href=links::repository_in(&one.repository, query)><Name text=name/></a>
                " "
                <span class="chip">{one.language.to_string()}</span>
                " "
                <span class="muted small">{in_words(one.reason, query)}</span>
            </li>
        }
    });
    let shown = rows.len();
    let entries = counted(shown as u64, "entry", "entries");
    let content = view! {
        <ul class="left-out" data-testid="left-out">{items.collect_view()}</ul>
        {on_paper::more(shown > on_paper::ENTRIES, entries)}
        {(others > 0).then(|| note(format!("{others} more are not shown here.")))}
    };
    (shown > 0).then(|| card("left-out", "Left out", (), content))
}

/// What was left out of the sums and has no row of its own, with the number of more.
fn without_row<'a>(report: &'a OrgReport, query: &OrgQuery) -> (Vec<&'a LeftOut>, usize) {
    // The page of all orgs has no rows of repositories. A repository may lack one of its languages only.
    let has_reason = |row: &&Movement| query.org.is_some() && row.state != State::Kept;
    let stated = report.movements.iter().filter(has_reason);
    let stated: HashSet<_> = stated.map(|row| &row.repository).collect();
    let mut rows: Vec<_> = report.left_out.iter().collect();
    rows.retain(|one| !stated.contains(&one.repository));
    let others = rows.len().saturating_sub(LEFT_OUT);
    rows.truncate(LEFT_OUT);
    (rows, others)
}

fn in_words(reason: Reason, query: &OrgQuery) -> String {
    match reason {
        Reason::New(day) => format!("first record on {}", day.long()),
        Reason::Gone(day) => format!("retired on {}", day.long()),
        Reason::NoCounts => format!("its coverage files do not count {}", query.metric),
    }
}

/// The subject of the numbers, in a sentence.
fn subject(query: &OrgQuery) -> String {
    let org = query.org.as_ref();
    org.map_or_else(|| "all orgs".to_owned(), OrgName::to_string)
}

/// The shown days, the time of the page (for printed pages), and the number of groups.
fn about(history: &OrgHistory) -> String {
    let orgs = history.orgs();
    let groups: BTreeSet<_> = match &history.org {
        Some(whole) => orgs.filter_map(|org| whole.group_of(org)).collect(),
        None => orgs.map(OrgName::top).collect(),
    };
    let groups = match (&history.org, groups.len()) {
        (Some(_), 0) => String::new(),
        (Some(_), 1) => ", with its group".to_owned(),
        (Some(_), count) => format!(", with its {count} groups"),
        (None, 1) => ", 1 org".to_owned(),
        (None, count) => format!(", {count} orgs"),
    };
    let period = history.period.map_or_else(String::new, |period| {
        let (from, to) = (period.from.long(), period.to.long());
        if from == to {
            format!("{to}, ")
        } else {
            format!("{from} to {to}, ")
        }
    });
    let as_of = if period.is_empty() { "As of" } else { "as of" };
    format!("{period}{as_of} {}{groups}", history.now.long())
}

fn empty_period(query: &OrgQuery, history: &OrgHistory) -> AnyView {
    let all = OrgQuery {
        range: TrendRange::All,
        from: None,
        to: None,
        ..query.clone()
    };
    let first = history.first.long();
    let way_on = Some((links::org_view(&all), "Show all time"));
    let sentence = format!("The first record is from {first}.");
    message("No records in this period", sentence, way_on)
}

/// A name relative to the org of the page, because the heading names the org already.
fn within(org: Option<&OrgName>, name: &str) -> String {
    let below = org
        .and_then(|org| name.strip_prefix(org.as_str()))
        .and_then(|rest| rest.strip_prefix('/'));
    below.unwrap_or(name).to_owned()
}
