//! What a field suggests, and in which order.

use super::{
    Scope,
    choice::{Choice, Names, found},
    ranked::{MOST, Shown, Sources},
};
use crate::api::{
    AuthorFound, BranchFound, CommitFound, FileFound, OrgRepositories, OwnerFound,
    PullRequestFound, RepositoriesAnswer, SearchAnswer,
};
use std::sync::Arc;

fn names(orgs: &[(&str, &[&str])]) -> Names {
    let orgs = orgs.iter().map(|(org, repositories)| OrgRepositories {
        org_name: (*org).to_owned(),
        repo_names: repositories.iter().map(|name| (*name).to_owned()).collect(),
    });
    Names::from(RepositoriesAnswer {
        orgs: orgs.collect(),
        is_whole: true,
    })
}

/// The texts that `sources` suggest.
fn suggested(sources: &Sources<'_>, scope: Scope, text: &str) -> Vec<String> {
    let ranked = sources.ranked(scope, text).into_iter();
    ranked.map(|choice| choice.text).collect()
}

fn of_names(names: &Names, text: &str) -> Vec<String> {
    let sources = Sources {
        names,
        recent: &[],
        found: &[],
    };
    suggested(&sources, Scope::Pages, text)
}

fn repository(name: &str) -> Choice {
    Choice::repository(&name.parse().expect("a repository"))
}

#[test]
fn words_find_repositories_orgs_and_pages() {
    let names = names(&[("acme/payments", &["core", "shop"]), ("other", &["core"])]);
    assert_eq!(of_names(&names, "acme core"), ["acme/payments/core"]);
    assert_eq!(of_names(&names, "core pay"), ["acme/payments/core"]);
    let acme = [
        "acme",
        "acme/payments",
        "acme/payments/core",
        "acme/payments/shop",
    ];
    assert_eq!(
        of_names(&names, "ACME"),
        acme,
        "an org that has only groups is found too"
    );
    assert_eq!(of_names(&names, "audit"), ["Audit log"]);
    assert_eq!(of_names(&names, "tokens"), ["Settings and tokens"]);
    assert_eq!(of_names(&names, "paymetns core"), ["acme/payments/core"]);
    assert!(of_names(&names, "nothing like it").is_empty());
}

#[test]
fn recent_pages_come_first() {
    let names = names(&[("acme", &["core"]), ("beta", &["core"]), ("gone", &["x"])]);
    let recent = [repository("beta/core"), repository("deleted/core")];
    let sources = Sources {
        names: &names,
        recent: &recent,
        found: &[],
    };
    assert_eq!(
        suggested(&sources, Scope::Pages, "core"),
        ["beta/core", "acme/core"]
    );
    let nothing_typed = suggested(&sources, Scope::Pages, " ");
    assert_eq!(
        nothing_typed[..2],
        ["beta/core", "Overview"],
        "a deleted repository is left out"
    );
}

#[test]
fn a_few_files_that_only_their_folders_match_come_after_all_others() {
    let file = |path: &str| FileFound {
        org_name: "acme".into(),
        repo_name: "core".into(),
        path: path.into(),
        id: 7,
    };
    let paths = [
        "wall/a.py",
        "wall/b.py",
        "wall/c.py",
        "wall/d.py",
        "x/firewall.py",
    ];
    let answer = SearchAnswer {
        files: paths.map(file).into(),
        ..SearchAnswer::default()
    };
    let found = found(answer, Scope::Pages);
    let sources = Sources {
        names: &names(&[("acme", &["wallet"])]),
        recent: &[],
        found: &found,
    };
    let shown = suggested(&sources, Scope::Pages, "wall");
    let files: Vec<_> = shown.iter().map(|text| text.split(' ').next()).collect();
    let expected = [
        "acme/wallet",
        "x/firewall.py",
        "wall/a.py",
        "wall/b.py",
        "wall/c.py",
    ];
    assert_eq!(files, expected.map(Some));
}

