//! Tests of the page as it is rendered.

use crate::testing::{FakeModel, render};
use domain::{
    DAY, Disk, Forecast, Growth, MoreRepositories, Named, PinnedReport, Pins, Prune, QuotaUse,
    Released, RepositoryStorage, Retention, RetentionRules, Storage, Stored, Timestamp,
};
use std::sync::Arc;

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn stored(reports: u64, bytes: u64) -> Stored {
    Stored { reports, bytes }
}

fn repository(name: &str, bytes: u64, days: i64) -> RepositoryStorage {
    RepositoryStorage {
        repository: name.parse().expect("a repository"),
        stored: stored(2, bytes),
        oldest: Timestamp(NOW.0 - days * DAY),
    }
}

fn empty() -> Storage {
    Storage {
        at: NOW,
        ages: [Stored::default(); 5],
        without_size: 0,
        repositories: Vec::new(),
        sorted: Vec::new(),
        more: MoreRepositories::default(),
        forecast: None,
        quotas: Vec::new(),
        retention: Retention::KeepsAll,
        pins: Pins::default(),
        released: Released {
            grace: Some("7 days".to_owned()),
            ..Released::default()
        },
        database_bytes: Some(5_300_000),
        reports_disk: None,
        database_disk: None,
    }
}

/// Three repositories with 40 MB.
fn full() -> Storage {
    Storage {
        ages: [
            stored(1, 1_000_000),
            stored(2, 3_000_000),
            stored(0, 0),
            stored(1, 16_000_000),
            stored(2, 20_000_000),
        ],
        repositories: vec![
            repository("acme/shop", 30_000_000, 400),
            repository("acme/billing", 7_500_000, 100),
            repository("zoo/cage", 2_500_000, 3),
        ],
        ..empty()
    }
}

fn prune(next: Option<Timestamp>) -> Retention {
    Retention::Rules(Prune {
        rules: RetentionRules {
            all_days: Some(30),
            weekly_days: Some(365),
            most: Some(20),
        },
        next,
        removed: stored(3, 18_000_000),
        exempt: stored(2, 2_000_000),
    })
}

async fn page(storage: Storage, path: &str) -> String {
    let model = FakeModel {
        storage: Some(Arc::new(storage)),
        ..FakeModel::default()
    };
    let (status, html) = render(model, path).await;
    assert_eq!(status, 200);
    html
}

/// The text of a page: what is between its tags.
fn text(html: &str) -> String {
    let parts = html.split('<');
    let parts = parts.filter_map(|part| part.split_once('>').map(|(_, text)| text));
    parts.collect()
}

#[tokio::test]
async fn without_reports_the_page_says_so_and_leads_to_the_set_up() {
    let html = page(empty(), "/storage").await;
    assert!(html.contains("No HTML reports yet"), "{html}");
    assert!(html.contains("href=\"/setup\""), "{html}");
    assert!(html.contains("5.3 MB"), "the database: {html}");
    assert!(!html.contains("<table"), "{html}");
}

#[tokio::test]
async fn an_unreachable_database_is_an_error_in_words() {
    let (status, html) = render(FakeModel::default(), "/storage").await;
    assert_eq!(status, 503);
    assert!(html.contains("cannot read its database"), "{html}");
}

#[tokio::test]
async fn bytes_are_shown_by_age_and_by_repository_with_their_shares() {
    let html = page(full(), "/storage").await;
    let text = text(&html);
    for shown in [
        "6 HTML reports40 MB",
        "+1.0 MB",
        "Under 1 week1.0 MB2.5\u{202f}%139 MB",
        "4 weeks to 3 months0 bytes0.0\u{202f}%036 MB",
        "Over 12 months20 MB50.0\u{202f}%2–",
        "30 MB75.0\u{202f}%2",
        "1 year ago5 Oct 2025",
    ] {
        assert!(text.contains(shown), "{shown} is not in {text}");
    }
    assert!(html.contains("href=\"/repos/acme/shop\""), "{html}");
    assert!(
        html.contains("aria-sort=\"descending\""),
        "the largest is first: {html}"
    );
    assert!(!text.contains("count as 0 bytes"), "{text}");
    let unknown = page(
        Storage {
            without_size: 1,
            ..full()
        },
        "/storage",
    );
    let unknown = unknown.await;
    assert!(
        unknown.contains("The size of 1 report is unknown"),
        "{unknown}"
    );
}

