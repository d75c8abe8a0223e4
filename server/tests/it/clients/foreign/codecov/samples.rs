//! Coverage files of real tools through the doors of Codecov's clients, against a native upload of the same file.
//!
//! `COVERAGE_SAMPLE_REPORTS` names the folder, as for native uploads.

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
    let (server, job) = (&server().await, &programs::job());
    let uploads = samples.iter().map(|sample| {
        // Each sample goes through one of the clients, in turn: starting a client takes half a second.
        let client = clients.get(sample.number % clients.len().max(1));
        // Only a token for one repository names the repository of the client of npm.
        let token = client.map(|client| match client.name == NPM.name {
            true => token_for(server, &format!("acme/{}-client", sample.number)),
            false => TOKEN.to_owned(),
        });
        async move {
            native(server, sample).await;
            as_json(server, sample).await;
            as_text(server, sample).await;
            if let (Some(client), Some(token)) = (client, token) {
                by_client(server, job, sample, (*client, &token)).await;
            }
        }
    });
    let uploads: Vec<_> = uploads.collect();
    stream::iter(uploads).buffer_unordered(4).count().await;
    let stored = server.records().await;
    let mut found = BTreeMap::new();
    for record in stored {
        let repo = record["repo_name"].as_str().unwrap().to_owned();
        let (number, door) = repo.split_once('-').unwrap();
        let numbers = numbers(server, &record).await;
        let doors: &mut BTreeMap<_, _> = found.entry(number.to_owned()).or_default();
        doors.insert(door.to_owned(), numbers);
    }
    for Sample {
        number, name, file, ..
    } in &samples
    {
        let doors = &found[&number.to_string()];
        assert_eq!(doors.len(), if clients.is_empty() { 3 } else { 4 });
        for (door, numbers) in doors {
            assert_eq!(numbers, &doors["native"], "{name}, {file}: {door}");
        }
    }
    println!("{} sample reports equal a native upload", samples.len());
}

fn samples(folder: &Path) -> Vec<Sample> {
    let table = std::fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let rows = table.lines().enumerate().skip(1);
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
    samples.collect()
}

/// A file of an archive, if tar finds it and it is a text.
pub(in crate::clients::foreign) fn member(archive: &Path, file: &str) -> Option<String> {
    let mut tar = Command::new("tar");
    tar.args(["-xOzf"]).arg(archive).args(["--wildcards"]);
    let output = tar.args([file, &format!("*/{file}")]).output().unwrap();
    let text = String::from_utf8(output.stdout).ok()?;
    (!text.is_empty()).then_some(text)
}

async fn native(server: &TestServer, sample: &Sample) {
    let archive = Archive::new().file(&sample.file, &sample.coverage);
    Upload::of(archive.tar_gz())
        .with("coverage_xml_file_name", &sample.file)
        .with("repo_name", &format!("{}-native", sample.number))
        .with("commit_hash", COMMIT)
        .before("paths", b"README.md\0")
        .accepted(server)
        .await;
}

/// As the PUT of one call and of three calls.
async fn as_json(server: &TestServer, sample: &Sample) {
    let path = UPLOAD.replace("payments", &format!("{}-json", sample.number));
    let answer = post(server, &path).json(&stated()).send().await.unwrap();
    let answer: Value = answer.json().await.unwrap();
    let address = answer["raw_upload_location"].as_str().unwrap();
    let body = payload(&[(sample.file.as_str(), sample.coverage.as_str())]);
    assert_eq!(
        put(server, address, body).await.status(),
        200,
        "{}",
        sample.name
    );
}

/// As the PUT of the legacy interface.
async fn as_text(server: &TestServer, sample: &Sample) {
    let number = sample.number;
    let query = format!("commit={COMMIT}&branch=feature&slug=acme/{number}-text&token={TOKEN}");
    let path = server.url(&format!("/upload/v4?{query}"));
    let answer = server.client.post(path).send().await.unwrap();
    let answer = answer.text().await.unwrap();
    let (_, address) = answer.split_once('\n').expect("an address");
    let (file, coverage) = (&sample.file, &sample.coverage);
    let text = format!("README.md\n<<<<<< network\n# path={file}\n{coverage}\n<<<<<< EOF\n");
    let body = match number % 2 {
        0 => text.into_bytes(),
        _ => gzip(text.as_bytes()),
    };
    assert_eq!(
        put(server, address, body).await.status(),
        200,
        "{}",
        sample.name
    );
}

async fn by_client(server: &TestServer, job: &Job, sample: &Sample, by: (Client, &str)) {
    let ((client, token), number) = (by, sample.number);
    let file = format!("{number}/{}", sample.file);
    job.write(&file, &sample.coverage);
    let repository = format!("-r acme/{number}-client");
    let options = [("FILE", &*file), ("OPTIONS", &repository)];
    let known = if client.name == NPM.name { 1 } else { 2 };
    client.succeed(job, server, token, &options[..known]).await;
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
