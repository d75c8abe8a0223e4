//! Tests of the page of a source file.

mod run_by;

use super::*;
use crate::{
    ServiceFacts,
    testing::{FakeModel, render},
};
use domain::{
    ChainRecord, DAY, FileRow, ForgeKind, ForgeSite, ForgeSites, KnownLines, LineBranches,
    LineRange, LineState, MissedSince, NotRunSince, PartSet, SourceFiles, SourceLine, SourcePart,
    SourceReport, SourceTests, SourceText, Timestamp,
};

fn line(number: u32, state: LineState, runs: u8) -> SourceLine {
    SourceLine {
        number,
        state,
        runs,
        branches: None,
    }
}

/// The lines of `mpx`: missed, partial, hit; others are not coverable.
fn known(states: &str) -> KnownLines {
    let lines = (1..).zip(states.chars()).filter_map(|(number, char)| {
        Some(match char {
            'm' => line(number, LineState::Missed, 0),
            'p' => line(number, LineState::Partial, 3),
            'x' => line(number, LineState::Hit, 12),
            _ => return None,
        })
    });
    KnownLines {
        lines: lines.collect(),
        ..KnownLines::default()
    }
}

fn detail(lines: SourceLines) -> SourceDetail {
    SourceDetail {
        query: SourceQuery {
            id: 7,
            path: "src/a<b>.rs".to_owned(),
            ..SourceQuery::default()
        },
        repository: "acme/payments".parse().expect("a repository"),
        forge: None,
        branch: "main".parse().expect("a branch"),
        commit: "9be01d2f6a7c".parse().expect("a commit"),
        pull_request: None,
        language: "rust".parse().expect("a language"),
        count: None,
        parts: Vec::new(),
        report: Some(SourceReport::OfRecord),
        lines,
        text: None,
        changed: Vec::new(),
        lost: Vec::new(),
        tests: None,
        files: SourceFiles::default(),
    }
}

fn with_text(states: &str, text: &str) -> SourceDetail {
    SourceDetail {
        text: Some(SourceText(text.into())),
        ..detail(SourceLines::Known(known(states)))
    }
}

fn part(name: &str) -> PartName {
    name.parse().expect("a part")
}

async fn page(detail: SourceDetail) -> String {
    let site = ForgeSite {
        kind: ForgeKind::GitHub,
        name: "git.example".to_owned(),
        url: "https://git.example".to_owned(),
    };
    let model = FakeModel {
        source: Some(Some(detail)),
        facts: ServiceFacts {
            sites: ForgeSites::new(vec![site], Vec::new()).into(),
            ..ServiceFacts::default()
        },
        ..FakeModel::default()
    };
    let (status, html) = render(model, "/records/7/source?path=src/a%3Cb%3E.rs").await;
    assert_eq!(status, 200, "{html}");
    html
}

fn assert_shown(html: &str, all: &[&str]) {
    for shown in all {
        assert!(html.contains(shown), "{shown} is not on the page: {html}");
    }
}

#[tokio::test]
async fn each_line_of_the_text_has_its_number_mark_and_what_is_known_about_it() {
    let mut known = known("xmm pxx");
    known.lines[3].branches = Some(LineBranches {
        taken: 2,
        total: 3,
        missed: vec!["to line 46".to_owned()],
    });
    let html = page(SourceDetail {
        lines: SourceLines::Known(known),
        changed: vec![(3, 5)],
        lost: vec![(2, 2)],
        ..with_text("", "a\nlet x = \"</script>\";\n\u{202e}c\n\ne\nf\ng\n")
    })
    .await;
    assert_shown(
        &html,
        &[
            "66.67",
            "4 of 6 lines covered",
            "<div id=\"L1\" class=\"h\"><a href=\"#L1\" tabindex=\"-1\">1</a><i title=\"hit\">12×</i><code>a</code></div>",
            "<div id=\"L2\" class=\"m\" data-stop=\"gap\"><b title=\"lost: it ran at the base\">▼</b><a href=\"#L2\" aria-label=\"Line 2: 3 lines missed or partial\">2</a><i title=\"missed\">✗</i><code><span class=\"k\">let</span> x = <span class=\"l\">\"&lt;/script&gt;\"</span>;<small>lost: ran at the base</small></code></div>",
            "<div id=\"L3\" class=\"m\" data-stop=\"change\"><b title=\"changed\">+</b>",
            "<code><mark>⟨U+202E⟩</mark>c</code>",
            "<div id=\"L4\"><b title=\"changed\">+</b><a href=\"#L4\" tabindex=\"-1\">4</a><code></code></div>",
            "<i title=\"partial\">◐</i><code>e<small>2 of 3 branches taken, not: to line 46</small>",
            "<i>✗</i> 2 missed",
            "<i>◐</i> 1 partial",
            "data-step=\"change\"",
            "<a href=\"#L2\" tabindex=\"-1\"><path class=\"m\"",
            "<details class=\"card folded html-report\"><summary>",
        ],
    );
    assert!(!html.contains("L8"), "{html}");
}

