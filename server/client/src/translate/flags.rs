//! Flags, which are parts here, and components, which are views.

use super::{
    Translation, reasons,
    statuses::{Scope, Status},
    too_many,
    tree::{self, Tree, switch, texts},
};
use domain::{PartName, PartSet};
use serde_json::Value;

/// The most views of a repository (API-3, section 5).
const MAX_VIEWS: usize = 100;

/// A flag or component.
struct Item {
    key: String,
    name: String,
    keys: Tree,
}

/// Takes flags and components. Returns their statuses.
pub(super) fn take(translation: &mut Translation, tree: &mut Tree) -> Vec<Status> {
    let mut flags = items(
        translation,
        tree,
        "flag_management.individual_flags",
        "name",
    );
    // Flags of the older form do not get them.
    fill(tree, "flag_management", &mut flags);
    flags.extend(mappings(translation, tree));
    let (mut carried, mut statuses) = (Vec::<String>::new(), Vec::new());
    for Item {
        key,
        name,
        mut keys,
    } in flags
    {
        let Some(part) = translation.part(&key, &name) else {
            continue;
        };
        let carries = keys.take("carryforward", switch);
        if carries == Some(true) && !carried.contains(&part) {
            match carried.len() {
                PartSet::MAX => {
                    translation.name(format!("{key}.carryforward"), too_many(PartSet::MAX))
                }
                _ => carried.push(part.clone()),
            }
        }
        let paths = keys.take("paths", texts).unwrap_or_default();
        let of_view = format!("{key}.paths");
        if translation.view(&of_view, &part, paths) {
            let reason = format!(
                "The view `{part}` has these files of all parts, the part `{part}` has all its files."
            );
            translation.name(of_view, reason);
        }
        let scope = Scope::Part(part);
        statuses.extend(Status::of_item(translation, &key, &scope, &mut keys));
        translation.name_rest(&key, keys);
    }
    if !carried.is_empty() {
        translation
            .settings
            .insert("carry".to_owned(), carried.into());
    }
    let mut components = items(
        translation,
        tree,
        "component_management.individual_components",
        "component_id",
    );
    fill(tree, "component_management", &mut components);
    for Item {
        key,
        name,
        mut keys,
    } in components
    {
        let Some(view) = translation.part(&key, &name) else {
            continue;
        };
        // Without a view, there is nothing that a rule could count for.
        let paths = keys.take("paths", texts).unwrap_or_default();
        if translation.view(&format!("{key}.paths"), &view, paths) {
            let scope = Scope::View(view);
            statuses.extend(Status::of_item(translation, &key, &scope, &mut keys));
        }
        translation.name_rest(&key, keys);
    }
    statuses
}

/// The flags of the older form, whose names are keys.
fn mappings(translation: &mut Translation, tree: &mut Tree) -> Vec<Item> {
    let Some(flags) = tree.take("flags", tree::mapping) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (name, flag) in flags.entries() {
        let key = format!("flags.{name}");
        match flag {
            Value::Object(keys) if !keys.is_empty() => {
                let keys = Tree::of(keys);
                all.push(Item { key, name, keys });
            }
            Value::Object(_) | Value::Null => translation.name(
                key,
                "A flag without settings: its uploads are a part of this name.",
            ),
            _ => translation.name(key, reasons::STRANGE),
        }
    }
    all
}

/// The mappings of a list with their names.
fn items(translation: &mut Translation, tree: &mut Tree, list: &str, name: &str) -> Vec<Item> {
    let values = tree.take(list, tree::list).unwrap_or_default();
    let mut all = Vec::new();
    for (place, value) in values.iter().enumerate() {
        let mut keys = tree::mapping(value).unwrap_or_default();
        match keys.take(name, texts).unwrap_or_default().pop() {
            Some(name) => all.push(Item {
                key: format!("{list}.{name}"),
                name,
                keys,
            }),
            None => translation.name(format!("{list}[{place}]"), format!("It has no `{name}`.")),
        }
    }
    all
}

/// Gives items the default rules of their section. Without items, the default rules are left.
fn fill(tree: &mut Tree, section: &str, items: &mut [Item]) {
    if items.is_empty() {
        return;
    }
    for rule in ["carryforward", "statuses"] {
        let key = format!("{section}.default_rules.{rule}");
        let Some(value) = tree.take(&key, tree::any) else {
            continue;
        };
        for item in &mut *items {
            item.keys.default(rule, &value);
        }
    }
}

impl Translation {
    /// The part or view for the name of a flag or component, which may have other characters.
    pub(super) fn part(&mut self, key: &str, name: &str) -> Option<String> {
        let lower = name.to_ascii_lowercase();
        let legal = lower.replace(
            |c: char| !(c.is_ascii_alphanumeric() || "._-".contains(c)),
            "-",
        );
        let legal = legal.trim_start_matches(['.', '_', '-']);
        if legal.parse::<PartName>().is_err() {
            self.name(
                key,
                "Names have 1 to 64 lower-case letters, digits or . _ -; choose another one.",
            );
            return None;
        }
        if legal != name {
            self.name(
                key,
                format!(
                    "Its name here is {legal}: names have lower-case letters, digits or . _ -."
                ),
            );
        }
        Some(legal.to_owned())
    }

    /// Defines a view by patterns. Returns whether it has any. Patterns that only take files out select all others.
    pub(super) fn view(&mut self, key: &str, view: &str, paths: Vec<String>) -> bool {
        let mut patterns = self.patterns(key, paths);
        if patterns.first().is_some_and(|first| first.starts_with('!')) {
            patterns.insert(0, "**".to_owned());
        }
        let has_patterns = !patterns.is_empty();
        if has_patterns {
            self.add(key, (&["views"], view, MAX_VIEWS), patterns.into());
        }
        has_patterns
    }
}
