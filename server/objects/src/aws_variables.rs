//! The `AWS_…` environment variables: the object storage and its credentials.

use std::{collections::BTreeMap, env, fmt};

const PREFIX: &str = "AWS_";

/// Names and values at the time when the command line was read. Values are never printed, because some are secrets.
#[derive(Clone, Default)]
pub struct AwsVariables(BTreeMap<String, String>);

impl AwsVariables {
    /// Reads the variables of this process. An empty value counts as missing.
    #[expect(
        clippy::disallowed_methods,
        reason = "other tools define these names, so they are not arguments"
    )]
    pub fn of_process() -> Self {
        env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }

    /// Returns all names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let variables = self.0.iter();
        variables.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the value of a variable.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

impl FromIterator<(String, String)> for AwsVariables {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(variables: T) -> Self {
        let variables = variables
            .into_iter()
            .filter(|(name, value)| name.starts_with(PREFIX) && !value.trim().is_empty())
            .map(|(name, value)| (name, value.trim().to_owned()));
        Self(variables.collect())
    }
}

impl fmt::Debug for AwsVariables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_never_printed() {
        let variables: AwsVariables = [
            ("AWS_SECRET_ACCESS_KEY", " s3cret\n"),
            ("AWS_REGION", ""),
            ("HOME", "/x"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into_iter()
        .collect();
        assert_eq!(variables.get("AWS_SECRET_ACCESS_KEY"), Some("s3cret"));
        assert_eq!(variables.iter().count(), 1);
        assert_eq!(format!("{variables:?}"), "[\"AWS_SECRET_ACCESS_KEY\"]");
    }
}
