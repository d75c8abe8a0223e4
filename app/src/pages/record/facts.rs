//! Further data of a record and of its upload.

use crate::{
    AuditAccess, ServiceFacts,
    components::{
        card::{CopyButton, fact, simple},
        measures::{duration, files_in_words, size},
        name::Name,
        on_forge::out,
    },
    links,
    numbers::{counted, grouped},
};
use domain::{
    Ignored, IgnoredFiles, LedgerQuery, MatchedPaths, RecordDetail, RecordUpload, Standing,
    Timestamp,
};
use leptos::prelude::*;

pub(super) fn record(detail: &RecordDetail) -> AnyView {
    let commit = detail.record.commit.to_string();
    let tool = detail.tool.as_deref();
    let tool = tool.unwrap_or("not stated in the coverage file").to_owned();
    let state = match detail.standing {
        Standing::Current => "current on its branch",
        Standing::Superseded(_) => "superseded by a later upload",
        Standing::Retired => "on a branch that is no longer active",
        Standing::Incomplete(_) => "waiting for parts, so no trend includes it",
        Standing::Unconfirmed(_) => "unconfirmed, so no trend includes it",
    };
    let has_none = !detail.record.has_report && detail.report_removed_at.is_none();
    let no_report = has_none.then(|| {
        let why = "No HTML report was uploaded with this record. The archive can contain the HTML folder of the tool.";
        fact("HTML", view! { <span class="muted">{why}</span> })
    });
    let pinned = detail.is_pinned;
    let pinned = pinned.then(|| fact("HTML", "kept regardless of age"));
    // Only if the tool states another total.
    let sum_of_lines = detail.sum_of_lines.map(|sum| {
        let text = format!("They add up to {sum} %; the tool states the total");
        fact("Lines", text)
    });
    let paths = detail.paths.as_ref().map(|paths| {
        let (matched, of) = (grouped(paths.matched), grouped(paths.of));
        fact(
            "Paths",
            format!("{matched} of {of} are files of the repository"),
        )
    });
    let ignored = detail
        .ignored
        .map(|ignored| fact("Ignored", left_out(ignored)));
    let uncounted = detail.uncounted.iter();
    let uncounted = uncounted.map(|(metric, why)| fact(metric.label(), *why));
    let uncounted = uncounted.collect_view();
    let moment = |name: &'static str, at| fact(name, when(at, detail.now));
    let first = (detail.created_at != detail.record.updated_at)
        .then(|| moment("First uploaded", detail.created_at));
    let facts = view! {
        <dl>
            {fact("Commit", view! { <span class="mono">{commit.clone()}</span>" "<CopyButton text=commit label="the commit"/> })}
            {fact("Branch", view! { <a class="link" href=links::branch(&detail.record.repository, &detail.record.branch)><Name text=detail.record.branch.to_string() class="mono"/></a> })}
            {fact("Author", view! { <a class="link" href=links::author(&detail.record.author)><bdi>{detail.record.author.to_string()}</bdi></a> })}
            {fact("Language", detail.record.language.to_string())}
            {fact("Format", detail.record.report_format.clone())}
            {fact("Tool", view! { <bdi>{tool}</bdi> })}
            {paths}
            {ignored}
            {uncounted}
            {sum_of_lines}
            {first}
            {moment("Uploaded", detail.record.updated_at)}
            {fact("State", state)}
            {pinned}
            {no_report}
            {fact("Record", detail.record.id)}
        </dl>
    };
    simple("known", "facts", "This record", facts)
}

pub(super) fn upload(detail: &RecordDetail) -> AnyView {
    let body = match &detail.upload {
        Some(upload) => entry(upload, detail).into_any(),
        None => view! { <p class="muted">"The upload is older than the ledger."</p> }.into_any(),
    };
    let of_repository = LedgerQuery {
        repository: detail.record.repository.to_string(),
        ..LedgerQuery::default()
    };
    let access = use_context::<AuditAccess>().unwrap_or_default();
    let delete = access.covers(&detail.record.repository).then(|| {
        let href = links::delete_record(detail.record.id);
        view! { <p><a class="link" href=href>"Delete this record"</a></p> }
    });
    let content = view! {
        {body}
        {delete}
        <p><a class="link" href=links::uploads(&of_repository)>"All uploads of the repository"</a></p>
    };
    simple("known", "upload", "Upload", content)
}

