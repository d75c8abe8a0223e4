//! In place of a page: an org, a repository or a branch that has uploads but no current record, or a branch without uploads.

use crate::{
    AppError, ReadModel,
    components::{
        coverage::Percent,
        crumbs::{Crumb, Crumbs},
        page_head::PageHead,
        time::Age,
    },
    links,
    numbers::counted,
};
use domain::{
    BranchName, HistoryRow, LedgerQuery, OrgName, Repository, RepositoryDetail, Timestamp,
};
use leptos::prelude::*;

/// The most records that are listed.
const SHOWN: usize = 10;

/// A branch of a repository without a current record.
pub(super) fn branch(detail: &RepositoryDetail) -> AnyView {
    let branch = detail.branch.to_string();
    let name = detail.repository.to_string();
    let is_main = detail.branch == detail.main_branch;
    let to_main = (!is_main).then(|| {
        // Between the children of a button, a space has no width.
        view! { " "<a href=links::repository(&detail.repository) class="btn"><span>"Go to "<bdi>{detail.main_branch.to_string()}</bdi></span></a> }
    });
    let records = detail.history.records;
    if records == 0 {
        let attempts = links::uploads(&LedgerQuery {
            repository: name.clone(),
            ..LedgerQuery::default()
        });
        return view! {
            <section class="card message">
                <h2>"No upload of this branch yet"</h2>
                <p>"Coverage of "<bdi class="mono">{branch}</bdi>" appears after the first upload. If a job has run, see whether its upload was refused."</p>
                {near(detail)}
                <p class="actions">
                    <a href=attempts class="btn primary"><span>"Upload attempts of "<bdi>{name}</bdi></span></a>" "
                    <a href=links::setup_of(&detail.repository) class="btn">"Set up uploads"</a>
                    {to_main}
                </p>
            </section>
        }
        .into_any();
    }
    let rows = detail.history.rows.iter().take(SHOWN);
    let rows = rows.map(|row| record(row, detail.now)).collect_view();
    view! {
        <section class="card message">
            <h2>"No current record yet"</h2>
            <p>
                <bdi class="mono">{branch}</bdi>" of "<bdi>{name}</bdi>" has "{counted(records, "record", "records")}
                ", but none is complete and confirmed. Numbers, trend and badge appear after the first complete and confirmed record."
            </p>
            <ul class="waiting">{rows}</ul>
            <p class="small">"A record's page names the parts that it waits for. If a part will not come, send "<code>"skip"</code>", or "<code>"--finish"</code>" with the last part; otherwise the record counts as complete some time after its last part."</p>
            {to_main.map(|to_main| view! { <p class="actions">{to_main}</p> })}
        </section>
    }
    .into_any()
}

/// The most branches that are suggested.
const NEAR: usize = 3;

/// Links to the branches whose names are nearly the one in the address.
fn near(detail: &RepositoryDetail) -> Option<impl IntoView + use<>> {
    let wanted = detail.branch.to_string();
    let known = detail.branches.rows.iter();
    let distance = |name: &BranchName| domain::distance(&wanted, &name.to_string());
    let mut near: Vec<_> = known
        .filter_map(|row| Some((distance(&row.branch)?, &row.branch)))
        .collect();
    near.sort();
    near.dedup();
    let links = near.iter().take(NEAR).map(|(_, name)| {
        let href = links::branch(&detail.repository, name);
        view! { " "<a class="link" href=href><bdi>{name.to_string()}</bdi></a> }
    });
    let links = links.collect_view();
    (!near.is_empty()).then(|| view! { <p>"Did you mean:"{links}</p> })
}

fn record(row: &HistoryRow, now: Timestamp) -> impl IntoView + use<> {
    let record = &row.record;
    let state = match (row.is_complete, row.is_confirmed) {
        (false, _) => "waits for parts",
        (true, false) => "unconfirmed: nothing proved that the branch contains its commit",
        (true, true) => "superseded",
    };
    view! {
        <li>
            <a class="link" href=links::record(record.record_id)>"Commit "<span class="mono">{record.commit.short().to_owned()}</span>" in "{record.language.to_string()}</a>
            ", "{record.percentage.to_string()}<Percent/>": "{state}", "<Age at=record.updated_at now/>
        </li>
    }
}

/// An org that has repositories, but no current record.
pub(super) struct WaitingOrg {
    org: OrgName,
    repositories: Vec<Repository>,
}

impl WaitingOrg {
    /// `None` if nothing was uploaded to the org.
    pub(super) async fn find(
        model: &dyn ReadModel,
        org: &OrgName,
    ) -> Result<Option<Self>, AppError> {
        let repositories = model.repositories_of(org).await?;
        Ok((!repositories.is_empty()).then(|| Self {
            org: org.clone(),
            repositories,
        }))
    }

    pub(super) fn page(&self) -> AnyView {
        let org = self.org.to_string();
        let repositories = self.repositories.iter().map(|repository| {
            view! { <li><a class="more" href=links::repository(repository)><bdi>{repository.to_string()}</bdi></a></li> }
        });
        let repositories = repositories.collect_view();
        view! {
            <PageHead title=org.clone() description=format!("{org} has no current record yet.")/>
            <div>
                <Crumbs steps=vec![Crumb::overview()]/>
                <h1><bdi>{org}</bdi></h1>
            </div>
            <section class="card message">
                <h2>"No current record yet"</h2>
                <p>"Uploads have arrived, but no record is complete and confirmed. The pages of the repositories name what each waits for."</p>
                <ul>{repositories}</ul>
            </section>
        }
        .into_any()
    }
}
