//! `/storage`: what HTML reports and the database use, a forecast, and what is removed next.

mod forecast;
mod repositories;
mod retention;
#[cfg(test)]
mod tests;

use crate::{
    SharedStorageModel,
    components::{
        answered::answered,
        card::{aside, card, message, note, number, stacked, with_code},
        coverage::Bar,
        crumbs::{Crumb, Crumbs},
        facts::{self, figure},
        measures::size,
        name::{Name, repository_link},
        page_head::PageHead,
        time::Age,
    },
    links,
    numbers::{counted, grouped},
};
use domain::{
    Age as ReportAge, Forecast, Percentage, PinnedReport, Storage, Stored, Timestamp, days_until,
};
use leptos::prelude::*;
use std::sync::Arc;

#[component]
pub(crate) fn StoragePage() -> impl IntoView {
    let model: SharedStorageModel = expect_context();
    let answer = async move { model.storage().await };
    answered(answer, content)
}

fn content(storage: Arc<Storage>) -> impl IntoView {
    let is_empty = storage.total().reports == 0 && storage.released.stored.reports == 0;
    let figures = figures(&storage);
    let at = storage.at;
    let stored = if is_empty {
        let way_on = Some((links::SETUP.to_owned(), "Set up uploads"));
        let sentence = "The first upload with an HTML report appears here.";
        message("No HTML reports yet", sentence, way_on)
    } else {
        view! {
            {retention::retention(&storage)}
            {forecast::forecast(&storage)}
            {ages(&storage)}
            {repositories::repositories(&storage)}
            {forecast::quotas(&storage.quotas)}
            {pinned(&storage)}
        }
        .into_any()
    };
    view! {
        <PageHead title="Storage" description="How many bytes HTML reports use, a forecast, and what is removed next."/>
        <div>
            <Crumbs steps=vec![Crumb::overview(), Crumb::fixed("Uploads", links::UPLOADS.to_owned())]/>
            <h1>"Storage"</h1>
            <p class="muted small">
                "Read from the database on "
                <time datetime=at.machine()>{at.long()}</time>
                "; these numbers may be a minute old."
            </p>
        </div>
        {figures}
        {stored}
    }
}

fn figures(storage: &Storage) -> impl IntoView + use<> {
    let total = storage.total();
    let about = counted(total.reports, "HTML report", "HTML reports");
    let stored = figure(size(total.bytes), about);
    let (week, about) = match storage.forecast {
        Some(Forecast { growth, .. }) => (
            growth.after(7),
            format!("a week, as in the last {} days", growth.days),
        ),
        None => (storage.ages[0].bytes, "in the last 7 days".to_owned()),
    };
    let growth = (total.reports > 0).then(|| figure(format!("+{}", size(week)), about));
    let tiles = [Some(stored), growth, free(storage), database(storage)];
    facts::figures("Bytes in use", tiles.into_iter().flatten())
}

/// The free space of the disk with the HTML reports, and when they fill it; nothing for a bucket.
fn free(storage: &Storage) -> Option<AnyView> {
    let free = storage.reports_disk?.free;
    let growth = storage.forecast.map(|forecast| forecast.growth);
    let full = growth.and_then(|growth| days_until(free, 0, growth));
    let full = full.map(|days| format!("; full {} at this rate", forecast::reached(Some(days))));
    let about = format!(
        "free on the disk of the reports{}",
        full.unwrap_or_default()
    );
    Some(figure(size(free), about))
}

/// The size of the database, and the free space if it has a disk of its own on this machine.
fn database(storage: &Storage) -> Option<AnyView> {
    let bytes = storage.database_bytes?;
    let about = match (storage.database_disk, storage.reports_disk) {
        (Some(disk), Some(other)) if disk.device == other.device => {
            "database, on the same disk".to_owned()
        }
        (Some(disk), _) => format!("database; {} free on its disk", size(disk.free)),
        (None, _) => "database".to_owned(),
    };
    Some(figure(size(bytes), about))
}

