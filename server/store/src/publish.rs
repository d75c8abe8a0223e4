//! Publishes an upload: one transaction stores its record, and makes the record current if it is complete.

mod arrival;
mod row;

use super::{
    MainRight, Quotas, Record, RecordDetails, StoreError, Unsigned, Writer,
    audit::{self, AuditChange},
    carry, changes,
    closing::{self, Stated},
    counts::{self, Counts},
    forge_of_repository, gates, ignored,
    line_history::FORGET_NEW_CODE,
    lines::{self, NewLines},
    main_records, notifications, orphaned_reports,
    parts::{self, UploadedPart},
    provisional, quota, record_details,
    sources::{self, NewSource},
    standing::{
        Earlier, Published, Series, Standing, Trust, count_confirmed, decide, earlier_upload,
    },
    time::next_moment,
    views,
};
use crate::{
    actor::Actor,
    holding::{self, Moment},
    run::Run,
};
use domain::{
    AuditAction, BranchName, CommitAuthor, Count, GlobList, Percentage, Repository, Timestamp,
};

use arrival::Arrival;
use row::{Row, upsert};
use sqlx::{AnyConnection, FromRow};

/// The content of an upload and of its coverage file. If other parts of the commit were measured, the record gets the numbers of
/// the union of all parts, not the numbers of this upload.
#[derive(Clone, Debug)]
pub struct NewRecord {
    /// The names of the record, and the statements about its commit.
    pub stated: Stated,
    /// The author of the commit.
    pub author: CommitAuthor,
    /// Total line coverage.
    pub percentage: Percentage,
    /// Covered and total lines, if the coverage file counts them.
    pub lines: Option<Count>,
    /// Covered and total branches, if the coverage file counts them.
    pub branches: Option<Count>,
    /// Covered and total functions, if the coverage file counts them.
    pub functions: Option<Count>,
    /// The format of the coverage file, as a short lower-case name.
    pub report_format: &'static str,
    /// The other contents of the coverage file.
    pub details: RecordDetails,
    /// The rules by which files were left out: [`Writer::ignore_rules`].
    pub ignore: GlobList,
    /// The state of every line, if the coverage file has lines.
    pub line_states: Option<NewLines>,
    /// The text of its source files, if it was sent and is kept. Without lines, none is stored.
    pub sources: Vec<NewSource>,
    /// The stored HTML report, if one was uploaded.
    pub report: Option<StoredReport>,
    /// The actor of the upload, for the audit log.
    pub by: Actor,
    /// The part of the commit.
    pub part: UploadedPart,
}

impl NewRecord {
    /// Returns the union with the other parts of the commit, if there are any.
    pub fn union(&self) -> Option<&parts::Union> {
        self.part.united.as_ref()?.union.as_ref()
    }

    pub(super) fn record_percentage(&self) -> Percentage {
        self.union()
            .map_or(self.percentage, |union| union.lines.percentage())
    }
}

/// The storage key of an HTML report, and its first page.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct StoredReport {
    /// The key of the stored object.
    #[sqlx(rename = "report_key")]
    pub key: String,
    /// The path of its first page; `None` if only a listing is possible.
    #[sqlx(rename = "report_start_page")]
    pub start_page: Option<String>,
    /// The size of the object in bytes; 0 if not recorded.
    #[sqlx(rename = "report_bytes", try_from = "Unsigned")]
    pub bytes: u64,
}

