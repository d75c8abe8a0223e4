//! What the overview can be narrowed down to: organisations and languages, with how many repositories they have.

use crate::store::{Store, StoreError};
use app::domain::{Choice, Choices, NameError};

/// Organisations to choose from; beyond them there is the search.
const MOST_ORGS: i64 = 200;

/// Languages to choose from.
const MOST_LANGUAGES: i64 = 100;

pub(super) const ORGS: &str = "
    select s.org_name, count(distinct s.repository_id) as repositories, count(*) over () as orgs
    from main_records s
    group by s.org_name
    order by repositories desc, s.org_name
    limit $1";

pub(super) const LANGUAGES: &str = "
    select s.language, count(*) as repositories
    from main_records s
    group by s.language
    order by repositories desc, s.language
    limit $1";

impl Store {
    /// What there is to choose from.
    pub(super) async fn choices(&self) -> Result<Choices, StoreError> {
        let orgs: Vec<(String, i64, i64)> = sqlx::query_as(ORGS)
            .bind(MOST_ORGS)
            .fetch_all(&self.readers)
            .await?;
        let languages: Vec<(String, i64)> = sqlx::query_as(LANGUAGES)
            .bind(MOST_LANGUAGES)
            .fetch_all(&self.readers)
            .await?;
        let all_orgs = orgs.first().map_or(0, |(_, _, all)| *all);
        let further = all_orgs - i64::try_from(orgs.len()).unwrap_or(all_orgs);
        Ok(Choices {
            further_orgs: u32::try_from(further).unwrap_or(0),
            orgs: by_name(orgs.into_iter().map(|(name, count, _)| (name, count)))?,
            languages: by_name(languages.into_iter())?,
        })
    }
}

fn by_name<Name: Ord + TryFrom<String, Error = NameError>>(
    rows: impl Iterator<Item = (String, i64)>,
) -> Result<Vec<Choice<Name>>, StoreError> {
    let choices = rows.map(|(name, repositories)| -> Result<Choice<Name>, StoreError> {
        Ok(Choice {
            name: name.try_into()?,
            repositories: u32::try_from(repositories).unwrap_or(u32::MAX),
        })
    });
    let mut choices = choices.collect::<Result<Vec<_>, StoreError>>()?;
    choices.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(choices)
}
