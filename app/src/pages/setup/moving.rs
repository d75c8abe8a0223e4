//! What to change in a job that uploads to another service with that service's own client.

use crate::{
    ServiceFacts,
    components::card::{CopyButton, aside, card, head, recipe as to_copy, with_code},
    links,
    recipe::{CiSystem, Upload},
};
use domain::{FormerService, LedgerQuery, Repository};
use leptos::prelude::*;

/// A client, with the line that names the address, and the name of its token. `{url}` stands for the address of this service.
/// The line of an Action is a difference.
struct Client {
    name: &'static str,
    line: &'static str,
    token: &'static str,
}

const OF_CODECOV: [Client; 5] = [
    Client {
        name: "the Action codecov/codecov-action",
        line: " - uses: codecov/codecov-action@v5\n   with:\n+    url: {url}\n     token: ${{ secrets.CODECOV_TOKEN }}",
        token: "CODECOV_TOKEN",
    },
    Client {
        name: "codecov-cli",
        line: "codecovcli --url {url} upload-coverage",
        token: "CODECOV_TOKEN",
    },
    Client {
        name: "the wrapper codecov.sh",
        line: "CC_ENTERPRISE_URL={url}",
        token: "CC_TOKEN",
    },
    Client {
        name: "codecov of npm and PyPI",
        line: "CODECOV_URL={url}",
        token: "CODECOV_TOKEN",
    },
    Client {
        name: "the program codecov",
        line: "codecov -u {url}",
        token: "CODECOV_TOKEN",
    },
];

const OF_COVERALLS: [Client; 5] = [
    Client {
        name: "the Action coverallsapp/github-action",
        line: " - uses: coverallsapp/github-action@v2\n   with:\n-    github-token: ${{ secrets.GITHUB_TOKEN }}\n+    github-token: ${{ secrets.COVERALLS_REPO_TOKEN }}\n+    coveralls-endpoint: {url}",
        token: "COVERALLS_REPO_TOKEN",
    },
    Client {
        name: "the reporter coveralls; coveralls of npm and Ruby",
        line: "COVERALLS_ENDPOINT={url}",
        token: "COVERALLS_REPO_TOKEN",
    },
    Client {
        name: "coveralls of PyPI",
        line: "COVERALLS_HOST={url}",
        token: "COVERALLS_REPO_TOKEN",
    },
    Client {
        name: "goveralls",
        line: "goveralls -endpoint {url}",
        token: "COVERALLS_TOKEN",
    },
    Client {
        name: "cargo tarpaulin",
        line: "cargo tarpaulin --coveralls \"$COVERALLS_REPO_TOKEN\" --report-uri {url}/api/v1/jobs",
        token: "COVERALLS_REPO_TOKEN",
    },
];

/// What the card says about a service.
struct About {
    clients: &'static [Client],
    /// What readers ask next: subjects with sentences.
    also: &'static [(&'static str, &'static str)],
    badge: String,
}

impl About {
    fn of(service: FormerService, repository: &str) -> Self {
        match service {
            FormerService::Codecov => Self {
                clients: &OF_CODECOV,
                also: &[
                    ("Commands, flags and coverage files", "stay as they are."),
                    (
                        "Git service:",
                        "if the client does not know it, add the option `--git-service github_enterprise`.",
                    ),
                    (
                        "Browser extension:",
                        "set this address as the self-hosted URL in its settings.",
                    ),
                ],
                badge: format!("/gh/{repository}/graph/badge.svg"),
            },
            FormerService::Coveralls => Self {
                clients: &OF_COVERALLS,
                also: &[
                    ("Commands, flags and coverage files", "stay as they are."),
                    (
                        "Parallel jobs:",
                        "the message that all are done goes to the same address.",
                    ),
                ],
                badge: format!("/repos/github/{repository}/badge.svg"),
            },
        }
    }
}

pub(super) fn title(service: FormerService) -> &'static str {
    match service {
        FormerService::Codecov => "Switch from Codecov",
        FormerService::Coveralls => "Switch from Coveralls",
    }
}

/// The secret of most jobs.
pub(super) fn secret(service: FormerService) -> &'static str {
    match service {
        FormerService::Codecov => "CODECOV_TOKEN",
        FormerService::Coveralls => "COVERALLS_REPO_TOKEN",
    }
}