#[tokio::test]
async fn without_text_equal_lines_are_ranges_that_open_the_page_of_the_tool() {
    let html = page(detail(SourceLines::Known(known("xx x mm mp")))).await;
    assert_shown(
        &html,
        &[
            "<div id=\"L1\" data-last=\"4\" class=\"h\">",
            ">1–4</a>",
            "<span>3 lines hit</span>",
            "<div id=\"L6\" data-last=\"9\" class=\"m\" data-stop=\"gap\">",
            "target=\"html-report\" href=\"/reports/7/?source=src%2Fa%3Cb%3E.rs&amp;line=6\"",
            "<span>3 lines missed</span>",
            "1 line partial<small>not all branches taken</small>",
            "The job did not send the text of this file",
            "<details open",
            "src=\"/reports/7/?source=src%2Fa%3Cb%3E.rs\"",
            "sandbox=\"allow-scripts allow-popups allow-downloads\"",
        ],
    );
    let html = page(SourceDetail {
        report: None,
        forge: Some("git.example".to_owned()),
        ..detail(SourceLines::Known(known("xx x mm mp")))
    })
    .await;
    let to_line = |line| {
        format!(
            "<a class=\"link\" rel=\"external\" href=\"https://git.example/acme/payments/blob/9be01d2f6a7c/src/a%3Cb%3E.rs#L{line}\">code ↗</a>"
        )
    };
    assert_shown(&html, &[&to_line(6), &to_line(10)]);
    assert!(!html.contains(&to_line(1)), "line 1 ran: {html}");
}

#[tokio::test]
async fn missed_lines_say_since_when_they_have_not_run() {
    let record = |commit: &str, day: i64| ChainRecord {
        id: day,
        commit: commit.parse().expect("a commit"),
        created_at: Timestamp(day * DAY),
    };
    let (one, two) = (record("4f2a1b2c77", 70), record("9b1c2d3e77", 122));
    let missed = [
        (3, NotRunSince::Came(one.clone())),
        (4, NotRunSince::LastRun(one.clone(), Some(two))),
        (6, NotRunSince::LastRun(one.clone(), None)),
        (8, NotRunSince::HistoryBegins(one)),
    ];
    let missed_since = missed.into_iter().map(|(line, since)| MissedSince {
        lines: (line, line),
        since: Some(since),
    });
    let lines = KnownLines {
        missed_since: missed_since.collect(),
        ..known("xxmmxmxmm")
    };
    for text in [None, Some(SourceText("\n".repeat(9).into()))] {
        let html = page(SourceDetail {
            text,
            lost: vec![(4, 4)],
            ..detail(SourceLines::Known(lines.clone()))
        })
        .await;
        assert_shown(
            &html,
            &[
                "came on 12 Mar 1970 (4f2a1b2c), never run",
                "<small>last run on 12 Mar 1970, lost by 9b1c2d3e</small>",
                ">last run on 12 Mar 1970<",
                "not run since 12 Mar 1970 or earlier",
            ],
        );
    }
}

#[tokio::test]
async fn each_part_has_its_own_percentage_lines_and_html_report() {
    let count = |covered| Some(Count { covered, total: 8 });
    let of = |name: &str, covered, has_report| SourcePart {
        name: part(name),
        has_report,
        count: count(covered),
    };
    let united = SourceDetail {
        count: count(6),
        report: Some(SourceReport::OfPart(part("unit"))),
        parts: vec![of("e2e", 2, false), of("unit", 5, true)],
        lines: SourceLines::Known(KnownLines {
            are_united: true,
            ..known("xm")
        }),
        ..with_text("", "a\nb\n")
    };
    let html = page(united.clone()).await;
    assert_shown(
        &html,
        &[
            "href=\"/records/7/source?path=src%2Fa%3Cb%3E.rs\" aria-current=\"true\"><bdi>All parts</bdi> <span class=\"muted\">75.00",
            "href=\"/records/7/source?path=src%2Fa%3Cb%3E.rs&amp;part=e2e\"><bdi>e2e</bdi> <span class=\"muted\">25.00",
            "HTML report of part unit alone: 62.50 %",
            "src=\"/reports/7/?source=src%2Fa%3Cb%3E.rs&amp;part=unit\"",
            "<i title=\"hit\">≥12×</i>",
        ],
    );
    let html = page(SourceDetail {
        query: SourceQuery {
            part: Some(part("e2e")),
            ..united.query.clone()
        },
        report: None,
        ..united
    })
    .await;
    assert_shown(
        &html,
        &[
            "No HTML report of part e2e is stored.",
            " by part <bdi>e2e</bdi> alone",
        ],
    );
}

