//! What to do about keys of Codecov that have no equal.

/// The beginnings of keys, the most exact first, and what to do about them. `*` stands for one key.
const REASONS: &[(&str, &str)] = &[
    (
        "codecov.branch",
        "Set the main branch of the repository with `coverage-dashboard main-branch`.",
    ),
    (
        "codecov.notify.after_n_builds",
        "List the names of the parts in `parts`: a record waits for them.",
    ),
    ("codecov.notify.wait_for_ci", NOT_NEEDED),
    ("codecov.require_ci_to_pass", NOT_NEEDED),
    ("codecov.notify.require_ci_to_pass", NOT_NEEDED),
    (
        "codecov.notify",
        "Name the parts in `parts`, or send `finish` when all jobs are done.",
    ),
    (
        "codecov.token",
        "Keep the token out of the file, and make a new one: `coverage-dashboard token create`.",
    ),
    ("codecov.max_report_age", "Reports of any age are accepted."),
    (
        "codecov.strict_yaml_branch",
        "Settings always count from the main branch.",
    ),
    ("codecov.url", ADDRESS),
    ("codecov.slug", ADDRESS),
    (
        "codecov.bot",
        "The status and the comment are written with the token of the job.",
    ),
    ("codecov.allow_coverage_offsets", BASE),
    ("codecov.allow_pseudo_compare", BASE),
    ("codecov.disable_default_path_fixes", PATHS),
    ("codecov", "The service has no such setting."),
    (
        "coverage.precision",
        "Percentages always have two decimals, and are never rounded up to a limit.",
    ),
    (
        "coverage.round",
        "Percentages always have two decimals, and are never rounded up to a limit.",
    ),
    (
        "coverage.range",
        "The operator sets the colours: `BADGE_THRESHOLDS`.",
    ),
    (
        "coverage.status.default_rules",
        "Set it for each rule of `[gate]`.",
    ),
    (
        "coverage.notify",
        "The operator sets webhooks for all repositories.",
    ),
    ("coverage.fixes", PATHS),
    (
        "coverage.status",
        "A gate is one status. It counts for every upload, and says what it could not judge.",
    ),
    ("fixes", PATHS),
    (
        "flags.*.after_n_builds",
        "List the part in `parts`: a record waits for it.",
    ),
    (
        "flags.*.assume",
        "Use `carry`: the lines of a part that did not run are carried forward.",
    ),
    ("flags", "A part has no other settings."),
    (
        "flag_management.default_rules.carryforward",
        "To carry parts forward, list their names in `carry`.",
    ),
    (
        "flag_management.default_rules.statuses",
        "Write a rule for each part: `[gate.parts.NAME]`.",
    ),
    ("flag_management", "A part has no other settings."),
    ("component_management", "A view has no other settings."),
    (
        "comment.require_changes",
        "A comment is written only if there is a result to report.",
    ),
    (
        "comment",
        "The comment has one form. It is written if the job sends a token of its forge.",
    ),
    (
        "github_checks",
        "`coverage-dashboard check` writes annotations; the comment names the lines.",
    ),
    (
        "parsers",
        "The format is recognised by the content of the file.",
    ),
    ("cli", "The command line of the job names the files."),
    (
        "profiling",
        "The service knows nothing about calls in production.",
    ),
    (
        "slack_app",
        "The operator sets webhooks for all repositories.",
    ),
    ("test_analytics", TESTS),
    ("ta_timeseries", TESTS),
    ("bundle_analysis", "The service does not measure bundles."),
    ("ai_pr_review", "The service does not review code."),
];

const NOT_NEEDED: &str =
    "Not needed: a record is complete when its parts have arrived, whatever other jobs do.";
const ADDRESS: &str = "The job names the address and the repository.";
const BASE: &str = "Not needed: changed lines come from the diff between the measured commits.";
const PATHS: &str =
    "Not needed: paths are mapped by the list of the repository's files; send `paths` and `root`.";
const TESTS: &str = "The service stores no test results.";
pub(super) const STRANGE: &str = "Codecov documents no such value.";
pub(super) const UNKNOWN: &str = "Codecov documents no such key.";

/// Why a key has no equal.
pub(super) fn of(key: &str) -> &'static str {
    let reason = REASONS.iter().find(|(start, _)| begins(key, start));
    reason.map_or(UNKNOWN, |(_, reason)| reason)
}

fn begins(key: &str, start: &str) -> bool {
    let mut keys = key.split('.');
    start.split('.').all(|wanted| {
        keys.next()
            .is_some_and(|key| wanted == "*" || wanted == key)
    })
}
