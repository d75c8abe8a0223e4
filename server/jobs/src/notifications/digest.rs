//! The digest: once a week, the report of each org or owner of a webhook about the seven days before.

use super::{
    Notifier,
    digest_text::lines,
    event::{Data, Event, EventKind, number},
};
use config::notifications::Webhook;
use domain::{
    Day, KnownOwner, MovedRow, Moves, OrgName, Period, PeriodReport, ReportQuery, ReportRow,
    Repository, RepositoryGate, links, text::chain,
};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use store::{NewNotification, StoreError, now};

/// An org, and the owner if the digest is about this owner only.
type Subject = (OrgName, Option<String>);

/// Stores the digests of the seven days before the last chosen weekday (which may be today), unless an earlier call stored them. Several
/// instances may call this at the same time: a digest is stored once, because its subject is unique. A digest that cannot be read does not delay the others.
pub(super) async fn store(notifier: &Notifier) -> Result<(), StoreError> {
    let Some(weekday) = notifier.settings.webhook_events.digest else {
        return Ok(());
    };
    let day = weekday.until(Day::of(now()));
    for (subject, hooks) in subjects(notifier).await? {
        if let Err(error) = store_one(notifier, day, &subject, hooks).await {
            let (org, cause) = (subject.0.as_str(), chain(&error));
            tracing::warn!(org, cause, "a digest cannot be read or stored");
        }
    }
    Ok(())
}

/// The subjects of the digests, each with its webhooks. A webhook without an org gets one for each org that is in no other org.
async fn subjects(notifier: &Notifier) -> Result<BTreeMap<Subject, Vec<String>>, StoreError> {
    let hooks = &notifier.settings.webhooks;
    let tops = match hooks.iter().any(|hook| hook.org.is_none()) {
        true => notifier.store.writer().top_orgs().await?,
        false => Default::default(),
    };
    let mut subjects: BTreeMap<Subject, Vec<String>> = BTreeMap::new();
    let mut add = |org: &OrgName, hook: &Webhook| {
        let subject = (org.clone(), hook.owner.clone());
        subjects.entry(subject).or_default().push(hook.key());
    };
    for hook in hooks.iter() {
        match &hook.org {
            Some(org) => add(org, hook),
            None => tops.iter().for_each(|org| add(org, hook)),
        }
    }
    Ok(subjects)
}

async fn store_one(
    notifier: &Notifier,
    day: Day,
    (org, owner): &Subject,
    hooks: Vec<String>,
) -> Result<(), StoreError> {
    let of_owner = owner.as_deref().unwrap_or_default();
    let subject = format!("digest {day} {}{of_owner}", org.key());
    let writer = notifier.store.writer();
    if writer.is_notified(&subject).await? {
        return Ok(());
    }
    let period = Period {
        from: day.days_before(7),
        to: day.days_before(1),
    };
    let reader = notifier.store.everything();
    let report = reader.period_report(org, period, owner.as_deref()).await?;
    let event = report
        .filter(PeriodReport::has_news)
        .map(|report| event(notifier, &report));
    // Events contain only texts and numbers, which JSON can always express.
    let body = event.as_ref().map(serde_json::to_string);
    let body = body.and_then(Result::ok).unwrap_or_default();
    let notification = NewNotification {
        subject,
        // No repository has this key.
        repository: format!("{}/", org.key()),
        last_body: body.clone(),
        body,
        // Without news, what is stored says only that this week was looked at.
        webhooks: event.map_or_else(Vec::new, |_| hooks),
    };
    writer.notify(None, &[notification]).await?;
    Ok(())
}

