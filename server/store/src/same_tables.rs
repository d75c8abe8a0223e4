//! Tests that the migrations of both engines give the same tables.

use super::{
    Store,
    engine::Engine,
    testing::{TestStore, is_postgres},
};
use sqlx::{AssertSqlSafe, FromRow};
use std::collections::BTreeSet;

/// A column of a table, with the same type names for both engines.
#[derive(Debug, FromRow, PartialEq, Eq, PartialOrd, Ord)]
struct Column {
    table_name: String,
    name: String,
    kind: String,
    not_null: i64,
    has_default: i64,
}

const OF_SQLITE: &str = "
    select t.name as table_name, c.name, lower(c.type) as kind,
           case when c.\"notnull\" = 1 or c.pk > 0 then 1 else 0 end as not_null,
           case when c.dflt_value is null then 0 else 1 end as has_default
    from sqlite_schema t
    join pragma_table_xinfo(t.name) c
    where t.type = 'table' and t.name not like 'sqlite%' and t.name not like '\\_sqlx%' escape '\\'";

const OF_POSTGRES: &str = "
    select c.table_name::text as table_name, c.column_name::text as name, c.data_type::text as kind,
           case c.is_nullable when 'NO' then 1 else 0 end as not_null,
           case when c.column_default is null then 0 else 1 end as has_default
    from information_schema.columns c
    where c.table_schema = current_schema() and c.table_name not like '\\_sqlx%'";

/// Texts that PostgreSQL would sort by the rules of a language, which SQLite does not support.
const SORTED_BY_A_LANGUAGE: &str = "
    select c.table_name::text || '.' || c.column_name::text from information_schema.columns c
    where c.table_schema = current_schema() and c.table_name not like '\\_sqlx%' and c.data_type = 'text'
      and coalesce(c.collation_name, '') <> 'C'";

const INDEXES_OF_SQLITE: &str =
    "select i.name from sqlite_schema i where i.type = 'index' and i.sql is not null";

const INDEXES_OF_POSTGRES: &str = "
    select i.indexname::text from pg_indexes i
    where i.schemaname = current_schema() and i.tablename not like '\\_sqlx%'
      and not exists (select 1 from pg_constraint c where c.conname = i.indexname)";

/// On PostgreSQL, the unique index `records_current` serves the same queries.
const OF_SQLITE_ALONE: &str = "records_current_by_branch";

async fn columns(store: &Store, query: &str) -> BTreeSet<Column> {
    let columns: Vec<Column> = sqlx::query_as(AssertSqlSafe(query.to_owned()))
        .fetch_all(&store.read_pool)
        .await
        .expect("columns");
    let normalized = columns.into_iter().map(|column| Column {
        kind: match column.kind.as_str() {
            "integer" => "bigint".to_owned(),
            "blob" => "bytea".to_owned(),
            _ => column.kind,
        },
        ..column
    });
    normalized.collect()
}

async fn names(store: &Store, query: &str) -> BTreeSet<String> {
    let names: Vec<String> = sqlx::query_scalar(AssertSqlSafe(query.to_owned()))
        .fetch_all(&store.read_pool)
        .await
        .expect("names");
    names.into_iter().collect()
}

#[test]
fn each_migration_exists_for_both_engines() {
    let of = |engine: Engine| -> Vec<_> {
        let migrations = engine.migrations().iter();
        migrations
            .map(|migration| (migration.version, migration.description.clone()))
            .collect()
    };
    assert_eq!(of(Engine::Sqlite), of(Engine::Postgres));
}

#[tokio::test]
async fn both_engines_have_the_same_schema_and_sort_text_by_bytes() {
    if !is_postgres() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("coverage.db");
    let sqlite = Store::open(&format!("sqlite://{}", file.display()))
        .await
        .expect("a database of SQLite");
    let postgres = TestStore::new().await;
    assert_eq!(
        columns(&sqlite, OF_SQLITE).await,
        columns(&postgres, OF_POSTGRES).await
    );
    let mut indexes = names(&sqlite, INDEXES_OF_SQLITE).await;
    assert!(indexes.remove(OF_SQLITE_ALONE));
    assert_eq!(indexes, names(&postgres, INDEXES_OF_POSTGRES).await);
    assert!(names(&postgres, SORTED_BY_A_LANGUAGE).await.is_empty());
}
