//! Carries parts forward: a part that was not measured again keeps its lines that the changes did not touch.
//!
//! The settings of the main branch turn this on. A part is taken only from a record that measured it, at most 14 days or 50
//! records ago, through the changes of each record between; and only if the main branch has measured it in the last 14 days.

mod chain;

#[cfg(test)]
pub(super) use chain::{BY_COMMIT, BY_TREE};

use super::{
    NewChange, NewLines, RecordKey, Store, StoreError, Unsigned, Writer,
    blocking::{blocking, decoding},
    names,
    run::Run,
    time::now,
};
use chain::{Chain, Link};
use domain::{CarriedPart, DAY, GlobList, IgnoredFiles, PartName, PartSet, Timestamp};
use lines::{Changes, Limits, Lines, Moves, NamedBranches, TestSets};
use sqlx::AnyConnection;
use std::{collections::BTreeSet, sync::Arc};

/// The maximum age of a measured part.
const OLDEST: i64 = 14 * DAY;

/// A commit that may carry parts.
#[derive(Clone, Copy, Debug)]
pub struct Carrying<'a> {
    /// The names of the commit.
    pub commit: RecordKey<'a>,
    /// The record of the commit, if there is one.
    pub record_id: Option<i64>,
    /// The change that an upload of the commit states.
    pub change: Option<&'a NewChange>,
    /// The parts that its record carries already. If `None`, the settings of the main branch decide.
    pub already: Option<&'a PartSet>,
}

/// The parts that a commit carries.
#[derive(Debug, Default)]
pub struct Carried {
    /// The carried parts, by name.
    pub sources: Vec<Source>,
    /// Why other parts are not carried, one sentence each.
    pub notices: Vec<String>,
    chain: Chain,
}

/// The source of the lines of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The part.
    pub part: CarriedPart,
    /// The folder that was removed from its paths; often empty.
    pub root: String,
    /// Whether its coverage file states that folder.
    pub is_root_stated: bool,
    /// The files that its record left out.
    pub ignored: IgnoredFiles,
    /// The rules by which its record left them out.
    rules: GlobList,
    /// The record that measured the part.
    record_id: i64,
    /// The number of changes between that record and the commit.
    steps: usize,
}

/// A part to store as carried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCarried {
    /// The part.
    pub part: CarriedPart,
    /// The lines of the part at the commit.
    pub lines: NewLines,
    /// Whether the tests that ran its lines are known.
    pub has_tests: bool,
}

pub(super) const ON_MAIN: &str = "
    select distinct q.part from repositories p
    join records h on h.branch_id = p.main_branch_id
    join record_parts q on q.record_id = h.id
    where p.id = $1 and h.language = $2 and h.updated_at >= $3 and h.unconfirmed_at is null
      and q.skip_reason is null and q.arrived_at >= $3";

impl Writer<'_> {
    /// The parts that a record carries.
    pub async fn carried_parts(self, record_id: i64) -> Result<PartSet, StoreError> {
        let parts = of_record(self.store, record_id).await?;
        Ok(parts.into_iter().map(|part| part.name).collect())
    }

    /// Finds the parts that a commit carries if it has measured the parts `measured`.
    pub async fn carried(
        self,
        commit: Carrying<'_>,
        measured: &PartSet,
    ) -> Result<Carried, StoreError> {
        let RecordKey {
            repository: of,
            language,
            ..
        } = commit.commit;
        let Some(settings) = self.settings_of_main(of).await? else {
            return Ok(Carried::default());
        };
        let wanted = commit.already.cloned();
        let wanted = wanted.unwrap_or_else(|| settings.carry.of(language));
        let mut wanted = wanted.without(measured);
        if wanted.is_empty() {
            return Ok(Carried::default());
        }
        let repository: Option<i64> = self.store.first_value(names::ID, [of]).await?;
        if let Some(repository) = repository {
            let elsewhere = self
                .store
                .parts_elsewhere(repository, commit.commit)
                .await?;
            wanted = wanted.without(&elsewhere.without(&settings.carry.only_of(language)));
        }
        let (Some(repository), Some(link)) =
            (repository, Link::of_commit(self.store, commit).await?)
        else {
            let because = |part: &PartName| not_carried(part, "no changes were sent");
            return Ok(Carried {
                notices: wanted.names().map(because).collect(),
                ..Carried::default()
            });
        };
        let since = Timestamp(now().0 - OLDEST);
        let on_main: Vec<PartName> = self
            .store
            .values(ON_MAIN, (repository, language, since))
            .await?;
        let on_main: BTreeSet<PartName> = on_main.into_iter().collect();
        let (known, unseen): (Vec<_>, Vec<_>) =
            wanted.names().partition(|part| on_main.contains(*part));
        let (mut carried, missing) =
            chain::walk(self.store, (repository, commit), link, &known, since).await?;
        let unseen = unseen.into_iter().map(|part| (part, UNSEEN));
        let missing = missing.iter().map(|part| (part, NOT_FOUND));
        let reasons = unseen.chain(missing);
        carried.notices = reasons.map(|(part, why)| not_carried(part, why)).collect();
        carried.drop_unknown_paths();
        Ok(carried)
    }

    /// Returns the lines of a carried part at the commit; `None` if they are no longer kept, if all of them changed, or if the
    /// changes since the measurement take too much memory. Call it for the parts in the order of [`Carried::nearest_first`].
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if stored lines or changes are damaged.
    pub async fn carried_lines(
        self,
        carried: &Carried,
        followed: &mut Followed,
        source: &Source,
    ) -> Result<Option<Lines>, StoreError> {
        let Source {
            part,
            record_id,
            steps,
            ..
        } = source;
        while followed.steps < *steps {
            let (record, blob) = carried.chain.links[followed.steps]
                .changes(self.store)
                .await?;
            followed.steps += 1;
            let Some(moves) = followed.moves.take() else {
                continue;
            };
            let compose = move || {
                let moves = Arc::unwrap_or_clone(moves);
                let composed = moves.after(&Changes::decode(&blob)?);
                Ok(composed.ok().map(Arc::new))
            };
            followed.moves = decoding(record, compose).await?;
        }
        let Some(moves) = followed.moves.clone() else {
            return Ok(None);
        };
        let Some(lines) = self.part_lines(*record_id, &part.name).await? else {
            return Ok(None);
        };
        let lines = blocking(move || lines.moved(&moves)).await?;
        Ok(Some(lines).filter(|lines| lines.files().len() > 0))
    }

    /// Returns the branches of a carried part at the commit; `None` if they are not kept, or if a file with branches has changed.
    /// Call it after [`Self::carried_lines`] of the same part.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if stored branches are damaged.
    pub async fn carried_branches(
        self,
        followed: &Followed,
        source: &Source,
    ) -> Result<Option<NamedBranches>, StoreError> {
        let Some(moves) = followed.moves.clone() else {
            return Ok(None);
        };
        let part = &source.part.name;
        let Some(branches) = self.part_branches(source.record_id, part).await? else {
            return Ok(None);
        };
        blocking(move || branches.moved(&moves)).await
    }

    /// Returns the tests of a carried part at the commit; empty if they are not known. Call it after [`Self::carried_lines`] of the
    /// same part.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if stored tests are damaged.
    pub async fn carried_tests(
        self,
        followed: &Followed,
        source: &Source,
    ) -> Result<TestSets, StoreError> {
        let Some(moves) = followed.moves.clone() else {
            return Ok(TestSets::default());
        };
        let tests = self.part_tests(source.record_id, &source.part.name).await?;
        let moved = move || Ok(tests.moved(&moves, &Limits::default())?);
        decoding(source.record_id, moved).await
    }
}