fn event(notifier: &Notifier, report: &PeriodReport) -> Event {
    let owner = report.owner.as_ref();
    let query = ReportQuery {
        org: Some(report.org.clone()),
        owner: owner.map_or_else(String::new, |owner| owner.name().to_owned()),
        from: Some(report.period.from),
        to: Some(report.period.to),
    };
    let new = report.new;
    let data = Data {
        org_name: report.org.to_string(),
        owner: owner.map(|owner| owner.name().to_owned()),
        from: Some(report.period.from.to_string()),
        to: Some(report.period.to.to_string()),
        percentage: report.ends.end.and_then(number),
        base_percentage: report.ends.start.and_then(number),
        new: raw(&NewJson {
            covered: new.lines.lines.covered,
            coverable: new.lines.lines.total,
            unknown: new.lines.unknown,
            unknown_repositories: Some(new.unknown_repositories),
        }),
        owners: rows(&report.owners.rows, Name::of_owner),
        by_repository: rows(&report.repositories.rows, Name::of),
        moved_owners: moves(&report.moved_owners, Name::of_owner),
        moved_repositories: moves(&report.moved_repositories, Name::of),
        silent: list(&report.silent.rows, |(repository, last)| SilentJson {
            name: Name::of(repository),
            last_upload: last.to_string(),
        }),
        gates: list(&report.gates.rows, GateJson::of),
        url: format!("{}{}", notifier.public_url, links::report(&query)),
        ..Data::default()
    };
    Event::of_lines(EventKind::Digest, data, &lines(report))
}

/// What a row is about, with the names of the API.
#[derive(Serialize)]
#[serde(untagged)]
enum Name {
    /// `null` for the repositories whose owners are not known.
    Owner {
        owner: Option<String>,
    },
    Repository {
        org_name: String,
        repo_name: String,
    },
}

#[derive(Serialize)]
struct NewJson {
    covered: u64,
    coverable: u64,
    unknown: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_repositories: Option<u64>,
}

#[derive(Serialize)]
struct RowJson {
    #[serde(flatten)]
    name: Name,
    /// `null` if they are unknown.
    new: Option<NewJson>,
}

#[derive(Serialize)]
struct MovedJson {
    #[serde(flatten)]
    name: Name,
    percentage: Option<Box<RawValue>>,
    base_percentage: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct SilentJson {
    #[serde(flatten)]
    name: Name,
    last_upload: String,
}

#[derive(Serialize)]
struct GateJson {
    #[serde(flatten)]
    name: Name,
    failed: u64,
    judged: u64,
}

impl Name {
    fn of_owner(owner: &KnownOwner) -> Self {
        let owner = owner.as_ref().map(|owner| owner.name().to_owned());
        Self::Owner { owner }
    }

    fn of(repository: &Repository) -> Self {
        Self::Repository {
            org_name: repository.org.to_string(),
            repo_name: repository.repo.to_string(),
        }
    }
}

impl GateJson {
    fn of(gate: &RepositoryGate) -> Self {
        Self {
            name: Name::of(&gate.repository),
            failed: gate.failed,
            judged: gate.judged,
        }
    }
}

fn rows<T>(rows: &[ReportRow<T>], name: impl Fn(&T) -> Name) -> Option<Box<RawValue>> {
    list(rows, |row| RowJson {
        name: name(&row.of),
        new: row.new_lines().map(|new| NewJson {
            covered: new.lines.covered,
            coverable: new.lines.total,
            unknown: new.unknown,
            unknown_repositories: None,
        }),
    })
}

/// The losses, then the gains.
fn moves<T>(moves: &Moves<T>, name: impl Fn(&T) -> Name) -> Option<Box<RawValue>> {
    let rows: Vec<_> = moves.rows().collect();
    list(&rows, |row: &&MovedRow<T>| MovedJson {
        name: name(&row.of),
        percentage: number(row.end),
        base_percentage: number(row.start),
    })
}

fn list<T, J: Serialize>(rows: &[T], json: impl Fn(&T) -> J) -> Option<Box<RawValue>> {
    if rows.is_empty() {
        return None;
    }
    raw(&rows.iter().map(json).collect::<Vec<_>>())
}

fn raw(json: &impl Serialize) -> Option<Box<RawValue>> {
    let text = serde_json::to_string(json).ok()?;
    RawValue::from_string(text).ok()
}
