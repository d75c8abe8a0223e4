//! `/admin/delete?record=`: asks for confirmation before a record is deleted.

use crate::{
    AppError, AuditAccess, SharedReadModel,
    address::Address,
    components::{
        answered::answered,
        card::fact,
        confirm::confirm,
        crumbs::{Crumb, Crumbs},
        name::Name,
        page_head::PageHead,
    },
    links,
};
use domain::Deletable;
use leptos::prelude::*;

#[component]
pub(crate) fn DeleteRecordPage() -> impl IntoView {
    let id = Address::current().get("record");
    let model: SharedReadModel = expect_context();
    let access: AuditAccess = use_context().unwrap_or_default();
    let answer = async move {
        if access.0.is_none() {
            return Err(AppError::AdminOnly);
        }
        let missing = || AppError::NotFound(format!("There is no record {id}."));
        let number: i64 = id.parse().map_err(|_| missing())?;
        let found = model.deletable(number).await?;
        let found = found.filter(|found| access.covers(&found.repository));
        Ok((number, found.ok_or_else(missing)?))
    };
    view! {
        <PageHead title="Delete a record" description="Asks for confirmation before a record is deleted."/>
        {answered(answer, |(id, found)| content(id, found))}
    }
}

fn content(id: i64, found: Deletable) -> impl IntoView {
    let html = match found.reports {
        0 => "it has none",
        _ => "deleted with the record",
    };
    let repository = found.repository.to_string();
    view! {
        <div class="record-head">
            <Crumbs steps=Crumb::to_repository(&found.repository)/>
            <h1>"Delete this record?"</h1>
        </div>
        <section class="card message known">
            <dl>
                {fact("Repository", view! { <a class="link" href=links::repository(&found.repository)><Name text=repository/></a> })}
                {fact("Record", view! { <a class="link" href=links::record(id)><bdi>{found.subject}</bdi></a> })}
                {fact("HTML report", html)}
            </dl>
            <p>
                "Its numbers, lines and HTML report are deleted. If it is current, the newest remaining record of its branch and language becomes current. This cannot be undone."
            </p>
            {confirm(links::DELETE_RECORD_NOW, vec![("record", id.to_string())], "Delete the record", links::record(id))}
        </section>
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{FakeModel, render};
    use domain::{Deletable, Scope};

    fn model(scope: Option<&str>) -> FakeModel {
        FakeModel {
            deletable: Some(Some(Deletable {
                repository: "acme/payments".parse().expect("a repository"),
                subject: "record 7: <b id=x>, rust, c1".to_owned(),
                records: 1,
                reports: 1,
            })),
            audit_access: scope.map(|org| Scope::Org(org.parse().expect("an org"))),
            ..FakeModel::default()
        }
    }

    #[tokio::test]
    async fn a_record_is_named_before_it_is_deleted() {
        let (status, html) = render(model(Some("acme")), "/admin/delete?record=7").await;
        assert_eq!(status, 200);
        for shown in [
            "record 7: &lt;b id=x&gt;, rust, c1",
            "action=\"/admin/records/delete\"",
            "name=\"record\" value=\"7\"",
            "cannot be undone",
        ] {
            assert!(html.contains(shown), "{shown}: {html}");
        }
    }

    #[tokio::test]
    async fn records_outside_of_the_scope_do_not_exist_on_the_page() {
        for (scope, address, expected) in [
            (Some("labs"), "/admin/delete?record=7", 404),
            (Some("acme"), "/admin/delete?record=x", 404),
            (None, "/admin/delete?record=7", 403),
        ] {
            let (status, html) = render(model(scope), address).await;
            assert_eq!(status, expected, "{scope:?}");
            assert!(
                !html.contains("rust") && !html.contains("payments"),
                "{html}"
            );
        }
    }
}
