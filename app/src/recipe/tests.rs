//! Tests of filled-in recipes. Tests of the server run the recipes.

use super::*;
use domain::{Language, Repository};

#[test]
fn the_placeholder_leaves_every_recipe_unchanged() {
    for system in CI_SYSTEMS.iter() {
        for recipe in &system.recipes {
            let text = recipe.text(&PLACEHOLDER);
            let line = "curl -fsS https://coverage.example.com/upload.sh | sh";
            assert!(text.contains(line), "{line} is not in {text}");
            let Some(text) = recipe.with_curl(&PLACEHOLDER) else {
                continue;
            };
            for part in [
                PLACEHOLDER.public_url,
                "coverage.tar.gz htmlcov coverage.xml",
                "language=python",
                "coverage_xml_file_name=coverage.xml",
            ] {
                assert!(text.contains(part), "{part} is not in {text}");
            }
        }
    }
}

#[test]
fn a_recipe_mentions_only_its_own_upload() {
    let upload = Upload {
        public_url: "http://10.0.0.7:3000",
        org: "zoo/sub",
        repo: "lion",
        language: "c++",
        packed: "out",
        report: "out/c.xml",
        files: "out/c.xml",
        tests: "make \"$DEEP\"\nmake report",
        image: "gcc:14",
        prepare: "apt-get update",
        setup: "- uses: actions/setup-c@v1\n  with:\n    c: 1",
    };
    for system in CI_SYSTEMS.iter() {
        for recipe in &system.recipes {
            let line = "curl -fsS http://10.0.0.7:3000/upload.sh | sh";
            let text = recipe.text(&upload);
            assert!(text.contains(line), "{line}");
            let is_left = text.contains("/@") || text.contains("  @") || text.contains("python");
            assert!(!is_left, "a marker or the example is left in {text}");
            if system.key != "shell" {
                assert_eq!(text.matches("make report").count(), 1, "{text}");
                assert!(text.contains("-s -- --fail-on gate out/c.xml"), "{text}");
                let dollar = if system.key == "buildkite" { "$$" } else { "$" };
                assert!(
                    text.contains(&format!(" make \"{dollar}DEEP\"\n")),
                    "{text}"
                );
                let prepares = text.contains("gcc:14") == text.contains("apt-get update");
                assert!(prepares, "an image is completed: {text}");
                let installs = prepares && text.contains("gcc:14");
                let has_steps = text.contains("actions/setup-c@v1");
                let is_own = ["jenkins", "buildkite"].contains(&&system.key[..]);
                assert!(
                    installs || has_steps || is_own,
                    "{} has the tools",
                    system.key
                );
            }
            let Some(text) = recipe.with_curl(&upload) else {
                continue;
            };
            for left in [
                "example.com",
                "acme",
                "payments",
                "python",
                "htmlcov",
                "=coverage.xml",
            ] {
                assert!(!text.contains(left), "{left} is left in {text}");
            }
            for part in [
                "http://10.0.0.7:3000",
                "tar -czf coverage.tar.gz out\n",
                "language=c++",
                "coverage_xml_file_name=out/c.xml",
            ] {
                assert!(text.contains(part), "{part} is not in {text}");
            }
        }
    }
}

#[test]
fn systems_languages_and_tools_are_found_only_by_their_keys() {
    for (index, system) in CI_SYSTEMS.iter().enumerate() {
        assert_eq!(CiSystem::find(&system.key), Some(system));
        assert!(
            CI_SYSTEMS[..index]
                .iter()
                .all(|other| other.key != system.key)
        );
        assert!(!system.recipes.is_empty());
    }
    for (index, language) in LANGUAGES.iter().enumerate() {
        assert_eq!(ToolLanguage::find(&language.key), Some(language));
        assert!(
            LANGUAGES[..index]
                .iter()
                .all(|other| other.key != language.key)
        );
        for tool in &language.tools {
            assert_eq!(language.tool(&tool.key), Some(tool));
        }
        assert_eq!(language.tool("nothing"), language.tools.first());
    }
    assert_eq!((CiSystem::find(""), ToolLanguage::find("")), (None, None));
}

#[test]
fn the_service_accepts_every_language() {
    for language in LANGUAGES.iter() {
        let parsed: Result<Language, _> = language.key.parse();
        assert!(parsed.is_ok(), "{}", language.key);
        for tool in &language.tools {
            let names_it = tool
                .report
                .starts_with(tool.packed.split(' ').next().unwrap_or_default())
                || tool.packed.split(' ').any(|packed| packed == tool.report)
                || tool.packed.contains('*');
            assert!(names_it, "{} is not in {}", tool.report, tool.packed);
        }
    }
    let python = ToolLanguage::find(PLACEHOLDER.language).and_then(|python| python.tool("pytest"));
    let pytest = python.expect("the tool of the example");
    assert_eq!(PLACEHOLDER.tests, pytest.tests());
    assert_eq!(PLACEHOLDER.image, pytest.runtime.image);
    assert_eq!(PLACEHOLDER.setup, pytest.runtime.setup);
    let placeholder: Result<Repository, _> =
        format!("{}/{}", PLACEHOLDER.org, PLACEHOLDER.repo).parse();
    assert!(placeholder.is_ok());
}
