//! The parts of a record, with their numbers and HTML reports, and the parts that are missing.

use crate::{
    AuditAccess,
    components::{
        card::{aside, note, number, stacked, target},
        coverage::Percent,
        time::Age,
    },
    links::{self, ReportLinks},
    numbers::covered_of,
};
use domain::{CarriedPart, PartContent, PartName, RecordDetail, RecordPart, RecordParts};
use leptos::prelude::*;

/// The parts, unless there is only the unnamed part. `refused` is the code of a refused deletion.
pub(super) fn parts(
    detail: &RecordDetail,
    reports: &ReportLinks,
    refused: Option<String>,
) -> Option<AnyView> {
    let parts = &detail.parts;
    if parts.are_plain() {
        return None;
    }
    let arrived = parts.arrived.iter().map(|part| row(detail, part, reports));
    let carried = parts.carried.iter().map(|part| carried_row(detail, part));
    let missing = parts.missing();
    let is_carried = |name: &&PartName| parts.carried.iter().any(|part| part.name == **name);
    let awaited = missing.names().filter(|name| !is_carried(name));
    let awaited = awaited.map(|name| missing_row(detail, name));
    let columns = [
        ("Part", ""),
        ("Coverage", "num"),
        ("Lines", "num"),
        ("Tool", ""),
        ("Arrived", "num"),
        ("HTML report", ""),
    ];
    let rows = (
        arrived.collect_view(),
        carried.collect_view(),
        awaited.collect_view(),
    );
    let content = view! {
        {stacked("parts-title", "parts", columns, rows)}
        {refused.map(refusal)}
        {usual(parts)}
        {unreported(detail)}
        {delete(detail)}
    };
    Some(target("parts", "Parts", aside(about(parts)), content))
}

fn measured(parts: &RecordParts) -> usize {
    parts
        .arrived
        .iter()
        .filter(|part| is_measured(part))
        .count()
}

fn is_measured(part: &RecordPart) -> bool {
    matches!(part.content, PartContent::Measured { .. })
}

/// How many parts there are, in words.
fn about(parts: &RecordParts) -> String {
    let (arrived, missing) = (parts.arrived.len(), parts.missing());
    let measured = measured(parts);
    let text = match (missing.is_empty(), parts.closed_at) {
        (true, _) if measured < arrived => {
            format!("{measured} measured, {} skipped", arrived - measured)
        }
        (true, _) if arrived == 1 => "1 part".to_owned(),
        (true, _) => format!("{arrived} parts, united line by line"),
        (false, None) => format!("{arrived} arrived, waiting for {missing}"),
        (false, Some(_)) => format!("{arrived} arrived, complete without {missing}"),
    };
    match parts.carried.len() {
        0 => text,
        carried => format!("{text}, {carried} carried forward"),
    }
}

/// Parts that most commits of the main branch have and this record lacks. The record does not wait for them.
fn usual(parts: &RecordParts) -> Option<AnyView> {
    let usual = &parts.usual;
    (!usual.is_empty()).then(|| {
        note(format!(
            "Most commits of the main branch also have {usual}. To wait for parts, name them with the parameter parts."
        ))
    })
}

/// A note that a status on the forge may still wait for parts: the service has no token to update it.
fn unreported(detail: &RecordDetail) -> Option<AnyView> {
    detail.parts.unreported_since?;
    let forge = detail.record.forge.clone()?;
    Some(note(format!(
        "A commit status on {forge} may still wait for parts: no token in VCS_API_TOKENS could update it. An upload with a token of {forge} updates it."
    )))
}

fn row(detail: &RecordDetail, part: &RecordPart, reports: &ReportLinks) -> impl IntoView + use<> {
    let content = match &part.content {
        PartContent::Skipped(reason) => {
            let reason = reason.clone();
            view! { <td colspan="5"><span class="muted">"skipped: "</span><bdi>{reason}</bdi></td> }
                .into_any()
        }
        PartContent::Measured {
            percentage,
            lines,
            tool,
            has_report,
        } => {
            let lines = lines.map_or_else(|| "not counted".to_owned(), covered_of);
            let tool = tool.clone().unwrap_or_else(|| "not stated".to_owned());
            let report = if *has_report {
                let label = format!("HTML report of {}", part.name);
                let href = reports.part(detail.record.id, &part.name);
                view! { <a class="link" rel="external" href=href aria-label=label>"Open"</a> }
                    .into_any()
            } else {
                view! { <span class="muted">"none"</span> }.into_any()
            };
            view! {
                {number("Coverage", view! { {percentage.to_string()}<Percent/> })}
                {number("Lines", lines)}
                <td data-label="Tool"><bdi>{tool}</bdi></td>
                {number("Arrived", view! { <Age at=part.at now=detail.now/> })}
                <td data-label="HTML report">{report}</td>
            }
            .into_any()
        }
    };
    view! { <tr><th scope="row">{name(&part.name)}</th>{content}</tr> }
}

