//! The keys of a `codecov.yml` that are not translated yet.

use serde_json::{Map, Value};

/// A mapping from which keys are taken. What is left at the end has no equal.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    keys: Map<String, Value>,
    /// The taken keys whose values were not understood.
    strange: Vec<String>,
}

impl Tree {
    pub(super) fn of(keys: Map<String, Value>) -> Self {
        Self {
            keys,
            strange: Vec::new(),
        }
    }

    /// Takes the value at a path of keys, with dots between them, as `read` understands it. `None` if it is null, as if the key
    /// were missing. A value that is not understood is remembered.
    pub(super) fn take<Read>(
        &mut self,
        path: &str,
        read: impl FnOnce(&Value) -> Option<Read>,
    ) -> Option<Read> {
        let value = remove(&mut self.keys, path).filter(|value| !value.is_null())?;
        let understood = read(&value);
        if understood.is_none() {
            self.strange.push(path.to_owned());
        }
        understood
    }

    /// Whether the value of a taken key was not understood.
    pub(super) fn has_strange(&self, key: &str) -> bool {
        self.strange.iter().any(|strange| strange == key)
    }

    /// Gives a key a value if it has none.
    pub(super) fn default(&mut self, key: &str, value: &Value) {
        self.keys.entry(key).or_insert_with(|| value.clone());
    }

    /// Takes all keys with their values.
    pub(super) fn entries(self) -> impl Iterator<Item = (String, Value)> {
        self.keys.into_iter()
    }

    /// The keys that are left, and those whose values were not understood, with dots between nested ones.
    pub(super) fn rest(self) -> (Vec<String>, Vec<String>) {
        (leaves(self.keys), self.strange)
    }
}

fn remove(keys: &mut Map<String, Value>, path: &str) -> Option<Value> {
    let Some((key, rest)) = path.split_once('.') else {
        return keys.remove(path);
    };
    let Value::Object(inner) = keys.get_mut(key)? else {
        return None;
    };
    let taken = remove(inner, rest);
    if taken.is_some() && inner.is_empty() {
        keys.remove(key);
    }
    taken
}

fn leaves(keys: Map<String, Value>) -> Vec<String> {
    let mut all = Vec::new();
    for (key, value) in keys {
        match value {
            Value::Object(inner) if !inner.is_empty() => {
                all.extend(
                    leaves(inner)
                        .into_iter()
                        .map(|rest| format!("{key}.{rest}")),
                );
            }
            _ => all.push(key),
        }
    }
    all
}

/// Any value.
pub(super) fn any(value: &Value) -> Option<Value> {
    Some(value.clone())
}

/// A mapping.
pub(super) fn mapping(value: &Value) -> Option<Tree> {
    value.as_object().cloned().map(Tree::of)
}

/// The items of a list.
pub(super) fn list(value: &Value) -> Option<Vec<Value>> {
    value.as_array().cloned()
}

/// The texts of a list, or a single text or number.
pub(super) fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(list) => {
            let texts: Option<Vec<_>> = list.iter().map(texts).collect();
            texts.map(|texts| texts.concat())
        }
        Value::String(text) => Some(vec![text.clone()]),
        Value::Number(number) => Some(vec![number.to_string()]),
        _ => None,
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
