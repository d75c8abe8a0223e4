//! The HTML report in a frame, and the badge of the record with its Markdown to copy.

use crate::{
    PublicUrl,
    components::card::{CopyButton, report_frame, simple},
    links::{self, ReportLinks},
};
use domain::{Files, PartContent, RecordDetail, RecordParts};
use leptos::prelude::*;

/// The HTML report, folded if the page lists the files itself; `None` if none was uploaded.
pub(super) fn html_report(detail: &RecordDetail, reports: &ReportLinks) -> Option<AnyView> {
    let id = detail.record.id;
    if !detail.record.has_report {
        let at = detail.report_removed_at?;
        let removed = view! {
            <p class="muted">
                "The HTML report of this record was removed, or found missing, on "{at.long()}". The numbers stay. Upload the commit again to get the HTML report back."
            </p>
        };
        return Some(simple("known", "report", "HTML report", removed));
    }
    let commit = detail.record.commit.short();
    let title = format!("HTML report of commit {commit}, {}", detail.record.language);
    let frame = report_frame(None, links::framed_report(id), title, reports);
    let is_open = !matches!(detail.files, Files::Listed(_));
    let card = view! {
        <details class="card folded html-report" id="report" open=is_open>
            <summary><h2>{heading(&detail.parts)}</h2></summary>
            <p class="note ways">
                <a class="btn" rel="external" href=reports.report(id)>"Open full page ↗"</a>
                " "
                <a class="btn" rel="external" href=reports.download(id)>"Download zip ↓"</a>
            </p>
            {frame}
        </details>
    };
    Some(card.into_any())
}

/// The heading. Of several parts, the record shows the newest HTML report. The heading names its part, because the percentage of
/// the part differs from the percentage of the record.
fn heading(parts: &RecordParts) -> String {
    let reports = parts.arrived.iter().filter_map(|part| match part.content {
        PartContent::Measured {
            percentage,
            has_report: true,
            ..
        } => Some((part, percentage)),
        _ => None,
    });
    match reports.max_by_key(|(part, _)| part.at) {
        Some((part, percentage)) if !parts.are_plain() => {
            format!("HTML report of part {} alone: {percentage} %", part.name)
        }
        _ => "HTML report".to_owned(),
    }
}

pub(super) fn badge(detail: &RecordDetail) -> AnyView {
    let PublicUrl(url) = expect_context();
    let image = links::record_badge(
        detail.record.id,
        detail.record.updated_at,
        detail.record.percentage,
    );
    let page = links::record(detail.record.id);
    let markdown = format!("[![coverage]({url}{image})]({url}{page})");
    let alt = format!("coverage: {}%", detail.record.percentage);
    let content = view! {
        <p class="muted">
            "This badge changes only if the same commit is uploaded again, so you can use it in release notes. The repository's page has a badge that follows a branch."
        </p>
        <p><img src=image alt=alt height="20"/></p>
        <div class="snippet">
            <pre tabindex="0" aria-label="Markdown of the badge">{markdown.clone()}</pre>
            <CopyButton text=markdown label="the badge's Markdown"/>
        </div>
    };
    simple("known", "badge", "Badge of this record", content)
}
