//! Parts: flags name them, and jobs with equal flags get parts of their own.

use super::{LCOV, OTHER_LCOV, record, server, stated, stated_with, summary, upload};
use crate::harness::TestServer;
use serde_json::{Value, json};

async fn part_names(server: &TestServer) -> Vec<String> {
    let record = record(server, "acme/payments").await;
    let summary = summary(server, &record).await;
    let arrived = summary["parts"]["arrived"].as_array().cloned();
    let names = arrived.unwrap_or_default().into_iter();
    names
        .map(|part| {
            part["part"]
                .as_str()
                .or(part.as_str())
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

fn with_flags(flags: &[&str]) -> Value {
    stated_with(json!({ "flags": flags }))
}

#[tokio::test]
async fn flags_name_the_part() {
    let server = server().await;
    upload(
        &server,
        &with_flags(&["unit", "py"]),
        &[("lcov.info", LCOV)],
    )
    .await;
    upload(&server, &with_flags(&["web"]), &[("lcov.info", OTHER_LCOV)]).await;
    assert_eq!(part_names(&server).await, ["unit-py", "web"]);
    assert_eq!(record(&server, "acme/payments").await["percentage"], 100.0);
}

#[tokio::test]
async fn jobs_of_a_matrix_with_equal_flags_are_united() {
    let server = server().await;
    for (flags, first) in [(&["unit"][..], "unit"), (&[], "")] {
        upload(&server, &with_flags(flags), &[("lcov.info", LCOV)]).await;
        upload(&server, &with_flags(flags), &[("lcov.info", OTHER_LCOV)]).await;
        let before = part_names(&server).await;
        // A job that runs again has the same result, with other numbers of hits.
        let again = LCOV.replace("DA:1,3", "DA:1,4");
        upload(&server, &with_flags(flags), &[("lcov.info", &again)]).await;
        upload(&server, &with_flags(flags), &[("lcov.info", OTHER_LCOV)]).await;
        let names = part_names(&server).await;
        assert_eq!(names, before);
        assert!(names.iter().any(|name| name == first), "{names:?}");
        assert_eq!(record(&server, "acme/payments").await["percentage"], 100.0);
    }
    assert_eq!(part_names(&server).await.len(), 4);
}

#[tokio::test]
async fn uploads_of_a_matrix_at_the_same_time_lose_nothing() {
    let server = server().await;
    let lcov = |line: u32| {
        let lines = (1..=8).map(|other| format!("DA:{other},{}\n", u32::from(other == line)));
        format!(
            "SF:src/fee.py\n{}end_of_record\n",
            lines.collect::<String>()
        )
    };
    let files: Vec<_> = (1..=8).map(lcov).collect();
    let (stated, server) = (stated(), &server);
    let uploads = files.iter().map(|lcov| {
        let stated = &stated;
        async move { upload(server, stated, &[("lcov.info", lcov)]).await }
    });
    futures::future::join_all(uploads).await;
    assert_eq!(record(server, "acme/payments").await["percentage"], 100.0);
    assert_eq!(part_names(server).await.len(), 8);
}