#[tokio::test]
async fn the_address_sorts_repositories_also_if_some_are_not_listed() {
    let order = |html: &str| {
        let places = ["acme/billing", "acme/shop", "zoo/cage"]
            .map(|name| html.find(&format!("href=\"/repos/{name}\"")));
        assert!(places.iter().all(Option::is_some), "{html}");
        places.is_sorted()
    };
    assert!(!order(&page(full(), "/storage").await));
    assert!(order(&page(full(), "/storage?repositories=name").await));
    let cut = Storage {
        more: MoreRepositories {
            repositories: 4_800,
            stored: stored(12_000, 90_000_000),
        },
        ..full()
    };
    let mut by_name = cut.repositories.clone();
    by_name.sort_by_key(|row| row.repository.to_string());
    by_name.truncate(2);
    let cut = Storage {
        sorted: vec![("name".parse().expect("an order"), by_name)],
        ..cut
    };
    let largest = page(cut.clone(), "/storage").await;
    let more = "4,800 more repositories have 12,000 reports, 90 MB.";
    assert!(!order(&largest) && largest.contains(more), "{largest}");
    let html = page(cut, "/storage?repositories=name").await;
    assert!(html.find("acme/billing") < html.find("acme/shop"), "{html}");
    let more = "4,800 more repositories have 12,002 reports, 92 MB.";
    assert!(html.contains(more), "{html}");
}

#[tokio::test]
async fn the_next_prune_states_when_and_how_much_by_which_rules() {
    let next = Timestamp(NOW.0 + DAY / 2);
    let with = |retention| Storage {
        retention,
        ..full()
    };
    let nightly = text(&page(with(prune(Some(next))), "/storage").await);
    for shown in [
        "prunes next on 10 Nov 2026, 02:02 UTC. By then the rules remove 3 of 6 reports, 18 MB.",
        "KEEP_REPORTS_DAYS 30 daysEvery HTML report is kept for this time.",
        "KEEP_WEEKLY_REPORTS_DAYS 365 daysThe newest HTML report of each week",
        "KEEP_REPORTS_PER_BRANCH 20 reportsOf each branch and language",
        "Never removed2 reports, 2.0 MBPinned reports, and the newest",
        "REPORT_GRACE 7 daysThe files of replaced and pruned",
    ] {
        assert!(nightly.contains(shown), "{shown} is not in {nightly}");
    }
    let by_hand = text(&page(with(prune(None)), "/storage").await);
    assert!(
        by_hand.contains("PRUNE_AT is not set") && by_hand.contains("would now remove 3 of 6"),
        "{by_hand}"
    );
    let none = text(&page(full(), "/storage").await);
    assert!(
        none.contains("KEEP_REPORTS_DAYS not setHTML reports of any age are kept.")
            && !none.contains("KEEP_WEEKLY"),
        "{none}"
    );
    let wrong = Retention::Contradicts("set <both>".to_owned());
    let wrong = page(with(wrong), "/storage").await;
    assert!(
        wrong.contains("cannot be used") && wrong.contains("set &lt;both&gt;"),
        "{wrong}"
    );
}

