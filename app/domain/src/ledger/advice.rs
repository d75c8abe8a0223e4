//! Advice for refused uploads: one sentence for each refusal code.

/// A refusal code, explained to the person who maintains the CI job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The code.
    pub code: &'static str,
    /// What happened, in a few words.
    pub name: &'static str,
    /// What to do about it; words between backticks are code.
    pub todo: &'static str,
}

/// Declares refusals: the code and the name of each, then what to do.
macro_rules! refusals {
    ($($code:literal, $name:literal: $todo:literal;)+) => {
        &[$(Advice { code: $code, name: $name, todo: $todo }),+]
    };
}

/// All refusal codes, in the order in which the service checks an upload.
pub const REFUSALS: &[Advice] = refusals! {
    "invalid_parameter", "A parameter is missing or wrong":
        "Correct the parameters in the upload URL; the answer to the job names each of them.";
    "missing_token", "No token was sent":
        "Send the token in the header Authorization: Bearer …. The usual cause is a secret that is empty in jobs of forks or unprotected branches.";
    "invalid_token", "The token was not accepted":
        "Compare the CI's secret with the token that was created for it. If that token is lost, expired or revoked, create a new one.";
    "token_not_for_repository", "The token is not for this repository":
        "Use a token whose scope includes this repository, or correct org_name and repo_name.";
    "vcs_api_url_not_allowed", "The API is not listed":
        "Send vcs_api_url exactly as the operator lists it in VCS_API_URLS, or ask the operator to list it.";
    "too_many_requests", "Too many refused tokens":
        "Fix the job whose token is refused, wait a minute, and send the upload again.";
    "vcs_unreachable", "The forge did not answer":
        "Send the upload again in a minute. If that fails too, ask the operator whether this service can reach the forge.";
    "unsupported_media_type", "The upload is not an archive":
        "Pack the files, and send the archive in the form field `file`: `curl -F file=@coverage.tar.gz`.";
    "missing_file_part", "The form field with the archive is missing":
        "Name the form field with the archive `file`: `curl -F file=@coverage.tar.gz`.";
    "malformed_request", "The upload was cut off or is malformed":
        "Send the upload again. If that fails too, check whether a proxy in between cuts it off.";
    "upload_too_slow", "The upload was too slow":
        "Send the upload again over a more stable connection, or pack fewer files.";
    "upload_too_large", "The upload is too large":
        "Pack only the HTML report and the coverage file, or ask the operator for a higher MAX_UPLOAD_BYTES.";
    "archive_too_large", "The archive exceeds a limit":
        "Pack only the HTML report and the coverage file. The answer to the job names the limit and what to do.";
    "corrupt_archive", "The archive is damaged":
        "Check whether packing failed in the job (a full disk, a cancelled step), and pack the archive again.";
    "unsafe_archive_entry", "The archive has an unsafe entry":
        "Pack regular files with relative paths: no links to the outside, no absolute paths, no devices.";
    "coverage_file_not_found", "The coverage file is not in the archive":
        "Set coverage_xml_file_name to the file that the tool wrote, and check that the archive contains it.";
    "unreadable_coverage_report", "The coverage file cannot be read":
        "Check that the file is complete and in a supported format. An empty file often means that no test ran.";
    "invalid_paths", "The list of paths cannot be read":
        "Send what `git ls-files -z` prints in the form field `paths`: `git ls-files -z | curl -F paths=@- …`.";
    "invalid_changes", "The changes cannot be read":
        "Send what `git diff -U0 -M BASE` prints in the form field `changes`; the answer to the job names the line and what was expected.";
    "invalid_settings", "The settings cannot be read":
        "Correct coverage-dashboard.toml; the answer to the job names the line and what was expected.";
    "part_without_lines", "A part has no lines":
        "Write a coverage file with lines, or upload the part with another “language”. Coverage files without lines cannot be united.";
    "not_found", "There is nothing to finish":
        "Send a part of the commit before “finish”, and compare branch_name, commit_hash and language with the values of the part.";
    "storage_full", "The service has no storage space left":
        "Ask the operator to free storage space, then run the job again.";
    "quota_exceeded", "The quota is used up":
        "Ask the operator to remove old HTML reports of the org or repository, or to raise the quota. Then send the upload again.";
    "unavailable", "The service was busy or failed":
        "Run the job again. If that fails too, give the operator the request id.";
};

/// The advice for `code`; `None` if `code` is not a refusal.
pub fn advice(code: &str) -> Option<&'static Advice> {
    REFUSALS.iter().find(|refusal| refusal.code == code)
}
