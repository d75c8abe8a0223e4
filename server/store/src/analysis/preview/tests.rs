//! What other rules would have said, by stored numbers.

use super::MAX_UNPACKED_BYTES;
use crate::{
    NewChange, ReadScope, Scope,
    analysis::Analysis,
    packed::packed,
    testing::{TestStore, new_record},
};
use domain::{
    ChangedFile, ChangedLines, GatePreview, GateRules, PreviewedPullRequest, Repository, Verdict,
};

fn rules(changed: &str, paths: &str) -> GateRules {
    let fields = [("changed", changed), ("paths", paths)];
    let rules = GateRules::of_fields(|name| {
        let found = fields.iter().find(|(of, _)| *of == name);
        found.map(|(_, text)| (*text).to_owned())
    });
    rules.expect("rules")
}

async fn upload(store: &TestStore, number: usize) -> i64 {
    let mut new = new_record(
        "acme/one",
        &format!("branch-{number}"),
        &format!("c{number}"),
    );
    new.stated.change = NewChange {
        pull_request: number.to_string().parse().ok(),
        ..NewChange::default()
    };
    store
        .writer()
        .publish(&new)
        .await
        .expect("published")
        .record
        .id
}

/// Stores an analysis with 6 of 10 changed lines covered.
async fn analyse(store: &TestStore, record_id: i64) {
    let file = ChangedFile {
        path: "a/b.rs".to_owned(),
        old_path: None,
        covered: 6,
        coverable: 10,
        missed: vec![(1, 4)],
        partial: Vec::new(),
    };
    let analysis = Analysis {
        changed: Some(ChangedLines {
            covered: 6,
            coverable: 10,
            files: vec![file],
            ..ChangedLines::default()
        }),
        ..Analysis::default()
    };
    let packed = packed(&analysis, MAX_UNPACKED_BYTES).expect("packed");
    let insert = "insert into record_analyses (record_id, revision, analysis)
                  select id, revision, $2 from records where id = $1";
    let insert = sqlx::query(insert).bind(record_id).bind(packed);
    insert
        .execute(&store.write_pool)
        .await
        .expect("an analysis");
}

async fn preview(store: &TestStore, scope: ReadScope, rules: &GateRules) -> Option<GatePreview> {
    let of: Repository = "ACME/one".parse().expect("a repository");
    let found = store.reader(scope).gate_preview(&of, rules).await;
    found.expect("an answer")
}

fn verdicts(of: &[PreviewedPullRequest]) -> Vec<(String, Option<Verdict>)> {
    let of = of.iter().map(|request| {
        let foreseen = request.foreseen.as_ref().map(|gate| gate.verdict);
        (request.row.number.to_string(), foreseen)
    });
    of.collect()
}

#[tokio::test]
async fn other_rules_are_judged_by_stored_numbers_and_unknown_without_them() {
    let store = TestStore::new().await;
    for number in 1..=22 {
        upload(&store, number).await;
    }
    let last = upload(&store, 23).await;
    analyse(&store, last).await;
    let all = preview(&store, ReadScope::ALL, &rules("60", ""))
        .await
        .expect("a preview");
    let seen = verdicts(&all.pull_requests);
    assert_eq!(seen.len(), GatePreview::MOST);
    assert_eq!(seen[0], ("23".to_owned(), Some(Verdict::Passed)));
    assert_eq!(seen[1], ("22".to_owned(), Some(Verdict::Unknown)));
    let of_last = async |rules: &GateRules| {
        let found = preview(&store, ReadScope::ALL, rules)
            .await
            .expect("a preview");
        found.pull_requests[0].foreseen.clone()
    };
    let stricter = of_last(&rules("61", "")).await.expect("a gate");
    assert_eq!(stricter.verdict, Verdict::Failed);
    assert!(stricter.reasons[0].contains("6 of 10"), "{stricter:?}");
    let of_files = of_last(&rules("60", "a/**:changed=0"))
        .await
        .expect("a gate");
    assert_eq!(of_files.verdict, Verdict::Unknown);
    assert_eq!(of_last(&GateRules::default()).await, None);
    let labs = ReadScope::of([Scope::Org("labs".parse().expect("an org"))]);
    assert_eq!(preview(&store, labs, &rules("60", "")).await, None);
}
