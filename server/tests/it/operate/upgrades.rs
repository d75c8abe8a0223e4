//! Upgrades: databases of earlier schemas, with data, which the service brings to the newest schema and serves.

mod interrupted;
mod older;
mod refused;
mod seed;
mod served;
mod uploads;

use crate::harness::{BINARY, TOKEN};
use older::{Older, newest, stored};
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

#[tokio::test]
async fn databases_of_earlier_schemas_are_upgraded_with_their_data() {
    for schema in 1..=newest() {
        let older = Older::of_schema(schema).await;
        let server = older.start().await;
        served::assert_served(&server).await;
        served::assert_records(&server).await;
        served::assert_commands(&server).await;
        assert_eq!(stored(&server).len(), 1, "the replaced report is removed");
        served::assert_well(&server, "after the upgrade");
        uploads::assert_accepted(&server).await;
        served::assert_well(&server, "after uploads");
    }
}
