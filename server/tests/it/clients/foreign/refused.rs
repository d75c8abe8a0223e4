//! What the clients print, and their exit codes, when the service refuses.

use super::{
    coveralls::programs::measured,
    programs::{
        CLI, CLI_LEGACY, CLI_THREE_CALLS, COVERALLS_NEXT, COVERALLS_NPM, COVERALLS_PYPI, CPP,
        Client, NPM, PYPI, RUBY,
    },
    token_for,
};
use crate::{
    clients::uploader::Job,
    harness::{Reachable, TOKEN, TestServer, noise},
};
use futures::future::join_all;
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    /// The token is unknown.
    Token,
    /// The token is for another organisation than the repository's.
    Repository,
    /// The upload is larger than `MAX_UPLOAD_BYTES`.
    Large,
    /// The JSON has more than 64 MiB. With this size, only this client takes less than three seconds.
    Huge,
    /// 70 MiB of spaces, which the client compresses.
    Bomb,
    /// A file that has no coverage.
    Broken,
}
use Case::{Bomb, Broken, Huge, Large, Repository, Token};

/// Clients that are missing in a case cannot cause it: without compression, no client sends a bomb, and Coveralls' clients send only what
/// they could read. `damaged_bodies_are_refused_with_a_sentence`, `a_bomb_stops_at_the_limit`,
/// `a_gzip_bomb_and_a_huge_body_are_refused_before_the_token` and `a_body_that_is_no_job_is_refused_with_a_sentence` send such bodies.
#[rustfmt::skip]
const TABLE: &[(Case, Client, i32, &str)] = &[
    // case, client, exit code, printed
    (Token, CLI, 1, "failed: {\"type\":\"about:blank\",\"title\":\"Unauthorized\",\"status\":401,\"detail\":\"This token is unknown here"),
    (Token, CLI_THREE_CALLS, 1, "This token is unknown here"),
    (Token, CLI_LEGACY, 1, "This token is unknown here"),
    (Token, NPM, 0, "This token is unknown here"),
    (Token, PYPI, 0, "This token is unknown here"),
    (Token, COVERALLS_PYPI, 1, "401 Client Error"),
    (Token, COVERALLS_NPM, 1, "Bad response: 401 {\"error\":true,\"message\":\"This token is unknown here"),
    (Token, COVERALLS_NEXT, 1, "This token is unknown here"),
    (Token, CPP, 1, "This token is unknown here"),
    (Token, RUBY, 0, "This token is unknown here"),
    (Repository, CLI, 1, "This token is for other/…, not for acme/payments"),
    (Repository, CLI_THREE_CALLS, 1, "This token is for other/…, not for acme/payments"),
    (Repository, CLI_LEGACY, 1, "This token is for other/…, not for acme/payments"),
    (Repository, NPM, 0, "slug is missing"),
    (Repository, PYPI, 0, "This token is for other/…, not for acme/payments"),
    (Repository, COVERALLS_PYPI, 1, "403 Client Error"),
    (Repository, COVERALLS_NPM, 1, "This token is for other/…, not for acme/payments"),
    (Repository, COVERALLS_NEXT, 1, "This token is for other/…, not for acme/payments"),
    (Repository, CPP, 1, "The job does not name its repository"),
    (Repository, RUBY, 0, "This token is for other/…, not for acme/payments"),
    (Large, CLI, 1, "MAX_UPLOAD_BYTES"),
    (Large, CLI_THREE_CALLS, 1, "MAX_UPLOAD_BYTES"),
    (Large, CLI_LEGACY, 1, "MAX_UPLOAD_BYTES"),
    (Large, NPM, 0, "Success!"),
    (Large, PYPI, 0, "413 Client Error"),
    (Large, COVERALLS_PYPI, 1, "413 Client Error"),
    (Large, COVERALLS_NPM, 1, "MAX_UPLOAD_BYTES"),
    (Large, COVERALLS_NEXT, 1, "MAX_UPLOAD_BYTES"),
    (Large, CPP, 1, "MAX_UPLOAD_BYTES"),
    (Large, RUBY, 0, "MAX_UPLOAD_BYTES"),
    (Huge, COVERALLS_NEXT, 1, "The job has more than 67108864 bytes"),
    (Bomb, CLI, 1, "200 bytes unpacked for each byte sent"),
    (Bomb, CLI_THREE_CALLS, 1, "200 bytes unpacked for each byte sent"),
    (Bomb, PYPI, 0, "413 Client Error"),
    (Broken, CLI, 1, "not a coverage report of a known format"),
    (Broken, CLI_THREE_CALLS, 1, "not a coverage report of a known format"),
    (Broken, CLI_LEGACY, 1, "not a coverage report of a known format"),
    (Broken, NPM, 0, "Success!"),
    (Broken, PYPI, 0, "422 Client Error"),
];

/// Many of these clients try again at once.
const TRIES: [&str; 2] = ["--failed-tries-per-address", "1000"];

async fn server_with(arguments: &[&str]) -> TestServer {
    let own = ["--upload-token", TOKEN, "--accept", "codecov,coveralls"];
    TestServer::start_with(&[&own[..], &TRIES, arguments].concat()).await
}

#[tokio::test]
async fn each_client_prints_what_the_table_says_and_has_its_exit_code() {
    let server = server_with(&[]).await;
    let limited = server_with(&["--max-upload-bytes", "20000"]).await;
    let random: String = noise(40_000).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    });
    // Clients in one folder at the same time would remove each other's files.
    let (plain, of_other, large) = tokio::join!(
        measured(&server, "x"),
        measured(&server, "x"),
        measured(&server, &random),
    );
    plain.write("bomb.lcov", &" ".repeat(70 << 20));
    plain.write("broken.lcov", "no coverage");
    plain.write("src/huge.js", &"x".repeat(68 << 20));
    plain.write("huge.lcov", "SF:src/huge.js\nDA:1,1\nend_of_record\n");
    let other = token_for(&server, "other");
    let limited_token = token_for(&limited, "acme/payments");
    let token = token_for(&server, "acme/payments");
    let runs = TABLE.iter().filter(|(_, client, ..)| client.is_installed());
    let runs = runs.map(|&(case, client, code, words)| {
        let (job, server, token, file): (&Job, _, &str, _) = match case {
            Token => (&plain, &server, "wr0ng", "coverage.lcov"),
            Repository => (&of_other, &server, &other, "coverage.lcov"),
            Large => (&large, &limited, &limited_token, "coverage.lcov"),
            Huge => (&plain, &server, &token, "huge.lcov"),
            Bomb => (&plain, &server, &token, "bomb.lcov"),
            Broken => (&plain, &server, &token, "broken.lcov"),
        };
        async move {
            let ran = client.run(job, server, token, &[("FILE", file)]).await;
            let is_expected = ran.code == code && ran.printed.contains(words);
            let name = client.name;
            (!is_expected).then(|| format!("{case:?}, {name}: {}\n{}\n", ran.code, ran.printed))
        }
    });
    let wrong: Vec<_> = join_all(runs).await.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for server in [&server, &limited] {
        assert!(server.records().await.is_empty());
        assert!(server.stored_files().is_empty());
    }
}
