//! Which rules win, the settings that uploads leave, and what happens with renamed names.

use super::{GateSource, RecordSettings};
use crate::{
    Announced, Deletion, HowNamesChange, MainRight, NameChange, Named, NewRecord, Store,
    actor::Actor,
    testing::{TestStore, new_record},
};
use domain::{AuditQuery, GateRules, Limits, PartialLines, Repository, Scope};

fn named(text: &str) -> Named {
    Named::read(text.trim_end_matches("/…"), text.ends_with("/…")).expect("a name")
}

fn repository(name: &str) -> Repository {
    name.parse().expect("a repository")
}

fn floor(percent: u8) -> GateRules {
    GateRules {
        all: Limits {
            floor: Some(percent),
            ..Limits::default()
        },
        ..GateRules::default()
    }
}

fn changed(percent: u8) -> GateRules {
    GateRules {
        all: Limits {
            changed: Some(percent),
            ..Limits::default()
        },
        ..GateRules::default()
    }
}

fn settings(rules: GateRules) -> Option<RecordSettings> {
    Some(RecordSettings {
        rules,
        carry: "e2e".parse().expect("parts"),
        ..RecordSettings::default()
    })
}

fn new(name: &str, branch: &str, commit: &str, settings: Option<RecordSettings>) -> NewRecord {
    let mut new = new_record(name, branch, commit);
    new.stated.settings = settings;
    new
}

async fn publish(store: &Store, new: &NewRecord) -> i64 {
    store
        .writer()
        .publish(new)
        .await
        .expect("published")
        .record
        .id
}

async fn set(store: &Store, of: &str, rules: &GateRules) -> GateRules {
    let set = store
        .operator()
        .set_gate(&named(of), rules, &Actor::service())
        .await;
    set.expect("set")
}

async fn gate_of(store: &Store, of: &str) -> Option<GateRules> {
    store.operator().gate_of(&named(of)).await.expect("a gate")
}

async fn rules(store: &Store, name: &str) -> Option<GateRules> {
    store
        .writer()
        .gate_rules(&repository(name))
        .await
        .expect("rules")
}

async fn of_main(store: &Store, name: &str) -> Option<GateRules> {
    let settings = store.writer().settings_of_main(&repository(name)).await;
    settings.expect("settings").map(|settings| settings.rules)
}

async fn change(store: &Store, how: HowNamesChange, from: &str, to: &str) {
    let requested = NameChange {
        from: named(from),
        to: named(to),
        how,
    };
    let changed = store
        .operator()
        .change_names(&requested, false, &Actor::service())
        .await;
    changed.expect("changed");
}