fn carried_row(detail: &RecordDetail, part: &CarriedPart) -> impl IntoView + use<> {
    let missing = detail.parts.missing();
    let is_missing = missing.names().any(|name| *name == part.name);
    let awaited = is_missing.then(|| format!("; {}", missing_state(detail)));
    let commit = part.commit.short().to_owned();
    let source = match part.record_id {
        Some(id) => view! { <a class="link mono" href=links::record(id)>{commit}</a> }.into_any(),
        None => view! { <span class="mono">{commit}</span> }.into_any(),
    };
    view! {
        <tr>
            <th scope="row">{name(&part.name)}</th>
            <td colspan="5" class="muted">
                "carried forward from "{source}", measured "
                <Age at=part.measured_at now=detail.now/>
                "; lines that changed since are left out"
                {awaited}
            </td>
        </tr>
    }
}

fn missing_row(detail: &RecordDetail, part: &PartName) -> impl IntoView + use<> {
    let state = missing_state(detail);
    view! { <tr><th scope="row">{name(part)}</th><td colspan="5" class="muted">{state}</td></tr> }
}

/// The state of an expected part that has not arrived.
fn missing_state(detail: &RecordDetail) -> String {
    match (detail.parts.closed_at, detail.parts.waits_until) {
        (Some(_), _) => "did not arrive".to_owned(),
        (None, Some(until)) => format!("waiting until {}", until.long()),
        (None, None) => "waiting".to_owned(),
    }
}

fn name(part: &PartName) -> impl IntoView + use<> {
    if part.is_named() {
        view! { <span class="mono">{part.to_string()}</span> }.into_any()
    } else {
        view! { <span class="muted">"without a name"</span> }.into_any()
    }
}

/// Why a part was not deleted: the code of the refusal.
fn refusal(code: String) -> impl IntoView + use<> {
    let reason = match code.as_str() {
        "missing_token" | "invalid_token" => "the token was not accepted",
        "admin_token_required" => "the token is not an admin token",
        "token_not_for_repository" => "the token is not for this repository",
        "not_found" => "the record no longer has this part",
        "only_part" => "it is the only part of the record",
        "no_lines" => "the lines of the other parts are no longer kept",
        "too_many_requests" => "too many tokens were refused; try again in a minute",
        _ => "the service cannot do it right now; try again",
    };
    view! { <p class="note" role="alert"><strong>{format!("The part was not deleted: {reason}.")}</strong></p> }
}

/// The form that deletes a part. It has a field for an admin token, unless the session is of an administrator.
fn delete(detail: &RecordDetail) -> Option<impl IntoView + use<>> {
    // The only measured part cannot be deleted.
    let is_only = measured(&detail.parts) == 1;
    let deletable = detail.parts.arrived.iter();
    let options: Vec<_> = deletable
        .filter(|part| !is_only || !is_measured(part))
        .map(|part| {
            let (value, text) = (part.name.segment().to_owned(), part.name.to_string());
            view! { <option value=value>{text}</option> }
        })
        .collect();
    let access = use_context::<AuditAccess>().unwrap_or_default();
    let token = (!access.covers(&detail.record.repository)).then(|| {
        view! {
            <label>
                "Admin token "
                <input type="password" name="token" autocomplete="off" required/>
            </label>
        }
    });
    (!options.is_empty()).then(|| {
        view! {
            <details class="note">
                <summary>"Delete a part"</summary>
                <p class="muted small">"The record becomes the union of the other parts. This cannot be undone."</p>
                <form class="controls wide" method="post" action=links::delete_part(detail.record.id)>
                    <label>"Part "<select name="part">{options}</select></label>
                    {token}
                    <button class="btn" type="submit">"Delete the part"</button>
                </form>
            </details>
        }
    })
}
