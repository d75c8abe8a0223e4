//! The contents of `coverage-dashboard.toml`, and its errors.

use super::*;
use domain::{GateRules, GlobList, Limits, NewSince, OwnersOf, PartialLines};

#[test]
fn every_rule_of_a_file_is_read() {
    let settings = Settings::read(
        b"parts = [\"unit\", \"web\"]\ncarry = [\"e2e\"]\nignore = [\"gen/**\", \"!gen/a.c\"]\npartial = \"miss\"\n\
          owners_of = \"gitlab\"\n\
          new_since = \"tag:v2.3\"\n[gate]\nchanged = 80\nchanged_min = 1\nlost = 0\nfloor = 70\nbranches_floor = 60\n\
          functions_floor = 0\nevaluate = true\nmain = true\n\
          [gate.paths.\"billing/**\"]\nchanged = 95\nlost = 2\nfloor = 100\n\
          [gate.parts.e2e]\nfloor = 0\n[gate.views.\"owner:@acme/pay\"]\nlost = 1\n\
          [views]\napi = [\"src/**\", \"!src/gen/**\"]\n",
    )
    .expect("settings");
    let limits = |changed, lost, floor| Limits {
        changed,
        lost,
        floor,
    };
    let rules = GateRules {
        all: limits(Some(80), Some(0), Some(70)),
        branches_floor: Some(60),
        functions_floor: Some(0),
        changed_min: Some(1),
        evaluate: Some(true),
        main: Some(true),
        partial: Some(PartialLines::Miss),
        paths: [(
            "billing/**".parse().expect("a pattern"),
            limits(Some(95), Some(2), Some(100)),
        )]
        .into(),
        parts: [("e2e".parse().expect("a part"), limits(None, None, Some(0)))].into(),
        views: [(
            "owner:@acme/pay".parse().expect("a view"),
            limits(None, Some(1), None),
        )]
        .into(),
    };
    let expected = Settings {
        parts: "unit,web".parse().expect("parts"),
        stored: RecordSettings {
            carry: "e2e".parse().expect("parts"),
            rules,
            owners_of: OwnersOf::Gitlab,
            views: [(
                "api".parse().expect("a name"),
                GlobList::of(["src/**", "!src/gen/**"]).expect("patterns"),
            )]
            .into(),
            new_since: Some(NewSince::Tag("v2.3".to_owned())),
            ignore: GlobList::of(["gen/**", "!gen/a.c"]).expect("patterns"),
        },
        notices: Vec::new(),
    };
    assert_eq!(settings, expected);
}

#[test]
fn unknown_keys_are_noticed() {
    let settings = Settings::read(
        b"flags = 1\n[gate]\nchanged = 80\nmin = 3\n\
          [gate.paths.\"billing/**\"]\nchanged = 95\nevaluate = true\n[gate.parts.e2e]\nbranches_floor = 1\n",
    )
    .expect("settings");
    let named = [
        "flags",
        "gate.min",
        "gate.paths.\"billing/**\".evaluate",
        "gate.parts.\"e2e\".branches_floor",
    ];
    let notice = |key| format!("The settings have the unknown key {key}, which is ignored.");
    assert_eq!(settings.notices, named.map(notice));
    assert_eq!(settings.stored.rules.all.changed, Some(80));
}

#[test]
fn an_error_names_the_line_and_what_was_expected() {
    let many: String = (0..51)
        .map(|number| format!("{number} = {{ floor = 1 }}\n"))
        .collect();
    let many = format!("\n[gate.parts]\n{many}");
    let patterns = format!("\n[views]\nall = [{}]\n", "\"**\", ".repeat(1_001));
    let ignored = format!("\n\nignore = [{}]\n", "\"a\",".repeat(1_001));
    for (sent, line, part) in [
        (
            &b"parts = [\"unit\"]\n[gate]\nchanged = 80.5\n"[..],
            3,
            "a whole number from 0 to 100",
        ),
        (b"[gate]\nfloor = 101\n", 2, "from 0 to 100"),
        (b"[gate]\nlost = -1\n", 2, "from 0 on"),
        (b"[gate]\nevaluate = 1\n", 2, "boolean"),
        (b"[gate.paths.\"a\"]\n\nlost = \"1\"\n", 3, "from 0 on"),
        (
            b"\n[gate.paths.\"/a\"]\nlost = 1\n",
            2,
            "\"/a\" must be a path",
        ),
        (b"\n\n[gate.parts]\nE2E = {}\n", 4, "\"E2E\" must be"),
        (b"gate = 3\n", 1, "invalid type"),
        (many.as_bytes(), 2, "at most 50"),
        (ignored.as_bytes(), 3, "at most 1000 patterns"),
        (
            b"ignore = [\"a\",\n\"/gen/**\"]",
            1,
            "\"/gen/**\" must be a path",
        ),
        (b"\nignore = \"a\"", 2, "a sequence"),
        (b"\n\nparts = [\"../x\"]", 3, "\"../x\" must be"),
        (b"\ncarry = [\"A\"]", 2, "\"A\" must be"),
        (b"partial = \"maybe\"", 1, "hit"),
        (b"[gate.views.\"api\"]\n", 1, "\"api\" must be folder:"),
        (b"owners_of = \"gitea\"", 1, "github"),
        (b"\nnew_since = \"v2.3\"", 2, "tag:v2.3"),
        (b"[views]\nAPI = []\n", 2, "\"API\" must be"),
        (b"[views]\n\napi = [\"!/a\"]\n", 3, "\"!/a\" must be a path"),
        (
            patterns.as_bytes(),
            2,
            "at most 100 views with 1000 patterns",
        ),
        (b"parts = [\n\"unit\"\n", 2, "unclosed array"),
        (b"a = 1\n\xff", 2, "UTF-8"),
    ] {
        let error = Settings::read(sent).expect_err("no settings");
        assert_eq!(error.line, line, "{error}");
        assert!(error.problem.contains(part), "{error}");
    }
}

#[test]
fn an_empty_file_says_nothing() {
    assert_eq!(Settings::read(b""), Ok(Settings::default()));
}
