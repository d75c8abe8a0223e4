//! Statuses, which are rules of the gate here.

use super::{
    Translation, too_many,
    tree::{Tree, switch, texts},
};
use domain::GateRules;
use serde_json::Value;

/// What a rule counts for.
#[derive(Clone)]
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

/// A status that is switched on.
pub(super) struct Status {
    key: String,
    kind: String,
    scope: Scope,
    keys: Tree,
}

const AUTO: &str = "`auto` compares with the base. The nearest rule is `lost = 0`: it fails if an unchanged line is no longer covered.";
const AUTO_CHANGED: &str = "`auto` compares with the base. Set `changed` to the percentage of changed lines that you want.";
const INFORMATIONAL: &str =
    "Only the whole gate can be informational (`evaluate = true`), so this rule is left out.";
const FLAGS: &str = "Rules for several parts together have no equal: each part has the rule.";
const NOT_A_STATUS: &str = "The service has no such status.";

/// Takes the statuses of the repository.
pub(super) fn take(translation: &mut Translation, tree: &mut Tree) -> Vec<Status> {
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
    let mut statuses = Vec::new();
    for (kind, key, name, context) in contexts {
        let Some(mut keys) = switched_on(context) else {
            continue;
        };
        for scope in translation.scopes(&key, &name, &mut keys) {
            statuses.push(Status {
                key: key.clone(),
                kind: kind.to_owned(),
                scope,
                keys: keys.clone(),
            });
        }
    }
    statuses
}

/// Sets the rules of all statuses. If all are informational, the gate reports only.
pub(super) fn set(translation: &mut Translation, mut statuses: Vec<Status>) {
    let mut informational = Vec::new();
    for status in &mut statuses {
        let value = status.keys.take("informational");
        informational.push(value.is_some_and(|value| switch(&value) == Some(true)));
    }
    let are_all = !informational.is_empty() && informational.iter().all(|&is_it| is_it);
    if are_all {
        let gate: (&[&str], _, _) = (&["gate"], "evaluate", usize::MAX);
        translation.add("informational", gate, true.into());
    }
    for (status, is_informational) in statuses.into_iter().zip(informational) {
        match is_informational && !are_all {
            true => translation.name(status.key, INFORMATIONAL),
            false => status.set(translation),
        }
    }
}

/// The keys of a status; `None` if it is switched off.
fn switched_on(value: Value) -> Option<Tree> {
    if switch(&value) == Some(false) {
        return None;
    }
    let mut keys = Tree::of_value(value).unwrap_or_default();
    let enabled = keys.take("enabled");
    enabled
        .is_none_or(|value| switch(&value) != Some(false))
        .then_some(keys)
}

/// Whether a mapping has the keys of one status, not the names of several.
fn is_context(keys: &serde_json::Map<String, Value>) -> bool {
    let stated = ["target", "threshold", "informational", "enabled"].iter();
    stated
        .filter_map(|key| keys.get(*key))
        .any(|value| !value.is_object())
}

impl Translation {
    /// What a status counts for: its flags, its paths, or the whole record.
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
        let Some(paths) = context.take("paths") else {
            return vec![Scope::All];
        };
        let view = self.part(key, name);
        let view = view.filter(|view| self.view(&format!("{key}.paths"), view, Some(paths)));
        view.map(Scope::View).into_iter().collect()
    }
}

impl Status {
    /// The statuses of a list, each with its kind.
    pub(super) fn of_list(key: &str, scope: Scope, list: Option<Value>) -> Vec<Self> {
        let Some(Value::Array(list)) = list else {
            return Vec::new();
        };
        let statuses = list.into_iter().filter_map(switched_on).map(|mut keys| {
            let kind = texts(keys.take("type")).pop().unwrap_or_default();
            Self {
                key: format!("{key}.statuses.{kind}"),
                kind,
                scope: scope.clone(),
                keys,
            }
        });
        statuses.collect()
    }

    /// Sets the rule, and names the other keys.
    fn set(self, translation: &mut Translation) {
        let Self {
            key,
            kind,
            scope,
            mut keys,
        } = self;
        let mut percent = |name| keys.take(name).as_ref().and_then(hundredths);
        let (target, threshold) = match kind.as_str() {
            "changes" => (None, 0),
            _ => (percent("target"), percent("threshold").unwrap_or_default()),
        };
        let limit = match (kind.as_str(), target) {
            ("changes", _) => Ok(("lost", 0)),
            ("project", Some(target)) => Ok(("floor", target - threshold)),
            ("patch", Some(target)) => Ok(("changed", target - threshold)),
            ("project", None) => Err(AUTO),
            ("patch", None) => Err(AUTO_CHANGED),
            _ => Err(NOT_A_STATUS),
        };
        match limit {
            Ok((rule, limit)) => {
                if limit % 100 != 0 {
                    let stated = format!("{}.{:02}", limit / 100, limit % 100);
                    translation.name(
                        format!("{key}.target"),
                        format!("Limits are whole numbers: {stated} % is rounded down."),
                    );
                }
                translation.set_rule(&key, &scope, (rule, (limit / 100).clamp(0, 100)));
            }
            Err(reason) => translation.name(key.clone(), reason),
        }
        translation.name_rest(&key, keys);
    }
}

impl Translation {
    fn set_rule(&mut self, key: &str, scope: &Scope, (rule, limit): (&str, i64)) {
        let path = scope.path();
        let path: Vec<_> = path.iter().map(String::as_str).collect();
        if let Some((name, tables)) = path.split_last().filter(|(_, tables)| !tables.is_empty()) {
            let is_full = self.table(tables).is_some_and(|scopes| {
                scopes.len() >= GateRules::MAX_SCOPES && !scopes.contains_key(*name)
            });
            if is_full {
                return self.name(key, too_many(GateRules::MAX_SCOPES));
            }
        }
        self.has_changed |= rule == "changed";
        self.add(key, (&path, rule, usize::MAX), limit.into());
    }
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