impl Writer<'_> {
    /// Stores an upload. The result says whether its record is current. Its HTML report must have been
    /// [reserved](Self::reserve_report).
    ///
    /// A repeated upload of the same commit (a CI retry) keeps its `id` and `created_at` and gets the new numbers and HTML
    /// report. A complete record becomes current. A part does not make a record current that was superseded before, whose branch
    /// was retired, or after which a newer commit is current. If the branch is or becomes the main branch, and the upload has no
    /// right to change it, the record is stored as unconfirmed: it is never current and in no trend. A confirmed record of the
    /// same commit then stays unchanged. So is the record of a commit that a merge queue tests, until an upload with the right to
    /// the branch names the commit, or [`Self::land`].
    ///
    /// # Errors
    ///
    /// [`StoreError::OtherForge`], [`StoreError::OtherIdentity`], [`StoreError::PartsChanged`], [`StoreError::TooManyParts`],
    /// [`StoreError::IgnoreRulesChanged`]. After an error, nothing has changed.
    pub async fn publish(self, new: &NewRecord) -> Result<Published, StoreError> {
        self.publish_within(new, &Quotas::default()).await
    }

    /// Like `publish`, with quotas for HTML reports.
    ///
    /// # Errors
    ///
    /// [`StoreError::Quota`], and the errors of [`Self::publish`].
    pub async fn publish_within(
        self,
        new: &NewRecord,
        quotas: &Quotas,
    ) -> Result<Published, StoreError> {
        let mut transaction = self.store.begin().await?;
        let held = holding::hold_or_add(
            &mut transaction,
            &new.stated.repository,
            Moment::After(next_moment()),
        )
        .await?;
        let (repository_id, at) = (held.id, held.last_upload_at);
        forge_of_repository::claim(
            &mut transaction,
            repository_id,
            new.stated.forge_claim.as_ref(),
        )
        .await?;
        let branch_id = branch_id(&mut transaction, repository_id, &new.stated.branch).await?;
        let series = Series {
            branch_id,
            language: new.stated.language.as_str(),
        };
        let earlier = earlier_upload(&mut transaction, series, &new.stated.commit).await?;
        let (before, right) = (earlier.as_ref(), &new.stated.main_right);
        let asked = (new.stated.key(), right);
        let trust = Trust::of_upload(&mut transaction, repository_id, series, asked, before);
        let trust = trust.await?;
        if let Some(earlier) = before {
            let completion = parts::Completion::of_record(&mut transaction, earlier.id).await?;
            if trust.leaves(completion.trust_of(earlier)) {
                let record = earlier.record(new.stated.key(), held.repository);
                let kept = Published::unchanged(record, Standing::Kept(right.reason()));
                return transaction.unchanged(kept).await;
            }
        }
        let arrival = Arrival::of(
            &mut transaction,
            (series, before),
            new,
            &held.repository,
            trust,
            at,
        )
        .await?;
        let decision = decide(&mut transaction, series, before, arrival.claim, at).await?;
        let added = Counts {
            records: i64::from(earlier.is_none()),
            current: decision.current,
        };
        let row = Row {
            repository_id,
            branch_id,
            at,
            number: counts::add_to_repository(&mut transaction, repository_id, added).await?,
            decision: &decision,
        };
        if let (false, Some((record_id, key))) =
            (arrival.has_rows, before.and_then(Earlier::report))
        {
            orphaned_reports::release(&mut transaction, record_id, key, None, at).await?;
        }
        let (id, created_at) = upsert(&mut transaction, new, row).await?;
        provisional::keep(&mut transaction, id, trust == Trust::Provisional).await?;
        if arrival.has_rows {
            row::store_part(&mut transaction, id, new, at).await?;
            for (part, reason, at) in &arrival.skipped {
                parts::skip(&mut transaction, id, part, reason, *at).await?;
            }
            parts::show_newest_report(&mut transaction, id).await?;
            let carried = new.union().map_or(&[][..], |union| &union.carried);
            carry::store(&mut transaction, id, carried).await?;
        }
        arrival.completion.store(&mut transaction, id, at).await?;
        let union = new.union();
        let details = union.map_or(&new.details, |union| &union.details);
        record_details::store(&mut transaction, id, details).await?;
        let is_first = earlier.is_none() || arrival.replaces_all;
        ignored::keep(&mut transaction, id, &new.ignore, is_first).await?;
        let states = match union {
            Some(union) => Some(&union.line_states),
            None => new.line_states.as_ref(),
        };
        let replaces_others = match before {
            Some(earlier) => replaces_others(&mut transaction, earlier, new, at).await?,
            None => false,
        };
        lines::store(&mut transaction, id, states, at).await?;
        let kept = states.map_or(&[][..], |_| &new.sources);
        sources::store(&mut transaction, (repository_id, id), &new.part.name, kept).await?;
        if arrival.replaces_all {
            changes::forget(&mut transaction, id).await?;
            gates::forget_settings(&mut transaction, id).await?;
            views::forget_owners(&mut transaction, id).await?;
        }
        changes::store(&mut transaction, id, &new.stated.change).await?;
        gates::store_settings(&mut transaction, id, new.stated.settings.as_ref()).await?;
        views::store_owners(&mut transaction, id, new.stated.owners.as_deref()).await?;
        if self.store.notes_uploads {
            notifications::note(&mut transaction, id).await?;
        }
        if let Some(report) = &new.report {
            orphaned_reports::claim(&mut transaction, &report.key).await?;
        }
        count_confirmed(&mut transaction, branch_id, decision.confirmed).await?;
        let percentage = new.record_percentage();
        if let Some(before) = before.and_then(Earlier::current_percentage)
            && decision.standing == Standing::Current
            && before != percentage
        {
            let change = replaced_percentage(new, &held.repository, id, before);
            audit::write(&mut transaction, &new.by, &change).await?;
        }
        let is_new = earlier.is_none();
        let of = (repository_id, &held.repository);
        let crowded_out = quota::make_room(&mut transaction, quotas, of).await?;
        // Late: until this transaction ends, the other uploads to the org wait.
        counts::add_to_org(&mut transaction, repository_id, added).await?;
        if decision.confirmed < 0 {
            main_records::refresh(&mut transaction, repository_id).await?;
        } else {
            let changed = series.changed(before, decision.updated_at);
            let ids = (repository_id, branch_id);
            main_records::refresh_after_upload(&mut transaction, ids, changed).await?;
        }
        // Lines of the main branch may be new since this tag.
        if new.stated.branch.as_str().starts_with("refs/tags/") {
            transaction.run(FORGET_NEW_CODE, [id]).await?;
        }
        let said = closing::Said {
            is_finished: new.stated.announced.is_finished,
            trust,
            at,
        };
        let completed = closing::complete_others(
            &mut transaction,
            repository_id,
            series,
            &new.stated.commit,
            said,
        )
        .await?;
        let landed = match (trust, right) {
            // What an upload without the right names shows nothing, also on another branch than the main one.
            (_, MainRight::Denied(_)) => Vec::new(),
            (Trust::Confirmed, _) => {
                let commits = [
                    new.stated.change.base_commit.as_ref(),
                    Some(&new.stated.commit),
                ];
                let ids = (repository_id, branch_id);
                closing::land(&mut transaction, ids, commits, at).await?
            }
            _ => Vec::new(),
        };
        for id in landed.iter().filter(|_| self.store.notes_uploads) {
            notifications::note(&mut transaction, *id).await?;
        }
        transaction.commit().await?;
        let record = Record {
            id,
            repository: held.repository,
            branch: new.stated.branch.clone(),
            commit: new.stated.commit.clone(),
            author: new.author.clone(),
            language: new.stated.language.clone(),
            percentage,
            created_at,
            updated_at: decision.updated_at,
        };
        Ok(Published {
            record,
            is_new,
            replaces_others,
            standing: decision.standing,
            completed,
            landed,
            replaced_reports: arrival.replaced_reports,
            crowded_out,
        })
    }
}