/// The second step: the client that the job keeps. `instead` is the file for a job without it.
pub(super) fn moving(
    service: FormerService,
    upload: &Upload<'_>,
    repository: Option<&Repository>,
    system: Option<&'static CiSystem>,
    instead: AnyView,
) -> impl IntoView + use<> {
    let facts: ServiceFacts = expect_context();
    let (name, url) = (service.label(), upload.public_url);
    let about = About::of(service, &format!("{}/{}", upload.org, upload.repo));
    let refused = (!facts.accepts.contains(&service)).then(|| {
        let word = service.word();
        let sentence = format!(
            "This service does not accept the clients of {name} yet: the operator sets `ACCEPT={word}`."
        );
        view! { <p class="step small outcome refused">{with_code(&sentence)}</p> }
    });
    let table = |clients: &[Client], label: String| {
        let rows = clients.iter().map(|client| {
            let label = format!("the address for {}", client.name);
            view! {
                <tr>
                    <th scope="row" class="small"><span class="name">{client.name}</span></th>
                    <td>{to_copy((), client.line.replace("{url}", url), label)}</td>
                    <td class="small" data-label="Token"><code>{client.token}</code></td>
                </tr>
            }
        });
        view! {
            <table class="tools" aria-label=label>
                {head([("Client", ""), ("Address", ""), ("Token", "")])}
                <tbody>{rows.collect_view()}</tbody>
            </table>
        }
    };
    // Jobs on GitHub use the Action, the first client. The others are folded under their names.
    let is_action = system.is_none_or(|system| system.key == "github");
    let (first, others) = match is_action {
        true => about.clients.split_at(1),
        false => about.clients[1..].split_at(1),
    };
    let first = first.iter().map(|client| {
        let line = client.line.replace("{url}", url);
        let label = format!("the address for {}", client.name);
        match is_action {
            true => {
                let changed = view! { <p>"In the workflow, "{client.name}" gets this service's address; Copy leaves out the +."</p> };
                difference(changed, &line, label)
            }
            false => to_copy(view! { <p>"The address in "{client.name}":"</p> }, line, label),
        }
    });
    let also = about.also.iter();
    let also = also.map(|(subject, rest)| view! { <li><b>{*subject}</b>" "{with_code(rest)}</li> });
    let names: Vec<_> = others.iter().map(|client| client.name).collect();
    let attempts = links::uploads(&LedgerQuery {
        repository: repository.map(ToString::to_string).unwrap_or_default(),
        ..LedgerQuery::default()
    });
    let content = view! {
        {refused}
        <div class="step next">
            {first.collect_view()}
            <ul>
                {also.collect_view()}
                <li><b>"Refused uploads:"</b>" some clients do not show them. The "<a class="link" href=attempts>"list of uploads"</a>" names each, and why."</li>
            </ul>
        </div>
        <details class="step">
            <summary>{format!("{} other clients, such as {}", others.len(), names.first().copied().unwrap_or_default())}</summary>
            {table(others, format!("The address for the other clients of {name}"))}
        </details>
        <details class="step others">
            <summary>{format!("Without the client of {name}")}</summary>
            {instead}
        </details>
    };
    card(
        "moving",
        format!("2. Keep the client of {name}"),
        None::<()>,
        content,
    )
}

/// Lines of which some are new (`+`) or removed (`-`), with a button that copies the new state.
fn difference(introduction: impl IntoView, lines: &str, label: String) -> AnyView {
    let kept = lines.lines().filter(|line| !line.starts_with('-'));
    let text: Vec<_> = kept.filter_map(|line| line.get(1..)).collect();
    let shown = lines.lines().map(|line| {
        let line = format!("{line}\n");
        match line.as_bytes().first() {
            Some(b'+') => view! { <ins>{line}</ins> }.into_any(),
            Some(b'-') => view! { <del>{line}</del> }.into_any(),
            _ => line.into_any(),
        }
    });
    view! {
        <div class="recipe">
            {introduction}
            <CopyButton text=text.join("\n") label=label.clone()/>
            <pre tabindex="0" aria-label=label>{shown.collect_view()}</pre>
        </div>
    }
    .into_any()
}

/// What comes along besides the uploads.
pub(super) fn rest(service: FormerService, upload: &Upload<'_>) -> impl IntoView + use<> {
    let about = About::of(service, &format!("{}/{}", upload.org, upload.repo));
    let badge = view! { <p class="small"><b>"Badge."</b>" In READMEs only the host changes:"</p> };
    let badge = to_copy(
        badge,
        format!("{}{}", upload.public_url, about.badge),
        "the address of the badge",
    );
    let word = service.word();
    let history = format!(
        "scripts/moving/{word}.sh github {}/{} LANGUAGE >history.ndjson\ncoverage-dashboard import history.ndjson",
        upload.org, upload.repo
    );
    let introduction = view! { <p class="small"><b>"History."</b>" "{by_operator()}" Run a script of this service's source, and import what it wrote:"</p> };
    let parts = match service {
        FormerService::Codecov => "Unit and e2e of one commit become parts of one record.",
        FormerService::Coveralls => "Flags and parallel jobs become parts of one record.",
    };
    let content = view! {
        <div class="step small"><p><b>"Flags."</b>" "{parts}</p></div>
        {rules(service)}
        <div class="step">{badge}</div>
        <div class="step small">
            <p><b>"Statuses and comments."</b>" "{by_operator()}" This service writes them. Set "<code>"VCS_API_TOKENS"</code>" for the forge."</p>
        </div>
        <div class="step">{to_copy(introduction, history, "the commands that import the history")}</div>
    };
    card("rest", "Bring the rest along", aside("optional"), content)
}

fn by_operator() -> impl IntoView {
    view! { <span class="chip">"operator"</span> }
}

/// How the rules of the repository come along.
fn rules(service: FormerService) -> AnyView {
    match service {
        FormerService::Codecov => {
            let about = view! { <p class="small"><b>"Rules."</b>" This command turns "<code>"codecov.yml"</code>" into "<code>"coverage-dashboard.toml"</code>", and lists the keys that it cannot translate. Run it with the program of this service:"</p> };
            let command = "coverage-dashboard translate codecov.yml";
            let rules = to_copy(about, command, "the command that translates codecov.yml");
            view! { <div class="step">{rules}</div> }.into_any()
        }
        FormerService::Coveralls => view! {
            <div class="step small"><p><b>"Rules."</b>" The thresholds of Coveralls are settings of its site. Write them as rules of the gate, at the end of this page."</p></div>
        }
        .into_any(),
    }
}
