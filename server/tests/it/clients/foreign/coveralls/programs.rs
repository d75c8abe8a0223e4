//! Coveralls' clients themselves.

use super::{numbers_of, server};
use crate::{
    clients::{
        foreign::{
            codecov::samples::member,
            programs::{COVERALLS_NEXT, COVERALLS_NPM, COVERALLS_PYPI, CPP, Client, RUBY},
            token_for,
        },
        uploader::{Job, say},
    },
    harness::{Archive, Reachable, TOKEN, TestServer, Upload},
};
use serde_json::json;
use std::{fmt::Write, path::Path};

const PYTHON: &str = "def fee(minutes):\n    if minutes <= 15:\n        return 0\n    return minutes * 2\n\n\nfee(90)\n";

const RUBY_CODE: &str = "def fee(minutes)\n  return 0 if minutes <= 15\n  if minutes > 1000\n    raise 'long'\n  end\n  minutes * 2\nend\n\nfee(90)\n";

const C: &str = "int main(int n, char **all) {\n  if (n > 1)\n    return 1;\n  return 0;\n}\n";

/// Debian's client is older than Debian's SimpleCov, which has renamed a method.
const MEASURE: &str = r#"require "coveralls"
require "simplecov"
class SimpleCov::SourceFile
  def coverage = coverage_data["lines"]
end
Coveralls.wear!
load File.expand_path("fee.rb", __dir__)
"#;

const LCOV: &str =
    "SF:src/fee.js\nDA:1,3\nDA:2,0\nDA:4,1\nBRDA:4,0,0,1\nBRDA:4,0,1,0\nend_of_record\n";

/// A job that the tools of all these clients have measured. Each source, and the coverage file, has a line with this text.
pub(in crate::clients::foreign) async fn measured(server: &TestServer, text: &str) -> Job {
    let job = Job::with_remote("git@git.example.com:acme/payments.git");
    job.write("src/fee.js", &format!("a\nb\n\nc\n//{text}\n"));
    job.write("parking.py", &format!("{PYTHON}#{text}\n"));
    job.write(
        "main.c",
        &format!("{C}//{text}{}\n", "\n".repeat(text.len())),
    );
    job.write("fee.rb", &format!("{RUBY_CODE}#{text}\n"));
    job.write("measure.rb", MEASURE);
    job.write("coverage.lcov", &format!("TN:{text}\n{LCOV}"));
    job.commit("Price a stay");
    if COVERALLS_PYPI.is_installed() {
        let measuring = COVERALLS_PYPI
            .with("coverage run --branch --source=. parking.py && coverage json -o python.json");
        measuring.succeed(&job, server, TOKEN, &[]).await;
    }
    if CPP.is_installed() {
        let measuring = CPP.with(
            "gcc --coverage -o main main.c && ./main && gcov main.c && mv main.c.gcov gcov.txt",
        );
        measuring.succeed(&job, server, TOKEN, &[]).await;
    }
    job
}

/// What gcov writes, as LCOV.
fn lcov_of_gcov(gcov: &str) -> String {
    let mut lcov = "SF:main.c\n".to_owned();
    for line in gcov.lines() {
        let mut columns = line.split(':').map(str::trim);
        let hits = columns.next().unwrap().replace("#####", "0");
        let hits = hits.trim_end_matches('*');
        if let Ok(hits) = hits.parse::<u32>() {
            writeln!(lcov, "DA:{},{hits}", columns.next().unwrap()).unwrap();
        }
    }
    lcov + "end_of_record\n"
}

