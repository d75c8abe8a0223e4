//! Coverage files of real tools through the doors of Codecov's clients, against a native upload of the same file.
//!
//! `COVERAGE_SAMPLE_REPORTS` names the folder, as for native uploads. With `COVERAGE_EVERY_CLIENT`, each file goes through every door.

#![expect(
    clippy::print_stdout,
    reason = "a test that tried nothing has to say so"
)]

use super::{COMMIT, UPLOAD, payload, post, programs, put, server, stated};
use crate::{
    clients::{
        foreign::{
            programs::{Client, NPM, OF_CODECOV},
            token_for,
        },
        uploader::Job,
    },
    harness::{Archive, Reachable, TOKEN, TestServer, Upload, gzip},
};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path, process::Command};

/// A coverage file of an archive.
struct Sample {
    number: usize,
    name: String,
    file: String,
    coverage: String,
}

/// A way into the service.
#[derive(Clone, Copy, Debug)]
enum Door {
    Native,
    /// The PUT of one call and of three calls.
    Json,
    /// The PUT of the legacy interface.
    Text,
    /// The same, compressed.
    Gzip,
    /// The former legacy interface, in one request.
    V2,
    Client(Client),
}

impl Door {
    fn every(clients: &[Client]) -> Vec<Self> {
        let requests = [Self::Native, Self::Json, Self::Text, Self::Gzip, Self::V2];
        let clients = clients.iter().copied().map(Self::Client);
        requests.into_iter().chain(clients).collect()
    }

    /// Both kinds of bodies, and one client in turn, because to start one takes half a second.
    fn in_turn(clients: &[Client], number: usize) -> Vec<Self> {
        let client = clients.get(number % clients.len().max(1));
        let text = [Self::Text, Self::Gzip][number % 2];
        let mut doors = vec![Self::Native, Self::Json, text];
        doors.extend(client.map(|client| Self::Client(*client)));
        doors
    }
}

/// One upload of a sample.
struct Try<'a> {
    sample: &'a Sample,
    door: Door,
    repository: String,
    token: String,
}

#[tokio::test]
async fn sample_coverage_files_equal_a_native_upload_through_codecovs_doors() {
    let Some(folder) = std::env::var_os("COVERAGE_SAMPLE_REPORTS") else {
        println!("COVERAGE_SAMPLE_REPORTS is not set: no sample reports were tried");
        return;
    };
    let samples = samples(Path::new(&folder));
    assert!(!samples.is_empty(), "no archive has a coverage file");
    let clients: Vec<_> = OF_CODECOV
        .into_iter()
        .filter(|it| it.is_installed())
        .collect();
    let is_every = std::env::var_os("COVERAGE_EVERY_CLIENT").is_some();
    let (server, job) = (&server().await, &programs::job());
    let tries = samples.iter().flat_map(|sample| {
        job.write(&path_of(sample), &sample.coverage);
        let doors = match is_every {
            true => Door::every(&clients),
            false => Door::in_turn(&clients, sample.number),
        };
        let doors = doors.into_iter().enumerate();
        doors.map(|(place, door)| {
            let repository = format!("{}-{place}", sample.number);
            // Only a token for one repository names the repository of the client of npm.
            let is_npm = matches!(door, Door::Client(client) if client.name == NPM.name);
            let token = match is_npm {
                true => token_for(server, &format!("acme/{repository}")),
                false => TOKEN.to_owned(),
            };
            Try {
                sample,
                door,
                repository,
                token,
            }
        })
    });
    let tries: Vec<_> = tries.collect();
    let uploads: Vec<_> = tries.iter().map(|it| upload(server, job, it)).collect();
    stream::iter(uploads).buffer_unordered(4).count().await;
    let mut found = BTreeMap::new();
    for record in server.records().await {
        let repository = record["repo_name"].as_str().unwrap().to_owned();
        let numbers = numbers(server, &record).await;
        assert!(found.insert(repository, numbers).is_none(), "{record}");
    }
    assert_eq!(found.len(), tries.len());
    let mut native = &Value::Null;
    for it in &tries {
        let numbers = &found[&it.repository];
        let (name, file, door) = (&it.sample.name, &it.sample.file, it.door);
        match door {
            Door::Native => native = numbers,
            _ => assert_eq!(numbers, native, "{name}, {file}: {door:?}"),
        }
    }
    let (samples, pairs) = (samples.len(), tries.len() - samples.len());
    println!("{samples} sample reports equal a native upload, in {pairs} pairs with a door");
}

