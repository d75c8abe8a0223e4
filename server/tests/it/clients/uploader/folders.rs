//! The folders of a job, by which the service finds the files of the repository.

use super::{
    files::{LCOV, OK, job},
    job::python,
    newest,
    stand_in::StandIn,
};
use crate::harness::{Reachable, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_names_the_checkout_and_the_folder_of_the_coverage_file() {
    let service = StandIn::start(&[OK]).await;
    let job = job();
    job.write("packages/a/coverage/lcov.info", LCOV);
    job.write("packages/b/coverage/lcov.info", LCOV);
    job.write("coverage.xml", &python(&[(1, 1)]));
    let run = job.upload_to(&service.url);
    let ran = run.with(&[("COVERAGE_TOKEN", "t0ken")]).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    let root = job.git(&["rev-parse", "--show-toplevel"]);
    let arrived = service.arrived();
    let folders = arrived.iter().map(|arrived| {
        assert_eq!(arrived.parameter("root").unwrap(), root);
        arrived.parameter("report_folder")
    });
    let expected = [
        None,
        Some("packages/a/coverage"),
        Some("packages/b/coverage"),
    ];
    let expected = expected.map(|folder| folder.map(str::to_owned));
    assert_eq!(folders.collect::<Vec<_>>(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_relative_to_each_package_are_those_of_the_repository() {
    let server = TestServer::start().await;
    let job = job();
    for package in ["a", "b"] {
        job.write(&format!("packages/{package}/src/a.ts"), "one\ntwo\n");
    }
    job.commit("two packages with a file of one name");
    job.write("packages/a/coverage/lcov.info", LCOV);
    let missed = LCOV.replace("DA:1,1", "DA:1,0");
    job.write("packages/b/coverage/lcov.info", &missed);
    let ran = job.upload(&server).run();
    assert_eq!(ran.code, 0, "{}", ran.printed);
    let record = newest(&server).await["record"]["id"].clone();
    let hit = async |package: &str| {
        let path = format!("packages/{package}/src/a.ts");
        let address = format!("/coverages-api/records/{record}/lines?path={path}");
        server.get_json(&address).await["hit"].clone()
    };
    assert_eq!(hit("a").await, serde_json::json!([[1, 1]]));
    assert_eq!(hit("b").await, serde_json::json!([]));
}