#[test]
fn a_field_for_records_suggests_repositories_and_then_their_records() {
    let names = names(&[("acme", &["core"])]);
    let answer = SearchAnswer {
        branches: vec![BranchFound {
            org_name: "acme".into(),
            repo_name: "core".into(),
            branch_name: "feature/ü".into(),
        }],
        commits: vec![CommitFound {
            org_name: "acme".into(),
            repo_name: "core".into(),
            branch_name: "main".into(),
            commit_hash: "9be01d2a44".into(),
            id: 7,
        }],
        authors: vec![AuthorFound {
            commit_author: "Anna Core".into(),
        }],
        owners: vec![OwnerFound {
            org_name: "acme".into(),
            owner: "@acme/core".into(),
        }],
        ..SearchAnswer::default()
    };
    let found = found(answer.clone(), Scope::Records);
    let sources = Sources {
        names: &names,
        recent: &[],
        found: &found,
    };
    let values = |text: &str| -> Vec<String> {
        let ranked = sources.ranked(Scope::Records, text).into_iter();
        ranked.map(|choice| choice.value).collect()
    };
    assert_eq!(
        values("acme core"),
        ["acme/core@", "acme/core@feature/ü", "7"]
    );
    assert_eq!(values("acme/core@fea"), ["acme/core@feature/ü"]);
    assert_eq!(values("9be0"), ["7"]);
    assert!(values("").is_empty());
    let everywhere = super::choice::found(answer, Scope::Pages);
    let owner = everywhere.last().expect("an owner");
    assert_eq!(
        (owner.text.as_str(), owner.href.as_str()),
        (
            "@acme/core · acme",
            "/owners?org_name=acme&owner=%40acme%2Fcore"
        )
    );
}

#[test]
fn pull_requests_keep_their_order_and_files_come_last() {
    let request = |repo: &str| PullRequestFound {
        org_name: "acme".into(),
        repo_name: repo.into(),
        pull_request: "1421".into(),
    };
    let file = |path: &str| FileFound {
        org_name: "acme".into(),
        repo_name: "payments".into(),
        path: path.into(),
        id: 7,
    };
    let answer = SearchAnswer {
        pull_requests: vec![request("payments"), request("a")],
        files: vec![file("src/1421.rs"), file("1421.rs")],
        commits: vec![CommitFound {
            org_name: "acme".into(),
            repo_name: "payments".into(),
            branch_name: "main".into(),
            commit_hash: "1421".into(),
            id: 7,
        }],
        ..SearchAnswer::default()
    };
    assert_eq!(found(answer.clone(), Scope::Records).len(), 1);
    let found = found(answer, Scope::Pages);
    let sources = Sources {
        names: &Names::default(),
        recent: &[],
        found: &found,
    };
    let expected = [
        "#1421 · acme/payments",
        "#1421 · acme/a",
        "1421 · acme/payments@main",
        "src/1421.rs · acme/payments",
        "1421.rs · acme/payments",
    ];
    assert_eq!(suggested(&sources, Scope::Pages, "1421"), expected);
    assert_eq!(suggested(&sources, Scope::Pages, "#1421"), expected[..2]);
    let href = |text: &str| {
        let choice = found.iter().find(|choice| choice.text == text);
        choice.map(|choice| choice.href.as_str())
    };
    let page = Some("/repos/acme/payments/pulls/1421");
    assert_eq!(href(expected[0]), page);
    let page = Some("/records/7/source?path=src%2F1421.rs");
    assert_eq!(href(expected[3]), page);
}

#[test]
fn what_was_found_for_an_earlier_text_is_dropped_if_it_does_not_match() {
    let names = Names::default();
    let author = |name: &str| AuthorFound {
        commit_author: name.into(),
    };
    let answer = SearchAnswer {
        authors: vec![author("Anna Maier"), author("Annette Huber")],
        ..SearchAnswer::default()
    };
    let found = found(answer, Scope::Authors);
    let sources = Sources {
        names: &names,
        recent: &[],
        found: &found,
    };
    assert_eq!(suggested(&sources, Scope::Authors, "ann").len(), 2);
    assert_eq!(
        suggested(&sources, Scope::Authors, "anna ma"),
        ["Anna Maier"]
    );
    assert_eq!(found[0].href, "/authors/Anna%20Maier");
}

#[test]
fn of_many_names_the_best_are_suggested() {
    let many: Vec<String> = (0..5_000)
        .map(|number| format!("service-{number}"))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let names = names(&[("acme", &many)]);
    let found = of_names(&names, "service");
    assert_eq!(found.len(), MOST);
    assert_eq!(found[..2], ["acme/service-0", "acme/service-1"]);
    assert_eq!(of_names(&names, "4711")[0], "acme/service-4711");
}

#[test]
fn an_invalid_name_is_not_suggested() {
    let names = names(&[("acme", &["<b>", "core"]), ("..", &["x"])]);
    assert_eq!(of_names(&names, "acme"), ["acme", "acme/core"]);
    assert!(of_names(&names, "..").is_empty());
}

#[test]
fn walking_goes_around() {
    let mut shown = Shown {
        choices: Arc::new(vec![repository("a/b"), repository("c/d")]),
        ..Shown::default()
    };
    let mut walked = |by| {
        shown.walk(by);
        shown.active
    };
    assert_eq!(
        [1, 1, 1, -1, -1].map(&mut walked),
        [Some(0), Some(1), Some(0), Some(1), Some(0)]
    );
    let nothing = Shown::default();
    assert!(nothing.active().is_none() && nothing.status.is_empty() && !nothing.is_status_visible);
}
