//! The rules of gates: the rules of the operator, and the rules in `coverage-dashboard.toml` on the main branch.

mod change;
mod history;
mod settings;
#[cfg(test)]
mod tests;

pub(super) use change::delete;
#[cfg(test)]
pub(super) use history::{OF_ORG, OF_REPOSITORY};
pub use settings::RecordSettings;
pub(super) use settings::{forget_settings, of_main, read_ignore_rules, store_settings};

use super::{Named, Operator, StoreError, Writer, names, run::Run};
use domain::{GateRules, OrgName, Repository};
use sqlx::AnyConnection;
use std::fmt;

/// The source of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GateSource {
    /// The operator has set them for an org or a repository.
    Set(Named),
    /// The settings of the newest record that is current on the main branch.
    Settings,
}

impl GateSource {
    /// Whether the operator has set the rules for `of` itself.
    pub(crate) fn is_of(&self, of: &Named) -> bool {
        matches!(self, Self::Set(named) if key(named) == key(of))
    }
}

/// The text for people.
impl fmt::Display for GateSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set(Named::Repository(repository)) => write!(f, "repository {repository}"),
            Self::Set(Named::Org(org)) => write!(f, "org {org}"),
            Self::Settings => f.write_str("coverage-dashboard.toml of the main branch"),
        }
    }
}

/// The key of an org's or a repository's gate: names in lower case, with an empty repository name for an org.
pub(super) fn key(of: &Named) -> (String, String) {
    match of {
        Named::Org(org) => (org.key(), String::new()),
        Named::Repository(Repository { org, repo }) => {
            (org.key(), repo.as_str().to_ascii_lowercase())
        }
    }
}

impl Operator<'_> {
    /// Returns the rules that the operator has set for this org or repository itself.
    pub async fn gate_of(self, of: &Named) -> Result<Option<GateRules>, StoreError> {
        let mut connection = self.store.read_pool.acquire().await?;
        stored(&mut connection, of).await
    }

    /// Returns all rules that apply to an org or a repository, by their source. The first source that sets a rule wins: the
    /// repository, its org, the groups around the org, and then the settings of the main branch.
    pub async fn gate_sources(
        self,
        of: &Named,
    ) -> Result<Vec<(GateSource, GateRules)>, StoreError> {
        let mut sources = Vec::new();
        let mut connection = self.store.read_pool.acquire().await?;
        for named in outwards(of) {
            if let Some(rules) = stored(&mut connection, &named).await? {
                sources.push((GateSource::Set(named), rules));
            }
        }
        if let Named::Repository(repository) = of
            && let Some(settings) = settings::of_main(&mut connection, repository).await?
        {
            sources.push((GateSource::Settings, settings.rules));
        }
        Ok(sources)
    }

    /// Returns an org or a repository in its first spelling; `None` if it has no uploads.
    pub async fn stored_name(self, of: &Named) -> Result<Option<Named>, StoreError> {
        let mut connection = self.store.read_pool.acquire().await?;
        Ok(match of {
            Named::Org(org) => {
                let stored = names::stored_org(&mut connection, org.as_str()).await?;
                let stored = stored.map(OrgName::try_from).transpose()?;
                stored.map(Named::Org)
            }
            Named::Repository(repository) => {
                let stored = names::stored_repository(&mut connection, repository).await?;
                stored.map(Named::Repository)
            }
        })
    }
}

impl Writer<'_> {
    /// Returns the rules that apply to a repository; `None` if no rule is set.
    pub async fn gate_rules(
        self,
        repository: &Repository,
    ) -> Result<Option<GateRules>, StoreError> {
        let of = Named::Repository(repository.clone());
        let sources = self.store.operator().gate_sources(&of).await?;
        let rules = sources.into_iter().map(|(_, rules)| rules);
        let rules = rules.fold(GateRules::default(), GateRules::over);
        Ok((!rules.is_empty()).then_some(rules))
    }
}

/// An org or a repository, and the orgs that contain it.
fn outwards(of: &Named) -> impl Iterator<Item = Named> {
    let org = match of {
        Named::Org(org) => org.parent(),
        Named::Repository(repository) => Some(repository.org.clone()),
    };
    let orgs = std::iter::successors(org, OrgName::parent);
    std::iter::once(of.clone()).chain(orgs.map(Named::Org))
}

async fn stored(
    connection: &mut AnyConnection,
    of: &Named,
) -> Result<Option<GateRules>, StoreError> {
    const STORED: &str = "select rules from gates where org_key = $1 and repo_key = $2";
    let (org, repo) = key(of);
    let rules: Option<String> = connection.first_value(STORED, (org, repo)).await?;
    let rules = rules.map(|text| serde_json::from_str(&text));
    rules.transpose().map_err(StoreError::Rules)
}
