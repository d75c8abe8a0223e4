//! `GET /reports/{id}.zip`: the report as one file.

use super::{
    answer::ASK_AGAIN,
    conditions::Plan,
    file_request::FileRequest,
    located::{Located, Serving, gone},
    representation::Representation,
};
use crate::{
    http::error::ApiError,
    routes::{
        navigation::VARY,
        openapi::refusals::{Conditions, IfNoneMatch, NoReport, NotModified},
        record_id::RecordId,
    },
};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use domain::text::shown;
use objects::ReportsError;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use store::RecordNames;

/// The characters that are encoded in `filename*`. RFC 8187, section 3.2.1, allows more, but names do not need them.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

const SHORT_COMMIT: usize = 7;

/// The report of a record as one file
///
/// A zip of the uploaded files.
#[utoipa::path(
    get,
    path = "/reports/{id}.zip",
    operation_id = "reportArchive",
    tag = "reports",
    params(
        RecordId,
        ("Range" = Option<String>, Header, description = "A part of the file: `bytes=0-99`."),
        IfNoneMatch
    ),
    responses(
        (
            status = 200,
            description = "The archive.",
            content_type = "application/zip",
            headers(("Content-Disposition" = String, description = "The suggested file name."))
        ),
        (status = 206, description = "The requested part.", content_type = "application/zip"),
        NotModified,
        NoReport,
        Conditions
    )
)]
pub(super) async fn download(
    serving: &Serving,
    id: &str,
    request: &FileRequest,
) -> Result<Response, ApiError> {
    serving.check_reader(id, &request.scope).await?;
    let (id, answered) = match answer(serving, id, request).await? {
        // Another process has replaced or removed it meanwhile.
        (_, Err(ReportsError::Missing)) => answer(serving, id, request).await?,
        answered => answered,
    };
    let mut response = match answered {
        Err(ReportsError::Missing) => return Err(gone(id)),
        answered => answered?,
    };
    response.headers_mut().append(header::VARY, VARY);
    let names = serving.store.everything().names_of_record(id).await?;
    let disposition =
        disposition(&names.map_or_else(|| format!("report-{id}"), |names| name(&names)));
    let is_file = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    if is_file && let Ok(disposition) = HeaderValue::try_from(disposition) {
        response
            .headers_mut()
            .insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

/// Answers once. A report that is missing is closed.
async fn answer(
    serving: &Serving,
    id: &str,
    request: &FileRequest,
) -> Result<(i64, Result<Response, ReportsError>), ApiError> {
    let Located {
        id,
        version,
        key,
        object,
        ..
    } = serving.open(id, None).await?;
    let request = request.clone();
    let answer = move || {
        let file = Representation::of_object(&object, version)?;
        Plan::of(&file, &request).answer(&file, &request, ASK_AGAIN)
    };
    let answered = serving.reports.threads().run(answer).await?;
    if let Err(ReportsError::Missing) = answered {
        serving.reports.close(&key);
    }
    Ok((id, answered))
}

/// Returns a file name like `acme-payments-main-c1abc12`, with `-` for characters that file names cannot have.
fn name(names: &RecordNames) -> String {
    let commit: String = names.commit.as_str().chars().take(SHORT_COMMIT).collect();
    let name = format!("{}-{}-{commit}", names.repository, names.branch);
    let is_unfit = |c: char| c.is_whitespace() || "/\\:*?\"<>|\u{fffd}".contains(c);
    shown(name).replace(is_unfit, "-")
}

/// Returns a `Content-Disposition` (RFC 6266): a plain ASCII name, and also the real name if it differs.
fn disposition(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._+@".contains(c);
    if name.chars().all(is_plain) {
        return format!("attachment; filename=\"{name}.zip\"");
    }
    let plain = name.replace(|c| !is_plain(c), "-");
    let encoded = utf8_percent_encode(name, ENCODED);
    format!("attachment; filename=\"{plain}.zip\"; filename*=UTF-8''{encoded}.zip")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(branch: &str) -> String {
        disposition(&name(&RecordNames {
            repository: "acme/platform/payments".parse().expect("a repository"),
            branch: branch.to_owned().try_into().expect("a branch"),
            commit: "c1abc12def".to_owned().try_into().expect("a commit"),
            language: "rust".to_owned().try_into().expect("a language"),
        }))
    }

    #[test]
    fn a_download_is_named_by_branch_and_commit() {
        assert_eq!(
            of("main"),
            "attachment; filename=\"acme-platform-payments-main-c1abc12.zip\""
        );
        assert_eq!(
            of("fix/\"a\\b\""),
            "attachment; filename=\"acme-platform-payments-fix--a-b--c1abc12.zip\""
        );
    }

    #[test]
    fn a_download_name_has_no_bidirectional_controls() {
        assert_eq!(
            of("x\u{202e}gpj"),
            "attachment; filename=\"acme-platform-payments-x-gpj-c1abc12.zip\""
        );
    }

    #[test]
    fn a_name_that_is_not_ascii_is_sent_in_both_forms() {
        assert_eq!(
            of("grün's %"),
            "attachment; filename=\"acme-platform-payments-gr-n-s---c1abc12.zip\"; \
             filename*=UTF-8''acme-platform-payments-gr%C3%BCn%27s-%25-c1abc12.zip"
        );
    }
}
