//! Server functions: what the pages ask for. The browser calls them over HTTP; they are the dashboard's own and no public API.

#[cfg(feature = "ssr")]
use crate::AppError;

mod encoding;
mod overview;

pub use encoding::JsonText;
pub use overview::{OverviewAnswer, read_overview};

/// Sets the status of the answer to what `error` means; leptos would say 500 to each of them.
#[cfg(feature = "ssr")]
pub(crate) fn failing(error: AppError) -> AppError {
    use http::StatusCode;
    if let Some(response) = leptos::prelude::use_context::<leptos_axum::ResponseOptions>() {
        response.set_status(match error {
            AppError::NotFound(_) => StatusCode::NOT_FOUND,
            AppError::Unavailable | AppError::Unreachable => StatusCode::SERVICE_UNAVAILABLE,
        });
    }
    error
}
