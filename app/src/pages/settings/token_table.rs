//! The tokens of the service, without their secrets.

use crate::{
    components::{
        card::{aside, card, message, note},
        name::Name,
        sortable::{Column, RowFilter, Sortable, number, text},
        time::Age,
    },
    links,
    numbers::counted,
};
use domain::{ListedToken, SOON_DAYS, Timestamp, TokenList, TokenState};
use leptos::prelude::*;

/// The scope of a token for all of the service.
const EVERY: &str = "every repository";

/// A token of the database or of the configuration.
struct Row {
    name: String,
    kind: String,
    scope: String,
    state: TokenState,
    /// `None` for a token of the configuration.
    stored: Option<ListedToken>,
}

impl Row {
    fn stored(token: ListedToken, now: Timestamp) -> Self {
        Self {
            name: token.name.clone(),
            kind: token.kind.clone(),
            scope: token.scope.clone(),
            state: token.state(now),
            stored: Some(token),
        }
    }

    fn configured(variable: &str) -> Self {
        Self {
            name: variable.to_owned(),
            kind: "upload".to_owned(),
            scope: EVERY.to_owned(),
            state: TokenState::Active,
            stored: None,
        }
    }

    fn time(&self, of: fn(&ListedToken) -> Option<Timestamp>) -> Option<i64> {
        Some(of(self.stored.as_ref()?)?.0)
    }
}

