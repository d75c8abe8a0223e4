//! The digest of a week.

use super::{OF_SERVER, settings, upload};
use crate::{
    harness::{Archive, Reachable, Receiver, ServerProcess, TestServer, Upload, is_postgres},
    read::{line_history::with_history, period_report::failed},
};
use domain::{DAY, Day};
use serde_json::{Value, json};

/// The names of owners that chats could take for mentions or markup.
const OWNERS: &str = "* @all\npay/ @channel @here/_b_\n";

const BASE: &str = "1111111111111111111111111111111111111111";
const HEAD: &str = "2222222222222222222222222222222222222222";

/// Moves all that was uploaded so far to an earlier time.
async fn age(server: &TestServer, days: i64) {
    let mut database = server.database().await;
    for statement in [
        "update records set created_at = created_at - $1, updated_at = updated_at - $1",
        "update repositories set last_upload_at = last_upload_at - $1",
    ] {
        sqlx::query(statement)
            .bind(days * DAY)
            .execute(&mut database)
            .await
            .unwrap();
    }
    server.recompute().await;
}

fn of(org: &str, repository: &str, lcov: &str) -> Upload {
    Upload::of(Archive::new().file("coverage.xml", lcov).tar_gz())
        .with("org_name", org)
        .with("repo_name", repository)
}

/// An org with a record before the week and one in it, an org that was silent for 40 days, and an org without news.
async fn three_orgs(server: &TestServer) {
    of("quiet", "old", "SF:a.c\nDA:1,1\nend_of_record\n")
        .accepted(server)
        .await;
    age(server, 29).await;
    of("calm", "web", "SF:a.c\nDA:1,1\nend_of_record\n")
        .accepted(server)
        .await;
    let base = "SF:pay/a.c\nDA:1,1\nend_of_record\n";
    let base = of("acme", "__pay__", base).with("commit_hash", BASE);
    base.before("owners", OWNERS.as_bytes())
        .accepted(server)
        .await;
    with_history(server, 3).await;
    age(server, 8).await;
    let head = "SF:pay/a.c\nDA:1,1\nDA:2,0\nDA:3,1\nDA:4,0\nend_of_record\n";
    let diff =
        "diff --git a/pay/a.c b/pay/a.c\n--- a/pay/a.c\n+++ b/pay/a.c\n@@ -1,0 +2,3 @@\n+\n+\n+\n";
    of("acme", "__pay__", head)
        .with("commit_hash", HEAD)
        .with("base_commit", BASE)
        .before("changes", diff.as_bytes())
        .before("owners", OWNERS.as_bytes())
        .before("settings", b"[gate]\nfloor = 90\n")
        .accepted(server)
        .await;
    with_history(server, 4).await;
    failed(server, 1).await;
    age(server, 3).await;
}

/// The setting for a digest whose week ended the day before yesterday, and the days of that week.
fn week() -> (String, [Day; 2]) {
    let names = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    let yesterday = Day::of(store::now()).days_before(1);
    let own = (0..7).find(|&number| yesterday.last_weekday(number) == yesterday);
    let name = names[usize::from(own.expect("a weekday"))];
    let days = [yesterday.days_before(7), yesterday.days_before(1)];
    (format!("drop=1,digest={name}"), days)
}

