//! Authors: the records of an author with any name.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use domain::{AuthorColumn, AuthorDetail, AuthorQuery};

async fn upload(server: &TestServer, names: &[(&'static str, &str)], covered: u32) {
    let upload = Upload::of(Archive::report("<p>", &cobertura(covered, 10_000)).tar_gz());
    names
        .iter()
        .fold(upload, |upload, (name, value)| upload.with(name, value))
        .accepted(server)
        .await;
}

fn of(author: &str) -> AuthorQuery {
    AuthorQuery {
        author: author.parse().unwrap(),
        repository: None,
        language: None,
        after: None,
        order: None,
    }
}

async fn read(server: &TestServer, query: &AuthorQuery) -> AuthorDetail {
    server
        .store()
        .await
        .everything()
        .author(query)
        .await
        .unwrap()
        .unwrap()
}

fn commits(detail: &AuthorDetail) -> Vec<&str> {
    let records = detail.records.iter();
    records
        .map(|record| record.record.commit.as_str())
        .collect()
}

#[tokio::test]
async fn an_authors_records_are_newest_first_with_the_change_of_each() {
    let server = TestServer::start().await;
    upload(
        &server,
        &[("commit_hash", "c1"), ("commit_author", "Zoë")],
        8_000,
    )
    .await;
    upload(&server, &[("commit_hash", "c2")], 8_042).await;
    upload(&server, &[("repo_name", "billing")], 1_000).await;
    upload(
        &server,
        &[("commit_hash", "c3"), ("commit_author", "Zoë")],
        8_000,
    )
    .await;
    upload(
        &server,
        &[("commit_hash", "c4"), ("commit_author", "kim")],
        1,
    )
    .await;
    let detail = read(&server, &of("Kim")).await;
    assert_eq!(commits(&detail), ["c1", "c2"]);
    let changes = detail.records.iter().map(|record| record.record.change);
    let changes: Vec<_> = changes
        .map(|change| change.map(|change| change.to_string()))
        .collect();
    assert_eq!(changes, [None, Some("+0.42".to_owned())]);
    assert_eq!(detail.summary.records, 2);
    let repositories = detail.summary.repositories.iter();
    let repositories: Vec<_> = repositories
        .map(|(repository, count)| (repository.to_string(), *count))
        .collect();
    assert_eq!(
        repositories,
        [
            ("acme/billing".to_owned(), 1),
            ("acme/payments".to_owned(), 1)
        ]
    );
    let store = server.store().await;
    assert_eq!(
        store.everything().author(&of("nobody")).await.unwrap(),
        None
    );
}

#[tokio::test]
async fn an_authors_records_are_filtered_and_paged_without_gaps() {
    let server = TestServer::start().await;
    for n in 0..60 {
        let (commit, language) = (format!("c{n}"), ["rust", "go", "c"][n % 3]);
        let repo = ["payments", "billing"][n % 2];
        let names = [
            ("commit_hash", commit.as_str()),
            ("language", language),
            ("repo_name", repo),
        ];
        upload(&server, &names, 1).await;
    }
    let first = read(&server, &of("Kim")).await;
    assert_eq!(
        (first.records.len(), first.records[0].record.commit.as_str()),
        (50, "c59")
    );
    let second = AuthorQuery {
        after: first.next,
        ..of("Kim")
    };
    let second = read(&server, &second).await;
    let expected: Vec<_> = (0..10).rev().map(|n| format!("c{n}")).collect();
    assert_eq!(commits(&second), expected);
    assert_eq!((second.next, second.summary.records), (None, 60));
    let languages = second.summary.languages.iter();
    let languages: Vec<_> = languages.map(|language| language.as_str()).collect();
    assert_eq!(languages, ["c", "go", "rust"]);
    let both = AuthorQuery {
        repository: "acme/billing".parse().ok(),
        language: "go".parse().ok(),
        ..of("Kim")
    };
    let both = read(&server, &both).await;
    assert_eq!((both.records.len(), both.next), (10, None));
    assert_eq!(both.records[0].record.commit.as_str(), "c55");
    let nothing = AuthorQuery {
        repository: "acme/other".parse().ok(),
        ..of("Kim")
    };
    let nothing = read(&server, &nothing).await;
    assert!(nothing.records.is_empty() && nothing.summary.records == 60);
}

#[tokio::test]
async fn an_authors_records_are_sorted_by_every_column() {
    let server = TestServer::start().await;
    for n in 0..60_u32 {
        let (commit, repo) = (format!("c{n}"), ["payments", "Billing"][n as usize % 2]);
        let names = [("commit_hash", commit.as_str()), ("repo_name", repo)];
        upload(&server, &names, n * 37 % 61 * 100).await;
    }
    for order in AuthorColumn::orders() {
        let query = AuthorQuery {
            order: Some(order),
            ..of("Kim")
        };
        let detail = read(&server, &query).await;
        assert_eq!(detail.records.len(), 50, "{order}");
        assert!(detail.next.is_none() && !detail.is_whole, "{order}");
        let records = detail.records.iter();
        let values: Vec<_> = records
            .map(|record| match order.column {
                AuthorColumn::Name => Some((
                    0,
                    format!("{} {}", record.repository, record.branch).to_lowercase(),
                )),
                AuthorColumn::Coverage => Some((
                    record.record.percentage.basis_points().into(),
                    String::new(),
                )),
                AuthorColumn::Change => record
                    .record
                    .change
                    .map(|change| (i64::from(change.basis_points()), String::new())),
                AuthorColumn::Uploaded => Some((record.record.updated_at.0, String::new())),
            })
            .collect();
        let is_sorted = if order.is_descending {
            values.is_sorted_by(|a, b| a >= b)
        } else {
            values.iter().flatten().is_sorted()
        };
        assert!(is_sorted, "{order}: {values:?}");
    }
    let lowest = AuthorQuery {
        order: "coverage".parse().ok(),
        repository: "acme/billing".parse().ok(),
        language: "rust".parse().ok(),
        ..of("Kim")
    };
    let lowest = read(&server, &lowest).await;
    assert!(lowest.is_whole && lowest.records.len() == 30);

    let page = server.get_text("/authors/Kim?records=-coverage").await;
    assert!(
        page.contains("the first 50 by coverage, highest first"),
        "{page}"
    );
    assert!(page.contains("href=\"/authors/Kim?records=coverage#records\""));
}

#[tokio::test]
async fn old_addresses_of_authors_redirect_to_their_pages() {
    let server = TestServer::start().await;
    upload(&server, &[], 1).await;
    upload(
        &server,
        &[("org_name", "acme/user"), ("repo_name", "lion")],
        1,
    )
    .await;
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    for (old, new) in [
        ("acme/user/Kim", "/authors/Kim"),
        ("acme/user/Zo%C3%AB%20Q.%2Fx", "/authors/Zo%C3%AB%20Q.%2Fx"),
        ("acme/payments", "/repos/acme/payments"),
        ("acme/user/lion", "/repos/acme/user/lion"),
    ] {
        let address = server.url(&format!("/coverages-ui/{old}"));
        let answer = client.get(address).send().await.unwrap();
        assert_eq!(answer.status(), 308, "{old}");
        assert_eq!(answer.headers()["location"], new, "{old}");
    }
}

#[tokio::test]
async fn any_author_name_has_a_page_at_its_encoded_address() {
    let server = TestServer::start().await;
    for name in [
        "Kim",
        "Zoë Q. <z@x>",
        "a/../b?c#d",
        "100%41",
        "إصلاح",
        "👩‍👩‍👧‍👦",
        "/kim/",
        ".",
        "..",
        "a+b&c=d",
    ] {
        let author = name.parse().unwrap();
        upload(&server, &[("commit_author", name)], 8_042).await;
        let address = app::links::author(&author);
        let response = server.get(&address).await;
        assert_eq!(response.status(), 200, "{address}");
        let page = response.text().await.unwrap();
        assert!(
            page.contains("80.42") && page.contains("href=\"/records/"),
            "{page}"
        );
        let filtered = AuthorQuery {
            repository: "acme/other".parse().ok(),
            ..of(name)
        };
        let page = server
            .get_text(&app::links::author_records(&filtered))
            .await;
        assert!(page.contains("Nothing found"), "{name}: {page}");
    }
    let response = server.get("/authors/nobody").await;
    assert_eq!(response.status(), 404);
}
