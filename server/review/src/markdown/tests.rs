use super::*;
use domain::{
    BaseRecord, ChangedFile, ChangedLines, FoundBy, Gate, LineRange, LostLines, PartContent,
    Percentage, RecordBeside, RecordPart, Timestamp,
};
use store::Record;

fn at(basis_points: u16) -> Percentage {
    Percentage::from_basis_points(basis_points)
}

fn record(language: &str) -> RecordSummary {
    RecordSummary {
        record: Record {
            id: 12,
            repository: "acme/payments".parse().expect("a repository"),
            branch: "fix".parse().expect("a branch"),
            commit: "5601846aa".parse().expect("a commit"),
            author: "Kim".to_owned().try_into().expect("an author"),
            language: language.parse().expect("a language"),
            percentage: at(8_124),
            created_at: Timestamp(0),
            updated_at: Timestamp(0),
        },
        has_report: false,
        paths: None,
        uploaded_paths: None,
        ignored: None,
        branches: None,
        functions: None,
        parts: RecordParts::default(),
        measured_commit: None,
        pull_request: None,
        base: None,
        changed_lines: None,
        lost: None,
        explanation: None,
        gate: None,
        stale_hunks: Vec::new(),
        unknown_changes: None,
        sum_of_lines: None,
    }
}

fn of(records: &[&RecordSummary]) -> String {
    let places = Places {
        public_url: "https://c.example".to_owned(),
        reports: ReportLinks::default(),
    };
    markdown(records, &places)
}

fn part(name: &str) -> RecordPart {
    RecordPart {
        name: name.parse().expect("a name"),
        at: Timestamp(0),
        content: PartContent::Skipped("docs".to_owned()),
    }
}

fn full() -> RecordSummary {
    let file = |path: &str, missed: &[LineRange], coverable| ChangedFile {
        path: path.to_owned(),
        old_path: None,
        covered: coverable
            - missed
                .iter()
                .map(|(first, last)| u64::from(last - first) + 1)
                .sum::<u64>(),
        coverable,
        missed: missed.to_vec(),
        partial: Vec::new(),
    };
    RecordSummary {
        has_report: true,
        base: Some(BaseRecord {
            record: RecordBeside {
                id: 9,
                commit: "5b174c2dff".parse().expect("a commit"),
                percentage: at(8_165),
                updated_at: Timestamp(0),
            },
            branch: "main".parse().expect("a branch"),
            found_by: FoundBy::Commit,
        }),
        changed_lines: Some(ChangedLines {
            base_commit: None,
            covered: 22,
            coverable: 24,
            files: vec![
                file("src/a.rs", &[], 10),
                file("src/tax.rs", &[(41, 42)], 14),
            ],
            unmeasured: Vec::new(),
            unknown: None,
        }),
        lost: Some(LostLines {
            lines: 3,
            files: vec![("src/b.rs".to_owned(), vec![(7, 9)])],
            unmeasured: Vec::new(),
        }),
        gate: Some(Gate {
            verdict: Verdict::Failed,
            reasons: vec![
                "3 unchanged lines are no longer run, 0 are allowed: src/b.rs 7–9".to_owned(),
            ],
            kept: Vec::new(),
            skipped: Vec::new(),
            evaluate: false,
        }),
        parts: RecordParts {
            arrived: vec![part("unit"), part("web")],
            expected: "unit,web,e2e".parse().expect("parts"),
            ..RecordParts::default()
        },
        ..record("rust")
    }
}

