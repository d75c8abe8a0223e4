//! `GET /coverages-api/storage`: the repositories with HTML reports, which the table of the storage page fetches.

use crate::{
    http::error::ApiError,
    operations::storage::StorageReader,
    routes::{
        openapi::{
            names,
            refusals::{NotForStrangers, Unexpected, WrongParameters},
        },
        parameters::{Described, parameters},
        readable::WholeService,
    },
    state::AppState,
};
use app::api::StorageAnswer;
use axum::{
    Json,
    extract::{RawQuery, State},
};
use domain::{ListOrder, StorageColumn};

parameters! {
    /// The order of the repositories with HTML reports.
    struct StorageParameters {
        #[param(schema_with = names::list_order::<StorageColumn>)]
        order: Option<ListOrder<StorageColumn>>,
    }
}

/// The repositories with HTML reports
///
/// The 200 with the most bytes, or the first 200 in another order, found among all repositories. The numbers may be a minute old.
#[utoipa::path(
    get,
    path = "/coverages-api/storage",
    operation_id = "storage",
    tag = "internal",
    params(StorageParameters),
    responses(
        (status = 200, description = "The first repositories.", body = StorageAnswer),
        WrongParameters,
        NotForStrangers,
        Unexpected
    )
)]
pub(super) async fn read(
    _: WholeService,
    State(state): State<AppState>,
    RawQuery(query): RawQuery,
) -> Result<Json<StorageAnswer>, ApiError> {
    let parameters = StorageParameters::of(query.as_deref())?;
    let reader: &StorageReader = &state.storage;
    let storage = reader.read().await.ok_or_else(|| {
        ApiError::unavailable(&std::io::Error::other("the storage could not be read"))
    })?;
    Ok(Json(StorageAnswer::new(&storage, parameters.order)))
}
