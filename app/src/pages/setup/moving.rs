//! What to change in a job that uploads to another service with that service's own client.

use crate::{
    ServiceFacts,
    components::card::{aside, card, head, recipe as to_copy, with_code},
    links,
    recipe::Upload,
};
use domain::{FormerService, LedgerQuery, Repository};
use leptos::prelude::*;

/// A client, with the line that names the address, and the name of its token. `{url}` stands for the address of this service.
struct Client {
    name: &'static str,
    line: &'static str,
    token: &'static str,
}

const OF_CODECOV: [Client; 5] = [
    Client {
        name: "the Action codecov/codecov-action",
        line: "- uses: codecov/codecov-action@v5\n  with:\n    url: {url} # new\n    token: ${{ secrets.CODECOV_TOKEN }} # of this service",
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
        line: "- uses: coverallsapp/github-action@v2\n  with:\n    coveralls-endpoint: {url} # new\n    github-token: ${{ secrets.COVERALLS_REPO_TOKEN }} # of this service",
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
    /// The other thing that some jobs need.
    also: &'static str,
    badge: String,
}

impl About {
    fn of(service: FormerService, repository: &str) -> Self {
        match service {
            FormerService::Codecov => Self {
                clients: &OF_CODECOV,
                also: "If the client says that it does not know the git service, add the option `--git-service github_enterprise`. In the settings of the browser extension, set this address as the self-hosted URL.",
                badge: format!("/gh/{repository}/graph/badge.svg"),
            },
            FormerService::Coveralls => Self {
                clients: &OF_COVERALLS,
                also: "The message that parallel jobs are done goes to the same address.",
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

/// The first step: the client that the job keeps. `instead` are the steps for a job without it.
pub(super) fn moving(
    service: FormerService,
    upload: &Upload<'_>,
    repository: Option<&Repository>,
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
    // Most jobs use the Action. The others are folded under their names.
    let (action, others) = about.clients.split_at(1);
    let action = action.iter().map(|client| {
        let changed = view! { <p class="small">"In a workflow, the two lines with a comment change, in "{client.name}":"</p> };
        to_copy(changed, client.line.replace("{url}", url), format!("the address for {}", client.name))
    });
    let names: Vec<_> = others.iter().map(|client| client.name).collect();
    let attempts = links::uploads(&LedgerQuery {
        repository: repository.map(ToString::to_string).unwrap_or_default(),
        ..LedgerQuery::default()
    });
    let content = view! {
        {refused}
        <div class="step">
            {action.collect_view()}
            <p class="small">{with_code(&format!("The token is one of this service for one repository (step 2), under the name that the client reads. Commands, flags and coverage files stay. {}", about.also))}</p>
            <details>
                <summary class="small">"Other clients: "{names.join(" · ")}</summary>
                {table(others, format!("The address for the other clients of {name}"))}
            </details>
        </div>
        <div class="step">
            <p class="small">"The "<a class="link" href=attempts>"list of uploads"</a>" names the client of each attempt, and why one was refused. Some clients do not show a refusal."</p>
        </div>
        <details class="step others">
            <summary>{format!("Without the client of {name}")}</summary>
            {instead}
        </details>
    };
    card(
        "moving",
        format!("1. Keep the client of {name}"),
        None::<()>,
        content,
    )
}

/// The third step: what comes along besides the uploads.
pub(super) fn rest(service: FormerService, upload: &Upload<'_>) -> impl IntoView + use<> {
    let about = About::of(service, &format!("{}/{}", upload.org, upload.repo));
    let badge = view! { <p class="small">"In READMEs only the host of the badge changes:"</p> };
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
    let introduction = view! { <p class="small">"The history: the operator runs a script of this service's source, and imports what it wrote:"</p> };
    let parts = match service {
        FormerService::Codecov => "Flags become parts: unit and e2e of one commit are one record.",
        FormerService::Coveralls => "Parallel jobs and their flags become parts of one record.",
    };
    let content = view! {
        <div class="step small">
            <p>{parts}" This service writes the statuses and the comment of a pull request itself: the operator sets "<code>"VCS_API_TOKENS"</code>" for the forge."</p>
        </div>
        {rules(service)}
        <div class="step">{to_copy(introduction, history, "the commands that import the history")}</div>
        <div class="step">{badge}</div>
    };
    card(
        "rest",
        "3. Bring the rest along",
        aside("optional"),
        content,
    )
}

/// How the rules of the repository come along.
fn rules(service: FormerService) -> AnyView {
    match service {
        FormerService::Codecov => {
            let about = view! { <p class="small">"This service does not read "<code>"codecov.yml"</code>". This command writes its rules as "<code>"coverage-dashboard.toml"</code>", and names the keys that have no equal. The program needs no service: it is in each release, also as the small program for jobs:"</p> };
            let command = "coverage-dashboard translate codecov.yml";
            let rules = to_copy(about, command, "the command that translates codecov.yml");
            view! { <div class="step">{rules}</div> }.into_any()
        }
        FormerService::Coveralls => view! {
            <p class="step small">"The thresholds of Coveralls are settings of its site: write them as rules of the gate, at the end of this page."</p>
        }
        .into_any(),
    }
}
