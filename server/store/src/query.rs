//! Runs statements with the values of their parameters `$1`, `$2`, ….

use crate::{Store, StoreError};
use futures::future::BoxFuture;
use sqlx::{
    Any, AnyConnection, AnyPool, Arguments, Decode, Encode, Executor, FromRow, Type,
    any::{AnyArguments, AnyRow},
    error::BoxDynError,
};

/// The values of the parameters of a statement: an array, or a tuple for values of several types.
pub(crate) trait Values<'v> {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), BoxDynError>;
}

impl<'v, T: Encode<'v, Any> + Type<Any>, const N: usize> Values<'v> for [T; N] {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), BoxDynError> {
        self.into_iter().try_for_each(|value| arguments.add(value))
    }
}

impl Values<'_> for () {
    fn add_to(self, _: &mut AnyArguments) -> Result<(), BoxDynError> {
        Ok(())
    }
}

macro_rules! tuples {
    ($(($($of:ident $value:ident),+))+) => {
        $(impl<'v, $($of: Encode<'v, Any> + Type<Any>),+> Values<'v> for ($($of,)+) {
            fn add_to(self, arguments: &mut AnyArguments) -> Result<(), BoxDynError> {
                let ($($value,)+) = self;
                $(arguments.add($value)?;)+
                Ok(())
            }
        })+
    };
}

tuples! {
    (A a, B b)
    (A a, B b, C c)
    (A a, B b, C c, D d)
    (A a, B b, C c, D d, E e)
}

fn arguments<'v>(values: impl Values<'v>) -> Result<AnyArguments, StoreError> {
    let mut arguments = AnyArguments::default();
    values.add_to(&mut arguments).map_err(sqlx::Error::Encode)?;
    Ok(arguments)
}

/// Where a statement runs: a [`Store`] runs it on a connection that reads.
pub(crate) trait On<'c>: Sized + 'c {
    fn executor(self) -> impl Executor<'c, Database = Any> + 'c;
}

impl<'c> On<'c> for &'c Store {
    fn executor(self) -> impl Executor<'c, Database = Any> + 'c {
        &self.read_pool
    }
}

impl<'c> On<'c> for &'c AnyPool {
    fn executor(self) -> impl Executor<'c, Database = Any> + 'c {
        self
    }
}

impl<'c> On<'c> for &'c mut AnyConnection {
    fn executor(self) -> impl Executor<'c, Database = Any> + 'c {
        self
    }
}

/// The result of a statement. It is boxed, because the compiler could not prove that callers are `Send` otherwise.
type Answer<'c, T> = BoxFuture<'c, Result<T, StoreError>>;

/// Runs a statement.
pub(crate) fn run<'c, 'v>(
    connection: &'c mut AnyConnection,
    sql: &'static str,
    values: impl Values<'v>,
) -> Answer<'c, ()> {
    let changed = changed(connection, sql, values);
    Box::pin(async { changed.await.map(drop) })
}

/// Runs a statement, and returns the number of rows that it has changed.
pub(crate) fn changed<'c, 'v>(
    on: impl On<'c>,
    sql: &'static str,
    values: impl Values<'v>,
) -> Answer<'c, u64> {
    let (executor, arguments) = (on.executor(), arguments(values));
    Box::pin(async move {
        let query = sqlx::query_with(sql, arguments?);
        Ok(query.execute(executor).await?.rows_affected())
    })
}

/// A type that a row is read as.
pub(crate) trait Row: for<'r> FromRow<'r, AnyRow> + Send + Unpin + 'static {}

impl<R: for<'r> FromRow<'r, AnyRow> + Send + Unpin + 'static> Row for R {}

/// A type that a column is read as.
pub(crate) trait Column:
    for<'r> Decode<'r, Any> + Type<Any> + Send + Unpin + 'static
{
}

impl<T: for<'r> Decode<'r, Any> + Type<Any> + Send + Unpin + 'static> Column for T {}

/// Returns all rows.
pub(crate) fn all<'c, 'v, R: Row>(
    on: impl On<'c>,
    sql: &'static str,
    values: impl Values<'v>,
) -> Answer<'c, Vec<R>> {
    let (executor, arguments) = (on.executor(), arguments(values));
    Box::pin(async move {
        let query = sqlx::query_as_with(sql, arguments?);
        Ok(query.fetch_all(executor).await?)
    })
}

/// Returns the only row.
pub(crate) fn one<'c, 'v, R: Row>(
    on: impl On<'c>,
    sql: &'static str,
    values: impl Values<'v>,
) -> Answer<'c, R> {
    let row = first(on, sql, values);
    Box::pin(async { Ok(row.await?.ok_or(sqlx::Error::RowNotFound)?) })
}

/// Returns the first row, if there is one.
pub(crate) fn first<'c, 'v, R: Row>(
    on: impl On<'c>,
    sql: &'static str,
    values: impl Values<'v>,
) -> Answer<'c, Option<R>> {
    let (executor, arguments) = (on.executor(), arguments(values));
    Box::pin(async move {
        let query = sqlx::query_as_with(sql, arguments?);
        Ok(query.fetch_optional(executor).await?)
    })
}

/// Returns the first columns of all rows.
pub(crate) fn values<'c, 'v, T: Column>(
    on: impl On<'c>,
    sql: &'static str,
    values: impl Values<'v>,
) -> Answer<'c, Vec<T>> {
    let rows = all(on, sql, values);
    Box::pin(async { Ok(rows.await?.into_iter().map(|(value,)| value).collect()) })
}

/// Returns the first column of the only row.
pub(crate) fn value<'c, 'v, T: Column>(
    on: impl On<'c>,
    sql: &'static str,
    values: impl Values<'v>,
) -> Answer<'c, T> {
    let row = one(on, sql, values);
    Box::pin(async { row.await.map(|(value,)| value) })
}

/// Returns the first column of the first row, if there is one.
pub(crate) fn first_value<'c, 'v, T: Column>(
    on: impl On<'c>,
    sql: &'static str,
    values: impl Values<'v>,
) -> Answer<'c, Option<T>> {
    let row = first(on, sql, values);
    Box::pin(async { Ok(row.await?.map(|(value,)| value)) })
}
