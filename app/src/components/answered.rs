//! Shows a page, or an error if its query fails.

use super::error_panel::ErrorPanel;
use crate::AppError;
use leptos::{either::Either, prelude::*};

/// Waits for the answer and shows it. An error is shown in words and sets the status of the page.
pub(crate) fn answered<T, V>(
    answer: impl Future<Output = Result<T, AppError>> + Send + 'static,
    show: impl FnOnce(T) -> V + Send + 'static,
) -> impl IntoView
where
    V: IntoView + 'static,
{
    Suspend::new(async move {
        match answer.await {
            Ok(answer) => Either::Left(show(answer)),
            Err(error) => Either::Right(view! { <ErrorPanel error/> }),
        }
    })
}
