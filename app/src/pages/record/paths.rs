//! How many paths of the coverage file are files of the repository.

use crate::numbers::grouped;
use domain::MatchedPaths;
use leptos::prelude::*;

/// The number of paths, for the facts of a record.
pub(super) fn score(paths: &MatchedPaths) -> impl IntoView + use<> {
    let (matched, of) = (grouped(paths.matched), grouped(paths.of));
    view! {
        <dt>"Paths"</dt>
        <dd>{format!("{matched} of {of} are files of the repository")}</dd>
    }
}

/// The paths that are no files of the repository. If they are many, the job has to be changed.
pub(super) fn unmatched(paths: &MatchedPaths) -> Option<impl IntoView + use<>> {
    let count = paths.of.saturating_sub(paths.matched);
    let others = count.saturating_sub(paths.unmatched.len() as u64);
    let rows: Vec<_> = paths
        .unmatched
        .iter()
        .map(|unmatched| {
            let reason = (!unmatched.reason.is_empty()).then(
                || view! { <span class="muted">": "<bdi>{unmatched.reason.clone()}</bdi></span> },
            );
            view! { <li><bdi class="mono">{unmatched.path.clone()}</bdi>{reason}</li> }
        })
        .collect();
    let others = (others > 0)
        .then(|| view! { <li class="muted">{format!("and {} more", grouped(others))}</li> });
    let advice = paths.are_few().then(|| {
        view! {
            <p>"Run the tests in a checkout of this repository, and send the output of "<code>"git ls-files -z"</code>" of the same checkout."</p>
        }
    });
    let (title, lines) = match count {
        1 => (
            "1 path is no file of the repository".to_owned(),
            "Its lines",
        ),
        _ => {
            let title = format!("{} paths are no files of the repository", grouped(count));
            (title, "Their lines")
        }
    };
    (count > 0).then(|| {
        view! {
            <section class="card message" aria-labelledby="paths">
                <h2 id="paths">{title}</h2>
                <p>{lines}" cannot be compared with changes, or united with lines of other parts."</p>
                {advice}
                <details open=paths.are_few()>
                    <summary>"Show them"</summary>
                    <ul>{rows}{others}</ul>
                </details>
            </section>
        }
    })
}
