//! `GET /coverages-api/preview.png`: the image of a link preview, always displayable. Caches must revalidate it.

use super::readable::Readable;
use super::{
    etag::streamed,
    image::NamedParameters,
    openapi::refusals::{IfNoneMatch, Read},
    parameters::{Described, Parameters, parameters},
    trend,
};
use crate::{
    http::error::ApiError,
    pages::preview::{Preview, png},
};
use app::charts::LineChart;
use axum::{body::Body, extract::Request, response::Response};
use domain::{
    BranchName, Change, Compared, Language, Repository, RepositoryQuery, Scale, TrendRange,
    text::{chain, hexadecimal},
};
use sha2::{Digest, Sha256};
use store::{Measure, StoreError};
use tokio::task;

parameters! {
    /// The parameters of the image. No value is refused: an image cannot show an error.
    #[derive(Default)]
    struct PreviewParameters {
        /// The `id` of a record; the other names are then ignored.
        record: Option<String> => "17",
    }
}

/// The image of a link preview
///
/// 1200 by 630 pixels, with the coverage, its change and the trend. Pages name it in `og:image`. Unknown coverage gives a grey
/// *unknown*, never an error.
#[utoipa::path(
    get,
    path = "/coverages-api/preview.png",
    operation_id = "preview",
    tag = "images",
    params(NamedParameters, PreviewParameters, IfNoneMatch),
    responses(
        (status = 200, description = "An image.", body = Vec<u8>, content_type = "image/png"),
        Read
    )
)]
pub(super) async fn image(state: Readable, request: Request) -> Result<Response, ApiError> {
    let preview = match preview(&state, Parameters::of_picture(request.uri().query())).await {
        Ok(preview) => preview.unwrap_or_default(),
        Err(error) => {
            let cause = chain(&error);
            tracing::error!(cause, "a link preview is shown without its coverage");
            Preview::default()
        }
    };
    let svg = preview.svg(Scale::of_target(state.target.0));
    let version = hexadecimal(&Sha256::digest(&svg)[..16]);
    let headers = request.headers().clone();
    // Only an answer with a body needs the image.
    let painting = task::spawn_blocking(move || {
        let mut failure = None;
        let response = streamed(&headers, "image/png", &version, || match png(&svg) {
            Ok(png) => Body::from(png),
            Err(error) => {
                failure = Some(error);
                Body::empty()
            }
        });
        failure.map_or(Ok(response), Err)
    });
    painting
        .await?
        .map_err(|error| ApiError::unavailable(&error))
}

/// Returns the data of the image; `None` if nothing is known.
async fn preview(state: &Readable, mut query: Parameters) -> Result<Option<Preview>, StoreError> {
    match &PreviewParameters::read(&mut query)
        .unwrap_or_default()
        .record
    {
        Some(record) => match record.parse() {
            Ok(record) => of_record(state, record).await,
            Err(_) => Ok(None),
        },
        None => {
            of_repository(
                state,
                &NamedParameters::read(&mut query).unwrap_or_default(),
            )
            .await
        }
    }
}

async fn of_record(state: &Readable, id: i64) -> Result<Option<Preview>, StoreError> {
    let reader = &state.reader;
    let (Some(names), Some((coverage, _))) = (
        reader.names_of_record(id).await?,
        reader.badge_of_record(id).await?,
    ) else {
        return Ok(None);
    };
    let change = reader.base(id).await?.map(|base| {
        let change = Change::between(base.record.percentage, coverage);
        (change, base.name(&names.branch))
    });
    let (commit, branch, language) = (names.commit.short(), &names.branch, &names.language);
    Ok(Some(Preview {
        detail: format!("{commit} · {branch} · {language}"),
        coverage: Some(coverage),
        change,
        trend: trend_of(state, &names.repository, Some(branch), Some(language))
            .await?
            .map(|(_, chart)| chart),
        repository: Some(names.repository),
    }))
}

async fn of_repository(
    state: &Readable,
    names: &NamedParameters,
) -> Result<Option<Preview>, StoreError> {
    let Some(named) = names.named() else {
        return Ok(None);
    };
    let (repository, language) = (named.repository, named.language.as_ref());
    let branch = named.branch.as_ref();
    let found = trend_of(state, &repository, branch, language).await?;
    let Some((shown, trend)) = found else {
        return Ok(None);
    };
    let coverage = state
        .reader
        .badge(&repository, branch, language, Measure::default());
    Ok(Some(Preview {
        detail: match language {
            Some(language) => format!("{shown} · {language}"),
            None => shown.to_string(),
        },
        coverage: coverage.await?,
        change: None,
        trend: Some(trend),
        repository: Some(repository),
    }))
}

/// Returns the branch and its trend over the last months; `None` if it has no uploads.
async fn trend_of(
    state: &Readable,
    repository: &Repository,
    branch: Option<&BranchName>,
    language: Option<&Language>,
) -> Result<Option<(BranchName, LineChart)>, StoreError> {
    let query = RepositoryQuery {
        branch: branch.cloned(),
        language: language.cloned(),
        range: TrendRange::Months3,
        compared: Compared::Branches(Vec::new()),
        ..RepositoryQuery::default()
    };
    let found = state.reader.trend(repository, &query).await?;
    Ok(found.map(|(branch, trend)| (branch, trend::chart(trend, &query, state))))
}
