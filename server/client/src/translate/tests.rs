//! Translations of whole files, and of patterns.

mod schema;

use super::*;

fn translated(yaml: &str) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("codecov.yml");
    std::fs::write(&file, yaml).expect("a file");
    let arguments = TranslateArguments {
        file,
        output: "-".into(),
    };
    let (mut settings, mut named) = (Vec::new(), Vec::new());
    run(&arguments, &mut settings, &mut named).expect("a translation");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let named = text(named);
    // Each key has a line of its own, and its reason the next one.
    let keys = named.lines().filter_map(|line| line.strip_prefix("  "));
    let keys = keys
        .filter(|line| !line.starts_with(' '))
        .map(str::to_owned);
    (text(settings), keys.collect())
}

#[test]
fn each_key_becomes_a_setting_or_is_named() {
    let (settings, named) = translated(
        "codecov:\n  notify:\n    after_n_builds: 3\ncoverage:\n  precision: 2\n  range: 60..80\n  status:\n    project:\n      default:\n        \
         target: 80.5%\n        threshold: 0.5%\n        if_ci_failed: error\n      ui:\n        target: 70\n        paths: [web/]\n      \
         E2E:\n        target: 40%\n        flags: [E2E]\n    patch:\n      default:\n        target: 90\n    changes: yes\n\
         ignore:\n  - '**/*.pb.go'\n  - gen\n  - '.*/migrations/.*'\n  - 'a(b|c)d'\nfixes: ['build/::src/']\n\
         flags:\n  unit:\n    paths: ['!vendor/**', 'src/**']\n    carryforward: true\n    joined: false\n  E2E:\n    carryforward: false\n\
         component_management:\n  default_rules:\n    statuses:\n      - type: patch\n        target: 95\n  individual_components:\n    \
         - component_id: billing\n      name: Billing\n      paths: ['src/billing/**']\ncomment: false\nwhat: 1\n",
    );
    assert_eq!(
        settings,
        r#"carry = ["unit"]
ignore = [
    "**/*.pb.go",
    "gen/**",
    "**/migrations/**",
]
partial = "miss"

[gate]
changed = 90
floor = 80
lost = 0

[gate.parts.e2e]
floor = 40

[gate.views."view:billing"]
changed = 95

[gate.views."view:ui"]
floor = 70

[views]
billing = ["src/billing/**"]
ui = ["web/**"]
unit = [
    "src/**",
    "!vendor/**",
]
"#
    );
    assert_eq!(
        named,
        [
            "codecov.notify.after_n_builds",
            "comment",
            "component_management.individual_components.billing.name",
            "coverage.precision",
            "coverage.range",
            "coverage.status.project.E2E.flags: E2E",
            "coverage.status.project.default.if_ci_failed",
            "fixes",
            "flags.E2E",
            "flags.unit.joined",
            "flags.unit.paths",
            "ignore: a(b|c)d",
            "what",
        ]
    );
}

#[test]
fn a_target_that_compares_with_the_base_is_named_and_switched_off_statuses_are_not() {
    let (settings, named) = translated(
        "coverage:\n  status:\n    project:\n      default:\n        target: auto\n        threshold: 1%\n    patch: off\n    changes: false\n",
    );
    assert_eq!(settings, "");
    assert_eq!(named, ["coverage.status.project.default"]);
}

#[test]
fn a_gate_that_is_only_informational_reports_and_never_fails() {
    let status = "{target: 80, informational: true}";
    let (settings, named) = translated(&format!(
        "coverage: {{status: {{project: {{default: {status}}}, patch: {status}}}}}"
    ));
    let rules = "[gate]\nchanged = 80\nevaluate = true\nfloor = 80\n";
    assert_eq!(settings, format!("partial = \"miss\"\n\n{rules}"));
    assert_eq!(named, [""; 0]);
    let (settings, _) = translated(&format!(
        "coverage: {{status: {{project: {status}, patch: {status}}}}}\nparsers: {{go: {{partials_as_hits: true}}}}"
    ));
    assert_eq!(settings, rules);
}

