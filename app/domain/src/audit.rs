//! The audit log as its page shows it: who changed what, when, and from where.

use super::{OrgName, Repository, Timestamp};

macro_rules! actions {
    ($($(#[doc = $meaning:literal])+ $name:ident = $text:literal, $label:literal;)+) => {
        /// What was done. Its text stands in the database and in exports, and never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum AuditAction {
            $($(#[doc = $meaning])+ $name,)+
        }

        impl AuditAction {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// As it is stored and exported.
            pub fn as_text(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }

            /// For people.
            pub fn label(self) -> &'static str {
                match self { $(Self::$name => $label),+ }
            }
        }
    };
}

actions! {
    /// A token was made.
    TokenCreated = "token_created", "Token created";
    /// A token was revoked.
    TokenRevoked = "token_revoked", "Token revoked";
    /// The main branch of a repository was configured, or is guessed again.
    MainBranchSet = "main_branch_set", "Main branch set";
    /// `PUT` said which branches there still are.
    BranchesRetired = "branches_retired", "Branches retired";
    /// An upload of the same commit changed the percentage of a current record.
    PercentageReplaced = "percentage_replaced", "Percentage replaced";
    /// Retention removed reports.
    ReportsPruned = "reports_pruned", "Reports pruned";
    /// A record was deleted.
    RecordDeleted = "record_deleted", "Record deleted";
    /// A branch was deleted with all of its records.
    BranchDeleted = "branch_deleted", "Branch deleted";
    /// A repository was deleted with all of its records.
    RepositoryDeleted = "repository_deleted", "Repository deleted";
    /// The name of an author was replaced in all records.
    AuthorReplaced = "author_replaced", "Author replaced";
    /// A repository was renamed.
    RepositoryRenamed = "repository_renamed", "Repository renamed";
    /// A repository was merged into another one.
    RepositoryMerged = "repository_merged", "Repository merged";
    /// The identity that a repository was pinned to was removed.
    IdentityUnpinned = "identity_unpinned", "Identity unpinned";
}

impl AuditAction {
    /// From an address or the command line.
    pub fn parse(text: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|action| action.as_text() == text)
    }
}

/// One row of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its place in the log.
    pub id: i64,
    /// When it was done.
    pub at: Timestamp,
    /// What kind of actor did it: `command`, `token`, `forge`, `identity` or `service`.
    pub actor_kind: String,
    /// Who did it.
    pub actor: String,
    /// From where.
    pub source: String,
    /// What was done, as [`AuditAction::as_text`] has it; a later release may know more actions.
    pub action: String,
    /// The organisation that it is about.
    pub org: Option<String>,
    /// The repository that it is about.
    pub repo: Option<String>,
    /// What was changed, in words.
    pub subject: String,
    /// What it was before.
    pub old: Option<String>,
    /// What it is since then.
    pub new: Option<String>,
}

impl AuditEntry {
    /// For people: the label of its action, or its text where this release does not know it.
    pub fn label(&self) -> &str {
        match AuditAction::parse(&self.action) {
            Some(action) => action.label(),
            None => &self.action,
        }
    }

    /// `acme/payments`, or `acme/…` for an organisation with the groups below it; none where it is about all of them.
    pub fn about(&self) -> Option<String> {
        let org = self.org.as_deref()?;
        Some(match &self.repo {
            Some(repo) => format!("{org}/{repo}"),
            None => format!("{org}/…"),
        })
    }
}

/// Which rows somebody may read: those of all repositories, or of a part of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditScope {
    /// All rows.
    All,
    /// Those about an organisation and the groups below it.
    Org(OrgName),
    /// Those about one repository.
    Repository(Repository),
}

/// What a visitor of the audit log asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditQuery {
    /// Only this action.
    pub action: Option<AuditAction>,
    /// Only rows whose `org/repo` holds this, whatever its case; empty for all.
    pub repository: String,
    /// Only rows before this one; the newest ones without.
    pub before: Option<i64>,
}

impl AuditQuery {
    /// Whether it asks for some rows only.
    pub fn has_filter(&self) -> bool {
        self.action.is_some() || !self.repository.is_empty()
    }
}

/// One page of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditPage {
    /// When it was put together; ages are relative to it.
    pub now: Timestamp,
    /// What was asked for.
    pub query: AuditQuery,
    /// The rows, the newest first.
    pub entries: Vec<AuditEntry>,
    /// What the next page begins before; none on the last one.
    pub next: Option<i64>,
}
