//! Renaming: records, links and tokens stay, whatever the name.

use super::*;

#[tokio::test]
async fn a_renamed_repository_keeps_its_records_and_frees_its_old_name() {
    let store = TestStore::new().await;
    let (id, _) = upload(&store, "acme/old", "main", "c1").await;
    upload(&store, "acme/other", "main", "c1").await;
    rename(&store, "ACME/Old", "Acme/New")
        .await
        .expect("renamed");
    assert_eq!(names(&store).await, ["acme/New", "acme/other"]);
    assert_eq!(upload(&store, "acme/new", "main", "c1").await.0, id);
    let (again, _) = upload(&store, "acme/old", "main", "c1").await;
    assert_ne!(again, id);
    for (from, to, message) in [
        (
            "acme/nothing",
            "acme/x",
            "nothing was ever uploaded to acme/nothing",
        ),
        ("acme/New", "ACME/OTHER", "acme/other already exists"),
        ("acme/New", "acme/New", "already has this name"),
        ("acme/New", "ACME/New", "the name of its org"),
        ("acme", "acme/New", "two repositories or two orgs"),
    ] {
        let refused = rename(&store, from, to).await.expect_err("refused");
        assert!(
            refused.to_string().contains(message),
            "{from} {to}: {refused}"
        );
    }
    assert_eq!(names(&store).await, ["acme/New", "acme/other", "acme/old"]);
}

#[tokio::test]
async fn a_name_may_change_by_case_only() {
    let store = TestStore::new().await;
    upload(&store, "acme/one", "main", "c1").await;
    upload(&store, "acme/sub/two", "main", "c1").await;
    rename(&store, "acme/one", "acme/ONE")
        .await
        .expect("renamed");
    rename(&store, "acme", "Acme").await.expect("renamed");
    assert_eq!(names(&store).await, ["Acme/ONE", "Acme/sub/two"]);
    rename(&store, "acme/sub/…", "acme/Sub/…")
        .await
        .expect("renamed");
    assert_eq!(names(&store).await, ["Acme/ONE", "Acme/Sub/two"]);
    let refused = merge(&store, "acme/one", "acme/One")
        .await
        .expect_err("refused");
    assert!(matches!(refused, NameChangeError::Same(_)), "{refused}");
}

#[tokio::test]
async fn renaming_an_org_renames_its_groups() {
    let store = TestStore::new().await;
    for name in ["acme/one", "acme/sub/two", "acme2/one", "labs/SUB/three"] {
        upload(&store, name, "main", "c1").await;
    }
    rename(&store, "ACME", "Labs").await.expect("renamed");
    let expected = ["labs/one", "labs/SUB/two", "acme2/one", "labs/SUB/three"];
    assert_eq!(names(&store).await, expected);
    let refused = rename(&store, "labs", "acme2").await.expect_err("refused");
    assert!(matches!(refused, NameChangeError::Taken(_)), "{refused}");
    assert_eq!(names(&store).await, expected);
    rename(&store, "labs", "labs/inner/…")
        .await
        .expect("renamed");
    assert_eq!(names(&store).await[1], "labs/inner/SUB/two");
}

#[tokio::test]
async fn tokens_follow_renames_but_not_merges() {
    let store = TestStore::new().await;
    for (name, scope) in [
        ("exact", Scope::Repository(repository("acme/one"))),
        ("cased", Scope::Repository(repository("ACME/ONE"))),
        ("org", Scope::Org("acme".parse().expect("an org"))),
        ("other", Scope::Repository(repository("acme/two"))),
    ] {
        let token = NewToken {
            name,
            hash: name,
            purpose: Purpose::Upload,
            scope: &scope,
            hint: "",
            expires_at: None,
        };
        let added = store.operator().add_token(token, &Actor::service()).await;
        added.expect("a token");
    }
    for name in ["acme/one", "acme/two", "labs/three"] {
        upload(
            &store,
            name,
            "main",
            name.split('/').next_back().expect("a name"),
        )
        .await;
    }
    let scopes = async || -> Vec<String> {
        let tokens = store.operator().tokens().await.expect("tokens");
        tokens.iter().map(|token| token.scope.to_string()).collect()
    };
    let changed = rename(&store, "acme/one", "labs/One")
        .await
        .expect("renamed");
    assert_eq!(changed.tokens_moved, ["exact", "cased"]);
    assert_eq!(
        scopes().await,
        ["labs/One", "labs/One", "acme/…", "acme/two"]
    );
    let changed = rename(&store, "acme", "zoo").await.expect("renamed");
    assert_eq!(changed.tokens_moved, ["org", "other"]);
    assert_eq!(scopes().await, ["labs/One", "labs/One", "zoo/…", "zoo/two"]);
    let changed = merge(&store, "zoo/two", "labs/three")
        .await
        .expect("merged");
    assert_eq!(changed.tokens_left, ["other"]);
    assert_eq!(scopes().await, ["labs/One", "labs/One", "zoo/…", "zoo/two"]);
}