#[tokio::test]
async fn rules_are_set_one_by_one_and_cleared_together() {
    let store = TestStore::new().await;
    assert_eq!(gate_of(&store, "acme/payments").await, None);
    set(&store, "acme/payments", &changed(80)).await;
    let both = floor(70).over(changed(80));
    assert_eq!(set(&store, "ACME/Payments", &floor(70)).await, both);
    assert_eq!(gate_of(&store, "acme/PAYMENTS").await, Some(both.clone()));
    assert_eq!(gate_of(&store, "acme/…").await, None);
    set(&store, "acme/payments", &changed(80)).await;
    let by = &Actor::service();
    let cleared = store
        .operator()
        .clear_gate(&named("acme/payments"), by)
        .await;
    assert_eq!(cleared.expect("cleared"), Some(both));
    let cleared = store
        .operator()
        .clear_gate(&named("acme/payments"), by)
        .await;
    assert_eq!(cleared.expect("nothing"), None);
    assert_eq!(gate_of(&store, "acme/payments").await, None);
    let page = store
        .operator()
        .audit_page(&AuditQuery::default(), &[Scope::All])
        .await;
    let entries = page.expect("a page").entries;
    let entries = entries.iter().map(|entry| {
        let (about, old, new) = (entry.about(), entry.old.as_deref(), entry.new.as_deref());
        let text = [about.as_deref(), old, new].map(Option::unwrap_or_default);
        format!("{} {}", entry.action, text.join(" | "))
    });
    let expected = [
        "gate_cleared acme/payments | changed 80, floor 70 | none",
        "gate_set ACME/Payments | changed 80 | changed 80, floor 70",
        "gate_set acme/payments | none | changed 80",
    ];
    assert_eq!(entries.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn the_repository_wins_then_its_orgs_then_the_settings_of_main() {
    let store = TestStore::new().await;
    let name = "acme/platform/payments";
    assert_eq!(rules(&store, name).await, None);
    let partial = GateRules {
        partial: Some(PartialLines::Miss),
        ..floor(1)
    };
    publish(&store, &new(name, "main", "c1", settings(partial.clone()))).await;
    assert_eq!(rules(&store, name).await, Some(partial.clone()));
    set(&store, "acme/…", &floor(2).over(changed(20))).await;
    set(&store, "acme/platform/…", &floor(3)).await;
    set(&store, name, &changed(0)).await;
    let expected = changed(0).over(floor(3)).over(partial.clone());
    assert_eq!(
        rules(&store, "acme/Platform/payments").await,
        Some(expected)
    );
    let sources = store
        .operator()
        .gate_sources(&named(name))
        .await
        .expect("sources");
    let expected = [
        (GateSource::Set(named(name)), changed(0)),
        (GateSource::Set(named("acme/platform/…")), floor(3)),
        (GateSource::Set(named("acme/…")), floor(2).over(changed(20))),
        (GateSource::Settings, partial),
    ];
    assert_eq!(sources, expected);
    let other = rules(&store, "acme/other").await;
    assert_eq!(other, Some(floor(2).over(changed(20))));
    assert_eq!(rules(&store, "acmes/other").await, None);
}

#[tokio::test]
async fn settings_count_only_from_the_main_branch() {
    let store = TestStore::new().await;
    let name = "acme/one";
    publish(&store, &new(name, "main", "c1", None)).await;
    publish(&store, &new(name, "next", "c2", settings(floor(1)))).await;
    assert_eq!(of_main(&store, name).await, None);
    publish(&store, &new(name, "main", "c3", settings(floor(2)))).await;
    assert_eq!(of_main(&store, name).await, Some(floor(2)));
    let mut denied = new(name, "main", "c4", settings(floor(0)));
    denied.stated.main_right = MainRight::Denied("not today".to_owned());
    publish(&store, &denied).await;
    let mut incomplete = new(name, "main", "c5", settings(floor(0)));
    incomplete.part.name = "unit".parse().expect("a part");
    incomplete.stated.announced = Announced {
        expected: "unit,web".parse().expect("parts"),
        ..Announced::default()
    };
    publish(&store, &incomplete).await;
    assert_eq!(of_main(&store, name).await, Some(floor(2)));
    let mut go = new(name, "main", "c3", None);
    go.stated.language = "go".parse().expect("a language");
    publish(&store, &go).await;
    assert_eq!(of_main(&store, name).await, Some(floor(2)));
    go.stated.settings = settings(floor(3));
    publish(&store, &go).await;
    assert_eq!(of_main(&store, name).await, Some(floor(3)));
    go.stated.commit = "c6".parse().expect("a commit");
    go.stated.settings = None;
    publish(&store, &go).await;
    assert_eq!(of_main(&store, name).await, Some(floor(2)));
}

#[tokio::test]
async fn an_upload_replaces_settings_or_leaves_them() {
    let store = TestStore::new().await;
    let name = "acme/one";
    let first = new(name, "main", "c1", settings(floor(1)));
    let id = publish(&store, &first).await;
    assert_eq!(publish(&store, &new(name, "main", "c1", None)).await, id);
    assert_eq!(of_main(&store, name).await, Some(floor(1)));
    publish(&store, &new(name, "main", "c1", settings(changed(9)))).await;
    let kept = store.writer().settings_of_main(&repository(name)).await;
    assert_eq!(kept.expect("settings"), settings(changed(9)));
    publish(
        &store,
        &new(name, "main", "c1", settings(GateRules::default())),
    )
    .await;
    assert_eq!(of_main(&store, name).await, Some(GateRules::default()));
    assert_eq!(rules(&store, name).await, None);
}

#[tokio::test]
async fn an_upload_that_replaces_unconfirmed_ones_forgets_their_settings() {
    let store = TestStore::new().await;
    let name = "acme/one";
    publish(&store, &new(name, "main", "c1", settings(floor(1)))).await;
    let mut denied = new(name, "main", "c2", settings(floor(0)));
    denied.stated.main_right = MainRight::Denied("not today".to_owned());
    publish(&store, &denied).await;
    publish(&store, &new(name, "main", "c2", None)).await;
    assert_eq!(of_main(&store, name).await, None);
}

#[tokio::test]
async fn a_renamed_repository_keeps_its_gate_and_a_merged_one_gives_it() {
    let store = TestStore::new().await;
    for name in ["acme/one", "acme/two", "acme/three"] {
        publish(&store, &new(name, "main", "c1", None)).await;
    }
    set(&store, "acme/one", &floor(1)).await;
    set(&store, "acme/new", &floor(9)).await;
    change(&store, HowNamesChange::Rename, "acme/one", "acme/New").await;
    assert_eq!(gate_of(&store, "acme/one").await, None);
    assert_eq!(gate_of(&store, "acme/new").await, Some(floor(1)));
    change(&store, HowNamesChange::Rename, "acme/New", "acme/new").await;
    assert_eq!(gate_of(&store, "acme/new").await, Some(floor(1)));
    change(&store, HowNamesChange::Merge, "acme/new", "acme/two").await;
    assert_eq!(gate_of(&store, "acme/new").await, None);
    assert_eq!(gate_of(&store, "acme/two").await, Some(floor(1)));
    set(&store, "acme/three", &floor(3)).await;
    change(&store, HowNamesChange::Merge, "acme/two", "acme/three").await;
    assert_eq!(gate_of(&store, "acme/two").await, None);
    assert_eq!(gate_of(&store, "acme/three").await, Some(floor(3)));
}

#[tokio::test]
async fn a_renamed_org_keeps_all_gates_of_its_groups() {
    let store = TestStore::new().await;
    for name in ["acme/one", "acme/core/two", "other/one"] {
        publish(&store, &new(name, "main", "c1", None)).await;
    }
    for (of, percent) in [
        ("acme/…", 1),
        ("acme/core/…", 2),
        ("acme/core/two", 3),
        ("acme/later", 4),
        ("acmes/…", 5),
    ] {
        set(&store, of, &floor(percent)).await;
    }
    change(&store, HowNamesChange::Rename, "acme/…", "new/core/…").await;
    for (of, percent) in [
        ("new/core/…", 1),
        ("new/core/core/…", 2),
        ("new/core/core/two", 3),
        ("new/core/later", 4),
        ("acmes/…", 5),
    ] {
        assert_eq!(gate_of(&store, of).await, Some(floor(percent)), "{of}");
    }
    for of in ["acme/…", "acme/core/…", "acme/core/two", "acme/later"] {
        assert_eq!(gate_of(&store, of).await, None, "{of}");
    }
    set(&store, "other/…", &floor(7)).await;
    change(&store, HowNamesChange::Merge, "new/core/…", "other/…").await;
    assert_eq!(gate_of(&store, "new/core/…").await, None);
    assert_eq!(gate_of(&store, "other/…").await, Some(floor(7)));
    assert_eq!(gate_of(&store, "other/core/two").await, Some(floor(3)));
}

#[tokio::test]
async fn an_org_that_becomes_its_own_group_keeps_its_gates_apart() {
    let store = TestStore::new().await;
    publish(&store, &new("acme/new/one", "main", "c1", None)).await;
    set(&store, "acme/…", &floor(1)).await;
    set(&store, "acme/new/…", &floor(2)).await;
    change(&store, HowNamesChange::Rename, "acme/…", "acme/new/…").await;
    assert_eq!(gate_of(&store, "acme/new/…").await, Some(floor(1)));
    assert_eq!(gate_of(&store, "acme/new/new/…").await, Some(floor(2)));
}

#[tokio::test]
async fn a_deleted_repository_has_no_gate_and_one_without_records_has() {
    let store = TestStore::new().await;
    let id = publish(&store, &new("acme/one", "main", "c1", settings(floor(8)))).await;
    set(&store, "acme/one", &floor(1)).await;
    set(&store, "acme/…", &floor(2)).await;
    let delete = async |what: Deletion| {
        let by = &Actor::service();
        let deleted = store.operator().delete(&what, &[Scope::All], by).await;
        deleted.expect("deleted").expect("something");
    };
    delete(Deletion::Record(id)).await;
    assert_eq!(gate_of(&store, "acme/one").await, Some(floor(1)));
    let left: i64 = sqlx::query_scalar("select count(*) from record_settings")
        .fetch_one(&store.read_pool)
        .await
        .expect("a count");
    assert_eq!(left, 0);
    publish(&store, &new("acme/one", "main", "c1", None)).await;
    delete(Deletion::Repository(repository("acme/one"))).await;
    assert_eq!(gate_of(&store, "acme/one").await, None);
    assert_eq!(gate_of(&store, "acme/…").await, Some(floor(2)));
}
