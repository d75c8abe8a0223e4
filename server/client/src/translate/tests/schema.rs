//! All keys of Codecov's public schema: none is lost without a word.

use super::{Translation, Tree};
use crate::translate::reasons;
use serde_json::Value;

/// A file for each group of keys. Each value differs from what Codecov does without the key.
const FILES: [&str; 15] = [
    "codecov: {url: https://codecov.example.com, slug: acme/app, token: abc, bot: kim, branch: trunk, ci: [ci.example.com], \
     assume_all_flags: true, strict_yaml_branch: main, max_report_age: 24h, disable_default_path_fixes: true, require_ci_to_pass: false, \
     allow_coverage_offsets: true, allow_pseudo_compare: false, archive: {uploads: false}}",
    "codecov: {notify: {after_n_builds: 2, countdown: 5, delay: 9, wait_for_ci: false, require_ci_to_pass: false, manual_trigger: true, \
     notify_error: true}}",
    "codecov: {ui: {hide_density: true, hide_complexity: true, hide_contextual: true, hide_sunburst: true, hide_search: true}}",
    "coverage: {precision: 3, round: up, range: [60, 90]}",
    "coverage: {notify: {slack: {default: {url: x, threshold: 1, only_pulls: true, branches: [main], message: x, attachments: sunburst, \
     flags: [a], paths: [b]}}, irc: {default: {server: x, channel: y, nickserv_password: z, notice: true}}, gitter: {default: {url: x}}, \
     hipchat: {default: {url: x, room: y, card: true}}, webhook: {default: {url: x}}, email: {default: {to: [x], layout: diff}}}}",
    "coverage: {status: {default_rules: {flag_coverage_not_uploaded_behavior: exclude, carryforward_behavior: exclude}, \
     project: {default: {target: 80, threshold: 2}}, patch: {default: {target: 90%, threshold: 5%}}, changes: true}}",
    "coverage: {status: {project: {default: {target: 80, base: pr, branches: [main], include_changes: true, disable_approx: true, \
     if_no_uploads: error, if_not_found: success, if_ci_failed: error, only_pulls: true, skip_if_assumes: true, \
     carryforward_behavior: exclude, removed_code_behavior: off, flag_coverage_not_uploaded_behavior: exclude, measurement: line, \
     hide_project_coverage: true, informational: true}}}}",
    "coverage: {status: {project: {web: {target: 70, paths: [web/]}, unit: {target: 60, flags: [unit]}, lines: {target: auto, threshold: 1}}, \
     patch: {web: {target: 50, paths: [web/]}}, changes: {web: {paths: [web/]}}}}",
    "coverage: {ignore: [old/], fixes: ['a/::b/']}\nignore: [gen/, '(a|b)/.*']\nfixes: ['build/::']",
    "coverage: {status: {patch: {default: {target: 90}}}}\nparsers: {go: {partials_as_hits: true}, \
     gcov: {branch_detection: {conditional: true, loop: true, method: true, macro: true}}, javascript: {enable_partials: true}, \
     v1: {include_full_missed_files: true}, cobertura: {handle_missing_conditions: true}}",
    "flags: {unit: {carryforward: true, carryforward_mode: labels, joined: false, required: true, ignore: [a/], paths: [src/], \
     assume: {branches: [main]}, after_n_builds: 2}, lone: {}}",
    "flag_management: {default_rules: {carryforward: true, carryforward_mode: all, statuses: [{type: project, target: 80, threshold: 2}]}, \
     individual_flags: [{name: web, paths: [web/], ignore: [web/old/], carryforward_mode: labels, after_n_builds: 2, assume: true}, \
     {name: unit, carryforward: false, statuses: [{type: patch, target: 90, base: pr, branches: [main], name_prefix: x-}]}]}",
    "component_management: {default_rules: {statuses: [{type: project, target: 80}], flag_regexes: [a.*], paths: [b/]}, \
     individual_components: [{component_id: web, name: Web, flag_regexes: [c.*], paths: [web/]}, \
     {component_id: fee, paths: [fee/], statuses: [{type: patch, target: 70, threshold: 1}]}, {component_id: none, name: None}]}",
    "comment: {layout: diff, behavior: new, require_changes: true, require_base: true, require_head: false, show_critical_paths: true, \
     branches: [main], paths: [src/], flags: [unit], after_n_builds: 2, show_carryforward_flags: true, hide_comment_details: true, \
     hide_project_coverage: true, require_bundle_changes: true, bundle_change_threshold: 1}",
    "github_checks: {annotations: false}\nslack_app: {enabled: false}\nprofiling: {fixes: ['a::b'], grouping_attributes: [x], \
     critical_files_paths: [src/]}\ncli: {plugins: {pycoverage: {report_type: json}}, runners: {python: {coverage_root: x}}}\n\
     bundle_analysis: {status: informational, warning_threshold: 5%}\ntest_analytics: {flake_detection: false}\nai_pr_review: {enabled: true}",
];

/// The addresses of the values that are no mappings, also in lists of mappings.
fn leaves(value: &Value, at: &str, all: &mut Vec<String>) {
    match value {
        Value::Object(keys) if !keys.is_empty() => {
            for (key, value) in keys {
                leaves(value, &format!("{at}/{key}"), all);
            }
        }
        Value::Array(list) if list.iter().any(Value::is_object) => {
            for (place, value) in list.iter().enumerate() {
                leaves(value, &format!("{at}/{place}"), all);
            }
        }
        _ => all.push(at.to_owned()),
    }
}

fn translated(file: &Value) -> (String, Vec<(String, String)>) {
    let keys = file.as_object().expect("keys").clone();
    let translation = Translation::of(Tree::of(keys));
    let settings = translation.text().expect("settings");
    (settings, translation.named)
}

#[test]
fn each_key_of_the_public_schema_becomes_a_setting_or_is_named_with_a_reason() {
    let mut lost = Vec::new();
    for text in FILES {
        let file: Value = serde_saphyr::from_str(text).expect("YAML");
        let whole = translated(&file);
        for (key, reason) in &whole.1 {
            if reason == reasons::UNKNOWN {
                lost.push(format!("{key} has no reason"));
            }
        }
        let mut all = Vec::new();
        leaves(&file, "", &mut all);
        assert!(!all.is_empty());
        for leaf in all {
            let (parent, key) = leaf.rsplit_once('/').expect("an address");
            let mut without = file.clone();
            let keys = without.pointer_mut(parent).expect("a mapping");
            let is_named = |(named, _): &(String, String)| {
                leaf[1..].replace('/', ".").starts_with(named.as_str())
            };
            if keys
                .as_object_mut()
                .and_then(|keys| keys.remove(key))
                .is_none()
            {
                lost.push(format!("{leaf} is no key"));
            }
            // A key that changes nothing if it is left out was passed over, unless its whole status is named.
            if translated(&without) == whole && !whole.1.iter().any(is_named) {
                lost.push(format!("{leaf} is passed over"));
            }
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}
