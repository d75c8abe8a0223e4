//! `coverage-dashboard check`: judges a job where it runs, and uploads nothing.

mod analysis;
mod annotations;
mod base;
mod coverage_files;
mod language;
mod measured;
mod report;
mod settings;

use crate::{
    arguments::ClientArguments, error::ClientError, git::Git, service::Found, service::Service,
};
use analysis::{LocalAnalysis, analyse};
use clap::Args;
use domain::{CommitHash, Count, GateRules, Language, Repository, Verdict, text::chain};
use ingest::{MAX_SETTINGS_BYTES, SettingsError};
use lines::Lines;
use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::PathBuf,
};
use thiserror::Error;

/// Judge coverage files by the gate in coverage-dashboard.toml, here and without an upload: for pull requests of forks, and before a push.
/// Exit code 0 if it passes, 1 if it fails, 2 if the result is unknown.
#[derive(Clone, Debug, Args)]
pub struct CheckArguments {
    /// The service, for the change of the coverage and for lost lines; optional.
    #[command(flatten)]
    pub client: ClientArguments,

    /// The commit that the changes start from [default: the base that the CI system names, else the commit where HEAD left the
    /// default branch].
    #[arg(long)]
    pub base: Option<String>,

    /// The coverage files [default: all files in the repository that have a usual name].
    pub files: Vec<PathBuf>,
}

/// Why the result is unknown.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum CheckError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("no coverage file is below {0}: name it, or run the tests with coverage first")]
    NoFile(String),
    #[error("{path} cannot be judged: {why}")]
    File { path: String, why: String },
    #[error("{name} has more than {MAX_SETTINGS_BYTES} bytes: shorten it")]
    LargeSettings { name: &'static str },
    #[error("{name}: {source}")]
    Settings {
        name: &'static str,
        source: SettingsError,
    },
    #[error(transparent)]
    Output(#[from] io::Error),
}

struct Checked {
    base: Option<String>,
    /// What is unknown or left out, one sentence each.
    notices: Vec<String>,
    has_changed_rule: bool,
    /// The gate judges each language separately.
    languages: Vec<Judged>,
}

struct Judged {
    language: Option<Language>,
    total: Option<Count>,
    base_record: Option<Found>,
    analysis: LocalAnalysis,
}

impl Checked {
    /// `None` if the verdict of a language is unknown and none has failed.
    fn verdict(&self) -> Option<bool> {
        let verdicts = self.languages.iter().map(|judged| self.verdict_of(judged));
        let verdicts: Vec<_> = verdicts.collect();
        if verdicts.contains(&Some(false)) {
            return Some(false);
        }
        (!verdicts.contains(&None)).then_some(true)
    }

    /// `None` if the verdict is unknown, or if the changed lines are unknown and a rule needs them.
    fn verdict_of(&self, judged: &Judged) -> Option<bool> {
        let changed = judged.analysis.changed.as_ref();
        let is_known = changed.is_some_and(|changed| changed.unknown.is_none());
        match judged.analysis.gate.as_ref().map(|gate| gate.verdict) {
            Some(Verdict::Failed) => Some(false),
            Some(Verdict::Unknown) => None,
            _ => (is_known || !self.has_changed_rule).then_some(true),
        }
    }
}

/// Judges the coverage files, and prints the result, a summary for the job, and annotations. Returns whether the gate passes;
/// `None` if the result is unknown. It is also unknown after an error.
pub(crate) async fn run(
    arguments: CheckArguments,
    out: &mut impl Write,
) -> Result<Option<bool>, CheckError> {
    let git = Git::here()?;
    let (rules, mut notices) = settings::rules(&git)?;
    let client = &arguments.client;
    let named = client.language.as_ref();
    let measured = measured::measured(&arguments.files, named, &git, &mut notices)?;
    let (base, changes) = match base::find(&git, arguments.base.as_deref()) {
        Ok((base, changes)) => (Some(base), Some(changes)),
        Err(why) => {
            notices.push(format!("The changed lines are not known: {why}."));
            (None, None)
        }
    };
    let mut languages = Vec::new();
    for (language, measured) in measured {
        let of_base = match &base {
            Some(base) => of_base(client, language.as_ref(), &git, base, &mut notices).await,
            None => None,
        };
        let elsewhere = measured::of_another_repository(&measured, git.root());
        let changes = changes.as_ref().filter(|_| elsewhere.is_none());
        notices.extend(elsewhere.map(|why| format!("The changed lines are not known: {why}.")));
        let base_lines = of_base.as_ref().map(|(_, lines)| lines);
        languages.push(Judged {
            analysis: analyse(&measured, changes, base_lines, &rules),
            total: measured.total,
            base_record: of_base.map(|(record, _)| record),
            language,
        });
    }
    let checked = Checked {
        base,
        notices,
        has_changed_rule: has_changed_rule(&rules),
        languages,
    };
    report::print(out, &checked)?;
    report::write_summary(&checked)?;
    annotations::print(out, &checked)?;
    Ok(checked.verdict())
}

fn has_changed_rule(rules: &GateRules) -> bool {
    let of_paths = rules.paths.values();
    rules.all.changed.is_some() || of_paths.into_iter().any(|limits| limits.changed.is_some())
}

/// Reads the record of the base, if the address of the service is set. A failure is only a notice, since the record is optional.
async fn of_base(
    client: &ClientArguments,
    language: Option<&Language>,
    git: &Git,
    base: &str,
    notices: &mut Vec<String>,
) -> Option<(Found, Lines)> {
    client.url.as_ref()?;
    let asked = async {
        let service = client.service()?;
        let repository = client.repository(git)?;
        let no_commit = |_| ClientError::Git(format!("{base} is no commit"));
        let commit: CommitHash = base.parse().map_err(no_commit)?;
        read(&service, (client, language), &repository, &commit).await
    };
    match asked.await {
        Ok(found) => Some(found),
        Err(error) => {
            let cause = chain(&error);
            let notice = format!("The change and lost lines are not known: {cause}.");
            if !notices.contains(&notice) {
                notices.push(notice);
            }
            None
        }
    }
}

async fn read(
    service: &Service,
    (client, language): (&ClientArguments, Option<&Language>),
    repository: &Repository,
    commit: &CommitHash,
) -> Result<(Found, Lines), ClientError> {
    let mut records = service.of_commit(repository, commit).await?;
    let is_meant = |found: &Found| match language {
        Some(language) => language.as_str() == found.language,
        None => client.is_meant(found),
    };
    records.retain(is_meant);
    // Records of several languages have no common change.
    let languages: BTreeSet<_> = records.iter().map(|found| found.language.clone()).collect();
    if languages.len() > 1 {
        let names: Vec<_> = languages.into_iter().collect();
        return Err(ClientError::SeveralLanguages(names.join(", ")));
    }
    let Some(record) = records.into_iter().next() else {
        return Err(ClientError::NoRecord {
            repository: repository.clone(),
            what: match language {
                Some(language) => format!("commit {commit} in {language}"),
                None => client.in_language(format!("commit {commit}")),
            },
        });
    };
    let lines = service.lines(&record).await?;
    Ok((record, lines))
}
