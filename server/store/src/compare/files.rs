//! The files of two records: what a view and a metric count of them, and the ones that changed.

use crate::{
    FileCounts, StoredFiles,
    record_details::{self, DecodeError},
    totals::Totals,
    views::{ViewFiles, is_in},
};
use domain::{
    Change, Count, Counted, CountedSides, Metric, Moved, Percentage, SideCount, uncounted,
};
use tokio::task;

/// The maximum number of named files: the ones that changed the percentage most.
const NAMED_FILES: usize = 100;

/// Why the counts of a view are not known.
const NO_FILES: &str = "the files of the record are not known";
const NOT_BY_FILE: &str = "its coverage file does not state them for each file";

/// The files of one record.
pub(super) struct SideFiles {
    pub(super) files: Option<StoredFiles>,
    pub(super) totals: Totals,
    pub(super) is_united: bool,
}

/// The files of two records, and what is counted of them.
pub(super) struct Sides {
    pub(super) base: SideFiles,
    pub(super) head: SideFiles,
    pub(super) view: Option<ViewFiles>,
    pub(super) metric: Metric,
}

/// What was counted.
#[derive(Default)]
pub(super) struct ComparedFiles {
    /// `None` for all lines.
    pub(super) counted: Option<CountedSides>,
    /// All known counts of the view in both records; `None` without a view.
    pub(super) counts: Option<(Vec<Counted>, Vec<Counted>)>,
    pub(super) moved: Option<Moved>,
}

/// Compares files on a blocking thread. `stated` is the change of all lines. Unreadable files count as absent.
pub(super) async fn compared(sides: Sides, stated: Change) -> ComparedFiles {
    let counts_all_lines = sides.view.is_none() && sides.metric == Metric::Lines;
    let read = task::spawn_blocking(move || sides.compared(stated));
    let reason = match read.await {
        Ok(Ok(compared)) => return compared,
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::error!(reason, "the files of two records cannot be compared");
    let unknown = CountedSides {
        base: Err(NO_FILES),
        head: Err(NO_FILES),
    };
    ComparedFiles {
        counted: (!counts_all_lines).then_some(unknown),
        ..ComparedFiles::default()
    }
}

impl Sides {
    fn compared(self, stated: Change) -> Result<ComparedFiles, DecodeError> {
        let (view, metric) = (self.view.as_ref(), self.metric);
        if view.is_none() && metric == Metric::Lines {
            let moved = moved(self.base.files, self.head.files, stated)?;
            return Ok(ComparedFiles {
                moved,
                ..ComparedFiles::default()
            });
        }
        let base = self.base.counted(view, metric)?;
        let head = self.head.counted(view, metric)?;
        let percentage = |count: SideCount| Percentage::of(count.ok()?);
        let moved = match percentage(base.count).zip(percentage(head.count)) {
            Some((before, after)) => {
                let change = Change::between(before, after);
                moved(base.files, head.files, change)?
            }
            None => None,
        };
        Ok(ComparedFiles {
            counted: Some(CountedSides {
                base: base.count,
                head: head.count,
            }),
            counts: view.map(|_| (base.counts, head.counts)),
            moved,
        })
    }
}

/// What is counted of one record.
struct CountedSide {
    count: SideCount,
    counts: Vec<Counted>,
    files: Option<StoredFiles>,
}

impl SideFiles {
    fn counted(self, view: Option<&ViewFiles>, metric: Metric) -> Result<CountedSide, DecodeError> {
        let Self {
            files,
            totals,
            is_united,
        } = self;
        let stated = totals.of(metric).ok_or(uncounted(metric, is_united));
        let unknown = |count| CountedSide {
            count,
            counts: Vec::new(),
            files: None,
        };
        let Some(files) = files else {
            return Ok(unknown(stated.and_then(|count| match view {
                None => Ok(count),
                Some(_) => Err(NO_FILES),
            })));
        };
        let Some(all) = files.sum()? else {
            let count = if view.is_some() {
                Err(NO_FILES)
            } else {
                stated
            };
            return Ok(unknown(count));
        };
        let has = |path: &str| is_in(view, path);
        let own = match view {
            Some(_) => files.clone().selected(Metric::Lines, has)?.sum()?,
            None => None,
        };
        let own: FileCounts = own.unwrap_or(all);
        let by_file: Option<Count> = totals.of_files(metric, own, all);
        Ok(CountedSide {
            count: match (view, metric) {
                (None, _) => stated,
                (Some(_), Metric::Lines) => Ok(own.lines),
                (Some(_), _) => stated.and_then(|_| by_file.ok_or(NOT_BY_FILE)),
            },
            counts: totals.counted_of_files(&files.counter, own, all),
            files: match by_file {
                Some(_) => Some(files.selected(metric, has)?),
                None => None,
            },
        })
    }
}

/// The files that changed.
fn moved(
    base: Option<StoredFiles>,
    head: Option<StoredFiles>,
    change: Change,
) -> Result<Option<Moved>, DecodeError> {
    match base.zip(head) {
        Some((base, head)) => record_details::moved(&base, &head, change, NAMED_FILES),
        None => Ok(None),
    }
}
