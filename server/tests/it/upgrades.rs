//! Upgrades: databases of earlier schemas, with data, which the service brings to the newest schema and serves.

mod interrupted;
mod older;
mod refused;
mod seed;
mod served;
mod uploads;

use crate::harness::{BINARY, TOKEN};
use older::{Older, schemas, stored};
use std::process::Command;

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

// No release had these schemas: every ninth stands for all.
#[tokio::test]
async fn databases_of_earlier_schemas_are_upgraded_with_their_data() {
    for schema in schemas().step_by(9) {
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
