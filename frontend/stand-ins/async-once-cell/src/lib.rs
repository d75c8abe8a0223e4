//! Takes the place of the crate of this name, with which `wasm_split_helpers` loads the code of an island once.
//!
//! That crate has a queue of wakers for futures that wait for one another: 4 kB of WASM on every page. Here each of them loads, and
//! the loader in JavaScript answers all of them with the same file.

use std::sync::OnceLock;

/// A value that a future computes.
#[derive(Debug, Default)]
pub struct OnceCell<T>(OnceLock<T>);

impl<T> OnceCell<T> {
    /// A cell without a value.
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The value; without one, what `init` returns. Futures that run at the same time may all be awaited; the first value stays.
    ///
    /// # Errors
    ///
    /// The error of `init`. The cell stays without a value.
    pub async fn get_or_try_init<E>(
        &self,
        init: impl Future<Output = Result<T, E>>,
    ) -> Result<&T, E> {
        if let Some(value) = self.0.get() {
            return Ok(value);
        }
        let value = init.await?;
        Ok(self.0.get_or_init(|| value))
    }
}
