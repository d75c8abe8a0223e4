//! The attempts of one page of the ledger.

use crate::{
    components::{
        attempt::{Message, Verdict},
        card::{aside, card, head},
        measures::{duration, size},
        name::{Name, slug},
        on_forge::out,
        time::Age,
    },
    links,
};
use domain::{Outcome, Sender, Timestamp, UploadAttempt};
use leptos::prelude::*;

/// A row for each attempt, newest first. If an attempt was accepted, its column "Request" shows only the size and
/// the duration of the upload, and its other details are folded.
pub(super) fn attempts(attempts: Vec<UploadAttempt>, now: Timestamp) -> AnyView {
    let columns = [
        ("When", "c-when"),
        ("Upload", "c-of"),
        ("Outcome", "c-outcome"),
        ("Answer, and what to do", ""),
        ("Request", "c-sent"),
    ];
    let attempts = attempts.into_iter();
    let rows = attempts.map(|attempt| row(attempt, now)).collect_view();
    let table = view! {
        <table class="attempts" aria-labelledby="attempts">{head(columns)}<tbody>{rows}</tbody></table>
    };
    card("attempts", "Attempts", aside("newest first"), table)
}

fn row(attempt: UploadAttempt, now: Timestamp) -> impl IntoView {
    let at = attempt.received_at;
    let is_taken = attempt.outcome() == Outcome::Taken;
    let of = match (&attempt.org, &attempt.repo) {
        (None, None) => view! { <span class="muted">"no repository named"</span> }.into_any(),
        (org, repo) => {
            let part = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
            let (org, repo) = (part(org), part(repo));
            let title = format!("{org}/{repo}");
            let known = attempt.repository().filter(|_| attempt.record_id.is_some());
            match known {
                Some(known) => {
                    let href = links::repository(&known);
                    view! { <a class="name slug" href=href title=title>{slug(Some(org), repo)}</a> }
                        .into_any()
                }
                None => {
                    view! { <span class="name slug" title=title>{slug(Some(org), repo)}</span> }
                        .into_any()
                }
            }
        }
    };
    let name = |name: &Option<String>| {
        let name = name.clone();
        name.map(|name| view! { <Name text=name class="part"/> })
    };
    // The commit of a refused upload may be any text, so it is cut by characters, not by bytes.
    let commit = attempt.commit.clone().map(|commit| {
        let short: String = commit.chars().take(8).collect();
        view! { <bdi class="part" title=commit>{short}</bdi> }
    });
    let part = attempt.part.clone().filter(|part| !part.is_empty());
    let part = part.map(|part| view! { <span class="chip" title="part"><bdi>{part}</bdi></span> });
    let names = (name(&attempt.branch), commit, name(&attempt.language), part);
    let token = match (&attempt.token_name, attempt.sender) {
        (Some(name), _) => view! { <p>"token "<bdi>{name.clone()}</bdi></p> }.into_any(),
        (None, Sender::Known) => ().into_any(),
        (None, Sender::Unknown) => view! { <p>"no accepted token"</p> }.into_any(),
    };
    let (bytes, time) = (size(attempt.bytes), duration(attempt.milliseconds));
    let sent = format!("{bytes} in {time}");
    let request = attempt.request_id.clone().map(|id| view! { <p class="mono" title="The request id, which is also in the service's log lines"><bdi>{id}</bdi></p> });
    let client = attempt
        .client
        .clone()
        .map(|name| view! { <p>"by "<bdi>{name}</bdi></p> });
    let run = attempt.run_url.as_ref().map(|url| {
        let text = format!("CI run at {}", url.host());
        view! { <p>{out(url.to_string(), text)}</p> }
    });
    let lines = attempt.changed_lines_sentence();
    let lines = lines.map(|lines| view! { <p>{lines}</p> });
    let code = is_taken.then(|| {
        let code = format!("{} {}", attempt.status, attempt.code);
        view! { <p class="code">{code}</p> }
    });
    let details = view! { {code}{lines}{token}{client}{run}{request} };
    let sent = match is_taken {
        true => view! { <details><summary>{sent}</summary>{details}</details> }.into_any(),
        false => view! { <p>{sent}</p>{details} }.into_any(),
    };
    view! {
        <tr class=is_taken.then_some("accepted")>
            <td class="c-when"><Age at now/>{(!is_taken).then(|| view! { <p class="small muted">{at.long()}</p> })}</td>
            <th scope="row" class="c-of">{of}<p class="parts small muted">{names}</p></th>
            <td class="c-outcome"><Verdict attempt=attempt.clone()/></td>
            <td class="c-message"><Message attempt/></td>
            <td class="c-sent small muted">{sent}</td>
        </tr>
    }
}
