//! The gate on a record's page.

use super::*;
use domain::{Gate, Verdict};

fn with(verdict: Verdict, reasons: &[&str], skipped: &[&str]) -> RecordDetail {
    let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    RecordDetail {
        gate: Some(Gate {
            verdict,
            reasons: texts(reasons),
            kept: Vec::new(),
            skipped: texts(skipped),
            evaluate: false,
        }),
        ..record()
    }
}

#[tokio::test]
async fn a_failed_gate_names_its_reasons_and_skipped_rules() {
    let reason = "18 of 24 changed lines are covered, 80 % needs 20: src/<b>.rs 41–46";
    let skipped = "lost: there is no record of the base commit";
    let html = page(with(Verdict::Failed, &[reason], &[skipped]), "/records/7").await;
    assert_shows(
        &html,
        &[
            "The gate failed",
            ">18 of 24 changed lines are covered, 80 % needs 20<",
            ">src/&lt;b&gt;.rs<",
            "/records/7/source?path=src%2F%3Cb%3E.rs&amp;line=41-46",
            ">41–46</a>",
            skipped,
            "id=\"gate\"",
        ],
    );
}

#[tokio::test]
async fn a_passed_gate_is_one_line_and_no_gate_is_none() {
    let html = page(with(Verdict::Passed, &[], &[]), "/records/7").await;
    assert_shows(&html, &["The gate passed"]);
    let html = page(record(), "/records/7").await;
    assert!(!html.contains("id=\"gate\""), "{html}");
}
