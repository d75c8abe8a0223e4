//! One reading of the storage: how many bytes the HTML reports and the database use, and what the retention rules will remove.

use super::{Settings, disk, quotas};
use chrono::{DateTime, NaiveTime};
use config::{RetentionError, Rules};
use domain::{
    DAY, FORECAST_DAYS, Forecast, Growth, MAX_REPOSITORIES, MONTH_DAYS, MoreRepositories, Order,
    Prune, Released, RepositoryStorage, Retention, Storage, StorageColumn, Stored, Timestamp,
    text::chain,
};
use jobs::retention;
use std::cmp::Reverse;
use store::{Quotas, RepositoryUse, Store, StoreError, now};

/// How many points in time the removals are computed for: the next run of the retention rules, and each of [`FORECAST_DAYS`].
const TIMES: usize = 1 + FORECAST_DAYS.len();

pub(super) async fn read(store: &Store, settings: &Settings) -> Result<Storage, StoreError> {
    let at = now();
    let all_days = settings.daily_rules().and_then(|rules| rules.all_days);
    let first = store.operator().first_repository().await?;
    let growth_days = first.and_then(|first| {
        let days = u32::try_from((at.0 - first.0) / DAY).unwrap_or_default();
        Growth::window(days, all_days)
    });
    let since = later(at, -i64::from(growth_days.unwrap_or(MONTH_DAYS)));
    let ages = store.operator().report_ages(at).await?;
    let mut repositories = store.operator().repository_storage(since).await?;
    let growth = growth_days.map(|days| Growth {
        days,
        bytes: repositories.iter().map(|each| each.recent_bytes).sum(),
    });
    let bytes = ages.ages.iter().map(|age| age.bytes).sum();
    let (retention, pruned) = removed(store, settings, at).await?;
    let quotas = match settings.quotas == Quotas::default() {
        true => Vec::new(),
        false => {
            let in_database = store.operator().bytes_in_database().await?;
            quotas::uses(&settings.quotas, &repositories, &in_database, growth_days)
        }
    };
    repositories
        .sort_by_cached_key(|each| (Reverse(each.stored.bytes), each.repository.to_string()));
    let sorted = StorageColumn::orders()
        .map(|order| (order, in_order(order, &repositories)))
        .collect();
    let hidden = repositories.split_off(repositories.len().min(MAX_REPOSITORIES));
    let (released, first_release) = store.operator().released_storage().await?;
    let grace = i64::try_from(settings.grace.0.as_micros()).unwrap_or(i64::MAX);
    Ok(Storage {
        at,
        ages: ages.ages,
        without_size: ages.without_size,
        repositories: repositories.iter().map(shown).collect(),
        sorted,
        more: more(&hidden),
        forecast: growth
            .map(|growth| Forecast::new(growth, bytes, pruned, settings.days_of_new_reports())),
        quotas,
        retention,
        pins: store.operator().pins().await?,
        released: Released {
            stored: released,
            next_end: first_release.map(|first| Timestamp(first.0.saturating_add(grace))),
            grace: (!settings.grace.is_zero()).then(|| settings.grace.to_string()),
        },
        database_bytes: database_bytes(store).await,
        reports_disk: disk::of(settings.folder.clone()).await,
        database_disk: disk::of(store.watcher().file()).await,
    })
}

impl Settings {
    /// The rules, if the service itself applies them every day.
    fn daily_rules(&self) -> Option<Rules> {
        self.rules.ok().filter(|_| self.prune_at.is_some())
    }

    /// The number of days after which the service removes each new HTML report. `None` if no daily rule removes reports by age,
    /// or if the rules keep weekly reports longer.
    fn days_of_new_reports(&self) -> Option<u32> {
        let rules = self.daily_rules()?;
        rules.all_days.filter(|_| rules.weekly_days.is_none())
    }
}

/// What the rules remove next, and how many bytes the service will have removed after each of [`FORECAST_DAYS`]: 0 if the service
/// does not apply the rules every day.
async fn removed(
    store: &Store,
    settings: &Settings,
    at: Timestamp,
) -> Result<(Retention, [u64; FORECAST_DAYS.len()]), StoreError> {
    let nothing = [0; FORECAST_DAYS.len()];
    let rules = match settings.rules {
        Ok(rules) => rules,
        Err(RetentionError::NoRules) => return Ok((Retention::KeepsAll, nothing)),
        Err(error) => return Ok((Retention::Contradicts(error.to_string()), nothing)),
    };
    let next = settings.prune_at.map(|daily| next_run(daily, at));
    let mut times = [next.unwrap_or(at); TIMES];
    for (time, days) in times.iter_mut().skip(1).zip(FORECAST_DAYS) {
        *time = later(at, i64::from(days));
    }
    let upcoming = retention::upcoming(store, rules, times).await?;
    let [removed, of_forecast @ ..] = upcoming.removed;
    let prune = Prune {
        rules,
        next,
        removed,
        exempt: upcoming.exempt,
    };
    let pruned = match next {
        Some(_) => of_forecast.map(|stored| stored.bytes),
        None => nothing,
    };
    Ok((Retention::Rules(prune), pruned))
}

fn next_run(daily: NaiveTime, at: Timestamp) -> Timestamp {
    let now = DateTime::from_timestamp_micros(at.0).unwrap_or_default();
    let next = retention::next_run(daily, now.naive_utc());
    Timestamp(next.and_utc().timestamp_micros())
}

fn later(at: Timestamp, days: i64) -> Timestamp {
    Timestamp(at.0.saturating_add(days * DAY))
}

/// The first repositories in an order; `all` are sorted by size.
fn in_order(order: Order<StorageColumn>, all: &[RepositoryUse]) -> Vec<RepositoryStorage> {
    let mut rows: Vec<_> = all.iter().collect();
    let number = |row: &&RepositoryUse| match order.column {
        StorageColumn::Name => 0,
        StorageColumn::Size => i128::from(row.stored.bytes),
        StorageColumn::Reports => i128::from(row.stored.reports),
        StorageColumn::Oldest => i128::from(row.oldest.0),
    };
    match (order.column, order.is_descending) {
        (StorageColumn::Name, false) => rows.sort_by_cached_key(|row| name(row)),
        (StorageColumn::Name, true) => rows.sort_by_cached_key(|row| Reverse(name(row))),
        (_, false) => rows.sort_by_key(number),
        (_, true) => rows.sort_by_key(|row| Reverse(number(row))),
    }
    rows.into_iter().take(MAX_REPOSITORIES).map(shown).collect()
}

fn name(each: &RepositoryUse) -> String {
    each.repository.to_string().to_lowercase()
}

fn shown(each: &RepositoryUse) -> RepositoryStorage {
    RepositoryStorage {
        repository: each.repository.clone(),
        stored: each.stored,
        oldest: each.oldest,
    }
}

fn more(hidden: &[RepositoryUse]) -> MoreRepositories {
    let stored = hidden.iter().map(|each| each.stored);
    MoreRepositories {
        repositories: hidden.len() as u64,
        stored: stored.fold(Stored::default(), Stored::plus),
    }
}

/// The size of the database in bytes. `None` if the size cannot be read: the rest of the page is still useful.
async fn database_bytes(store: &Store) -> Option<u64> {
    let bytes = store.operator().database_bytes().await;
    bytes
        .inspect_err(|error| {
            tracing::warn!(
                cause = chain(error),
                "the size of the database is not known"
            );
        })
        .ok()
}
