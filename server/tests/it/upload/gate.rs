//! The command `gate`, and the rules of `coverage-dashboard.toml` that uploads send.

mod verdicts;

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};

async fn upload(server: &TestServer, branch: &str, commit: &str, settings: &str) {
    Upload::of(Archive::report("<p>", &cobertura(80, 100)).tar_gz())
        .with("branch_name", branch)
        .with("commit_hash", commit)
        .before("settings", settings.as_bytes())
        .accepted(server)
        .await;
}

/// `coverage-dashboard gate …` on the database of a running server. Returns its output and its notes.
fn gate(server: &TestServer, arguments: &[&str]) -> Result<(String, String), String> {
    let arguments = [&["gate"], arguments].concat();
    let output = server.command(&arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let notes = text(output.stderr);
    if output.status.success() {
        Ok((text(output.stdout), notes))
    } else {
        Err(notes)
    }
}

fn shown(server: &TestServer) -> String {
    let arguments = ["show", "--org", "ACME", "--repo", "payments"];
    gate(server, &arguments).unwrap().0
}

#[tokio::test]
async fn the_command_shows_each_rule_and_where_it_comes_from() {
    let server = TestServer::start().await;
    let settings = "partial = \"miss\"\n[gate]\nchanged = 50\nfloor = 60\nbranches_floor = 40\n[gate.paths.\"src/**\"]\nlost = 1\n";
    upload(&server, "main", "c1", settings).await;
    let (_, notes) = gate(&server, &["set", "--org", "acme", "--changed", "80"]).unwrap();
    let sentence = "The gate of acme/… is: changed 80.\n";
    assert!(notes.ends_with(sentence), "{notes}");
    let own = ["--org", "acme", "--repo", "payments"];
    let rules = [
        "--lost=0",
        "--functions-floor=7",
        "--changed-min=1",
        "--evaluate",
    ];
    gate(&server, &[&["set"], &own[..], &rules].concat()).unwrap();
    let scoped = ["--path=src/**:floor=9", "--part=e2e:changed=7"];
    gate(&server, &[&["set"], &own[..], &scoped].concat()).unwrap();
    let expected = "\
lost                  0  repository acme/payments
functions_floor       7  repository acme/payments
changed_min           1  repository acme/payments
evaluate           true  repository acme/payments
src/**: floor         9  repository acme/payments
part e2e: changed     7  repository acme/payments
changed              80  org acme
floor                60  coverage-dashboard.toml of the main branch
branches_floor       40  coverage-dashboard.toml of the main branch
partial            miss  coverage-dashboard.toml of the main branch
src/**: lost          1  coverage-dashboard.toml of the main branch
";
    assert_eq!(shown(&server), expected);

    let evaluate = ["set", "--org=acme", "--repo=payments", "--evaluate=false"];
    let (_, notes) = gate(&server, &evaluate).unwrap();
    assert!(
        notes.contains("lost 0") && notes.contains("evaluate false"),
        "{notes}"
    );
    let (_, notes) = gate(&server, &[&["clear"], &own[..]].concat()).unwrap();
    assert!(notes.contains("is removed. It was: lost 0"), "{notes}");
    let (_, notes) = gate(&server, &[&["clear"], &own[..]].concat()).unwrap();
    assert!(notes.contains("has no gate of its own"), "{notes}");
    gate(&server, &["clear", "--org", "acme"]).unwrap();
    assert!(shown(&server).starts_with("changed           50  coverage-dashboard.toml"));
}

#[tokio::test]
async fn a_branch_cannot_weaken_the_rules_with_its_settings() {
    let server = TestServer::start().await;
    upload(&server, "main", "c1", "[gate]\nfloor = 60\n").await;
    let before = shown(&server);
    upload(&server, "next", "c2", "[gate]\nfloor = 0\n").await;
    assert_eq!(shown(&server), before);
    upload(&server, "main", "c2", "[gate]\nfloor = 0\n").await;
    assert_ne!(shown(&server), before);
}

#[tokio::test]
async fn a_gate_may_be_set_before_the_first_upload() {
    let server = TestServer::start().await;
    // The start creates the tables.
    server.get("/coverages-api/health").await;
    let own = ["--org=acme", "--repo=payments"];
    let (_, notes) = gate(&server, &[&["set"], &own[..], &["--floor=70"]].concat()).unwrap();
    let note =
        "Nothing was ever uploaded to acme/payments; a gate counts from the first upload on.";
    assert!(notes.contains(note), "{notes}");
    upload(&server, "main", "c1", "").await;
    let (rules, notes) = gate(&server, &[&["show"], &own[..]].concat()).unwrap();
    assert_eq!(rules, "floor  70  repository acme/payments\n");
    assert!(!notes.contains(note), "{notes}");
    let (rules, notes) = gate(&server, &["show", "--org=other"]).unwrap();
    assert_eq!(rules, "");
    assert!(notes.contains("No rule is set for other/…."), "{notes}");
}

#[tokio::test]
async fn a_wrong_rule_changes_nothing_and_says_what_is_expected() {
    let server = TestServer::start().await;
    upload(&server, "main", "c1", "").await;
    for (rule, expected) in [
        (&[][..], "name at least one rule"),
        (&["--changed=101"], "0..=100"),
        (&["--floor=70.5"], "invalid digit"),
        (&["--lost=-1"], "invalid digit"),
        (&["--evaluate=maybe"], "[possible values: true, false]"),
        (&["--partial=some"], "[possible values: hit, miss]"),
        (&["--path=src/**"], "expected a name, a colon"),
        (&["--path=/src:floor=1"], "must be a path in the repository"),
        (&["--part=E2E:floor=1"], "lower-case"),
        (&["--repo=a/b", "--floor=1"], "--repo"),
    ] {
        let arguments = [&["set", "--org=acme"], rule].concat();
        let error = gate(&server, &arguments).unwrap_err();
        assert!(error.contains(expected), "{rule:?}: {error}");
    }
    assert_eq!(shown(&server), "");
}
