//! The domain types of the service: plain types and pure functions for the server and its pages. No leptos, no I/O, no clock.

mod audit;
mod author;
mod change;
mod choice;
mod cold;
mod compare;
mod count;
mod day;
mod deletion;
mod flicker;
mod forge;
mod gate;
mod gate_history;
mod gate_preview;
mod glob_list;
mod globs;
mod language;
mod ledger;
mod likeness;
mod line_range;
pub mod links;
mod metric;
mod names;
mod order;
mod org;
mod overview;
mod owners;
mod part_set;
mod percentage;
mod period_report;
mod pull_request;
mod query;
mod record;
mod repository;
mod results;
mod scale;
mod scope;
mod search;
mod settings;
mod setup;
mod share;
mod since;
mod spreadsheet;
#[cfg(feature = "sql")]
pub mod sql;
mod storage;
pub mod text;
mod timestamp;
mod token;
mod trend;
mod uncounted;
mod view;

pub use audit::{ActorKind, AuditAction, AuditEntry, AuditPage, AuditQuery};
pub use author::{AuthorDetail, AuthorQuery, AuthorRecord, AuthorSummary};
pub use change::Change;
pub use choice::ChoiceError;
pub use cold::{Cold, ColdDays, ColdFile, ColdList, ColdQuery};
pub use compare::{
    Compare, CompareQuery, CountedSides, RecordChoice, RecordRef, RecordRefError, SideCount,
};
pub use count::{Count, NewCount};
pub use day::{Day, DayError};
pub use deletion::Deletable;
pub use flicker::{FlickerList, FlickeringFile, FlickeringLanguage};
pub use forge::{ForgeKind, ForgeSite, ForgeSites};
pub use gate::{
    CHANGED_MIN, ChangedCount, FieldErrors, Gate, GateInput, GateRules, Limits, LostCount,
    Measured, PartialLines, PlacedRange, ScopedRule, Verdict,
};
pub use gate_history::{GateCounts, GateHistory, GateInterval, GateResult, GateRow, GatesQuery};
pub use gate_preview::{GatePreview, PreviewedPullRequest};
pub use glob_list::{CompiledGlobs, GlobList};
pub use globs::{PathGlobs, PathPattern, Reach};
pub use language::language_of_ending;
pub use ledger::{
    Advice, Arrivals, LastDay, LedgerPage, LedgerQuery, NewestRecord, Outcome, REFUSALS, Sender,
    UploadAttempt, advice,
};
pub use likeness::distance;
pub use line_range::{LineRange, lines_in_words, range_in_address, ranges_of};
pub use metric::{Metric, StatedMetric};
pub use names::{
    BranchName, CommitAuthor, CommitHash, Language, NameError, OrgName, PartName, PathGlob,
    PullRequest, RepoName, Repository, RunUrl, TreeHash,
};
pub use order::{
    AuthorColumn, BranchColumn, Column, HistoryColumn, Order, OverviewColumn, StorageColumn,
};
pub use org::{
    Beginning, EveryDay, GroupRow, Interval, KeptRepositories, LeftOut, LinesChange, MAX_POINTS,
    MAX_READINGS, Mean, Movement, OrgHistory, OrgNewCode, OrgPoint, OrgQuery, OrgReport, OrgSeries,
    OrgSums, Over, Period, Reason, RepositoryCounts, State, Step,
};
pub use overview::{
    Attention, AttentionList, AttentionRow, Choice, Choices, DAY, DROP_DAYS, DayPoint, OrgSummary,
    Overview, OverviewQuery, RepositoryRow, STALE_DAYS, Show, Sort, TREND_DAYS, is_stale,
    stale_since,
};
pub use owners::OwnersOf;
pub use part_set::{PartSet, PartSetError};
pub use percentage::Percentage;
pub use period_report::{
    Bounded, KnownOwner, MovedRow, Moves, PeriodReport, RecordsInPeriod, ReportEnds, ReportNew,
    ReportPeriodError, ReportQuery, ReportRow, ReportSources, RepositoryGate,
};
pub use pull_request::{PullRequestDetail, PullRequestList};
pub use query::Values;
pub use record::{
    Against, BaseRecord, CarriedPart, ChainRecord, ChangeCause, ChangeGroup, ChangedFile,
    ChangedLines, ComparedRecord, Comparison, Counted, CountedTwice, Excerpt, Explained,
    Explanation, FILES_ON_A_PAGE, FileList, FileListing, FileRow, FileSort, FileView, Files,
    FilesQuery, FoundBy, Ignored, IgnoredFiles, KnownLines, LineBranches, LineState, ListedRecord,
    LostLines, MatchedPaths, MissedSince, Moved, MovedFile, MovedGroup, MovedKind, NotAPosition,
    NotRunSince, Others, PartContent, PartList, RecordBeside, RecordChanges, RecordDetail,
    RecordPart, RecordParts, RecordPosition, RecordQuery, RecordTestsDetail, RecordUpload,
    RecordView, ShownTests, SourceDetail, SourceFiles, SourceLine, SourceLines, SourcePart,
    SourceQuery, SourceReport, SourceTests, SourceText, Standing, TestFile, TestLines, TestList,
    TestRow, TestsQuery, UnknownFiles, UnmatchedPath, WantedLines, heading, ignoring, no_view,
    plural,
};
pub use repository::{
    BranchPage, BranchRow, Compared, HISTORY_PAGE, History, HistoryPosition, HistoryRow,
    PullRequestRow, RepositoryDetail, RepositoryQuery, RepositoryTab, Trend,
};
pub use results::Results;
pub use scale::{Level, Scale};
pub use scope::{Named, Scope};
pub use search::{Rank, SHORTEST_COMMIT, Typos, Words, folded};
pub use settings::{ServiceSettings, Setting, SettingGroup, SettingSource};
pub use setup::{FormerService, SetupQuery};
pub use share::{rounded_share, share_of_change};
pub use since::{NewSince, NewSinceError};
pub use spreadsheet::{GUARDED, guarded};
pub use storage::{
    Age, Disk, FORECAST_DAYS, Forecast, Growth, MAX_LISTED, MAX_REPOSITORIES, MONTH_DAYS,
    MoreRepositories, PinnedReport, Pins, Prune, QuotaUse, Released, RepositoryStorage, Retention,
    RetentionRules, Storage, Stored, days_until,
};
pub use timestamp::Timestamp;
pub use token::{ListedToken, Purpose, SOON_DAYS, TokenList, TokenState};
pub use trend::{CHART_LINES, CHART_POINTS, Sample, Series, TrendPoint, TrendRange, thin};
pub use uncounted::uncounted;
pub use view::{
    FileSum, NewTotals, OrgOwners, OwnedRepository, OwnerRow, ViewCounts, ViewKind, ViewName,
    ViewNameError, Views, ViewsQuery,
};
