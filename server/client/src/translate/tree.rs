//! The keys of a `codecov.yml` that are not translated yet.

use serde_json::{Map, Value};

/// A mapping from which keys are taken. What is left at the end has no equal.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree(Map<String, Value>);

impl Tree {
    pub(super) fn of(keys: Map<String, Value>) -> Self {
        Self(keys)
    }

    /// The mapping of a value; `None` if the value is no mapping.
    pub(super) fn of_value(value: Value) -> Option<Self> {
        match value {
            Value::Object(keys) => Some(Self(keys)),
            _ => None,
        }
    }

    /// Takes the value at a path of keys, with dots between them. `None` if it is null, as if the key were missing.
    pub(super) fn take(&mut self, path: &str) -> Option<Value> {
        self.remove(path).filter(|value| !value.is_null())
    }

    /// Gives a key a value if it has none.
    pub(super) fn default(&mut self, key: &str, value: &Value) {
        self.0.entry(key).or_insert_with(|| value.clone());
    }

    fn remove(&mut self, path: &str) -> Option<Value> {
        match path.split_once('.') {
            None => self.0.remove(path),
            Some((key, rest)) => {
                let Value::Object(keys) = self.0.get_mut(key)? else {
                    return None;
                };
                let mut inner = Self(std::mem::take(keys));
                let taken = inner.remove(rest);
                *keys = inner.0;
                if taken.is_some() && keys.is_empty() {
                    self.0.remove(key);
                }
                taken
            }
        }
    }

    /// Takes all keys with their values.
    pub(super) fn entries(self) -> impl Iterator<Item = (String, Value)> {
        self.0.into_iter()
    }

    /// The keys that are left, with dots between nested ones.
    pub(super) fn leaves(self) -> Vec<String> {
        let mut leaves = Vec::new();
        for (key, value) in self.0 {
            match value {
                Value::Object(keys) if !keys.is_empty() => {
                    let inner = Self(keys).leaves().into_iter();
                    leaves.extend(inner.map(|rest| format!("{key}.{rest}")));
                }
                _ => leaves.push(key),
            }
        }
        leaves
    }
}

/// The texts of a list, or of a single text or number.
pub(super) fn texts(value: Option<Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list
            .into_iter()
            .flat_map(|item| texts(Some(item)))
            .collect(),
        Some(Value::String(text)) => vec![text],
        Some(Value::Number(number)) => vec![number.to_string()],
        _ => Vec::new(),
    }
}

/// Whether a value switches something on or off. YAML 1.1 has more words for this than YAML 1.2; `None` for other values.
pub(super) fn switch(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(is_on) => Some(*is_on),
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        },
        _ => None,
    }
}