#[test]
fn a_section_has_the_number_the_changed_lines_the_gate_the_files_and_its_origin() {
    let expected = "\
**Coverage 81.24 %** (incomplete) · changed lines **22 of 24** · [report](https://c.example/reports/12/) · [details](https://c.example/records/12)

❌ **Gate failed**: 3 unchanged lines are no longer run, 0 are allowed: `src/b.rs` 7–9

2 changed lines are not covered: [`src/tax.rs` 41–42](https://c.example/records/12/source?path=src%2Ftax.rs&line=41-42#L41)

<details><summary>3 files</summary>

| file | changed lines covered | lines lost |
|---|--:|--:|
| [`src/b.rs`](https://c.example/records/12/source?path=src%2Fb.rs) | – | 3 |
| [`src/tax.rs`](https://c.example/records/12/source?path=src%2Ftax.rs) | 12 of 14 | 0 |
| [`src/a.rs`](https://c.example/records/12/source?path=src%2Fa.rs) | 10 of 10 | 0 |

</details>

<sub>base `5b174c2d` (main) · head `5601846a` · 2 of 3 parts: unit, web; waiting for e2e</sub>";
    assert_eq!(of(&[&full()]), expected);
}

#[test]
fn the_details_of_a_pull_request_are_on_its_page_and_the_head_leads_to_the_record() {
    let text = of(&[&RecordSummary {
        pull_request: Some("1421".parse().expect("a number")),
        ..record("rust")
    }]);
    for link in [
        "[details](https://c.example/repos/acme/payments/pulls/1421)",
        "head [`5601846a`](https://c.example/records/12)",
    ] {
        assert!(text.contains(link), "{text}");
    }
}

#[test]
fn languages_are_named_if_there_are_several_and_cut_if_there_are_many() {
    let (go, rust) = (record("go"), record("rust"));
    let both = of(&[&go, &rust]);
    assert!(both.contains("**Coverage of go: 81.24 %**"), "{both}");
    assert!(both.contains("**Coverage of rust: 81.24 %**"), "{both}");
    let many: Vec<_> = (0..12)
        .map(|number| record(&format!("l{number}")))
        .collect();
    let many = of(&many.iter().collect::<Vec<_>>());
    assert!(many.ends_with("And 2 more languages."), "{many}");
}

#[test]
fn what_is_not_known_is_no_number() {
    let mut unknown = full();
    unknown.lost = None;
    if let Some(gate) = &mut unknown.gate {
        gate.verdict = Verdict::Unknown;
        gate.reasons = vec!["lost: no changes were sent".to_owned()];
        gate.skipped = gate.reasons.clone();
    }
    let text = of(&[&unknown]);
    for expected in [
        "changed lines **22 of 24** · lost: unknown · ",
        "❔ **Gate unknown**: lost: no changes were sent\n",
        "| 12 of 14 | unknown |",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    if let Some(gate) = &mut unknown.gate {
        gate.verdict = Verdict::Passed;
        gate.reasons.clear();
    }
    let text = of(&[&unknown]);
    let expected = "✅ Gate passed (skipped lost: no changes were sent)";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn names_of_others_have_no_effect() {
    let mut hostile = full();
    hostile.record.language = "c#".parse().expect("a language");
    if let Some(base) = &mut hostile.base {
        base.branch = "`$(x)`@kim#1<b>".parse().expect("a branch");
    }
    if let Some(changed) = &mut hostile.changed_lines {
        changed.files[1].path = "a\n/close `@all` |<img>".to_owned();
    }
    let text = of(&[&hostile, &record("go")]);
    // Forges do not interpret text in a code span.
    assert!(text.contains("(`` `$(x)`@kim#1<b> ``)"), "{text}");
    assert!(
        !text.replace("<b> ``", "").contains("<b>") && !text.contains("\n/close"),
        "{text}"
    );
    let rows: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("| ["))
        .collect();
    assert!(
        rows.iter()
            .all(|row| row.replace("\\|", "").matches('|').count() == 4),
        "{rows:?}"
    );
}

#[test]
fn a_comment_is_worth_it_if_lines_changed_or_were_lost_or_something_is_missing() {
    let nothing = record("rust");
    assert!(!is_worth_a_comment(&nothing));
    let all = full();
    for worth in [
        RecordSummary {
            changed_lines: all.changed_lines.clone(),
            ..nothing.clone()
        },
        RecordSummary {
            lost: all.lost.clone(),
            ..nothing.clone()
        },
        RecordSummary {
            gate: all.gate.clone(),
            ..nothing.clone()
        },
        RecordSummary {
            parts: all.parts.clone(),
            ..nothing.clone()
        },
    ] {
        assert!(is_worth_a_comment(&worth));
    }
}
