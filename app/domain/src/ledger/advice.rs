//! What to do about a refused upload: a sentence for each code that an upload may be refused with.

/// A refusal, in words for whoever looks after the CI job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The code.
    pub code: &'static str,
    /// What happened, in a few words.
    pub name: &'static str,
    /// What to do about it.
    pub todo: &'static str,
}

/// Every code that an upload may be refused with, in the order in which an upload is looked at.
pub const REFUSALS: &[Advice] = &[
    Advice {
        code: "invalid_parameter",
        name: "A parameter is missing or wrong",
        todo: "Correct the parameters in the upload's address; the answer to the job names each of them.",
    },
    Advice {
        code: "missing_token",
        name: "No token was shown",
        todo: "Put the token into the header Authorization: Bearer …; a secret that is empty in jobs of forks or of unprotected branches is the usual cause.",
    },
    Advice {
        code: "invalid_token",
        name: "The token was not accepted",
        todo: "Compare the CI's secret with the token that was made for it, and make another one if that is lost, expired or revoked.",
    },
    Advice {
        code: "token_not_for_repository",
        name: "The token is for something else",
        todo: "Use a token whose scope holds this repository, or correct org_name and repo_name.",
    },
    Advice {
        code: "vcs_api_url_not_allowed",
        name: "An API that is not listed",
        todo: "Send vcs_api_url as the operator lists it in VCS_API_URLS, or ask for it to be listed.",
    },
    Advice {
        code: "too_many_requests",
        name: "Too many refused tokens",
        todo: "Mend the job whose token is refused, wait a minute, and send the upload again.",
    },
    Advice {
        code: "vcs_unreachable",
        name: "The forge did not answer",
        todo: "Send the upload again in a minute; if it goes on, ask the operator whether this service can reach it.",
    },
    Advice {
        code: "unsupported_media_type",
        name: "No archive",
        todo: "Send a tar (plain, or compressed with gzip, bzip2, xz or zstd) or a zip, as multipart form: curl -F file=@coverage.tar.gz.",
    },
    Advice {
        code: "missing_file_part",
        name: "The part with the archive is missing",
        todo: "Call the part of the multipart form that holds the archive file: curl -F file=@coverage.tar.gz.",
    },
    Advice {
        code: "malformed_request",
        name: "The upload broke off or is malformed",
        todo: "Send it again; if it goes on, look for a proxy in between that cuts it.",
    },
    Advice {
        code: "upload_too_slow",
        name: "The upload was too slow",
        todo: "Send it again over a steadier connection, or pack less into it.",
    },
    Advice {
        code: "upload_too_large",
        name: "The upload is too large",
        todo: "Pack only the report's HTML and its coverage file, or ask the operator for a higher MAX_UPLOAD_BYTES.",
    },
    Advice {
        code: "archive_too_large",
        name: "The archive passes a limit",
        todo: "Pack only the report's folder; the answer to the job names the limit that the operator may raise.",
    },
    Advice {
        code: "corrupt_archive",
        name: "The archive is damaged",
        todo: "Look whether packing failed in the job (a full disk, a step that was cancelled), and pack it anew.",
    },
    Advice {
        code: "unsafe_archive_entry",
        name: "The archive holds something unsafe",
        todo: "Pack plain files by relative paths: no links that lead outside, no absolute paths, no devices.",
    },
    Advice {
        code: "coverage_file_not_found",
        name: "The coverage file is not in the archive",
        todo: "Set coverage_xml_file_name to the file that the tool wrote, and look whether it is packed.",
    },
    Advice {
        code: "unreadable_coverage_report",
        name: "The coverage file cannot be read",
        todo: "Look whether the tool wrote it whole and in a format that is read here; an empty file often means that no test ran.",
    },
    Advice {
        code: "storage_full",
        name: "The service has no room",
        todo: "Ask the operator for room, then run the job again.",
    },
    Advice {
        code: "quota_exceeded",
        name: "The quota is used up",
        todo: "Ask the operator to remove old reports of the organisation or repository, or to allow more, and send the upload again.",
    },
    Advice {
        code: "unavailable",
        name: "The service was busy or out of order",
        todo: "Run the job again; if it goes on, give the operator the request id.",
    },
];

/// What to do about an upload that was refused with `code`; none for codes that are no refusal.
pub fn advice(code: &str) -> Option<&'static Advice> {
    REFUSALS.iter().find(|refusal| refusal.code == code)
}
