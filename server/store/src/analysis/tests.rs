//! What readers of one record share, and what an analysis may cost.

use super::*;
use crate::{lines::tests::upload, testing::TestStore};
use ::lines::{FileLines, Line, Lines};
use domain::{Limits, PathGlob};

#[tokio::test]
async fn a_reader_takes_an_analysis_that_another_has_just_computed() {
    let store = TestStore::new().await;
    let published = store.writer().publish(&upload("main", "c1")).await;
    let id = published.expect("a record").record.id;
    let found = stored::find(&store, id, None).await.expect("an answer");
    let place = store.analysing.get(id);
    let mut computing = place.lock().await;
    let reader = Store::clone(&store);
    let reading = tokio::spawn(async move { reader.everything().analysis(id).await });
    let analysis = Analysis {
        stale_hunks: vec!["computed once".to_owned()],
        ..Analysis::default()
    };
    *computing = Some(New {
        key: found.expect("the record").key,
        rules: None,
        definitions: None,
        analysis: analysis.clone(),
    });
    drop(computing);
    let read = reading.await.expect("it ends").expect("an answer");
    assert_eq!(read.expect("the record").analysis, analysis);
    drop(place);
    let read = store.everything().analysis(id).await.expect("an answer");
    assert_eq!(read.expect("the record").analysis, Analysis::default());
}

#[test]
fn patterns_that_cost_too_many_steps_are_skipped_and_said() {
    let floor = Limits {
        floor: Some(50),
        ..Limits::default()
    };
    let pattern = |length: usize| -> PathGlob { "?".repeat(length).parse().expect("a pattern") };
    let rules = GateRules {
        paths: (206..256).map(|length| (pattern(length), floor)).collect(),
        ..GateRules::default()
    };
    let verdict = |files: u32| {
        let mut lines = Lines::default();
        for file in 0..files {
            let line = [(Line::new(1, 1, false), None)];
            lines.add(
                format!("{}{file:4}", "a".repeat(1_000)),
                FileLines::from_iter(line),
            );
        }
        let known = gate::Known {
            total: None,
            branches: None,
            functions: None,
            is_united: false,
            lines: Some(&lines),
            changed: None,
            lost: None,
            no_changed: None,
            no_lost: None,
            base: gate::KnownBase::default(),
        };
        let numbers = GateNumbers::measure(&rules, &known, Vec::new(), &RuledViews::default());
        numbers.judge(&RecordParts::default()).expect("a verdict")
    };
    assert!(
        !verdict(1)
            .skipped
            .iter()
            .any(|why| why.contains("too many"))
    );
    let costly = verdict(3_000);
    assert_eq!(costly.skipped.len(), 50);
    let why = "the patterns and files are too many to be matched; use fewer or shorter patterns";
    assert!(costly.skipped[0].ends_with(why), "{:?}", costly.skipped[0]);
}
