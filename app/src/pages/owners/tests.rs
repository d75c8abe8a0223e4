use super::{super::views::tests::counts, *};
use crate::testing::{FakeModel, render};
use domain::{Timestamp, ViewName};

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn owners() -> OrgOwners {
    let row = |owner: ViewName, names: &[&str]| OwnerRow {
        owner,
        counts: counts(3, 3, 4),
        repositories: names
            .iter()
            .map(|name| (name.parse().expect("a repository"), counts(1, 1, 2)))
            .collect(),
    };
    OrgOwners {
        now: NOW,
        from: Timestamp(NOW.0 - 90 * domain::DAY),
        owners: vec![
            row(
                ViewName::Owner("@acme/<b>".to_owned()),
                &["acme/api", "acme/web"],
            ),
            row(ViewName::NoOwner, &["acme/web"]),
        ],
        whole: Some(counts(6, 6, 8)),
        other: Some((0, 0)),
        repositories: 2,
        undefined: 1,
        by_repository: vec![domain::OwnedRepository {
            repository: "acme/bare".parse().expect("a repository"),
            has_owners: false,
            is_new: false,
            counts: None,
        }],
        notices: Vec::new(),
    }
}

async fn page(found: Option<OrgOwners>, path: &str) -> (u16, String) {
    let model = FakeModel {
        org: Some(None),
        owners: Some(found),
        ..FakeModel::default()
    };
    render(model, path).await
}

#[tokio::test]
async fn an_org_lists_its_owners_and_an_owner_its_repositories() {
    let (status, html) = page(Some(owners()), "/owners?org_name=acme").await;
    assert_eq!(status, 200);
    for expected in [
        "href=\"/owners?org_name=acme&amp;owner=%40acme%2F%3Cb%3E\"",
        "@acme/&lt;b&gt;",
        "With owners",
        "<h1><bdi>acme</bdi><span class=\"unseen\">: Owners</span></h1>",
        ">acme/bare<",
        "1 repository has no CODEOWNERS file:",
        "repositories have owners</dt><dd class=\"figure\">2 of 3<",
        "class=\"name link\"",
        "href=\"/setup?org_name=acme&amp;repo_name=bare\"",
        "class=\"goal\"",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
    let path = "/orgs/acme/owners?owner=%40acme%2F%3Cb%3E";
    let (_, html) = page(Some(owners()), path).await;
    for expected in [
        "acme/web",
        "href=\"/repos/acme/api?view=owner%3A%40acme%2F%3Cb%3E\"",
        "all of its files",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
}

#[tokio::test]
async fn an_org_without_owners_says_so_and_an_unknown_one_is_not_found() {
    let mut none = owners();
    (none.repositories, none.owners) = (0, Vec::new());
    let (status, html) = page(Some(none), "/owners?org_name=acme").await;
    assert_eq!(status, 200);
    assert!(html.contains("has sent a CODEOWNERS file"), "{html}");
    assert_eq!(page(None, "/owners?org_name=acme").await.0, 404);
    assert_eq!(page(None, "/owners").await.0, 404);
    assert_eq!(page(None, "/orgs/acme/owners").await.0, 404);
}