#[tokio::test]
async fn a_digest_of_a_week_is_sent_once_and_names_have_no_effect_in_any_chat() {
    let receiver = Receiver::start().await;
    let server = TestServer::start().await;
    three_orgs(&server).await;
    let folder = server.stop().await;
    let hooks = [
        "json=",
        "acme@channel:slack=",
        "acme:mattermost=",
        "acme/none:json=",
        "acme:teams=",
    ];
    let hooks = hooks.map(|hook| {
        let kind = hook.split([':', '=']).rev().nth(1).unwrap();
        format!("{hook}{}", receiver.url(&format!("/{kind}")))
    });
    let (hooks, (events, [from, to])) = (hooks.join(","), week());
    let events = ["--webhook-events", events.as_str()];
    let of_process = settings(&hooks, &[&OF_SERVER[2..], &events].concat());
    let settings = [&OF_SERVER[..2], &of_process].concat();
    // A process has its own upload token. Several instances on one database look at the same time.
    let others: Vec<_> = match is_postgres() {
        true => (0..2)
            .map(|_| ServerProcess::start(folder.path(), &of_process))
            .collect(),
        false => Vec::new(),
    };
    let server = TestServer::start_in(folder, &settings).await;
    receiver.wait_for(5).await;
    drop(others);
    // A restart looks again. The next notification shows that no other one was sent.
    let server = TestServer::start_in(server.stop().await, &settings).await;
    upload(&server, "c1", 85).await;
    upload(&server, "c2", 80).await;
    // The webhook of an owner is not notified of anything else.
    let mut notified = receiver.wait_for(8).await;
    assert_eq!(notified.len(), 8, "{notified:#?}");
    notified.retain(|own| !own.text.contains("dropped from"));
    let of = |path: &str| -> Vec<Value> {
        let own = notified.iter().filter(|own| own.path == path);
        own.map(|own| own.body.clone()).collect()
    };

    let events = of("/json");
    let data = |org: &str| {
        let found = events.iter().find(|own| own["data"]["org_name"] == org);
        found.unwrap_or_else(|| panic!("no {org} in {events:#?}"))["data"].clone()
    };
    assert_eq!(events.len(), 2, "calm has no news: {events:#?}");
    let acme = data("acme");
    let address = format!("org_name=acme&from={from}&to={to}");
    assert_eq!(
        acme["url"],
        format!("https://coverage.example.com/report?{address}")
    );
    let report = server
        .get_json(&format!("/coverages-api/report?{address}"))
        .await;
    for name in ["from", "to", "percentage", "base_percentage", "owner"] {
        assert_eq!(acme[name], report[name], "{name}");
    }
    assert_eq!(
        (&acme["base_percentage"], &acme["percentage"]),
        (&json!(100.0), &json!(50.0))
    );
    let new = json!({"covered": 1, "coverable": 3, "unknown": 0, "unknown_repositories": 0});
    assert_eq!(acme["new"], new);
    assert_eq!(
        acme["owners"][0]["owner"],
        report["owners"]["rows"][0]["owner"]
    );
    assert_eq!(acme["by_repository"][0]["repo_name"], "__pay__");
    let gates = json!([{"org_name": "acme", "repo_name": "__pay__", "failed": 1, "judged": 1}]);
    assert_eq!(acme["gates"], gates);
    assert!(!acme.to_string().contains("quiet"), "{acme:#}");
    let lines = acme["text"].as_str().unwrap().lines().count();
    assert_eq!(lines, 5, "{}", acme["text"]);
    assert_eq!(data("quiet")["silent"][0]["repo_name"], "old");

    let [slack] = &of("/slack")[..] else {
        panic!("{notified:#?}")
    };
    let text = slack["blocks"][0]["text"]["text"].as_str().unwrap();
    assert_eq!(slack["blocks"][0]["text"]["type"], "plain_text");
    assert!(text.starts_with("acme, @channel, "), "{text}");
    let url = slack["blocks"][1]["elements"][0]["url"].as_str().unwrap();
    assert!(url.contains("&owner=%40channel&from="), "{url}");

    let [mattermost] = &of("/mattermost")[..] else {
        panic!("{notified:#?}")
    };
    let text = mattermost["text"].as_str().unwrap();
    for mention in ["@all", "@channel", "@here"] {
        let mentions = text.matches(mention).count();
        let in_code = text.matches(&format!("`{mention}")).count();
        assert_eq!(mentions, in_code, "{mention} in {text}");
    }
    assert_eq!(text.lines().count(), 5, "{text}");

    let [teams] = &of("/teams")[..] else {
        panic!("{notified:#?}")
    };
    let body = teams["attachments"][0]["content"]["body"]
        .as_array()
        .unwrap();
    assert_eq!(body.len(), 5);
    let is_text = |block: &Value| block["inlines"][0]["type"] == "TextRun";
    assert!(body.iter().all(is_text), "{body:#?}");
}
