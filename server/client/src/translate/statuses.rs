//! Statuses, which are rules of the gate here.

use super::{
    Translation,
    tree::{Tree, switch, texts},
};
use serde_json::Value;

/// What a rule counts for.
pub(super) enum Scope {
    /// The whole record.
    All,
    Part(String),
    View(String),
}

impl Scope {
    fn path(&self) -> Vec<String> {
        let keys: &[&str] = match self {
            Self::All => &["gate"],
            Self::Part(part) => &["gate", "parts", part],
            Self::View(view) => &["gate", "views", &format!("view:{view}")],
        };
        keys.iter().map(|&key| key.to_owned()).collect()
    }
}

/// The rule that a kind of status is.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    Floor,
    Changed,
    Lost,
    Unknown,
}

const AUTO: &str = "`auto` compares with the base. The nearest rule is `lost = 0`: it fails if an unchanged line is no longer covered.";
const AUTO_CHANGED: &str = "`auto` compares with the base. Set `changed` to the percentage of changed lines that you want.";
const INFORMATIONAL: &str =
    "Only the whole gate can be informational (`evaluate = true`), so this rule is left out.";
const FLAGS: &str = "Rules for several parts together have no equal: each part has the rule.";

pub(super) fn take(translation: &mut Translation, tree: &mut Tree) {
    let mut contexts = Vec::new();
    for kind in ["project", "patch", "changes"] {
        let key = format!("coverage.status.{kind}");
        match tree.take(&key) {
            Some(Value::Object(keys)) if !is_context(&keys) => {
                let named = Tree::of(keys).entries();
                contexts.extend(
                    named.map(|(name, context)| (kind, format!("{key}.{name}"), name, context)),
                );
            }
            Some(value) => contexts.push((kind, key, "default".to_owned(), value)),
            None => {}
        }
    }
    contexts.retain(|(_, _, _, context)| switch(context) != Some(false));
    let is_informational = |context: &Value| switch(&context["informational"]) == Some(true);
    let are_all = !contexts.is_empty()
        && contexts
            .iter()
            .all(|(.., context)| is_informational(context));
    if are_all {
        translation
            .table(&["gate"])
            .insert("evaluate".to_owned(), true.into());
    }
    for (kind, key, name, context) in contexts {
        let is_left_out = is_informational(&context) && !are_all;
        let mut context = Tree::of_value(context);
        if are_all || !is_left_out {
            drop(context.take("informational"));
        }
        if is_left_out {
            translation.name(key, INFORMATIONAL);
            continue;
        }
        let rule = Rule::of(kind);
        for scope in translation.scopes(&key, &name, &mut context) {
            rule.set(translation, &key, &scope, context.clone());
        }
    }
}

/// Whether a mapping has the keys of one status, not the names of several.
fn is_context(keys: &serde_json::Map<String, Value>) -> bool {
    ["target", "threshold", "informational"]
        .iter()
        .any(|key| keys.get(*key).is_some_and(|value| !value.is_object()))
}

impl Translation {
    fn scopes(&mut self, key: &str, name: &str, context: &mut Tree) -> Vec<Scope> {
        let flags = texts(context.take("flags"));
        if flags.len() > 1 {
            self.name(format!("{key}.flags"), FLAGS);
        }
        if !flags.is_empty() {
            let parts = flags
                .iter()
                .filter_map(|flag| self.part(&format!("{key}.flags"), flag));
            return parts.map(Scope::Part).collect();
        }
        match context.take("paths") {
            Some(paths) => match self.part(key, name) {
                Some(view) => {
                    self.view(&format!("{key}.paths"), &view, Some(paths));
                    vec![Scope::View(view)]
                }
                None => Vec::new(),
            },
            None => vec![Scope::All],
        }
    }
}

impl Rule {
    pub(super) fn of(kind: &str) -> Self {
        match kind {
            "project" => Self::Floor,
            "patch" => Self::Changed,
            "changes" => Self::Lost,
            _ => Self::Unknown,
        }
    }

    /// Sets the rule in a scope from the keys of a status, and names the other keys.
    pub(super) fn set(
        self,
        translation: &mut Translation,
        key: &str,
        scope: &Scope,
        mut status: Tree,
    ) {
        let target = status.take("target");
        let threshold = status.take("threshold");
        let threshold = threshold.as_ref().and_then(hundredths).unwrap_or_default();
        let limit = match (self, target.as_ref().and_then(hundredths)) {
            (Self::Lost, _) => Some(("lost", 0)),
            (Self::Floor, Some(target)) => Some(("floor", target - threshold)),
            (Self::Changed, Some(target)) => Some(("changed", target - threshold)),
            (Self::Floor, None) => named(translation, key, AUTO),
            (Self::Changed, None) => named(translation, key, AUTO_CHANGED),
            (Self::Unknown, _) => named(translation, key, "The service has no such status."),
        };
        if let Some((rule, hundredths)) = limit {
            if hundredths % 100 != 0 {
                let stated = format!("{}.{:02}", hundredths / 100, hundredths % 100);
                translation.name(
                    format!("{key}.target"),
                    format!("Limits are whole numbers: {stated} % is rounded down."),
                );
            }
            let path = scope.path();
            let path: Vec<_> = path.iter().map(String::as_str).collect();
            let limit = (hundredths / 100).clamp(0, 100);
            translation
                .table(&path)
                .insert(rule.to_owned(), limit.into());
        }
        translation.name_rest(key, status);
    }
}

fn named(translation: &mut Translation, key: &str, reason: &str) -> Option<(&'static str, i64)> {
    translation.name(key, reason);
    None
}

/// Hundredths of a percent of `80`, `80%` or `80.5%`, without rounding up. `None` for other values, such as `auto`.
fn hundredths(value: &Value) -> Option<i64> {
    let text = match value {
        Value::String(text) => text.trim().trim_end_matches('%').trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits: String = fraction.chars().chain("00".chars()).take(2).collect();
    let whole: u16 = whole.parse().ok()?;
    let fraction: u16 = digits.parse().ok()?;
    Some(i64::from(whole) * 100 + i64::from(fraction))
}
