//! What else is known of a record, and of the upload that it came by.

use super::files_in_words;
use crate::{
    components::{coverage::grouped, name::Name},
    domain::{RecordDetail, RecordUpload, Standing, Timestamp},
    islands::CopyButton,
    links,
};
use leptos::prelude::*;

pub(super) fn record(detail: &RecordDetail) -> impl IntoView + use<> {
    let commit = detail.commit.to_string();
    let tool = detail.tool.clone();
    let tool = tool.unwrap_or_else(|| "not stated in the report".to_owned());
    let state = match detail.standing {
        Standing::Current => "current on its branch",
        Standing::Superseded(_) => "superseded by a later upload",
        Standing::Retired => "of a branch that is not active any more",
    };
    let moment = |name: &'static str, at| {
        view! { <dt>{name}</dt><dd>{when(at, detail.now)}</dd> }
    };
    let first = (detail.created_at != detail.updated_at)
        .then(|| moment("First uploaded", detail.created_at));
    view! {
        <section class="card facts" aria-labelledby="facts">
            <h2 id="facts">"This record"</h2>
            <dl>
                <dt>"Commit"</dt>
                <dd><span class="mono">{commit.clone()}</span>" "<CopyButton text=commit label="the commit".to_owned()/></dd>
                <dt>"Branch"</dt>
                <dd><a class="link" href=links::branch(&detail.repository, &detail.branch)><Name text=detail.branch.to_string() class="mono"/></a></dd>
                <dt>"Author"</dt>
                <dd><a class="link" href=links::author(&detail.author)><bdi>{detail.author.to_string()}</bdi></a></dd>
                <dt>"Language"</dt>
                <dd>{detail.language.to_string()}</dd>
                <dt>"Format"</dt>
                <dd>{detail.report_format.clone()}</dd>
                <dt>"Tool"</dt>
                <dd><bdi>{tool}</bdi></dd>
                {first}
                {moment("Uploaded", detail.updated_at)}
                <dt>"State"</dt>
                <dd>{state}</dd>
                <dt>"Record"</dt>
                <dd>{detail.id}</dd>
            </dl>
        </section>
    }
}

pub(super) fn upload(detail: &RecordDetail) -> impl IntoView + use<> {
    let body = match &detail.upload {
        Some(upload) => entry(upload, detail).into_any(),
        None => view! { <p class="muted">"The ledger of uploads does not go back so far."</p> }
            .into_any(),
    };
    view! {
        <section class="card facts" aria-labelledby="upload">
            <h2 id="upload">"Its upload"</h2>
            {body}
            <p><a class="link" href=links::UPLOADS>"All uploads"</a></p>
        </section>
    }
}

fn entry(upload: &RecordUpload, detail: &RecordDetail) -> impl IntoView + use<> {
    let archive = match upload.files {
        Some(files) => format!("{}, {}", bytes(upload.bytes), files_in_words(files)),
        None => bytes(upload.bytes),
    };
    let outcome = match upload.is_first {
        true => "made this record",
        false => "took the place of an earlier upload of the same commit",
    };
    let token = upload.token_name.clone();
    let token = token.unwrap_or_else(|| "not noted".to_owned());
    view! {
        <dl>
            <dt>"Received"</dt>
            <dd>{when(upload.received_at, detail.now)}</dd>
            <dt>"Took"</dt>
            <dd>{duration(upload.milliseconds)}</dd>
            <dt>"Archive"</dt>
            <dd>{archive}</dd>
            <dt>"Token"</dt>
            <dd><bdi>{token}</bdi></dd>
            <dt>"Outcome"</dt>
            <dd>{outcome}</dd>
            <dt>"Request"</dt>
            <dd class="mono"><bdi>{upload.request_id.clone()}</bdi></dd>
        </dl>
    }
}

/// A moment, and how long ago it was.
fn when(at: Timestamp, now: Timestamp) -> impl IntoView + use<> {
    view! { <time datetime=at.machine()>{at.long()}</time><span class="muted small">{format!(" {}", at.age(now))}</span> }
}

/// In the unit that people think in: `340 ms`, `2.3 s`.
fn duration(milliseconds: u64) -> String {
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        _ => format!(
            "{}.{} s",
            grouped(milliseconds / 1_000),
            milliseconds % 1_000 / 100
        ),
    }
}

/// In the unit that people think in: `512 bytes`, `1.4 MiB`.
fn bytes(bytes: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = (u128::from(bytes) * 10 / u128::from(unit)) as u64;
        format!("{}.{}", grouped(tenths / 10), tenths % 10)
    };
    match bytes {
        0..1_024 => format!("{bytes} bytes"),
        1_024..1_048_576 => format!("{} KiB", tenths(1 << 10)),
        1_048_576..1_073_741_824 => format!("{} MiB", tenths(1 << 20)),
        _ => format!("{} GiB", tenths(1 << 30)),
    }
}

#[cfg(test)]
mod tests {
    use super::{bytes, duration};

    #[test]
    fn sizes_and_times_are_told_in_a_fitting_unit() {
        assert_eq!(
            [0, 1_023, 1_024, 1_500_000, 3 << 30].map(bytes),
            ["0 bytes", "1023 bytes", "1.0 KiB", "1.4 MiB", "3.0 GiB"]
        );
        assert_eq!(
            [0, 999, 1_000, 62_340].map(duration),
            ["0 ms", "999 ms", "1.0 s", "62.3 s"]
        );
    }
}
