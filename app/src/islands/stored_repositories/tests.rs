//! Tests of repositories with HTML reports that the browser renders.

use super::{data::Rows, paged};
use crate::api::StorageAnswer;
use domain::{ListOrder, MoreRepositories, RepositoryStorage, StorageColumn, Stored, Timestamp};
use leptos::prelude::*;

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn rows(order: Option<ListOrder<StorageColumn>>) -> Rows {
    let repository = |name: &str, bytes| RepositoryStorage {
        repository: name.parse().expect("a repository"),
        stored: Stored { reports: 3, bytes },
        oldest: Timestamp(NOW.0 - 86_400_000_000),
    };
    Rows {
        at: NOW,
        total: Stored {
            reports: 100,
            bytes: 50_000_000,
        },
        order,
        rows: vec![
            repository("acme/shop", 30_000_000),
            repository("acme/billing", 7_500_000),
        ],
        more: MoreRepositories {
            repositories: 1_200,
            stored: Stored {
                reports: 94,
                bytes: 12_500_000,
            },
        },
    }
}

fn html(rows: &Rows) -> String {
    Owner::new().with(|| paged(rows).to_html())
}

#[test]
fn repositories_of_an_answer_are_rendered_like_those_of_the_page() {
    for order in ListOrder::all().map(Some).chain([None]) {
        let of_page = rows(order);
        let answer = StorageAnswer {
            at: of_page.at,
            reports: of_page.total.reports,
            bytes: of_page.total.bytes,
            rows: of_page.rows.iter().map(Into::into).collect(),
            more: of_page.more.repositories,
            more_reports: of_page.more.stored.reports,
            more_bytes: of_page.more.stored.bytes,
        };
        let answer = serde_json::to_string(&answer).expect("an answer");
        let answer: StorageAnswer = serde_json::from_str(&answer).expect("the same answer");
        let (total, more) = (answer.total(), answer.others());
        let listed = answer.rows.into_iter().map(RepositoryStorage::try_from);
        let of_answer = Rows {
            total,
            more,
            rows: listed.collect::<Result<_, _>>().expect("valid names"),
            ..of_page.clone()
        };
        assert_eq!(html(&of_answer), html(&of_page));
    }
}

#[test]
fn headings_of_stored_repositories_lead_to_the_first_ones_in_an_order() {
    let largest = html(&rows(None));
    for part in [
        "aria-sort=\"descending\"",
        "href=\"/storage?repositories=size#repositories\"",
        "href=\"/storage?repositories=-reports#repositories\"",
        "1,200 more repositories have 94 reports, 12 MB.",
        "60.0\u{202f}%",
    ] {
        assert!(largest.contains(part), "{part} is not in {largest}");
    }
    let smallest = html(&rows("size".parse().ok()));
    assert!(
        smallest.contains("href=\"/storage#repositories\""),
        "{smallest}"
    );
}