/// The composed changes of a commit and of the records before it.
#[derive(Debug)]
pub struct Followed {
    /// The number of composed changes.
    steps: usize,
    /// `None` if they take too much memory.
    moves: Option<Arc<Moves>>,
}

impl Default for Followed {
    fn default() -> Self {
        Self {
            steps: 0,
            moves: Some(Arc::default()),
        }
    }
}

const UNSEEN: &str = "the main branch has not measured it in the last 14 days";
const NOT_FOUND: &str =
    "no record along the stored changes has measured it in the last 14 days and 50 records";
const UNKNOWN_PATHS: &str = "its paths are not the paths of the repository; send the form field paths (the output of git ls-files -z)";

const OTHER_RULES: &str = "its commit ignored other files, whose lines are not stored";

fn not_carried(part: &PartName, why: &str) -> String {
    format!("Part {part} is not carried forward: {why}.")
}

impl Carried {
    /// The names of [`Self::sources`].
    pub fn names(&self) -> impl Iterator<Item = PartName> {
        self.sources.iter().map(|source| source.part.name.clone())
    }

    /// The indexes of [`Self::sources`]: first the parts with the fewest changes since their measurement.
    #[must_use]
    pub fn nearest_first(&self) -> Vec<usize> {
        let mut places: Vec<_> = (0..self.sources.len()).collect();
        places.sort_by_key(|&place| self.sources[place].steps);
        places
    }

    /// Changes of a file are known only by its path in the repository, so parts with other paths cannot be carried.
    fn drop_unknown_paths(&mut self) {
        self.keep(UNKNOWN_PATHS, |source| {
            source.root.is_empty() || source.is_root_stated
        });
    }

    /// Drops the parts that lack files because their records ignored them by other rules than `rules`.
    pub fn drop_other_rules(&mut self, rules: &GlobList) {
        self.keep(OTHER_RULES, |source| {
            source.ignored == IgnoredFiles::NONE || source.rules == *rules
        });
    }

    fn keep(&mut self, why_not: &str, is_kept: impl Fn(&Source) -> bool) {
        let dropped = self.sources.iter().filter(|source| !is_kept(source));
        let dropped = dropped.map(|source| not_carried(&source.part.name, why_not));
        self.notices.extend(dropped);
        self.sources.retain(is_kept);
    }
}

pub(super) const OF_RECORD: &str = "
    select k.part, s.id as record_id, k.source_commit as commit_hash, k.measured_at from carried_parts k
    left join records s on s.id = k.source_id
    where k.record_id = $1 order by k.part";

/// Replaces the parts that a record carries, within the transaction that publishes the record.
pub(super) async fn store(
    connection: &mut AnyConnection,
    record_id: i64,
    carried: &[NewCarried],
) -> Result<(), StoreError> {
    const DELETE: &str = "delete from carried_parts where record_id = $1";
    const INSERT: &str = "
        insert into carried_parts (record_id, part, source_id, source_commit, measured_at, covered, coverable, lines, has_tests)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    connection.run(DELETE, [record_id]).await?;
    for NewCarried {
        part,
        lines,
        has_tests,
    } in carried
    {
        let Some(source) = part.record_id else {
            continue;
        };
        let values = (
            record_id,
            &part.name,
            source,
            &part.commit,
            part.measured_at,
            Unsigned(lines.covered),
            Unsigned(lines.coverable),
            &lines.encoded,
            i64::from(*has_tests),
        );
        connection.run(INSERT, values).await?;
    }
    Ok(())
}

pub(super) async fn of_record(
    store: &Store,
    record_id: i64,
) -> Result<Vec<CarriedPart>, StoreError> {
    store.all(OF_RECORD, [record_id]).await
}
