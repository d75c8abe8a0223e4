//! Upgrades: databases of each earlier schema, with data, which the service brings to the newest schema and serves.

mod interrupted;
mod older;
mod refused;
mod seed;
mod served;
mod uploads;

use crate::harness::{BINARY, TOKEN};
use older::{Older, newest, schemas, stored};
use std::{ops::RangeInclusive, process::Command};

/// The service as a process, on the database and the reports of `older`.
fn serve(older: &Older) -> Command {
    let mut command = Command::new(BINARY);
    command
        .args(["serve", "--addr", "127.0.0.1:0", "--upload-token", TOKEN])
        .args(["--database-url", older.url(), "--reports-url"])
        .arg(older.folder().join("reports"))
        .arg("--site-root")
        .arg(older.folder().join("site"));
    command
}

/// Upgrades a database of each of these schemas.
async fn assert_upgraded(range: RangeInclusive<i64>) {
    for schema in schemas().filter(|schema| range.contains(schema)) {
        let older = Older::of_schema(schema).await;
        let server = older.start().await;
        served::assert_served(&server, schema).await;
        served::assert_records(&server, schema).await;
        served::assert_commands(&server, schema).await;
        let is_swept = schema >= 3;
        let expected = if is_swept { 1 } else { 2 };
        assert_eq!(stored(&server).len(), expected, "schema {schema}");
        served::assert_well(&server, &format!("after the upgrade from schema {schema}"));
        uploads::assert_accepted(&server, schema).await;
        served::assert_well(&server, &format!("after uploads to schema {schema}"));
    }
}

#[tokio::test]
async fn databases_of_the_schemas_1_to_9_are_upgraded_with_their_data() {
    assert_upgraded(1..=9).await;
}

#[tokio::test]
async fn databases_of_the_schemas_10_to_18_are_upgraded_with_their_data() {
    assert_upgraded(10..=18).await;
}

#[tokio::test]
async fn databases_of_the_schemas_19_to_27_are_upgraded_with_their_data() {
    assert_upgraded(19..=27).await;
}

#[tokio::test]
async fn databases_of_the_schemas_from_28_are_upgraded_with_their_data() {
    assert_upgraded(28..=newest()).await;
}
