//! Tokens from older releases, and lists of tokens.

use super::{NewToken, Purpose, Scope};
use crate::{
    Store,
    actor::Actor,
    engine::Engine,
    testing::{Place, TestStore, is_postgres},
};
use domain::{AuditScope, Timestamp, TokenState};
use sqlx::{any::AnyPoolOptions, migrate::Migrator};

#[tokio::test]
async fn tokens_older_than_admin_tokens_stay_unchanged() {
    let place = Place::new();
    crate::install_drivers();
    let (engine, url) = if is_postgres() {
        (Engine::Postgres, place.url())
    } else {
        (Engine::Sqlite, format!("{}?mode=rwc", place.url()))
    };
    let pool = AnyPoolOptions::new()
        .connect(&url)
        .await
        .expect("a database");
    let older = engine.migrations().iter();
    let older = older.filter(|migration| migration.version < 16);
    Migrator::with_migrations(older.cloned().collect())
        .run(&pool)
        .await
        .expect("older tables");
    let statement = "
        insert into tokens (id, name, hash, created_at, purpose, org_name, repo_name, hint, expires_at, last_used_at, revoked_at)
        values (3, 'ci', 'h3', 1, 'upload', 'acme', 'payments', 'abcd', 10, 5, null),
               (7, 'kim', 'h7', 2, 'read', null, null, '', null, null, null),
               (9, 'ci', 'h9', 3, 'upload', 'acme', null, 'efgh', null, null, 4)";
    sqlx::query(statement).execute(&pool).await.expect("rows");
    pool.close().await;
    let store = place.open().await;
    let tokens = store.operator().tokens().await.expect("tokens");
    let seen: Vec<_> = tokens
        .iter()
        .map(|token| (token.id, token.name.as_str(), token.hash.as_str()))
        .collect();
    assert_eq!(seen, [(3, "ci", "h3"), (7, "kim", "h7"), (9, "ci", "h9")]);
    let repository = "acme/payments".parse().expect("a repository");
    assert_eq!(tokens[0].scope, Scope::Repository(repository));
    assert_eq!(tokens[1].purpose, Purpose::Read);
    let times = [
        tokens[0].expires_at,
        tokens[0].last_used_at,
        tokens[2].revoked_at,
    ];
    assert_eq!(
        times.map(|at| at.map(|at| at.0)),
        [Some(10), Some(5), Some(4)]
    );
    let again = "insert into tokens (id, name, hash, created_at) values (10, 'ci', 'h10', 3)";
    let again = sqlx::query(again).execute(&store.write_pool).await;
    assert!(again.is_err(), "the name is taken");
    let other = "insert into tokens (id, name, hash, created_at, purpose) values (10, 'x', 'h10', 3, 'other')";
    assert!(sqlx::query(other).execute(&store.write_pool).await.is_err());
    let admin = "insert into tokens (id, name, hash, created_at, purpose) values (10, 'x', 'h10', 3, 'admin')";
    sqlx::query(admin)
        .execute(&store.write_pool)
        .await
        .expect("a row");
}

async fn add(store: &Store, name: &str, purpose: Purpose, scope: &Scope, expires_at: Option<i64>) {
    let token = NewToken {
        name,
        hash: &format!("hash of {name}"),
        purpose,
        scope,
        hint: "h1nt",
        expires_at: expires_at.map(Timestamp),
    };
    let added = store.operator().add_token(token, &Actor::service()).await;
    added.expect("added");
}

#[tokio::test]
async fn a_token_list_has_only_tokens_within_its_scope() {
    let store = TestStore::new().await;
    let org = |name: &str| Scope::Org(name.parse().expect("an org"));
    let of = |name: &str| Scope::Repository(name.parse().expect("a repository"));
    for (name, scope) in [
        ("all", Scope::All),
        ("org", org("Acme")),
        ("group", org("acme/tools")),
        ("repository", of("acme/payments")),
        ("other", org("acme2")),
        ("strange", of("zoo/payments")),
    ] {
        add(&store, name, Purpose::Upload, &scope, None).await;
    }
    let names = async |scope: &AuditScope| {
        let list = store.operator().token_list(scope).await.expect("tokens");
        let tokens = list.tokens.into_iter();
        let names = tokens.map(|token| token.name).collect::<Vec<_>>();
        (names.join(" "), list.hidden)
    };
    assert_eq!(
        names(&AuditScope::All).await,
        ("strange other repository group org all".to_owned(), 0)
    );
    assert_eq!(
        names(&AuditScope::Org("acme".parse().expect("an org"))).await,
        ("repository group org".to_owned(), 0)
    );
    let one = AuditScope::Repository("ACME/payments".parse().expect("a repository"));
    assert_eq!(names(&one).await, ("repository".to_owned(), 0));
}

#[tokio::test]
async fn a_token_list_that_is_cut_keeps_the_tokens_that_work() {
    let store = TestStore::new().await;
    add(&store, "old", Purpose::Read, &Scope::All, None).await;
    add(&store, "expired", Purpose::Upload, &Scope::All, Some(1)).await;
    add(
        &store,
        "lasting",
        Purpose::Admin,
        &Scope::All,
        Some(i64::MAX),
    )
    .await;
    add(&store, "revoked", Purpose::Upload, &Scope::All, None).await;
    store
        .operator()
        .revoke_token(4, &Actor::service())
        .await
        .expect("revoked");
    let list = store.operator().first_tokens(&AuditScope::All, 3).await;
    let list = list.expect("tokens");
    let seen: Vec<_> = list
        .tokens
        .iter()
        .map(|token| (token.name.as_str(), token.kind.as_str()))
        .collect();
    assert_eq!(
        seen,
        [("lasting", "admin"), ("old", "read"), ("revoked", "upload")]
    );
    assert_eq!(list.hidden, 1);
    let states: Vec<_> = list
        .tokens
        .iter()
        .map(|token| token.state(list.now))
        .collect();
    assert_eq!(
        states,
        [TokenState::Active, TokenState::Active, TokenState::Revoked]
    );
}
