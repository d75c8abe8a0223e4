//! Runs one statement with its values: on a pool, on a connection, or within a transaction.

use crate::{Store, StoreError};
use sqlx::{
    Any, AnyConnection, AnyPool, Arguments, Decode, Encode, Executor, FromRow, Type,
    any::{AnyArguments, AnyRow},
};
use std::{io, pin::Pin, sync::OnceLock, time::Duration};
use tokio::time::timeout;

pub(crate) type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// How long the statements of a service may take, with the time until a connection is free. [`crate::Store::end_long_waits`]
/// sets it. Commands have no limit.
pub(crate) static LONGEST: OnceLock<Duration> = OnceLock::new();

/// Waits for the database. PostgreSQL cancels long statements itself. But if its machine disappears, or the network, its
/// connections stay open and silent, and a statement would wait forever.
pub(crate) async fn answered<T>(
    statement: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    match LONGEST.get() {
        Some(longest) => within(*longest, statement).await,
        None => statement.await,
    }
}

pub(crate) async fn within<T>(
    limit: Duration,
    statement: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    let silent = |_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()));
    timeout(limit, statement).await.unwrap_or_else(silent)
}

/// One or several values of a statement.
pub(crate) trait Parameter {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), sqlx::Error>;
}

impl<'a, T: Encode<'a, Any> + Type<Any>> Parameter for T {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), sqlx::Error> {
        arguments.add(self).map_err(sqlx::Error::Encode)
    }
}

/// The values of the parameters `$1`, `$2`, … of a statement: an array, or a tuple for values of several types.
pub(crate) trait Parameters {
    fn arguments(self) -> Result<AnyArguments, sqlx::Error>;
}

impl Parameters for () {
    fn arguments(self) -> Result<AnyArguments, sqlx::Error> {
        Ok(AnyArguments::default())
    }
}

impl<T: Parameter, const N: usize> Parameters for [T; N] {
    fn arguments(self) -> Result<AnyArguments, sqlx::Error> {
        let mut arguments = AnyArguments::default();
        for value in self {
            value.add_to(&mut arguments)?;
        }
        Ok(arguments)
    }
}

/// Implements [`Parameters`] for tuples with one value up to one for each given name.
macro_rules! parameters {
    () => {};
    ($first:ident $(, $kind:ident)*) => {
        impl<$first: Parameter, $($kind: Parameter),*> Parameters for ($first, $($kind),*) {
            #[expect(non_snake_case, reason = "each value has the name of its type")]
            fn arguments(self) -> Result<AnyArguments, sqlx::Error> {
                let ($first, $($kind),*) = self;
                let mut arguments = AnyArguments::default();
                $first.add_to(&mut arguments)?;
                $($kind.add_to(&mut arguments)?;)*
                Ok(arguments)
            }
        }
        parameters!($($kind),*);
    };
}

parameters!(
    A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X
);

pub(crate) trait Row: for<'row> FromRow<'row, AnyRow> + Send + Unpin {}

impl<T: for<'row> FromRow<'row, AnyRow> + Send + Unpin> Row for T {}

pub(crate) trait Value: for<'row> Decode<'row, Any> + Type<Any> + Send + Unpin {}

impl<T: for<'row> Decode<'row, Any> + Type<Any> + Send + Unpin> Value for T {}

/// Runs statements that change rows. A store does not: it runs its statements on the pool for reading.
pub(crate) trait Write {}

impl Write for &mut AnyConnection {}

impl Write for &AnyPool {}

/// Runs statements, each with its values in one tuple or array. A store runs them on the pool for reading.
pub(crate) trait Run<'a>: Sized {
    fn executor(self) -> impl Executor<'a, Database = Any> + 'a;

    fn run(self, sql: &'static str, values: impl Parameters) -> Answer<'a, ()>
    where
        Self: Write,
    {
        let changed = self.changed(sql, values);
        Box::pin(async move { changed.await.map(drop) })
    }

    /// Returns the number of changed rows.
    fn changed(self, sql: &'static str, values: impl Parameters) -> Answer<'a, u64>
    where
        Self: Write,
    {
        let (executor, values) = (self.executor(), values.arguments());
        Box::pin(async move {
            let query = sqlx::query_with(sql, values?);
            Ok(answered(query.execute(executor)).await?.rows_affected())
        })
    }

    fn all<T: Row + 'a>(self, sql: &'static str, values: impl Parameters) -> Answer<'a, Vec<T>> {
        let (executor, values) = (self.executor(), values.arguments());
        Box::pin(async move {
            let query = sqlx::query_as_with(sql, values?);
            Ok(answered(query.fetch_all(executor)).await?)
        })
    }

    fn first<T: Row + 'a>(
        self,
        sql: &'static str,
        values: impl Parameters,
    ) -> Answer<'a, Option<T>> {
        let (executor, values) = (self.executor(), values.arguments());
        Box::pin(async move {
            let query = sqlx::query_as_with(sql, values?);
            Ok(answered(query.fetch_optional(executor)).await?)
        })
    }

    /// Returns the only row.
    fn one<T: Row + 'a>(self, sql: &'static str, values: impl Parameters) -> Answer<'a, T> {
        let (executor, values) = (self.executor(), values.arguments());
        Box::pin(async move {
            let query = sqlx::query_as_with(sql, values?);
            Ok(answered(query.fetch_one(executor)).await?)
        })
    }

    /// Like `all`, for queries of one column.
    fn values<T: Value + 'a>(
        self,
        sql: &'static str,
        values: impl Parameters,
    ) -> Answer<'a, Vec<T>> {
        let rows = self.all::<(T,)>(sql, values);
        Box::pin(async move { Ok(rows.await?.into_iter().map(|(value,)| value).collect()) })
    }

    /// Like `first`, for queries of one column.
    fn first_value<T: Value + 'a>(
        self,
        sql: &'static str,
        values: impl Parameters,
    ) -> Answer<'a, Option<T>> {
        let row = self.first::<(T,)>(sql, values);
        Box::pin(async move { Ok(row.await?.map(|(value,)| value)) })
    }

    /// Like `one`, for queries of one column.
    fn value<T: Value + 'a>(self, sql: &'static str, values: impl Parameters) -> Answer<'a, T> {
        let row = self.one::<(T,)>(sql, values);
        Box::pin(async move { row.await.map(|(value,)| value) })
    }
}

impl<'a> Run<'a> for &'a mut AnyConnection {
    fn executor(self) -> impl Executor<'a, Database = Any> + 'a {
        self
    }
}

impl<'a> Run<'a> for &'a AnyPool {
    fn executor(self) -> impl Executor<'a, Database = Any> + 'a {
        self
    }
}

impl<'a> Run<'a> for &'a Store {
    fn executor(self) -> impl Executor<'a, Database = Any> + 'a {
        &self.read_pool
    }
}
