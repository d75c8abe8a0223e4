//! Statuses, which are rules of the gate here.

use super::{
    Translation, reasons, too_many,
    tree::{self, Tree, switch, texts},
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

const AUTO: &str = "`auto` compares with the base, less `threshold`. The nearest rule is `lost = 0`, which is stricter: it fails if one unchanged line is no longer covered.";
const AUTO_CHANGED: &str = "`auto` compares with the base. Set `changed` to the percentage of changed lines that you want.";
const NOT_A_TARGET: &str = "Its `target` is neither `auto` nor a percentage.";
const NO_FILES: &str = "What it counts for cannot be written, so the rule is left out.";
const BOTH: &str = "A rule counts for a part or for files, not for both: it counts for the part.";
const INFORMATIONAL: &str =
    "Only the whole gate can be informational (`evaluate = true`), so this rule is left out.";
const FLAGS: &str = "Rules for several parts together have no equal: each part has the rule.";
const NOT_A_STATUS: &str = "The service has no such status.";

/// Takes the statuses of the repository.
pub(super) fn take(translation: &mut Translation, tree: &mut Tree) -> Vec<Status> {
    let mut contexts = Vec::new();
    for kind in ["project", "patch", "changes"] {
        let key = format!("coverage.status.{kind}");
        match tree.take(&key, tree::any) {
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
        let Some(mut keys) = translation.switched_on(&key, &context) else {
            continue;
        };
        let scopes = translation.scopes(&key, &name, &mut keys);
        if scopes.is_empty() {
            translation.name(key.clone(), NO_FILES);
        }
        for scope in scopes {
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
    let informational = statuses.iter_mut();
    let informational =
        informational.map(|status| status.keys.take("informational", switch) == Some(true));
    let informational: Vec<_> = informational.collect();
    let are_all = !informational.is_empty() && informational.iter().all(|&is_it| is_it);
    for (status, is_informational) in statuses.into_iter().zip(informational) {
        match is_informational && !are_all {
            true => translation.name(status.key, INFORMATIONAL),
            false => status.set(translation),
        }
    }
    if are_all && translation.settings.contains_key("gate") {
        let gate: (&[&str], _, _) = (&["gate"], "evaluate", usize::MAX);
        translation.add("informational", gate, true.into());
    }
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
        let flags = context.take("flags", texts).unwrap_or_default();
        let paths = context.take("paths", texts).unwrap_or_default();
        let of_paths = format!("{key}.paths");
        if flags.len() > 1 {
            self.name(format!("{key}.flags"), FLAGS);
        }
        if !flags.is_empty() {
            if !paths.is_empty() {
                self.name(of_paths, BOTH);
            }
            let parts = flags
                .iter()
                .filter_map(|flag| self.part(&format!("{key}.flags: {flag}"), flag));
            return parts.map(Scope::Part).collect();
        }
        if paths.is_empty() {
            return vec![Scope::All];
        }
        let view = self.part(key, name);
        let view = view.filter(|view| self.view(&of_paths, view, paths));
        view.map(Scope::View).into_iter().collect()
    }

    /// The keys of a status; `None` if it is switched off, or no status.
    fn switched_on(&mut self, key: &str, value: &Value) -> Option<Tree> {
        let mut keys = match (value, switch(value)) {
            (Value::Object(keys), _) => Tree::of(keys.clone()),
            (Value::Null, _) | (_, Some(true)) => Tree::of(serde_json::Map::new()),
            (_, Some(false)) => return None,
            (_, None) => {
                self.name(key, reasons::STRANGE);
                return None;
            }
        };
        (keys.take("enabled", switch) != Some(false)).then_some(keys)
    }
}

impl Status {
    /// The statuses of a flag or component, each with its kind.
    pub(super) fn of_item(
        translation: &mut Translation,
        key: &str,
        scope: &Scope,
        keys: &mut Tree,
    ) -> Vec<Self> {
        let key = format!("{key}.statuses");
        let list = keys.take("statuses", tree::list).unwrap_or_default();
        let keys = list
            .iter()
            .filter_map(|value| translation.switched_on(&key, value));
        let statuses = keys.map(|mut keys| {
            let kind = keys.take("type", texts).unwrap_or_default();
            let kind = kind.concat();
            Self {
                key: format!("{key}.{kind}"),
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
        let (target, threshold) = match kind.as_str() {
            "changes" => (None, 0),
            _ => {
                let threshold = keys.take("threshold", hundredths).unwrap_or_default();
                (keys.take("target", Target::of), threshold)
            }
        };
        let is_strange = keys.has_strange("target");
        let limit = match (kind.as_str(), target) {
            ("changes", _) => Ok(("lost", 0)),
            ("project" | "patch", None) if is_strange => Err(NOT_A_TARGET),
            ("project", Some(Target::Least(target))) => Ok(("floor", target - threshold)),
            ("patch", Some(Target::Least(target))) => Ok(("changed", target - threshold)),
            ("project", _) => Err(AUTO),
            ("patch", _) => Err(AUTO_CHANGED),
            _ => Err(NOT_A_STATUS),
        };
        match limit {
            Ok((rule, limit)) => {
                let limit = limit.max(0);
                if limit % 100 != 0 {
                    let stated = format!("{}.{:02}", limit / 100, limit % 100);
                    translation.name(
                        format!("{key}.target"),
                        format!("Limits are whole numbers: {stated} % is rounded down."),
                    );
                }
                translation.set_rule(&key, &scope, (rule, (limit / 100).min(100)));
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
        let Some(table) = self.table(&path) else {
            return;
        };
        let former = table.get(rule).and_then(toml::Value::as_integer);
        let limit = former.map_or(limit, |former| former.max(limit));
        table.insert(rule.to_owned(), limit.into());
        if former.is_some() {
            self.name(
                key,
                format!("Of two such rules the stricter one counts: `{rule} = {limit}`."),
            );
        }
    }
}

/// The target of a status.
enum Target {
    /// As much as the base has.
    Base,
    /// At least so many hundredths of a percent.
    Least(i64),
}

impl Target {
    fn of(value: &Value) -> Option<Self> {
        match value.as_str() {
            Some("auto") => Some(Self::Base),
            _ => hundredths(value).map(Self::Least),
        }
    }
}

/// Hundredths of a percent of `80`, `80%` or `80.5%`, without rounding up. `None` for other values.
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
