//! The HTML report, in a frame.

use super::header::neighbours;
use crate::links::{self, ReportLinks};
use domain::RecordDetail;
use leptos::{attr::custom::custom_attribute, prelude::*};

pub(super) fn html_report(detail: &RecordDetail, reports: &ReportLinks) -> impl IntoView + use<> {
    let body = if detail.has_report {
        frame(detail, reports).into_any()
    } else if let Some(at) = detail.report_removed_at {
        view! {
            <p class="note muted">
                "The HTML report of this record was removed, or found missing, on "{at.long()}". The numbers stay. Upload the commit again to get the HTML report back."
            </p>
        }
        .into_any()
    } else {
        view! {
            <p class="note muted">
                "No HTML report was uploaded with this record. To see it here, pack the coverage tool's HTML folder into the archive together with the coverage file."
            </p>
        }
        .into_any()
    };
    let full = detail.has_report.then(|| {
        view! {
            <a class="btn" rel="external" href=reports.report(detail.id)>"Open full page ↗"</a>
            <a class="btn" rel="external" href=reports.download(detail.id)>"Download zip ↓"</a>
        }
    });
    view! {
        <section class="card html-report" id="report" aria-labelledby="report-title">
            <div class="head">
                <h2 id="report-title">"HTML report"</h2>
                <span class="grow"></span>
                {neighbours(detail, "#report")}
                {full}
            </div>
            {body}
        </section>
    }
}

/// The frame runs uploaded code, so its sandbox grants no more than the report's own page gets.
fn frame(detail: &RecordDetail, reports: &ReportLinks) -> impl IntoView + use<> {
    let title = format!(
        "HTML report of commit {}, {}",
        detail.commit.short(),
        detail.language
    );
    let frame = view! {
        <iframe
            src=links::framed_report(detail.id)
            title=title
            sandbox=reports.sandbox()
            referrerpolicy="no-referrer"
        ></iframe>
    };
    // leptos supports this attribute only on images.
    frame.add_any_attr(custom_attribute("loading", "lazy"))
}
