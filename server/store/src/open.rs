//! Opens the database of a URL.

use super::{
    Store, StoreError, StoreOptions,
    engine::{self, Engine},
    postgres, sqlite,
    upgrade::Older,
};

pub(super) async fn open(
    url: &str,
    options: StoreOptions,
    older: Older,
) -> Result<Store, StoreError> {
    engine::install_drivers();
    match Engine::of(url)? {
        Engine::Sqlite => sqlite::open(url, options.connections, older).await,
        Engine::Postgres => postgres::open(url, options, older).await,
    }
}
