//! Codecov's clients themselves.

use super::{LCOV, lines, server};
use crate::{
    clients::{
        foreign::{
            programs::{CLI, CLI_LEGACY, CLI_THREE_CALLS, Client, NPM, PYPI},
            token_for,
        },
        uploader::Job,
    },
    harness::{Reachable, TOKEN},
};
use serde_json::json;

/// A job on the branch `feature`, with a coverage file.
pub(in crate::clients::foreign) fn job() -> Job {
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.git(&["checkout", "-q", "-b", "feature"]);
    job.write("src/fee.py", "a\nb\nc\nd\ne\n");
    job.write("coverage.lcov", LCOV);
    job.commit("Price a stay");
    job
}

#[tokio::test]
async fn each_client_of_codecov_uploads_a_part_named_by_its_flags() {
    let uploaded = async |client: Client, ledger: &str, options: &str, part: &str| {
        if !client.is_installed() {
            return;
        }
        let (server, job) = (server().await, job());
        let token = token_for(&server, "acme/payments");
        let options = [("OPTIONS", options)];
        let printed = client.succeed(&job, &server, &token, &options).await;
        let records = server.current_records().await;
        let [record] = &records[..] else {
            panic!("{client:?}: {printed}");
        };
        let names = [
            &record["commit_hash"],
            &record["branch_name"],
            &record["language"],
        ];
        assert_eq!(names, [&job.head(), "feature", "python"], "{client:?}");
        assert_eq!(record["percentage"], 75.0, "{client:?}");
        let lines = lines(&server, record, "src/fee.py").await;
        assert_eq!(lines["coverable"], 4, "{client:?}: {lines}");
        let summary = super::summary(&server, record).await;
        assert_eq!(summary["parts"]["arrived"], json!([part]), "{client:?}");
        let row = super::newest_attempt(&server).await;
        assert_eq!(row.client.as_deref(), Some(ledger));
    };
    let both = "-F unit -F linux";
    tokio::join!(
        uploaded(CLI, "codecov-cli 11.3.1", both, "unit-linux"),
        uploaded(CLI_THREE_CALLS, "codecov-cli 11.3.1", both, "unit-linux"),
        uploaded(CLI_LEGACY, "codecov-cli 11.3.1", both, "unit-linux"),
        // It sends the last flag only.
        uploaded(NPM, "node-v3.8.3", both, "linux"),
        uploaded(PYPI, "py2.1.13", "-F unit,linux", "unit-linux"),
    );
}

#[tokio::test]
async fn each_command_of_codecov_cli_has_its_row_in_the_ledger() {
    if !CLI.is_installed() {
        return;
    }
    let (server, job) = (server().await, job());
    job.write("junit.xml", "<testsuites/>");
    let run = async |command: &'static str| {
        let ran = CLI.with(command).succeed(&job, &server, TOKEN, &[]);
        ran.await
    };
    let of_commit = async {
        run("codecovcli -u $URL create-commit -t $TOKEN --git-service github --fail-on-error")
            .await;
        run("codecovcli -u $URL create-report -t $TOKEN --git-service github --fail-on-error")
            .await;
        run("codecovcli -u $URL do-upload -t $TOKEN -f $FILE --disable-search --plugin noop --git-service github --fail-on-error").await;
        run("codecovcli -u $URL send-notifications -t $TOKEN --git-service github --fail-on-error")
            .await;
        run("codecovcli -u $URL empty-upload -t $TOKEN --force --git-service github --fail-on-error").await
    };
    let (_, tests, base) = tokio::join!(
        of_commit,
        run(
            "codecovcli -u $URL upload-coverage --report-type test_results -t $TOKEN -f junit.xml --disable-search --git-service github --fail-on-error"
        ),
        run(
            "codecovcli -u $URL pr-base-picking -t $TOKEN --base-sha $(git rev-parse HEAD) --pr 7 --slug acme/payments --service github"
        ),
    );
    assert!(
        tests.contains("complete") && base.contains("complete"),
        "{tests}{base}"
    );
    let mut rows = server.store().await.writer().ledger(10).await.unwrap();
    rows.sort_by(|one, other| one.code.cmp(&other.code));
    let codes: Vec<_> = rows.iter().map(|row| row.code.as_str()).collect();
    assert_eq!(codes, ["closed", "closed", "created", "test_results"]);
    let not_stored = &rows[3].detail;
    assert!(not_stored.contains("not stored"), "{not_stored}");
    assert_eq!(server.records().await.len(), 1);
}
