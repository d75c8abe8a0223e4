//! Advice for refused uploads: one sentence for each refusal code.

/// A refusal code, explained to the person who maintains the CI job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The code.
    pub code: &'static str,
    /// What happened, in a few words.
    pub name: &'static str,
    /// What to do about it.
    pub todo: &'static str,
}

/// All refusal codes, in the order in which the service checks an upload.
pub const REFUSALS: &[Advice] = &[
    Advice {
        code: "invalid_parameter",
        name: "A parameter is missing or wrong",
        todo: "Correct the parameters in the upload URL; the answer to the job names each of them.",
    },
    Advice {
        code: "missing_token",
        name: "No token was sent",
        todo: "Send the token in the header Authorization: Bearer …. The usual cause is a secret that is empty in jobs of forks or unprotected branches.",
    },
    Advice {
        code: "invalid_token",
        name: "The token was not accepted",
        todo: "Compare the CI's secret with the token that was created for it. If that token is lost, expired or revoked, create a new one.",
    },
    Advice {
        code: "token_not_for_repository",
        name: "The token is not for this repository",
        todo: "Use a token whose scope includes this repository, or correct org_name and repo_name.",
    },
    Advice {
        code: "vcs_api_url_not_allowed",
        name: "The API is not listed",
        todo: "Send vcs_api_url exactly as the operator lists it in VCS_API_URLS, or ask the operator to list it.",
    },
    Advice {
        code: "too_many_requests",
        name: "Too many refused tokens",
        todo: "Fix the job whose token is refused, wait a minute, and send the upload again.",
    },
    Advice {
        code: "vcs_unreachable",
        name: "The forge did not answer",
        todo: "Send the upload again in a minute. If that fails too, ask the operator whether this service can reach the forge.",
    },
    Advice {
        code: "unsupported_media_type",
        name: "The upload is not an archive",
        todo: "Send a tar (plain, or compressed with gzip, bzip2, xz or zstd) or a zip, as a multipart form: curl -F file=@coverage.tar.gz.",
    },
    Advice {
        code: "missing_file_part",
        name: "The form part with the archive is missing",
        todo: "Name the form part with the archive “file”: curl -F file=@coverage.tar.gz.",
    },
    Advice {
        code: "malformed_request",
        name: "The upload was cut off or is malformed",
        todo: "Send the upload again. If that fails too, check whether a proxy in between cuts it off.",
    },
    Advice {
        code: "upload_too_slow",
        name: "The upload was too slow",
        todo: "Send the upload again over a more stable connection, or pack fewer files.",
    },
    Advice {
        code: "upload_too_large",
        name: "The upload is too large",
        todo: "Pack only the HTML report and the coverage file, or ask the operator for a higher MAX_UPLOAD_BYTES.",
    },
    Advice {
        code: "archive_too_large",
        name: "The archive exceeds a limit",
        todo: "Pack only the HTML report and the coverage file. The answer to the job names the limit and what to do.",
    },
    Advice {
        code: "corrupt_archive",
        name: "The archive is damaged",
        todo: "Check whether packing failed in the job (a full disk, a cancelled step), and pack the archive again.",
    },
    Advice {
        code: "unsafe_archive_entry",
        name: "The archive has an unsafe entry",
        todo: "Pack regular files with relative paths: no links to the outside, no absolute paths, no devices.",
    },
    Advice {
        code: "coverage_file_not_found",
        name: "The coverage file is not in the archive",
        todo: "Set coverage_xml_file_name to the file that the tool wrote, and check that the archive contains it.",
    },
    Advice {
        code: "unreadable_coverage_report",
        name: "The coverage file cannot be read",
        todo: "Check that the file is complete and in a supported format. An empty file often means that no test ran.",
    },
    Advice {
        code: "invalid_paths",
        name: "The list of paths cannot be read",
        todo: "Send what “git ls-files -z” prints in the part “paths”: git ls-files -z | curl -F paths=@- ….",
    },
    Advice {
        code: "invalid_changes",
        name: "The changes cannot be read",
        todo: "Send what “git diff -U0 -M BASE” prints in the part “changes”; the answer to the job names the line and what was expected.",
    },
    Advice {
        code: "invalid_settings",
        name: "The settings cannot be read",
        todo: "Correct coverage-dashboard.toml; the answer to the job names the line and what was expected.",
    },
    Advice {
        code: "part_without_lines",
        name: "A part has no lines",
        todo: "Write a coverage file with lines, or upload the part as a language of its own. Coverage files without lines cannot be united.",
    },
    Advice {
        code: "not_found",
        name: "There is nothing to finish",
        todo: "Send a part of the commit before “finish”, and compare branch_name, commit_hash and language with the values of the part.",
    },
    Advice {
        code: "storage_full",
        name: "The service has no storage space left",
        todo: "Ask the operator to free storage space, then run the job again.",
    },
    Advice {
        code: "quota_exceeded",
        name: "The quota is used up",
        todo: "Ask the operator to remove old HTML reports of the org or repository, or to raise the quota. Then send the upload again.",
    },
    Advice {
        code: "unavailable",
        name: "The service was busy or failed",
        todo: "Run the job again. If that fails too, give the operator the request id.",
    },
];

/// The advice for `code`; `None` if `code` is not a refusal.
pub fn advice(code: &str) -> Option<&'static Advice> {
    REFUSALS.iter().find(|refusal| refusal.code == code)
}
