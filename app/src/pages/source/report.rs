//! The page of a source file in the HTML report of its coverage tool.

use crate::{
    components::card::report_frame,
    links::{self, ReportLinks},
};
use domain::{PartName, SourceDetail, SourceQuery};
use leptos::prelude::*;

/// The name of the frame, in which links open lines.
pub(super) const FRAME: &str = "html-report";

/// The page, folded if the text is shown. It counts only what its own part ran, so it says whose it is.
pub(super) fn report(detail: &SourceDetail) -> AnyView {
    let SourceQuery {
        id,
        path,
        lines,
        part: chosen,
    } = &detail.query;
    let Some(report) = &detail.report else {
        let sentence = match chosen {
            Some(part) => format!("No HTML report of part {part} is stored."),
            None => "No HTML report of this record is stored.".to_owned(),
        };
        return view! { <p class="note muted">{sentence}</p> }.into_any();
    };
    let reports: ReportLinks = expect_context();
    let (part, line) = (report.part(), lines.map(|lines| lines.0));
    let title = match part {
        Some(part) => format!("HTML report of {path} in part {part}"),
        None => format!("HTML report of {path}"),
    };
    let full = reports.source(*id, path, line, part);
    let frame = report_frame(
        Some(FRAME),
        links::framed_source(*id, path, line, part),
        title,
        &reports,
    );
    view! {
        <details class="card folded html-report" open=detail.text.is_none()>
            <summary><h2>{heading(detail, part)}</h2></summary>
            <p class="note"><a class="btn" rel="external" href=full>"Open full page ↗"</a></p>
            {frame}
        </details>
    }
    .into_any()
}

/// The part with its own percentage, which differs from the percentage of all parts.
fn heading(detail: &SourceDetail, part: Option<&PartName>) -> String {
    let Some(part) = part else {
        return "HTML report".to_owned();
    };
    let own = detail.parts.iter().find(|of| of.name == *part);
    let own = own.and_then(|part| part.count);
    let own = own.map(|own| format!(" alone: {} %", own.percentage()));
    format!("HTML report of part {part}{}", own.unwrap_or_default())
}