#[tokio::test]
async fn the_most_parts_with_the_longest_names_have_a_link_each() {
    let names: Vec<_> = (0..PartSet::MAX)
        .map(|number| format!("{}{number:02}", "p".repeat(62)))
        .collect();
    let parts = names.iter().map(|name| SourcePart {
        name: part(name),
        has_report: false,
        count: Some(Count {
            covered: 1,
            total: 4,
        }),
    });
    let file = with_text("x", "a\n");
    let html = page(SourceDetail {
        query: SourceQuery {
            part: Some(part(&names[49])),
            ..file.query.clone()
        },
        parts: parts.collect(),
        ..file
    })
    .await;
    for name in &names[..49] {
        let link = format!("&amp;part={name}\"><bdi>{name}</bdi> <span class=\"muted\">25.00");
        assert_shown(&html, &[&link]);
    }
    let chosen = format!("&amp;part={}\" aria-current=\"true\">", names[49]);
    assert_shown(&html, &[&chosen]);
}

#[tokio::test]
async fn files_are_folders_that_are_open_on_the_way_to_the_file() {
    let row = |path: &str, covered| FileRow {
        path: path.to_owned(),
        lines: Count { covered, total: 4 },
        ..FileRow::default()
    };
    let html = page(SourceDetail {
        files: SourceFiles {
            rows: vec![
                row("lib/deep/x.rs", 1),
                row("main.rs", 4),
                row("src/a<b>.rs", 2),
                row("src/z.rs", 4),
            ],
            count: 900,
        },
        ..detail(SourceLines::NoSuchFile)
    })
    .await;
    assert_shown(
        &html,
        &[
            "<li><details><summary><bdi title=\"lib/deep/\"",
            "<li><details open><summary><bdi title=\"src/\" class=\"\">src/</bdi><span>75.00",
            "source?path=src%2Fa%3Cb%3E.rs\" aria-current=\"page\"><bdi title=\"a&lt;b&gt;.rs\"",
            "href=\"/records/7#files\" class=\"link\">All 900 files</a>",
        ],
    );
}

#[tokio::test]
async fn what_is_not_known_or_does_not_fit_is_said() {
    let bare = SourceDetail {
        report: None,
        ..detail(SourceLines::NotKept)
    };
    let many = "\n".repeat(crate::components::code::rows::MOST + 1);
    for (detail, shown) in [
        (
            detail(SourceLines::NotKept),
            "Lines of newer uploads are kept",
        ),
        (
            detail(SourceLines::NoSuchFile),
            "This record has no lines of this file.",
        ),
        (detail(SourceLines::Known(known("xx"))), "Every line ran"),
        (bare, "No HTML report of this record is stored"),
        (
            with_text("xmmx", "a\nb\n"),
            "2 coverable lines are after the last line of the text, 2:",
        ),
        (
            with_text("x", &many),
            "Only the first 30,000 rows are shown.",
        ),
        (
            with_text("x", &"y".repeat(4_000_000)),
            "… and 3,998,000 more characters",
        ),
    ] {
        let html = page(detail).await;
        assert!(html.contains(shown), "{shown} is not on the page");
    }
}

#[tokio::test]
async fn the_lines_that_the_address_names_are_marked() {
    let chosen = |lines: LineRange| {
        let detail = with_text("xmx", "a\nb\nc");
        let query = SourceQuery {
            lines: Some(lines),
            ..detail.query
        };
        SourceDetail { query, ..detail }
    };
    let html = page(chosen((2, 3))).await;
    assert_shown(
        &html,
        &["id=\"L2\" class=\"m on\"", "id=\"L3\" class=\"h on\""],
    );
    let address = links::source_lines(7, "a", Some((2, 3)));
    assert_eq!(address, "/records/7/source?path=a&line=2-3#L2");
    for (text, range) in [
        ("2-3", Some((2, 3))),
        ("4", Some((4, 4))),
        ("3-2", None),
        ("x", None),
    ] {
        assert_eq!(range_in_address(text), range, "{text}");
    }
}

#[tokio::test]
async fn an_unknown_record_is_not_found() {
    for path in ["/records/9/source?path=a", "/records/x/source"] {
        let model = FakeModel {
            source: Some(None),
            ..FakeModel::default()
        };
        assert_eq!(render(model, path).await.0, 404, "{path}");
    }
}
