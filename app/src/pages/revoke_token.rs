//! `/admin/revoke?token=`: asks for confirmation before a token is revoked.

use crate::{
    AppError, AuditAccess, SharedReadModel,
    address::Address,
    components::{answered::answered, card::fact, confirm::confirm, page_head::PageHead},
    links,
};
use domain::{ListedToken, TokenState};
use leptos::prelude::*;

#[component]
pub(crate) fn RevokeTokenPage() -> impl IntoView {
    let id = Address::current().get("token");
    let model: SharedReadModel = expect_context();
    let access: AuditAccess = use_context().unwrap_or_default();
    let answer = async move {
        let scopes = access.0.ok_or(AppError::AdminOnly)?;
        let list = model.tokens(&scopes).await?;
        let now = list.now;
        let is_meant = |token: &ListedToken| {
            token.id.to_string() == id && token.state(now) != TokenState::Revoked
        };
        let token = list.tokens.into_iter().find(is_meant);
        token.ok_or_else(|| AppError::NotFound(format!("There is no valid token {id}.")))
    };
    view! {
        <PageHead title="Revoke a token" description="Asks for confirmation before a token is revoked."/>
        {answered(answer, content)}
    }
}

fn content(token: ListedToken) -> impl IntoView {
    let used = token.last_used_at;
    let used = used.map_or_else(|| "never".to_owned(), |at| at.long());
    view! {
        <div><h1>"Revoke this token?"</h1></div>
        <section class="card message known">
            <dl>
                {fact("Name", view! { <bdi>{token.name}</bdi> })}
                {fact("For", token.kind)}
                {fact("Scope", view! { <bdi>{token.scope}</bdi> })}
                {fact("Created", token.created_at.long())}
                {fact("Last use", used)}
            </dl>
            <p>"From then on, every request with it is refused. This cannot be undone."</p>
            {confirm(links::REVOKE_TOKEN_NOW, vec![("token", token.id.to_string())], "Revoke the token", links::SETTINGS.to_owned())}
        </section>
    }
}
