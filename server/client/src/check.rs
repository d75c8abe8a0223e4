//! `coverage-dashboard check`: checks coverage files against the gate on the machine that has them, and uploads nothing.

mod analysis;
mod annotations;
mod base;
mod coverage_files;
mod language;
mod measured;
mod report;
mod settings;
mod views;

pub(crate) use settings::start_of;

use crate::{
    arguments::{ClientArguments, no_record},
    error::ClientError,
    git::Git,
    service::Found,
};
use analysis::{Judged, judge};
use clap::Args;
use domain::{CommitHash, Language, Verdict, text::chain};
use ingest::{MAX_SETTINGS_BYTES, SettingsError};
use lines::Lines;
use std::{
    io::{self, Write},
    path::PathBuf,
};
use thiserror::Error;

/// Check coverage files against the gate in coverage-dashboard.toml, without an upload: for pull requests of forks, and before a
/// push. Exit code 0 if the gate passes, 1 if it fails, 2 if the result is unknown.
#[derive(Clone, Debug, Args)]
pub struct CheckArguments {
    /// The service that has the base record; optional. Without it, the change of the coverage and the lost lines are unknown.
    #[command(flatten)]
    pub client: ClientArguments,

    /// The commit that the changes start from [default: the base that the CI system names, else the commit where HEAD left the
    /// default branch].
    #[arg(long)]
    pub base: Option<String>,

    /// The branch that the changes go to: they start where HEAD left it [default: the target that the CI system names].
    #[arg(long)]
    pub target: Option<String>,

    /// The coverage files [default: all files in the repository that have a usual name].
    pub files: Vec<PathBuf>,
}

/// Why the result is unknown.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum CheckError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error(
        "no coverage file was found in {0} or its folders: give the path of the file, or run the tests with coverage first"
    )]
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
    /// The gate judges each language separately.
    languages: Vec<Judged>,
}

impl Checked {
    /// The worst verdict of a language. A language without a rule passes.
    fn verdict(&self) -> Verdict {
        let gates = self.languages.iter().flat_map(|judged| &judged.gate);
        let verdicts: Vec<_> = gates.map(|gate| gate.verdict).collect();
        let mut worst = [Verdict::Failed, Verdict::Unknown].into_iter();
        let worst = worst.find(|verdict| verdicts.contains(verdict));
        worst.unwrap_or(Verdict::Passed)
    }

    /// The name of a language, if there are several.
    fn name<'a>(&self, judged: &'a Judged) -> Option<&'a str> {
        let language = judged.language.as_ref();
        let name = language.map_or("other languages", Language::as_str);
        (self.languages.len() > 1).then_some(name)
    }
}

/// Judges the coverage files, and prints the result, a summary for the job, and annotations. Returns the verdict. After an error,
/// the caller exits as for an unknown verdict.
pub(crate) async fn run(
    arguments: CheckArguments,
    out: &mut impl Write,
) -> Result<Verdict, CheckError> {
    let git = Git::here()?;
    let (settings, mut notices) = settings::read(&git)?;
    let (rules, ignore) = (settings.rules.clone(), settings.ignore.clone());
    let definitions = views::definitions(&git, settings, &mut notices)?;
    let client = &arguments.client;
    let named = client.language.as_ref();
    let measured = measured::measured(&arguments.files, named, &ignore, &git, &mut notices)?;
    let (base, changes) =
        match base::find(&git, arguments.base.as_deref(), arguments.target.as_deref()) {
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
        let judged = judge(
            language,
            &measured,
            changes,
            of_base.as_ref(),
            (&rules, &ignore, &definitions),
        );
        languages.push(judged);
    }
    let checked = Checked {
        base,
        notices,
        languages,
    };
    report::print(out, &checked)?;
    report::write_summary(&checked)?;
    annotations::print(out, &checked)?;
    Ok(checked.verdict())
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
    match read(client, language, git, base).await {
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
    client: &ClientArguments,
    language: Option<&Language>,
    git: &Git,
    base: &str,
) -> Result<(Found, Lines), ClientError> {
    let (service, repository) = (client.service()?, client.repository(git)?);
    let no_commit = |_| ClientError::Git(format!("{base} is no commit"));
    let commit: CommitHash = base.parse().map_err(no_commit)?;
    let mut records = service.of_commit(&repository, &commit).await?;
    records.retain(|found| found.is_in(language));
    // The change is computed for one language.
    if records.len() > 1 {
        let mut names: Vec<_> = records.into_iter().map(|found| found.language).collect();
        names.sort_unstable();
        return Err(ClientError::SeveralLanguages(names.join(", ")));
    }
    let missing = || no_record(&repository, format!("commit {commit}"), language);
    let record = records.pop().ok_or_else(missing)?;
    let lines = service.lines(&record).await?;
    Ok((record, lines))
}