/// A row for each token of the configuration, then for the listed valid tokens, then for the listed expired and revoked tokens.
/// If `list.hidden` is not 0, a sentence below the table states how many stored tokens have no row.
/// `configured` has the names of the variables that set tokens.
pub(super) fn tokens(list: TokenList, configured: &[&'static str]) -> AnyView {
    let (now, hidden) = (list.now, list.hidden);
    let configured = configured.iter().map(|variable| Row::configured(variable));
    let stored = list.tokens.into_iter().map(|token| Row::stored(token, now));
    let tokens: Vec<_> = configured.chain(stored).collect();
    if tokens.is_empty() {
        let ways = view! { "Make one below, or with "<code>"coverage-dashboard token create --name ci"</code> };
        return message("No tokens yet", ways, None);
    }
    let ends_soon = tokens
        .iter()
        .any(|token| token.state == TokenState::ExpiresSoon);
    let soon = ends_soon.then(|| format!("A token “expires soon” in its last {SOON_DAYS} days."));
    let sortable = Sortable::new("tokens", columns()).only_if(hidden == 0 && tokens.len() > 2);
    let count = if hidden == 0 { tokens.len() } else { 0 };
    let rows = sortable.rows(&tokens, |keys, token| row(keys, token, now));
    let more = (hidden > 0).then(|| {
        view! {
            {counted(hidden, "more token is not shown; ", "more tokens are not shown; ")}
            <code>"coverage-dashboard token list --all"</code>" prints all. "
        }
    });
    let beside = view! {
        {aside("working tokens first")}
        <span class="grow"></span>
        <RowFilter table="tokens" rows=count what="tokens"/>
    };
    let content = view! {
        {unlimited(&tokens)}
        <table class="tokens stacked" data-testid="tokens" data-sortable="tokens">
            <caption class="unseen">"Tokens with their scopes, last uses and expiry"</caption>
            {sortable.head()}
            <tbody>{rows}</tbody>
        </table>
        {(more.is_some() || soon.is_some()).then(|| note((more, soon)))}
    };
    card("tokens", "Tokens", beside, content)
}

fn columns() -> Vec<Column<Row>> {
    vec![
        Column::new("name", "Name", "", |row| text(&row.name)),
        Column::new("kind", "Kind", "c-kind", |row| text(&row.kind)),
        Column::new("scope", "Scope", "c-scope", |row| text(&row.scope)),
        Column::largest_first("created", "Created", "c-day c-created", |row| {
            number(row.time(|token| Some(token.created_at)))
        }),
        Column::largest_first("used", "Last use", "c-day", |row| {
            number(row.time(|token| token.last_used_at))
        }),
        Column::new("expires", "Expires", "c-day", |row| {
            number(row.time(|token| token.expires_at))
        }),
        Column::new("state", "State", "c-state", |row| text(row.state.label())),
        Column::fixed("Revoke", "c-link").unseen(),
    ]
}

fn row(keys: String, row: &Row, now: Timestamp) -> impl IntoView + use<> {
    let name = match row.stored {
        Some(_) => view! { <Name text=row.name.clone() class="name"/> }.into_any(),
        None => view! {
            <span class="name mono">{row.name.clone()}</span>" "
            <span class="chip">"configuration"</span>
        }
        .into_any(),
    };
    let (created, used, expires) = match &row.stored {
        None => (unknown(), unknown(), words("never")),
        Some(token) => (
            day(token.created_at),
            match token.last_used_at {
                Some(at) => view! { <Age at now/> }.into_any(),
                None => words("never"),
            },
            token.expires_at.map_or_else(|| words("never"), day),
        ),
    };
    let (class, mark) = match row.state {
        TokenState::Active => ("state works", "✓ "),
        TokenState::ExpiresSoon => ("state soon", "! "),
        TokenState::Expired | TokenState::Revoked => ("state over", "✗ "),
    };
    let revoked = row.stored.as_ref().and_then(|token| token.revoked_at);
    let revoked = revoked.map(|at| view! { " on "{day(at)} });
    let revocable = row
        .stored
        .as_ref()
        .filter(|token| token.revoked_at.is_none());
    let revoke = revocable.map(|token| {
        let label = format!("Revoke {}", token.name);
        view! { <a class="btn danger small" href=links::revoke_token(token.id) aria-label=label>"Revoke"</a> }
    });
    view! {
        <tr data-keys=keys>
            <th scope="row">{name}</th>
            <td data-label="Kind">{row.kind.clone()}</td>
            <td data-label="Scope"><bdi>{row.scope.clone()}</bdi></td>
            <td class="c-created" data-label="Created">{created}</td>
            <td data-label="Last use">{used}</td>
            <td data-label="Expires">{expires}</td>
            <td data-label="State"><span class=class><span aria-hidden="true">{mark}</span>{row.state.label()}</span>{revoked}</td>
            <td class="c-link num">{revoke}</td>
        </tr>
    }
}

/// What to do about tokens that work in every repository and never expire.
fn unlimited(tokens: &[Row]) -> Option<AnyView> {
    let is_unlimited = |row: &&Row| {
        let expires = row.stored.as_ref().and_then(|token| token.expires_at);
        row.scope == EVERY && row.state == TokenState::Active && expires.is_none()
    };
    let count = tokens.iter().filter(is_unlimited).count() as u64;
    let configured = tokens.iter().find(|row| row.stored.is_none());
    let variable = configured.map(|row| row.name.clone());
    let what = match count {
        0 => return None,
        1 => "1 token works in every repository and never expires.".to_owned(),
        count => format!("{count} tokens work in every repository and never expire."),
    };
    let sentence = view! {
        <span class="state soon"><span aria-hidden="true">"! "</span>{what}</span>
        " Safer is a "<a class="link" href="#new-token">"token of one org or repository that expires"</a>"."
        {variable.map(|variable| view! { " Then unset "<code>{variable}</code>"." })}
    };
    Some(view! { <p class="note small">{sentence}</p> }.into_any())
}

fn unknown() -> AnyView {
    view! { <span class="muted" title="not recorded">"–"</span> }.into_any()
}

fn words(text: &'static str) -> AnyView {
    view! { <span class="muted">{text}</span> }.into_any()
}

fn day(at: Timestamp) -> AnyView {
    view! { <time datetime=at.machine() title=at.long()>{at.day()}</time> }.into_any()
}