#[test]
fn statuses_that_cannot_fail_at_codecov_fail_nothing_here() {
    let (settings, named) = translated(
        "coverage:\n  status:\n    project:\n      default: {target: 80}\n      off: {enabled: no, target: 99}\n      \
         some: {target: 70, paths: null, flags: null, informational: on}\n\
         flag_management:\n  default_rules: {statuses: [{type: patch, target: 90, informational: true}]}\n  \
         individual_flags:\n  - {name: unit, paths: null}\n  - unnamed\nflags: {lone: null}\n",
    );
    assert_eq!(settings, "[gate]\nfloor = 80\n");
    assert_eq!(
        named,
        [
            "coverage.status.project.some",
            "flag_management.individual_flags.unit.statuses.patch",
            "flag_management.individual_flags[1]",
            "flags.lone",
        ]
    );
}

#[test]
fn values_that_codecov_does_not_document_are_named() {
    for (yaml, expected) in [
        ("flags: [unit]", "flags"),
        ("flags: {unit: yes}", "flags.unit"),
        ("ignore: {a: b}", "ignore"),
        (
            "parsers: {go: {partials_as_hits: sure}}",
            "parsers.go.partials_as_hits",
        ),
        (
            "coverage: {status: {project: [80]}}",
            "coverage.status.project",
        ),
        (
            "flag_management: {individual_flags: {unit: {carryforward: true}}}",
            "flag_management.individual_flags",
        ),
        (
            "flag_management: {individual_flags: [{name: unit, statuses: {type: patch}}]}",
            "flag_management.individual_flags.unit.statuses",
        ),
        (
            "component_management: {individual_components: [{component_id: a, paths: {b: c}}]}",
            "component_management.individual_components.a.paths",
        ),
    ] {
        assert_eq!(
            translated(yaml),
            (String::new(), vec![expected.to_owned()]),
            "{yaml}"
        );
    }
    let of_status = |keys: &str| {
        let yaml = format!("coverage: {{status: {{project: {{default: {{{keys}}}}}}}}}");
        let (settings, named) = translated(&yaml);
        let named = named
            .iter()
            .map(|key| key.replace("coverage.status.project.default", ""));
        (settings, named.collect::<Vec<_>>().join(" "))
    };
    let rule = |limit: u8| format!("[gate]\nfloor = {limit}\n");
    for (keys, settings, named) in [
        (
            "target: 80, threshold: low, informational: maybe, enabled: sometimes",
            rule(80),
            ".enabled .informational .threshold",
        ),
        ("target: '>80'", String::new(), " .target"),
        ("target: 80, paths: [], flags: []", rule(80), ""),
        (
            "target: 80, paths: ['(a|b)']",
            String::new(),
            " .paths: (a|b)",
        ),
        ("target: 0, threshold: 0.5", rule(0), ""),
        ("informational: true", String::new(), ""),
    ] {
        assert_eq!(of_status(keys), (settings, named.to_owned()), "{keys}");
    }
}

#[test]
fn old_places_and_repeated_rules_mean_what_they_mean_at_codecov() {
    let (settings, named) = translated(
        "coverage:\n  ignore: [old/]\n  flags: {U: {carryforward: true}}\n  status:\n    project:\n      a: {target: 80, flags: [u], paths: [src/]}\n      \
         b: {target: 90, flags: [U]}\n      c: {target: 70, flags: [u]}\nignore: [new/, '!keep/']\n\
         flag_management: {default_rules: {carryforward: true, statuses: [{type: patch, target: 90}]}}\n",
    );
    assert_eq!(
        settings,
        "carry = [\"u\"]\nignore = [\"old/**\"]\n\n[gate.parts.u]\nfloor = 90\n"
    );
    assert_eq!(
        named,
        [
            "coverage.status.project.a.paths",
            "coverage.status.project.b",
            "coverage.status.project.b.flags: U",
            "coverage.status.project.c",
            "flag_management.default_rules.carryforward",
            "flag_management.default_rules.statuses",
            "flags.U",
            "ignore",
        ]
    );
    let (settings, named) = translated("ignore: ['!src/**', gen/]");
    assert_eq!(settings, "ignore = [\"gen/**\"]\n");
    assert_eq!(named, ["ignore: !src/**"]);
}

