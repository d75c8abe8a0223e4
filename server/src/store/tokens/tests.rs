//! Tokens from older releases.

use super::{Purpose, Scope};
use crate::store::{
    engine::Engine,
    testing::{Place, is_postgres},
};
use sqlx::{any::AnyPoolOptions, migrate::Migrator};

#[tokio::test]
async fn tokens_older_than_admin_tokens_stay_unchanged() {
    let place = Place::new();
    sqlx::any::install_default_drivers();
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
    let tokens = store.tokens().await.expect("tokens");
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
    let again = sqlx::query(again).execute(&store.writer).await;
    assert!(again.is_err(), "the name is taken");
    let other = "insert into tokens (id, name, hash, created_at, purpose) values (10, 'x', 'h10', 3, 'other')";
    assert!(sqlx::query(other).execute(&store.writer).await.is_err());
    let admin = "insert into tokens (id, name, hash, created_at, purpose) values (10, 'x', 'h10', 3, 'admin')";
    sqlx::query(admin)
        .execute(&store.writer)
        .await
        .expect("a row");
}
