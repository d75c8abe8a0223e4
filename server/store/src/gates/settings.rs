//! The settings of records: the contents of `coverage-dashboard.toml` about gates, parts that are carried forward, and ignored
//! files.

use crate::{StoreError, Writer, run::Run};
use domain::{GateRules, GlobList, NewSince, OwnersOf, PartList, PartName, Repository};
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use std::collections::BTreeMap;

/// The contents of a commit's `coverage-dashboard.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordSettings {
    /// The gate.
    pub rules: GateRules,
    /// The parts that are carried forward.
    pub carry: PartList,
    /// Whose rules the CODEOWNERS file follows.
    pub owners_of: OwnersOf,
    /// The views.
    pub views: BTreeMap<PartName, GlobList>,
    /// Since when lines count as new, unless a reader says it.
    pub new_since: Option<NewSince>,
    /// The files that count nowhere.
    pub ignore: GlobList,
}

/// The settings of the newest record that is current on the main branch and has settings. Only commits of the main branch were
/// reviewed.
pub(crate) const OF_MAIN: &str = "
    select s.settings from repositories p
     join main_records m on m.repository_id = p.id
     join record_settings s on s.record_id = m.record_id
     where p.name_key = $1
     order by m.updated_at desc, m.record_id desc limit 1";

impl Writer<'_> {
    /// Returns the settings of the newest record, in any language, that is current on the main branch of a repository and has
    /// settings.
    pub async fn settings_of_main(
        self,
        repository: &Repository,
    ) -> Result<Option<RecordSettings>, StoreError> {
        let mut connection = self.store.read_pool.acquire().await?;
        of_main(&mut connection, repository).await
    }
}

pub(crate) async fn of_main(
    connection: &mut AnyConnection,
    repository: &Repository,
) -> Result<Option<RecordSettings>, StoreError> {
    let settings: Option<String> = connection.first_value(OF_MAIN, [repository]).await?;
    let settings = settings.map(|text| serde_json::from_str(&text));
    settings.transpose().map_err(StoreError::Rules)
}

/// Stores the settings of an upload, within the transaction that publishes it. An upload without settings does not change the
/// settings of other parts.
pub(crate) async fn store_settings(
    connection: &mut AnyConnection,
    record_id: i64,
    settings: Option<&RecordSettings>,
) -> Result<(), StoreError> {
    const UPSERT: &str = "
        insert into record_settings (record_id, settings) values ($1, $2)
        on conflict (record_id) do update set settings = excluded.settings";
    let Some(settings) = settings else {
        return Ok(());
    };
    let text = serde_json::to_string(settings).map_err(StoreError::Rules)?;
    connection.run(UPSERT, (record_id, text)).await
}

/// Removes the settings of earlier uploads.
pub(crate) async fn forget_settings(
    connection: &mut AnyConnection,
    record_id: i64,
) -> Result<(), StoreError> {
    const DELETE: &str = "delete from record_settings where record_id = $1";
    connection.run(DELETE, [record_id]).await
}

/// Reads the stored rules by which a record ignores files.
pub(crate) fn read_ignore_rules(rules: Option<String>) -> Result<GlobList, StoreError> {
    let rules = rules.map(|text| serde_json::from_str(&text)).transpose();
    Ok(rules.map_err(StoreError::Rules)?.unwrap_or_default())
}