#[test]
fn views_select_what_paths_select_and_entries_over_a_limit_are_named() {
    let flag = |number| format!("  f{number}: {{carryforward: true, paths: ['!docs/']}}\n");
    let flags: String = (0..60).map(flag).collect();
    let (settings, named) = translated(&format!(
        "coverage:\n  status:\n    project:\n      f0: {{target: 50, paths: [src/]}}\n      gone: {{target: 50, paths: ['(a|b)']}}\nflags:\n{flags}"
    ));
    let has = |part: &str| settings.contains(part);
    assert!(
        has("f1 = [\n    \"**\",\n    \"!docs/**\",\n]"),
        "{settings}"
    );
    assert!(has("f0 = [\"src/**\"]") && !has("gone"), "{settings}");
    let over = named.iter().filter(|key| key.ends_with(".carryforward"));
    assert_eq!(over.count(), 10);
    let replaced = "coverage.status.project.f0.paths".to_owned();
    assert!(named.contains(&replaced), "{named:?}");
}

#[test]
fn patterns_match_the_files_that_they_match_at_codecov() {
    for (theirs, ours) in [
        ("src", Some(&["src/**"][..])),
        ("./src/main.py", Some(&["src/main.py"])),
        ("docs/", Some(&["docs/**"])),
        ("**/*_test.go", Some(&["**/*_test.go"])),
        ("!src/*.rs", Some(&["!src/*.rs"])),
        (".*/tests/.*", Some(&["**/tests/**"])),
        (r".*_pb2\.py$", Some(&["**/*_pb2.py"])),
        (r"^web/[^/]+/gen\.ts", Some(&["web/*/gen.ts"])),
        ("src/old.*", Some(&["src/old*", "src/old*/**"])),
        ("src/**.py", Some(&["src/**/*.py"])),
        ("**.py", Some(&["**/*.py"])),
        ("tests**", Some(&["tests*", "tests*/**"])),
        (
            "**tests**/a.py",
            Some(&["**/*tests*/a.py", "**/*tests*/**/a.py"]),
        ),
        (
            "test/Acme.Specs",
            Some(&["test/Acme.Specs", "test/Acme.Specs/**"]),
        ),
        ("**/*_[a-z].go", None),
        ("src/*/gen/", None),
        ("a**b**/c**/d**", None),
        ("(a|b)/.*", None),
        ("src/[a-z]+/x", None),
    ] {
        let expected = ours.map(|all| all.iter().map(|&one| one.to_owned()).collect());
        assert_eq!(pattern::of(theirs), expected, "{theirs}");
    }
}

#[test]
fn an_existing_file_and_hostile_yaml_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let refused = |yaml: &[u8], output: &str| {
        std::fs::write(path("codecov.yml"), yaml).expect("a file");
        let arguments = TranslateArguments {
            file: path("codecov.yml"),
            output: path(output),
        };
        let refused = run(&arguments, Vec::new(), Vec::new());
        refused.expect_err("refused").to_string()
    };
    std::fs::write(path("there.toml"), "mine").expect("a file");
    assert!(refused(b"ignore: [a]", "there.toml").starts_with("cannot write"));
    assert_eq!(std::fs::read(path("there.toml")).expect("a file"), b"mine");
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let items = vec![format!("*a{}", level - 1); 10].join(", ");
        laughs += &format!("a{level}: &a{level} [{items}]\n");
    }
    let deep = "[".repeat(100_000);
    for (yaml, why) in [
        (laughs.as_bytes(), "is not YAML"),
        (deep.as_bytes(), "is not YAML"),
        (&b"\xff\xfe"[..], "is not YAML"),
        (&b"- a"[..], "has no keys"),
        (&vec![b'#'; MAX_BYTES + 1], "has more than 1 MiB"),
    ] {
        assert!(refused(yaml, "new.toml").ends_with(why), "{why}");
        assert!(!path("new.toml").exists());
    }
}