fn entry(upload: &RecordUpload, detail: &RecordDetail) -> impl IntoView + use<> {
    let archive = match upload.files {
        Some(files) => format!("{}, {}", size(upload.bytes), files_in_words(files)),
        None => size(upload.bytes),
    };
    let outcome = if upload.is_first {
        "created this record"
    } else {
        "replaced an earlier upload of the same commit"
    };
    // As on the uploads page: token names are for readers only, not for everybody.
    let is_protected = expect_context::<ServiceFacts>().is_reading_protected;
    let token = is_protected.then(|| {
        let name = upload.token_name.as_deref();
        let name = name.unwrap_or("not recorded").to_owned();
        fact("Token", view! { <bdi>{name}</bdi> })
    });
    // An uploader chooses the address of the CI run, so its host is shown.
    let run = upload.run_url.as_ref();
    let run = run.map(|url| fact("CI run", out(url.to_string(), url.host())));
    view! {
        <dl>
            {fact("Received", when(upload.received_at, detail.now))}
            {fact("Took", duration(upload.milliseconds))}
            {fact("Archive", archive)}
            {token}
            {run}
            {fact("Outcome", outcome)}
            <dt>"Request"</dt>
            <dd class="mono"><bdi>{upload.request_id.clone()}</bdi></dd>
        </dl>
    }
}

fn when(at: Timestamp, now: Timestamp) -> impl IntoView + use<> {
    view! { <time datetime=at.machine()>{at.long()}</time><span class="muted small ago">{format!(" {}", at.age(now))}</span> }
}

/// The files that the settings ignore, in words.
fn left_out(ignored: Ignored) -> String {
    let IgnoredFiles::Known { files, lines } = ignored.files else {
        return "files of several parts, so their number is not known".to_owned();
    };
    let covered = match files {
        0 => String::new(),
        _ => format!(
            " with {} of {} lines covered",
            grouped(lines.covered),
            grouped(lines.total)
        ),
    };
    let with_them = ignored.percentage_without_rules.filter(|_| files > 0);
    let with_them = with_them.map(|percentage| format!("; {percentage} % with them"));
    let files = files_in_words(files);
    format!("{files}{covered}{}", with_them.unwrap_or_default())
}

/// The paths that are no files of the repository. If they are many, the job has to be changed.
pub(super) fn unmatched(paths: &MatchedPaths) -> Option<AnyView> {
    let count = paths.of.saturating_sub(paths.matched);
    let others = count.saturating_sub(paths.unmatched.len() as u64);
    let rows = paths.unmatched.iter().map(|unmatched| {
        let reason = Some(unmatched.reason.clone()).filter(|reason| !reason.is_empty());
        let reason =
            reason.map(|reason| view! { <span class="muted">": "<bdi>{reason}</bdi></span> });
        view! { <li><bdi class="mono">{unmatched.path.clone()}</bdi>{reason}</li> }
    });
    let rows = rows.collect_view();
    let others = (others > 0)
        .then(|| view! { <li class="muted">{format!("and {} more", grouped(others))}</li> });
    let advice = paths.are_few().then(|| {
        view! {
            <p>"Run the tests in a checkout of this repository, and send the output of "<code>"git ls-files -z"</code>" of the same checkout."</p>
        }
    });
    let title = counted(
        count,
        "path is no file of the repository",
        "paths are no files of the repository",
    );
    let lines = if count == 1 {
        "Its lines"
    } else {
        "Their lines"
    };
    (count > 0).then(|| {
        let content = view! {
            <p>{lines}" cannot be compared with changes, or united with lines of other parts."</p>
            {advice}
            <details open=paths.are_few()>
                <summary>"Show them"</summary>
                <ul>{rows}{others}</ul>
            </details>
        };
        simple("message", "paths", title, content)
    })
}
