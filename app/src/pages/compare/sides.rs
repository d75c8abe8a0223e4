//! A card for one of the two records.

use crate::{
    components::{
        coverage::{Bar, Percent, level},
        name::Name,
        time::Age,
    },
    links::{self, ReportLinks},
};
use domain::{ComparedRecord, Timestamp};
use leptos::prelude::*;

/// A card with the data of a record, and links to its page and its HTML report.
#[component]
pub(super) fn Side(
    /// `Base` or `Head`.
    name: &'static str,
    record: ComparedRecord,
    now: Timestamp,
) -> impl IntoView {
    let reports: ReportLinks = expect_context();
    let percentage = record.percentage;
    let report = record.has_report.then(|| {
        let label = format!("HTML report of commit {}, {}", record.commit, record.language);
        view! { <a class="btn" rel="external" href=reports.report(record.id) aria-label=label>"HTML report ↗"</a> }
    });
    let page = format!(
        "Files and details of commit {}, {}",
        record.commit, record.language
    );
    let branch = links::branch(&record.repository, &record.branch);
    view! {
        <section class=format!("card known {}", level(percentage)) aria-label=name>
            <h2>{name}</h2>
            <p class="number">{percentage.to_string()}<Percent/></p>
            <Bar percentage/>
            <dl>
                <dt>"Commit"</dt>
                <dd><a class="link mono" href=links::record(record.id) title=record.commit.to_string()>{record.commit.short().to_owned()}</a></dd>
                <dt>"Repository"</dt>
                <dd><a class="link" href=links::repository(&record.repository)><Name text=record.repository.to_string()/></a></dd>
                <dt>"Branch"</dt>
                <dd><a class="link" href=branch><Name text=record.branch.to_string() class="mono"/></a></dd>
                <dt>"Language"</dt>
                <dd>{record.language.to_string()}</dd>
                <dt>"Author"</dt>
                <dd><a class="link" href=links::author(&record.author)><bdi>{record.author.to_string()}</bdi></a></dd>
                <dt>"Uploaded"</dt>
                <dd><Age at=record.updated_at now/></dd>
            </dl>
            <div class="actions">
                <a class="btn" href=links::record(record.id) aria-label=page>"Files and details"</a>
                {report}
            </div>
        </section>
    }
}