/// HTML reports by their age, the youngest first.
fn ages(storage: &Storage) -> impl IntoView + use<> {
    let total = storage.total();
    let ends = ReportAge::ENDS.map(Some).into_iter().chain([None]);
    let mut younger = Stored::default();
    let rows = ReportAge::ALL.iter().zip(storage.ages).zip(ends);
    let rows = rows.map(|((age, stored), end)| {
        younger = younger.plus(stored);
        let older = size(total.bytes.saturating_sub(younger.bytes));
        let older = end.map_or_else(|| "–".to_owned(), |_| older);
        view! {
            <tr>
                <th scope="row">{age.label()}</th>
                {number("Size", size(stored.bytes))}
                {share_cell(stored.share_of(total))}
                {number("Reports", grouped(stored.reports))}
                {number("Older reports", older)}
            </tr>
        }
    });
    let columns = [
        ("Age", ""),
        ("Size", "num"),
        ("Share", "c-cov"),
        ("Reports", "num"),
        ("Older reports", "num"),
    ];
    let rows = rows.collect_view();
    let table = stacked("by-age", "by-age", columns, rows);
    let unknown = (storage.without_size > 0).then(|| {
        let reports = reports(storage.without_size);
        note(format!(
            "The size of {reports} is unknown: an older release of the service did not store it. It counts as 0 bytes."
        ))
    });
    card(
        "by-age",
        "By age",
        aside(with_code(
            "since the upload; `KEEP_REPORTS_DAYS` frees at most the older reports",
        )),
        (table, unknown),
    )
}

/// Pinned HTML reports, the most recently pinned first; nothing without any.
fn pinned(storage: &Storage) -> Option<AnyView> {
    let pins = &storage.pins;
    let (all, shown) = (pins.all, pins.newest.len());
    if pins.newest.is_empty() {
        return None;
    }
    let columns = [
        ("Record", ""),
        ("Branch", ""),
        ("Size", "num"),
        ("Pinned", "num"),
    ];
    let rows = pins.newest.iter().map(|report| pin(report, storage.at));
    let content = stacked("pinned", "pinned", columns, rows.collect_view());
    let cut = (all.reports > shown as u64).then(|| {
        note(format!(
            "Only the {shown} reports pinned most recently are listed."
        ))
    });
    let about = aside(both(all));
    Some(card("pinned", "Pinned HTML reports", about, (content, cut)))
}

fn pin(report: &PinnedReport, now: Timestamp) -> impl IntoView + use<> {
    let record = format!("Record {}", report.record_id);
    let of = format!("{} · {}", report.branch, report.language);
    view! {
        <tr>
            <th scope="row">
                {repository_link(&report.repository, true)}
                " "
                <a class="link" href=links::record(report.record_id)>{record}</a>
            </th>
            <td data-label="Branch"><Name text=of/></td>
            {number("Size", size(report.bytes))}
            {number("Pinned", view! { <Age at=report.pinned_at now/> })}
        </tr>
    }
}

/// `1 report`, `4,312 reports`.
fn reports(count: u64) -> String {
    counted(count, "report", "reports")
}

/// `1 report, 1.2 MB`.
fn both(stored: Stored) -> String {
    format!("{}, {}", reports(stored.reports), size(stored.bytes))
}

/// A cell with a share and its bar.
fn share_cell(of: Option<u64>) -> AnyView {
    let bar = of.map(|tenths| {
        let percentage = Percentage::from_basis_points(tenths.min(1_000) as u16 * 10);
        view! { <Bar percentage/> }
    });
    view! { <td class="c-cov" data-label="Share"><div class="cov share-bar"><b>{share(of)}</b>{bar}</div></td> }
        .into_any()
}

/// A share in tenths of a percent: `33.3 %`.
fn share(of: Option<u64>) -> String {
    match of {
        // The numbers are read one after another, so a part may be larger than the total.
        Some(tenths) if tenths >= 1_000 => "100.0\u{202f}%".to_owned(),
        Some(tenths) => format!("{}.{}\u{202f}%", tenths / 10, tenths % 10),
        None => "–".to_owned(),
    }
}
