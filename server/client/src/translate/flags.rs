//! Flags, which are parts here, and components, which are views.

use super::{
    Translation,
    statuses::{Rule, Scope},
    tree::{Tree, switch, texts},
};
use domain::PartName;
use serde_json::Value;

pub(super) fn take(translation: &mut Translation, tree: &mut Tree) {
    let by_default = tree.take("flag_management.default_rules.carryforward");
    let by_default = by_default.is_some_and(|value| switch(&value) == Some(true));
    let mut carried = Vec::new();
    let flags = Tree::of_value(tree.take("flags").unwrap_or_default()).entries();
    let flags = flags.map(|(name, flag)| (format!("flags.{name}"), name, flag));
    let individual = items(tree.take("flag_management.individual_flags"), "name");
    let individual = individual.into_iter().map(|(name, flag)| {
        (
            format!("flag_management.individual_flags.{name}"),
            name,
            flag,
        )
    });
    for (key, name, flag) in flags.chain(individual).collect::<Vec<_>>() {
        let Some(part) = translation.part(&key, &name) else {
            continue;
        };
        let mut flag = Tree::of_value(flag);
        let carries = flag.take("carryforward");
        if carries.map_or(by_default, |value| switch(&value) == Some(true))
            && !carried.contains(&part)
        {
            carried.push(part.clone());
        }
        translation.view(&format!("{key}.paths"), &part, flag.take("paths"));
        translation.rules(&key, &Scope::Part(part), flag.take("statuses"));
        translation.name_rest(&key, flag);
    }
    if carried.is_empty() && by_default {
        translation.name(
            "flag_management.default_rules.carryforward",
            "List the names of the parts in `carry`.",
        );
    }
    if !carried.is_empty() {
        translation
            .settings
            .insert("carry".to_owned(), carried.into());
    }
    components(translation, tree);
}

fn components(translation: &mut Translation, tree: &mut Tree) {
    let defaults = tree.take("component_management.default_rules.statuses");
    for (name, component) in items(
        tree.take("component_management.individual_components"),
        "component_id",
    ) {
        let key = format!("component_management.individual_components.{name}");
        let Some(view) = translation.part(&key, &name) else {
            continue;
        };
        let mut component = Tree::of_value(component);
        // The name for people; views have one name.
        drop(component.take("name"));
        translation.view(&format!("{key}.paths"), &view, component.take("paths"));
        let own = component.take("statuses").or_else(|| defaults.clone());
        translation.rules(&key, &Scope::View(view), own);
        translation.name_rest(&key, component);
    }
}

/// The mappings of a list with their names. An item without a name gets its number.
fn items(list: Option<Value>, name: &str) -> Vec<(String, Value)> {
    let Some(Value::Array(list)) = list else {
        return Vec::new();
    };
    let items = list.into_iter().enumerate().map(|(place, item)| {
        let mut item = Tree::of_value(item);
        let name = texts(item.take(name)).into_iter().next();
        let name = name.unwrap_or_else(|| (place + 1).to_string());
        (name, item.into_value())
    });
    items.collect()
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

    /// Defines a view by patterns.
    pub(super) fn view(&mut self, key: &str, view: &str, paths: Option<Value>) {
        let patterns = self.patterns(key, paths);
        if !patterns.is_empty() {
            self.table(&["views"])
                .insert(view.to_owned(), patterns.into());
        }
    }

    /// Sets the rules of a list of statuses with types.
    fn rules(&mut self, key: &str, scope: &Scope, statuses: Option<Value>) {
        let Some(Value::Array(statuses)) = statuses else {
            return;
        };
        for status in statuses {
            let mut status = Tree::of_value(status);
            let kind = texts(status.take("type")).pop().unwrap_or_default();
            drop(status.take("name_prefix"));
            let key = format!("{key}.statuses.{kind}");
            Rule::of(&kind).set(self, &key, scope, status);
        }
    }

    /// Names the keys that are left below `key`.
    pub(super) fn name_rest(&mut self, key: &str, rest: Tree) {
        for inner in rest.leaves() {
            let key = format!("{key}.{inner}");
            let reason = super::reasons::of(&key);
            self.name(key, reason);
        }
    }
}
