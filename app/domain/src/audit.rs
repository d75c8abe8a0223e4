//! The audit log as its page shows it: who changed what, when, and from where.

use super::{Timestamp, choice::choices, query::query, text::serialize_rfc3339};
use serde::Serialize;

choices! {
    /// An audited action. Its word is stored in the database and in exports, and never changes.
    AuditAction:
    /// A token was created.
    TokenCreated = "token_created",
    /// A token was revoked.
    TokenRevoked = "token_revoked",
    /// The main branch of a repository was configured, or its configuration was removed.
    MainBranchSet = "main_branch_set",
    /// Rules of a gate were set.
    GateSet = "gate_set",
    /// The gate of a repository or an org was removed.
    GateCleared = "gate_cleared",
    /// `PUT` listed the branches that still exist.
    BranchesRetired = "branches_retired",
    /// An upload of the same commit changed the percentage of a current record.
    PercentageReplaced = "percentage_replaced",
    /// Retention removed HTML reports.
    ReportsPruned = "reports_pruned",
    /// A record was deleted.
    RecordDeleted = "record_deleted",
    /// A part of a record was deleted.
    PartDeleted = "part_deleted",
    /// A branch was deleted with all of its records.
    BranchDeleted = "branch_deleted",
    /// A repository was deleted with all of its records.
    RepositoryDeleted = "repository_deleted",
    /// The name of an author was replaced in all records.
    AuthorReplaced = "author_replaced",
    /// A repository was renamed.
    RepositoryRenamed = "repository_renamed",
    /// A repository was merged into another one.
    RepositoryMerged = "repository_merged",
    /// The identity that a repository was pinned to was removed.
    IdentityUnpinned = "identity_unpinned",
}

impl AuditAction {
    /// The label that pages show: its word with a capital and spaces.
    pub fn label(self) -> String {
        let mut label = self.word().replace('_', " ");
        if let Some(first) = label.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        label
    }
}

choices! {
    /// The kind of an actor. Its word is stored in the database and in exports, and never changes.
    ActorKind:
    /// A person or script that ran a command.
    Command = "command",
    /// A client with a token of this service.
    Token = "token",
    /// A client with a token that a forge accepted.
    Forge = "forge",
    /// A CI job with an OIDC identity token.
    Identity = "identity",
    /// A person who logged in.
    Person = "person",
    /// The service itself.
    Service = "service",
}

/// One row of the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct AuditEntry {
    /// Its place in the log.
    pub id: i64,
    /// When the action happened.
    #[serde(serialize_with = "serialize_rfc3339")]
    pub at: Timestamp,
    /// What kind of actor did it, as in [`ActorKind::word`].
    pub actor_kind: String,
    /// Name of the actor.
    pub actor: String,
    /// Where the request came from.
    pub source: String,
    /// The action, as in [`AuditAction::word`]; a later release may have more actions.
    pub action: String,
    /// The org that changed.
    #[cfg_attr(feature = "sql", sqlx(rename = "org_name"))]
    #[serde(rename = "org_name")]
    pub org: Option<String>,
    /// The repository that changed.
    #[cfg_attr(feature = "sql", sqlx(rename = "repo_name"))]
    #[serde(rename = "repo_name")]
    pub repo: Option<String>,
    /// What changed, in words.
    pub subject: String,
    /// The value before.
    #[cfg_attr(feature = "sql", sqlx(rename = "old_value"))]
    pub old: Option<String>,
    /// The value after.
    #[cfg_attr(feature = "sql", sqlx(rename = "new_value"))]
    pub new: Option<String>,
}

impl AuditEntry {
    /// The label of the action, or its text if this release does not know the action.
    pub fn label(&self) -> String {
        let action = self.action.parse();
        action.map_or_else(|_| self.action.clone(), AuditAction::label)
    }

    /// The repository as `acme/payments`, or an org and the groups below it as `acme/…`; `None` for all repositories.
    pub fn about(&self) -> Option<String> {
        let org = self.org.as_deref()?;
        Some(match &self.repo {
            Some(repo) => format!("{org}/{repo}"),
            None => format!("{org}/…"),
        })
    }
}

query! {
    /// A query for the audit log page.
    #[derive(Default)]
    pub struct AuditQuery {
        /// Only rows whose `org/repo` contains this text, ignoring case; empty for all.
        pub repository: String = "repo",
        /// Only this action.
        pub action: Option<AuditAction> = "action",
        /// Only rows before this id; the newest rows if `None`.
        pub before: Option<i64> = "before",
    }
}

impl AuditQuery {
    /// Whether a filter is set.
    pub fn has_filter(&self) -> bool {
        self.action.is_some() || !self.repository.is_empty()
    }
}

/// One page of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditPage {
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The query.
    pub query: AuditQuery,
    /// The rows, the newest first.
    pub entries: Vec<AuditEntry>,
    /// The `before` value of the next page; `None` on the last page.
    pub next: Option<i64>,
}
