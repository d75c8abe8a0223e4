//! A start with an unusable bucket ends with one sentence that states why.

use crate::harness::{BUCKET, ObjectStorage, SECRET};
use clap::Parser;
use objects::AwsVariables;
use server::commands::{Cli, Command};
use std::{future::pending, iter::successors};
use tempfile::TempDir;
use tokio::net::TcpListener;

/// The error of a start with these variables.
async fn refusal(url: &str, variables: &[(&str, String)]) -> String {
    refusal_with(url, variables, &[]).await
}

async fn refusal_with(url: &str, variables: &[(&str, String)], arguments: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let database = format!("sqlite://{}", folder.path().join("coverage.db").display());
    let own = [
        "coverage-dashboard",
        "serve",
        "--reports-url",
        url,
        "--database-url",
        &database,
    ];
    let Command::Serve(mut config) = Cli::parse_from(own.iter().chain(arguments)).command else {
        unreachable!("the command is `serve`");
    };
    let owned = |(name, value): &(&str, String)| ((*name).to_owned(), value.clone());
    config.aws = variables.iter().map(owned).collect::<AwsVariables>();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let error = server::commands::serve::run(*config, listener, |_| {}, pending())
        .await
        .unwrap_err();
    let causes = successors(Some(&error as &dyn std::error::Error), |error| {
        error.source()
    });
    let messages = causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ");
    assert!(
        !messages.contains(SECRET) && !messages.contains('\n'),
        "{messages}"
    );
    messages
}

fn with(storage: &ObjectStorage, name: &'static str, value: &str) -> Vec<(&'static str, String)> {
    let mut variables = storage.variables().to_vec();
    variables.retain(|(other, _)| *other != name);
    variables.push((name, value.to_owned()));
    variables
}

#[tokio::test]
async fn a_missing_bucket_is_named_and_never_created() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let messages = refusal("s3://no-such-bucket/x", &storage.variables()).await;
    assert!(
        messages.contains("there is no bucket no-such-bucket at http://127.0.0.1"),
        "{messages}"
    );
    assert!(!storage.root().with_file_name("no-such-bucket").exists());
}

#[tokio::test]
async fn wrong_storage_credentials_end_the_start_with_that_reason() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let url = storage.url("x");
    for (name, value) in [
        ("AWS_SECRET_ACCESS_KEY", "an0ther-s3cret"),
        ("AWS_ACCESS_KEY_ID", "somebody-else"),
    ] {
        let messages = refusal(&url, &with(&storage, name, value)).await;
        assert!(
            messages.contains("does not let these credentials list its objects"),
            "{messages}"
        );
        assert!(
            messages.contains(&format!("cannot use s3://{BUCKET}/x for HTML reports")),
            "{messages}"
        );
        assert!(!messages.contains(value), "{messages}");
    }
    let without_secret = [("AWS_ACCESS_KEY_ID", "coverage".to_owned())];
    let messages = refusal(&url, &without_secret).await;
    assert!(messages.contains("Missing SecretAccessKey"), "{messages}");
}

#[tokio::test]
async fn an_unreachable_storage_ends_the_start_with_that_reason() {
    let Some(mut storage) = ObjectStorage::start() else {
        return;
    };
    storage.stop();
    let messages = refusal(&storage.url(""), &storage.variables()).await;
    assert!(
        messages.contains("http://127.0.0.1") && messages.contains("answer"),
        "{messages}"
    );
    // Another program listens there and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let messages = refusal(
        &storage.url(""),
        &with(&storage, "AWS_ENDPOINT_URL", &endpoint),
    )
    .await;
    assert!(
        messages.contains("did not answer within 10 seconds"),
        "{messages}"
    );
}

#[tokio::test]
async fn an_unusable_scratch_folder_is_named() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let arguments = ["--scratch-folder", "/dev/null/scratch"];
    let folder = TempDir::new().unwrap();
    let on_disk = folder.path().join("reports").display().to_string();
    for url in [storage.url(""), on_disk] {
        let messages = refusal_with(&url, &storage.variables(), &arguments).await;
        assert!(
            messages.contains("cannot use the scratch folder /dev/null/scratch"),
            "{messages}"
        );
    }
}