/// Uploads with a client, and a coverage file of the same run as a native upload: all numbers are equal, also the lines of a file.
async fn compared(
    server: &TestServer,
    job: &Job,
    (client, language): (Client, &'static str),
    (file, path): (&str, &str),
) {
    if !client.is_installed() {
        return;
    }
    let repo = client.name.replace([' ', '(', ')'], "-").to_lowercase();
    let token = token_for(server, &format!("acme/{repo}"));
    client.succeed(job, server, &token, &[]).await;
    let mut coverage = std::fs::read_to_string(job.root().join(file)).unwrap();
    if file == "gcov.txt" {
        coverage = lcov_of_gcov(&coverage);
    }
    Upload::of(Archive::new().file(file, coverage).tar_gz())
        .with("coverage_xml_file_name", file)
        .with("repo_name", &format!("{repo}-native"))
        .with("commit_hash", &job.head())
        .with("commit_author", "Kim Q.")
        .with("language", language)
        .accepted(server)
        .await;
    let of = async |repo: &str| {
        let mut numbers = numbers_of(server, repo, path).await;
        numbers["names"][1].take();
        numbers
    };
    let (found, native) = (of(&repo).await, of(&format!("{repo}-native")).await);
    assert_eq!(found, native, "{client:?}");
    assert_ne!(found["lines"], json!([[], [], []]), "{client:?}");
}

#[tokio::test]
async fn each_client_of_coveralls_uploads_the_numbers_of_a_native_upload() {
    let server = server().await;
    let job = measured(&server, "x").await;
    let of =
        |client, language, file, path| compared(&server, &job, (client, language), (file, path));
    tokio::join!(
        of(COVERALLS_PYPI, "python", "python.json", "parking.py"),
        of(COVERALLS_NPM, "javascript", "coverage.lcov", "src/fee.js"),
        of(COVERALLS_NEXT, "javascript", "coverage.lcov", "src/fee.js"),
        of(CPP, "c", "gcov.txt", "main.c"),
        of(RUBY, "ruby", "coverage/.resultset.json", "fee.rb"),
    );
}

/// These clients read an LCOV file and the sources that it names. No other sample is of a form that a client of Coveralls reads.
#[tokio::test]
async fn a_sample_lcov_file_equals_a_native_upload_through_the_clients_of_npm() {
    let Some(folder) = std::env::var_os("COVERAGE_SAMPLE_REPORTS") else {
        return say("COVERAGE_SAMPLE_REPORTS is not set: no sample report was tried");
    };
    let sample = Path::new(&folder).join("c-lcov-zlib.tar.gz");
    let lcov = member(&sample, "coverage.info").expect("a sample");
    let (server, job) = (server().await, Job::new());
    let (mut local, mut sources) = (String::new(), 0);
    for line in lcov.lines() {
        match line.strip_prefix("SF:") {
            Some(path) => {
                let source = format!("zlib/{}", path.rsplit('/').next().unwrap());
                job.write(&source, &"\n".repeat(10_000));
                sources += 1;
                writeln!(local, "SF:{source}").unwrap();
            }
            None => writeln!(local, "{line}").unwrap(),
        }
    }
    assert!(sources > 5, "{sources} sources");
    job.write("coverage.lcov", &local);
    job.commit("Measure zlib");
    let (server, job) = (&server, &job);
    compared(
        server,
        job,
        (COVERALLS_NPM, "c"),
        ("coverage.lcov", "zlib/inflate.c"),
    )
    .await;
    compared(
        server,
        job,
        (COVERALLS_NEXT, "c"),
        ("coverage.lcov", "zlib/inflate.c"),
    )
    .await;
}

#[tokio::test]
async fn jobs_of_a_parallel_build_wait_for_the_webhook_of_the_client() {
    if !COVERALLS_PYPI.is_installed() {
        return;
    }
    let server = server().await;
    let job = measured(&server, "x").await;
    let parallel = [
        ("COVERALLS_PARALLEL", "true"),
        ("COVERALLS_SERVICE_NUMBER", "42"),
        ("COVERALLS_SERVICE_NAME", "jenkins"),
        ("COVERALLS_FLAG_NAME", "unit"),
    ];
    // The name of the repository is the remote's.
    let upload = COVERALLS_PYPI.succeed(&job, &server, TOKEN, &parallel);
    upload.await;
    assert!(server.current_records().await.is_empty(), "it waits");
    // The webhook does not name the repository.
    let token = token_for(&server, "acme/payments");
    let finish = COVERALLS_PYPI.with("coveralls --finish");
    finish.succeed(&job, &server, &token, &parallel).await;
    let record = &server.current_records().await[0];
    assert_eq!(record["commit_hash"], job.head());
    assert_eq!(record["repo_name"], "payments");
}
