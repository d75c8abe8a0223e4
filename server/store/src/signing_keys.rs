//! Keys that this service creates for its own signatures. They stay the same after a restart, and in every process.

use super::{StoreError, Writer, run::Run};
use domain::text::hexadecimal;

impl Writer<'_> {
    /// Returns the key with this name, in hexadecimal. The first call creates it.
    pub async fn signing_key(self, name: &str) -> Result<String, StoreError> {
        // This update changes nothing. With it, `returning` returns the existing key.
        const KEY: &str = "
            insert into signing_keys (name, key) values ($1, $2)
            on conflict (name) do update set name = excluded.name
            returning key";
        let new = hexadecimal(&rand::random::<[u8; 32]>());
        self.store.write(|pool| pool.value(KEY, (name, new))).await
    }
}