fn samples(folder: &Path) -> Vec<Sample> {
    let table = std::fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let rows: Vec<_> = table.lines().enumerate().collect();
    // No row names this coverage file.
    let lcov = ("c-lcov-zlib.tar.gz", "coverage.info");
    let lcov = member(&folder.join(lcov.0), lcov.1).map(|coverage| Sample {
        number: rows.len(),
        name: lcov.0.to_owned(),
        file: lcov.1.to_owned(),
        coverage,
    });
    let rows = rows.into_iter().skip(1);
    let samples = rows.filter_map(|(number, row)| {
        let [name, archive, _, file, _, expected, ..] = row.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("a row of EXPECTED.tsv with too few columns: {row}");
        };
        expected.parse::<f64>().ok()?;
        Some(Sample {
            number,
            name: name.to_owned(),
            file: file.to_owned(),
            coverage: member(&folder.join(archive), file)?,
        })
    });
    samples.chain(lcov).collect()
}

/// A file of an archive, if tar finds it and it is a text.
pub(in crate::clients::foreign) fn member(archive: &Path, file: &str) -> Option<String> {
    let mut tar = Command::new("tar");
    tar.args(["-xOzf"]).arg(archive).args(["--wildcards"]);
    let output = tar.args([file, &format!("*/{file}")]).output().unwrap();
    let text = String::from_utf8(output.stdout).ok()?;
    (!text.is_empty()).then_some(text)
}

/// Where the job has the sample.
fn path_of(sample: &Sample) -> String {
    format!("{}/{}", sample.number, sample.file)
}

async fn upload(server: &TestServer, job: &Job, one: &Try<'_>) {
    let Try {
        sample,
        door,
        repository,
        token,
    } = one;
    let Sample { file, coverage, .. } = sample;
    let legacy = format!("commit={COMMIT}&branch=feature&slug=acme/{repository}&token={TOKEN}");
    let text = format!("README.md\n<<<<<< network\n# path={file}\n{coverage}\n<<<<<< EOF\n");
    let is_text = matches!(door, Door::Text);
    let stored = match door {
        Door::Native => {
            let archive = Archive::new().file(file, coverage);
            let native = Upload::of(archive.tar_gz())
                .with("coverage_xml_file_name", file)
                .with("repo_name", repository)
                .with("commit_hash", COMMIT)
                .before("paths", b"README.md\0");
            native.accepted(server).await;
            return;
        }
        Door::Client(client) => {
            let (file, named) = (path_of(sample), format!("-r acme/{repository}"));
            let variables = [("FILE", &*file), ("OPTIONS", &named)];
            let known = if token == TOKEN { 2 } else { 1 };
            client
                .succeed(job, server, token, &variables[..known])
                .await;
            return;
        }
        Door::Json => {
            let path = UPLOAD.replace("payments", repository);
            let answer = post(server, &path).json(&stated()).send().await.unwrap();
            let answer: Value = answer.json().await.unwrap();
            let address = answer["raw_upload_location"].as_str().unwrap();
            put(server, address, payload(&[(file, coverage)])).await
        }
        Door::Text | Door::Gzip => {
            let path = server.url(&format!("/upload/v4?{legacy}"));
            let answer = server.client.post(path).send().await.unwrap();
            let answer = answer.text().await.unwrap();
            let (_, address) = answer.split_once('\n').expect("an address");
            let body = if is_text {
                text.into_bytes()
            } else {
                gzip(text.as_bytes())
            };
            put(server, address, body).await
        }
        Door::V2 => {
            let path = server.url(&format!("/upload/v2?{legacy}"));
            let request = server.client.post(path).body(text);
            request.send().await.unwrap()
        }
    };
    assert_eq!(stored.status(), 200, "{}: {door:?}", sample.name);
}

/// The counts and the state of each line of a record.
async fn numbers(server: &TestServer, record: &Value) -> Value {
    let path = format!("/coverages-api/records/{}", record["id"]);
    let whole = server.get_json(&path).await;
    let lines = server.get(&format!("{path}/report.lcov")).await;
    json!({
        "percentage": record["percentage"],
        "counts": [whole["lines"], whole["branches"], whole["functions"]],
        "lines": lines.text().await.unwrap(),
    })
}