#[tokio::test]
async fn a_forecast_states_its_rate_and_what_it_does_not_consider() {
    let growth = Growth {
        days: 30,
        bytes: 3_000_000,
    };
    let with = |pruned, retention| Storage {
        forecast: Some(Forecast::new(growth, 40_000_000, pruned, None)),
        retention,
        ..full()
    };
    let html = text(&page(with([0, 0], prune(None)), "/storage").await);
    for shown in [
        "uploaded in the last 30 days, 3.0 MB are kept: 100 kB a day.",
        "In 30 days43 MB+3.0 MB",
        "In 90 days49 MB+9.0 MB",
        "removes nothing, since the service does not prune by itself",
        "does not consider new repositories",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    let pruned = with([5_000_000, 20_000_000], prune(Some(NOW)));
    let html = text(&page(pruned, "/storage").await);
    for shown in ["In 30 days38 MB−2.0 MB", "so it may be too high"] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    let none = text(&page(full(), "/storage").await);
    assert!(
        none.contains("A forecast needs a week of uploads"),
        "{none}"
    );
}

#[tokio::test]
async fn free_space_is_stated_for_each_disk_and_not_if_it_is_unknown() {
    let unknown = text(&page(full(), "/storage").await);
    assert!(!unknown.contains("free on"), "{unknown}");
    let disk = |device, free| Some(Disk { device, free });
    let growth = Growth {
        days: 30,
        bytes: 3_000_000,
    };
    let shared = Storage {
        reports_disk: disk(1, 2_000_000),
        database_disk: disk(1, 2_000_000),
        forecast: Some(Forecast::new(growth, 40_000_000, [0, 0], None)),
        ..full()
    };
    let one = text(&page(shared.clone(), "/storage").await);
    for shown in [
        "free on the disk of the reports; full in 20 days at this rate2.0 MB",
        "database, on the same disk5.3 MB",
        "a week, as in the last 30 days+700 kB",
    ] {
        assert!(one.contains(shown), "{shown} is not in {one}");
    }
    let apart = Storage {
        database_disk: disk(2, 9_000_000),
        ..shared
    };
    let two = text(&page(apart, "/storage").await);
    assert!(two.contains("database; 9.0 MB free on its disk"), "{two}");
}

#[tokio::test]
async fn quotas_show_how_full_they_are_and_when_they_are_reached() {
    let quota = |of, days_left| QuotaUse {
        of,
        bytes: 30_000_000,
        limit: 40_000_000,
        days_left,
    };
    let org = |name: &str| Named::Org(name.parse().expect("an org"));
    let shop = Named::Repository("acme/shop".parse().expect("a repository"));
    let storage = Storage {
        quotas: vec![
            quota(org("acme"), Some(12)),
            quota(org("zoo"), None),
            quota(org("old"), Some(90_000)),
            quota(shop, Some(0)),
        ],
        ..full()
    };
    let html = page(storage, "/storage").await;
    assert!(html.contains("href=\"/orgs/acme\""), "{html}");
    let text = text(&html);
    for shown in [
        "acme30 MB40 MB75.0\u{202f}%in 12 days",
        "not at this rate",
        "in over 10 years",
        "75.0\u{202f}%now",
    ] {
        assert!(text.contains(shown), "{shown} is not in {text}");
    }
    assert!(!page(full(), "/storage").await.contains("Quotas"));
}

#[tokio::test]
async fn pins_link_to_their_records_and_the_grace_period_has_an_end() {
    let pinned = PinnedReport {
        record_id: 4_711,
        repository: "acme/shop".parse().expect("a repository"),
        branch: "release/<1>".parse().expect("a branch"),
        language: "rust".parse().expect("a language"),
        commit: "c1".parse().expect("a commit"),
        bytes: 2_000_000,
        pinned_at: Timestamp(NOW.0 - 3 * DAY),
    };
    let storage = Storage {
        pins: Pins {
            all: stored(60, 80_000_000),
            newest: vec![pinned],
        },
        released: Released {
            stored: stored(1, 700_000),
            next_end: Some(NOW),
            grace: Some("7 days".to_owned()),
        },
        ..full()
    };
    let html = page(storage, "/storage").await;
    for shown in [
        "href=\"/records/4711\"",
        "release/&lt;1&gt; · rust",
        "60 reports, 80 MB",
        "Only the 1 reports pinned most recently are listed.",
        "Now: 1 report, 700 kB.",
        "<time datetime=\"2026-11-09T14:02:00Z\">9 Nov 2026, 14:02 UTC",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    let none = page(full(), "/storage").await;
    assert!(text(&none).contains("Pinnednone"), "{none}");
    assert!(!none.contains("Now:"), "{none}");
}

#[tokio::test]
async fn headings_of_many_repositories_lead_to_the_first_ones_in_an_order() {
    let many = Storage {
        more: MoreRepositories {
            repositories: 1_200,
            stored: stored(94, 12_500_000),
        },
        ..full()
    };
    let largest = page(many.clone(), "/storage").await;
    for shown in [
        "aria-sort=\"descending\"",
        "href=\"/storage?repositories=size#repositories\"",
        "href=\"/storage?repositories=-reports#repositories\"",
        "1,200 more repositories have 94 reports, 12 MB.",
    ] {
        assert!(largest.contains(shown), "{shown} is not in {largest}");
    }
    let smallest = page(many, "/storage?repositories=size").await;
    assert!(
        smallest.contains("href=\"/storage#repositories\""),
        "{smallest}"
    );
}
