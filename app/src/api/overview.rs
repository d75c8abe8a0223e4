//! Reading the overview page.

use crate::{AppError, api::JsonText, domain::Overview, links::ReportLinks};
use leptos::{
    prelude::*,
    server_fn::codec::{GetUrl, Post},
};
use serde::{Deserialize, Serialize};

/// The overview, and how to upload where nothing was uploaded yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverviewAnswer {
    /// The page of repositories.
    pub overview: Overview,
    /// A command for the first upload to this server.
    pub first_upload: Option<String>,
    /// Where the reports are.
    pub reports: ReportLinks,
}

/// One page of repositories whose `org/repo` holds `keyword`; pages count from 1.
#[server(prefix = "/_ui", endpoint = "overview", input = GetUrl, output = Post<JsonText>)]
pub async fn read_overview(keyword: String, page: u32) -> Result<OverviewAnswer, AppError> {
    use crate::{PublicUrl, SharedReadModel, domain::OverviewQuery, upload_command};
    let query = OverviewQuery {
        keyword,
        page,
        ..OverviewQuery::default()
    };
    let overview = expect_context::<SharedReadModel>()
        .overview(query, crate::domain::Percentage::from_basis_points(8_000))
        .await
        .map_err(super::failing)?;
    let public_url = expect_context::<PublicUrl>().0;
    let first_upload = overview
        .is_new
        .then(|| upload_command(&public_url, "$TOKEN", ""));
    Ok(OverviewAnswer {
        overview,
        first_upload,
        reports: expect_context(),
    })
}
