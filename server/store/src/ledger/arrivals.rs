//! The newest uploads, for people who set uploads up.

use super::{
    super::{Reader, StoreError, sql::ScopedText, time::now},
    page::attempt_columns,
};
use crate::{run::Run, sql::readable};
use domain::{Arrivals, NewestRecord, Repository, UploadAttempt};

const SHOWN: i64 = 5;

/// How long attempts of any repository are shown, in microseconds.
const AN_HOUR: i64 = 3_600_000_000;

/// Compares the names that clients sent, ignoring case.
pub(crate) const ATTEMPTS_OF_REPOSITORY: ScopedText = ScopedText::new(concat!(
    "select ",
    attempt_columns!(),
    " from uploads u where lower(u.org_name) = $1 and lower(u.repo_name) = $2 order by u.id desc limit $3"
));

const ATTEMPTS: ScopedText = ScopedText::new(concat!(
    "select ",
    attempt_columns!(),
    " from uploads u where ",
    readable!("u"),
    " and u.id >= $2 order by u.id desc limit $1"
));

macro_rules! newest_columns {
    () => {
        "select r.id as record_id, p.org_name, p.repo_name, b.name as branch, r.language,
                r.percentage_basis_points as percentage, r.updated_at,
                case when r.report_key is null then 0 else 1 end as has_report "
    };
}

pub(crate) const NEWEST_OF_REPOSITORY: &str = concat!(
    newest_columns!(),
    "from repositories p
     join records r on r.repository_id = p.id and r.superseded_at is null
     join branches b on b.id = r.branch_id
     where p.name_key = $1 order by r.created_at desc, r.id desc limit 1"
);

const NEWEST: &str = concat!(
    newest_columns!(),
    "from records r
     join repositories p on p.id = r.repository_id
     join branches b on b.id = r.branch_id
     order by r.id desc limit 1"
);

/// Like `NEWEST`, for a reader of some orgs, whose records may be few among many.
const NEWEST_READABLE: ScopedText = ScopedText::new(concat!(
    newest_columns!(),
    "from repositories p
     join records r on r.repository_id = p.id and r.superseded_at is null
     join branches b on b.id = r.branch_id
     where ",
    readable!("p"),
    " order by r.id desc limit 1"
));

impl Reader {
    /// Returns the uploads to `repository`; without one, the uploads to any repository in the last hour.
    pub async fn arrivals(&self, repository: Option<&Repository>) -> Result<Arrivals, StoreError> {
        let now = now();
        let (rows, newest): (Vec<UploadAttempt>, Option<NewestRecord>) = match repository {
            Some(requested @ Repository { org, repo }) => {
                let Some(store) = self.sees(requested) else {
                    return Ok(Arrivals {
                        now,
                        attempts: Vec::new(),
                        newest: None,
                    });
                };
                let values = (org.key(), repo.as_str().to_ascii_lowercase(), SHOWN);
                let attempts = self.all(ATTEMPTS_OF_REPOSITORY.with(values)).await?;
                let newest = store.first(NEWEST_OF_REPOSITORY, [requested]).await?;
                (attempts, newest)
            }
            None => {
                let values = [SHOWN, self.first_searched().await?];
                let attempts = self.all(ATTEMPTS.with(values)).await?;
                let newest = match self.sees_everything() {
                    Some(store) => store.first(NEWEST, ()).await?,
                    None => self.first(NEWEST_READABLE.with(())).await?,
                };
                (attempts, newest)
            }
        };
        let attempts = self.shown_attempts(rows).into_iter();
        let is_recent = |attempt: &UploadAttempt| {
            repository.is_some() || attempt.received_at.0 > now.0 - AN_HOUR
        };
        Ok(Arrivals {
            now,
            attempts: attempts.filter(is_recent).collect(),
            newest,
        })
    }
}