pub(super) async fn branch_id(
    connection: &mut AnyConnection,
    repository_id: i64,
    branch: &BranchName,
) -> Result<i64, StoreError> {
    const UPSERT: &str = "
        insert into branches (repository_id, name) values ($1, $2)
        on conflict (repository_id, name) do update set name = excluded.name
        returning id";
    connection.value(UPSERT, (repository_id, branch)).await
}

/// Whether an upload without a part replaces other results of the last hour. Call it before the lines of the upload are stored.
async fn replaces_others(
    connection: &mut AnyConnection,
    earlier: &Earlier,
    new: &NewRecord,
    at: Timestamp,
) -> Result<bool, StoreError> {
    const HOUR: i64 = 3_600_000_000;
    let is_alone = !new.part.name.is_named() && new.union().is_none();
    if !is_alone || at.0 - earlier.updated_at.0 > HOUR {
        return Ok(false);
    }
    let lines = new.line_states.as_ref();
    let has_same_lines = lines::are_stored(connection, earlier.id, lines).await?;
    Ok(earlier.percentage != new.percentage || !has_same_lines)
}

fn replaced_percentage(
    new: &NewRecord,
    repository: &Repository,
    id: i64,
    before: Percentage,
) -> AuditChange {
    let Stated {
        branch,
        language,
        commit,
        ..
    } = &new.stated;
    let subject = format!("record {id}: {branch}, {language}, {commit}");
    AuditChange::of(AuditAction::PercentageReplaced, repository, subject)
        .before(format!("{before} %"))
        .after(format!("{} %", new.record_percentage()))
}
