//! Tests of the page as it is rendered.

use crate::testing::{FakeModel, render};
use domain::{
    ListedToken, Scope, ServiceSettings, Setting, SettingGroup, SettingSource, Timestamp, TokenList,
};

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn days(days: i64) -> Timestamp {
    Timestamp(NOW.0 + days * 86_400_000_000)
}

fn token(name: &str) -> ListedToken {
    ListedToken {
        id: 7,
        name: name.to_owned(),
        kind: "upload".to_owned(),
        scope: "acme/payments".to_owned(),
        created_at: days(-40),
        last_used_at: Some(days(-3)),
        expires_at: None,
        revoked_at: None,
    }
}

fn settings() -> ServiceSettings {
    let setting = |variable, value: Option<&str>, source| Setting {
        variable,
        about: "What it is".to_owned(),
        value: value.map(str::to_owned),
        source,
    };
    ServiceSettings {
        version: "1.2.3",
        schema: 21,
        database: "PostgreSQL",
        storage: "bucket",
        tokens: vec!["UPLOAD_TOKEN"],
        groups: vec![SettingGroup {
            heading: "Common",
            settings: vec![
                setting("UPLOAD_TOKEN", Some("(hidden)"), SettingSource::Environment),
                setting(
                    "LOG_FORMAT",
                    Some("<b>json</b>"),
                    SettingSource::Flag("log-format".to_owned()),
                ),
                setting("PRUNE_AT", None, SettingSource::Default),
                setting(
                    "MAX_UPLOAD_BYTES",
                    Some("536870912"),
                    SettingSource::Default,
                ),
            ],
        }],
    }
}

fn model(scope: Option<Scope>, tokens: Vec<ListedToken>, hidden: u64) -> FakeModel {
    FakeModel {
        tokens: Some(TokenList {
            now: NOW,
            tokens,
            hidden,
        }),
        audit_access: scope,
        ..FakeModel::default()
    }
}

fn whole(tokens: Vec<ListedToken>) -> FakeModel {
    FakeModel {
        settings: Some(settings()),
        ..model(Some(Scope::All), tokens, 0)
    }
}

#[tokio::test]
async fn settings_show_tokens_with_their_states_in_words() {
    let soon = ListedToken {
        expires_at: Some(days(3)),
        ..token("soon")
    };
    let over = ListedToken {
        expires_at: Some(days(-1)),
        last_used_at: None,
        ..token("over")
    };
    let revoked = ListedToken {
        revoked_at: Some(days(-2)),
        ..token("<b id=x>")
    };
    let tokens = vec![token("ci"), soon, over, revoked];
    let (status, html) = render(whole(tokens), "/settings").await;
    assert_eq!(status, 200);
    for shown in [
        ">ci<",
        ">acme/payments<",
        ">active<",
        ">expires soon<",
        ">expired<",
        ">revoked<",
        "12 Nov 2026",
        "7 Nov 2026",
        "3 days ago",
        "&lt;b id=x&gt;",
        ">UPLOAD_TOKEN<",
        "<caption",
        "?tokens=state#tokens",
        "href=\"/audit\"",
        "Then unset <code>UPLOAD_TOKEN</code>",
        "href=\"/settings\" aria-current=\"page\"",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    assert!(!html.contains("<b id=x>"), "{html}");
}

#[tokio::test]
async fn settings_show_each_value_with_its_source() {
    let (_, html) = render(whole(vec![token("ci")]), "/settings").await;
    for shown in [
        "1.2.3",
        "PostgreSQL",
        "schema 21",
        "bucket",
        ">Common<",
        "scope=\"rowgroup\"",
        ">(hidden)<",
        ">environment<",
        "&lt;b&gt;json",
        ">--log-format<",
        ">not set<",
        ">default<",
        ">2 settings with their defaults<",
        ">What it is<",
        ">512\u{202f}MiB<",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
}

#[tokio::test]
async fn settings_show_nothing_without_an_admin_token() {
    for path in ["/settings", "/settings/", "/settings?tokens=name"] {
        let model = FakeModel {
            settings: Some(settings()),
            ..model(None, vec![token("ci")], 0)
        };
        let (status, html) = render(model, path).await;
        assert!([403, 404].contains(&status), "{path}: {status}");
        for hidden in [">ci<", "UPLOAD_TOKEN", "PostgreSQL"] {
            assert!(!html.contains(hidden), "{hidden}: {html}");
        }
    }
    let (status, html) = render(model(None, Vec::new(), 0), "/settings").await;
    assert_eq!(status, 403);
    assert!(html.contains("/login?next=%2Fsettings"), "{html}");
}

#[tokio::test]
async fn an_admin_of_an_org_sees_no_configuration() {
    let org = Scope::Org("acme".parse().expect("an org"));
    let (_, html) = render(model(Some(org), vec![token("ci")], 0), "/settings").await;
    assert!(html.contains("You see only tokens for acme/…."), "{html}");
    assert!(
        !html.contains("data-testid=\"configuration\"") && !html.contains("UPLOAD_TOKEN"),
        "{html}"
    );
}

#[tokio::test]
async fn a_part_of_the_tokens_is_not_sorted_and_says_how_many_more_exist() {
    let hidden = model(Some(Scope::All), vec![token("ci")], 1_234);
    let (_, html) = render(hidden, "/settings").await;
    assert!(html.contains("1,234 more tokens are not shown"), "{html}");
    assert!(!html.contains("?tokens="), "{html}");
}

#[tokio::test]
async fn settings_without_tokens_say_how_to_create_one() {
    let (_, html) = render(model(Some(Scope::All), Vec::new(), 0), "/settings").await;
    assert!(html.contains("No tokens yet"), "{html}");
    assert!(
        html.contains("coverage-dashboard token create --name ci"),
        "{html}"
    );
}
