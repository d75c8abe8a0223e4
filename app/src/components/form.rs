//! Parts of forms and navigation whose state is in the address: links between choices, fields, pagers.

use crate::numbers::repositories;
use domain::{Day, Period, ReportQuery, TrendRange};
use leptos::prelude::*;

pub(crate) fn choice(href: String, is_current: bool, name: impl IntoView) -> AnyView {
    let current = is_current.then_some("true");
    view! { <a href=href aria-current=current>{name}</a> }.into_any()
}

pub(crate) fn choices(label: &'static str, links: impl IntoIterator<Item = AnyView>) -> AnyView {
    let links: Vec<_> = links.into_iter().collect();
    view! { <nav class="seg" aria-label=label>{links}</nav> }.into_any()
}

/// Links with a label above them, like the labels of the fields beside them.
pub(crate) fn labelled(
    label: &'static str,
    links: impl IntoIterator<Item = AnyView>,
) -> impl IntoView {
    view! { <div class="labelled"><span aria-hidden="true">{label}</span>{choices(label, links)}</div> }
}

/// Links to this quarter and to the last one. `to` returns the address of a period.
pub(crate) fn quarters(
    today: Day,
    chosen: (Option<Day>, Option<Day>),
    to: impl Fn(Period) -> String,
) -> Vec<AnyView> {
    let quarters = ReportQuery::choices(today).into_iter().take(2);
    let links = quarters.map(|(name, period)| {
        let current = (chosen == (Some(period.from), Some(period.to))).then_some("true");
        let label = period.from.quarter_name();
        // The accessible name begins with the visible label, for speech control.
        let name = format!("{label}: {}", name.to_lowercase());
        view! { <a href=to(period) aria-current=current aria-label=name>{label}</a> }.into_any()
    });
    links.collect()
}

/// Links to periods until today and to quarters, on a page whose address holds days. Without days, the page shows the range
/// `default`. `to` returns the address of a period.
pub(crate) fn periods(
    today: Day,
    chosen: (Option<Day>, Option<Day>),
    default: TrendRange,
    to: impl Fn(Period) -> String,
) -> AnyView {
    let ranges = TrendRange::ALL.iter().filter_map(|range| {
        let period = Period {
            from: range.first_day(today)?,
            to: today,
        };
        let is_current = match chosen {
            (None, None) => *range == default,
            chosen => chosen == (Some(period.from), Some(today)),
        };
        Some(choice(to(period), is_current, range.label()))
    });
    let ranges: Vec<_> = ranges.collect();
    choices(
        "Period",
        ranges.into_iter().chain(quarters(today, chosen, to)),
    )
}

pub(crate) fn option(
    value: impl Into<String>,
    is_chosen: bool,
    name: impl Into<String>,
) -> AnyView {
    view! { <option value=value.into() selected=is_chosen>{name.into()}</option> }.into_any()
}

/// A list with the empty choice `all`, which sends its form when it changes.
pub(crate) fn list(
    label: &'static str,
    id: Option<&'static str>,
    name: &'static str,
    all: &'static str,
    options: impl IntoIterator<Item = AnyView>,
) -> AnyView {
    let options: Vec<_> = options.into_iter().collect();
    view! {
        <label>
            {label}
            <select id=id name=name data-submit>
                <option value="">{all}</option>
                {options}
            </select>
        </label>
    }
    .into_any()
}

/// A hidden field for each parameter of an address, except those that the form sets itself.
pub(crate) fn hidden(parameters: Vec<(&'static str, String)>, without: &[&str]) -> AnyView {
    let kept = parameters.into_iter();
    let kept = kept.filter(|(name, _)| !without.contains(name));
    let fields = kept.map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
    fields.collect_view().into_any()
}

/// Two dates with a submit button. A change does not submit the form, because each key typed into a field changes its
/// date. `kept` are its hidden fields.
pub(crate) fn dates(
    action: String,
    kept: AnyView,
    (from, to): (Option<String>, Option<String>),
    is_current: bool,
) -> AnyView {
    let current = is_current.then_some("true");
    view! {
        <form method="get" action=action class="dates">
            {kept}
            <label>"From"<input type="date" name="from" value=from min="1970-01-01"/></label>
            <label>"To"<input type="date" name="to" value=to min="1970-01-01"/></label>
            <button class="btn" type="submit" aria-current=current>"Apply dates"</button>
        </form>
    }
    .into_any()
}

/// Whether days are chosen that are none of the choices of [`periods`].
pub(crate) fn are_other_days(today: Day, chosen: (Option<Day>, Option<Day>)) -> bool {
    let ranges = TrendRange::ALL.iter();
    let ranges = ranges.filter_map(|range| Some((range.first_day(today)?, today)));
    let quarters = ReportQuery::choices(today).into_iter().take(2);
    let quarters = quarters.map(|(_, period)| (period.from, period.to));
    let is_it = |(from, to)| chosen == (Some(from), Some(to));
    chosen != (None, None) && !ranges.chain(quarters).any(is_it)
}

/// From which day a page compares if the chosen period begins earlier. `came` are the repositories whose first record is
/// from `since`, if they are known.
pub(crate) fn compared_since(since: Day, came: &[String]) -> AnyView {
    let whose = match came {
        [] => "half of the repositories".to_owned(),
        [one] => one.clone(),
        several => repositories(several.len() as u32),
    };
    let has = if came.len() == 1 { "has" } else { "have" };
    let since = since.long();
    let sentence = format!("Shown from {since}: {whose} {has} no earlier record.");
    view! { <p class="muted small" data-testid="compared"><bdi>{sentence}</bdi></p> }.into_any()
}

/// The fields for other days than the usual choices, folded unless they are in use.
pub(crate) fn other_days(dates: AnyView, are_chosen: bool) -> AnyView {
    view! { <details open=are_chosen><summary>"Other days"</summary>{dates}</details> }.into_any()
}

/// A filter in a sentence, as a link to the same page without it.
pub(crate) fn without(filter: impl IntoView, href: String) -> AnyView {
    view! {
        <a class="link" href=href title="Remove this filter">{filter}<span class="unseen">" (remove this filter)"</span></a>
    }
    .into_any()
}

/// Links to the first page of a list that is sorted by time, unless it is shown, and to the next page, if there is one. `to`
/// returns the address of a page.
pub(crate) fn by_time<Page>(
    is_first: bool,
    next: Option<Page>,
    to: impl Fn(Option<Page>) -> String,
) -> Option<AnyView> {
    let newest = (!is_first).then(|| to(None));
    let older = next.map(|next| to(Some(next)));
    let has_any = newest.is_some() || older.is_some();
    let pager = view! {
        <nav class="pager" aria-label="Pages">
            {newest.map(|href| view! { <a class="btn" href=href>"⇤ Newest"</a> })}
            {older.map(|href| view! { <a class="btn" rel="next" href=href>"Older →"</a> })}
        </nav>
    };
    has_any.then(|| pager.into_any())
}
