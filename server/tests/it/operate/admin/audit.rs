//! The rows of the audit log, and `coverage-dashboard audit`.

use super::*;
use crate::harness::TOKEN;
use serde_json::json;

#[tokio::test]
async fn every_change_is_in_the_audit_log_with_actor_and_origin() {
    let server =
        TestServer::start_with(&["--upload-token", TOKEN, "--trusted-proxies", "127.0.0.1"]).await;
    upload(&server, "main", "c1", 80).await;
    upload(&server, "main", "c1", 90).await;
    upload(&server, "next", "c1", 80).await;
    done(&server, &["main-branch", "acme/payments", "next"]);
    let body = json!({
        "org_name": "acme", "repo_name": "payments", "commit_hash": "c1", "active_branches": ["next"],
    });
    let request = ask(&server, Method::PUT, "/coverages-api").json(&body);
    let request = request
        .bearer_auth(TOKEN)
        .header("x-forwarded-for", "10.1.2.3");
    assert_eq!(request.send().await.unwrap().status(), 200);
    let admin = token(
        &server,
        "ops",
        "admin",
        &["--org", "acme", "--expires", "90d"],
    );
    upload(&server, "next", "c2", 80).await;
    assert_eq!(delete(&server, &admin, 1).await.status(), 204);
    done(&server, &["token", "revoke", "ops"]);
    let prune = ["prune", "--keep-reports-per-branch", "1"];
    done(&server, &prune);

    let rows = audit(&server, &[]);
    let seen: Vec<_> = rows
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap_or("-");
            [
                "action",
                "actor_kind",
                "org_name",
                "repo_name",
                "subject",
                "old",
                "new",
            ]
            .map(text)
            .join("|")
        })
        .collect();
    let expires = rows[3]["new"].as_str().unwrap();
    assert!(expires.starts_with("admin, acme/…, until 2"), "{expires}");
    let expected = [
        "percentage_replaced|token|acme|payments|record 1: main, rust, c1|80.00 %|90.00 %",
        "main_branch_set|command|acme|payments|main branch|guessed|next",
        "branches_retired|token|acme|payments|branches|2 current|1 retired: main",
        &format!("token_created|command|acme|-|token 1: ops|-|{expires}"),
        "record_deleted|token|acme|payments|record 1: main, rust, c1|90.00 %|deleted",
        "token_revoked|command|acme|-|token 1: ops|admin, acme/…|revoked",
        "reports_pruned|command|acme|payments|branch next, rust|-|1 HTML report removed",
    ];
    assert_eq!(seen, expected);
    assert_eq!(rows[0]["actor"], "UPLOAD_TOKEN");
    assert_eq!(rows[0]["source"], "127.0.0.1");
    assert_eq!(rows[2]["source"], "10.1.2.3");
    assert_eq!(rows[4]["actor"], "ops");
    let all = done(&server, &["audit"]).0;
    assert_eq!(all.lines().count(), rows.len());
    assert!(!all.contains(&admin) && !all.contains(TOKEN), "{all}");
}

#[tokio::test]
async fn the_audit_log_is_printed_in_parts_and_a_closed_pipe_is_not_an_error() {
    let server = TestServer::start().await;
    // The start creates the tables.
    server.get("/coverages-api/health").await;
    let mut database = server.database().await;
    sqlx::query(
        "insert into audit (at, actor_kind, actor, source, action, org_name, repo_name, subject)
         with recursive n (i) as (select 1 union all select i + 1 from n where i < 2500)
         select i, 'command', 'kim', 'here', case i % 2 when 0 then 'record_deleted' else 'token_created' end,
                case i % 5 when 0 then 'acme' else 'zoo' end, 'x', 'record ' || i from n",
    )
    .execute(&mut database)
    .await
    .unwrap();
    let subjects = |more: &[&str]| -> Vec<String> {
        let rows = audit(&server, more);
        let subjects = rows.iter().map(|row| row["subject"].as_str().unwrap());
        subjects.map(str::to_owned).collect()
    };
    let all: Vec<_> = (1..=2_500)
        .map(|number| format!("record {number}"))
        .collect();
    assert_eq!(subjects(&[]), all, "the oldest first");
    assert_eq!(
        subjects(&["--since", "30d"]),
        [""; 0],
        "all rows are from 1970"
    );
    assert_eq!(subjects(&["--since", "100y"]).len(), 2_500);
    assert_eq!(subjects(&["--org", "ACME"]).len(), 500);
    let filter = ["--org", "acme", "--repo", "x", "--action", "record_deleted"];
    assert_eq!(subjects(&filter).len(), 250);
    let unknown = run(&server, &["audit", "--action", "nothing"]);
    assert!(text(unknown.stderr).contains("record_deleted"));

    for format in ["text", "ndjson"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = command(&server, &["audit", "--format", format]);
        let output = command.stdout(writer).stderr(Stdio::piped());
        let output = output.spawn().unwrap().wait_with_output().unwrap();
        let notes = text(output.stderr);
        let is_quiet = notes.lines().all(|line| line.starts_with("Database: "));
        assert!(output.status.success() && is_quiet, "{notes}");
    }
}
