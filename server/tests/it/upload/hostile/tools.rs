//! Archives written by real programs, if they are installed. The other tests write the same formats themselves.

use crate::harness::{Reachable, TestServer, Upload, cobertura};
use std::{fs, path::Path, process::Command};
use tempfile::TempDir;

const PAGE: &str = "htmlcov/ü/a page with a long name, which is too long for the header of a tar archive of the oldest format.html";

/// A folder with the output of a coverage tool.
fn report() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, content) in [
        ("coverage.xml", cobertura(1, 2)),
        ("htmlcov/index.html", "<p>page".to_owned()),
        ("htmlcov/empty.css", String::new()),
        (PAGE, "<p>long".to_owned()),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

/// The output of a shell command; `None` if its programs are not installed.
fn packed(folder: &Path, programs: &[&str], command: &str) -> Option<Vec<u8>> {
    let is_there = |program: &&str| {
        let look = format!("command -v {program}");
        let found = Command::new("sh").args(["-c", &look]).output().unwrap();
        found.status.success()
    };
    if !programs.iter().all(is_there) {
        return None;
    }
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {messages}");
    Some(output.stdout)
}

async fn all_accepted(commands: &[(&[&str], &str)], pages: &[&str]) {
    let (server, folder) = (TestServer::start().await, report());
    for (programs, command) in commands {
        let Some(archive) = packed(folder.path(), programs, command) else {
            continue;
        };
        let answer = Upload::of(archive).accepted(&server).await;
        for page in pages {
            let url = format!("/reports/{}/{page}", answer["coverage"]["id"]);
            let status = server.get(&url).await.status();
            assert_eq!(status, 200, "{page} of {command}");
        }
    }
}

#[tokio::test]
async fn archives_of_gnu_tar_are_accepted_in_all_formats() {
    let long = ["htmlcov/index.html", "htmlcov/empty.css", PAGE];
    let formats: &[(&[&str], &str)] = &[
        (&["tar"], "tar --format=gnu -cf - ."),
        (&["tar"], "tar --format=oldgnu -cf - htmlcov coverage.xml"),
        (&["tar"], "tar --format=posix -cf - htmlcov coverage.xml"),
        (&["tar"], "tar --format=ustar -cf - htmlcov coverage.xml"),
        (&["tar"], "tar -cf - coverage.xml htmlcov coverage.xml"),
    ];
    all_accepted(formats, &long).await;
    let v7: &[(&[&str], &str)] = &[(&["tar"], "tar --format=v7 -cf - --exclude=ü .")];
    all_accepted(v7, &long[..2]).await;
}

#[tokio::test]
async fn archives_of_every_compressor_are_accepted() {
    let compressors: &[(&[&str], &str)] = &[
        (&["tar", "gzip"], "tar -czf - ."),
        (&["tar", "pigz"], "tar -cf - . | pigz"),
        (&["tar", "bzip2"], "tar -cjf - ."),
        (&["tar", "xz"], "tar -cf - . | xz -7"),
        (
            &["tar", "xz"],
            "tar -cf - . | xz -T2 --check=sha256 --block-size=4096",
        ),
        (&["tar", "zstd"], "tar -cf - . | zstd -19"),
        (&["tar", "zstd"], "tar -cf - . | zstd -T2 --no-check"),
        (&["tar", "pzstd"], "tar -cf - . | pzstd"),
    ];
    all_accepted(compressors, &["htmlcov/index.html", PAGE]).await;
}

#[tokio::test]
async fn archives_of_other_packers_are_accepted() {
    let packers: &[(&[&str], &str)] = &[
        (&["zip"], "zip -qr - ."),
        (&["zip"], "zip -q0r out.zip . && cat out.zip && rm out.zip"),
        (&["zip"], "find . -type f | zip -q -@ - | cat"),
        (
            &["python3"],
            "python3 -m zipfile -c out.zip htmlcov coverage.xml && cat out.zip && rm out.zip",
        ),
        (
            &["python3"],
            "python3 -c 'import sys, tarfile\nwith tarfile.open(fileobj=sys.stdout.buffer, mode=\"w|xz\") as tar: tar.add(\".\")' | cat",
        ),
        (
            &["7z"],
            "7z a -bd -y out.zip htmlcov coverage.xml >&2 && cat out.zip && rm out.zip",
        ),
        (&["bsdtar"], "bsdtar -cf - ."),
        (&["bsdtar"], "bsdtar --format zip -cf - ."),
    ];
    all_accepted(packers, &["htmlcov/index.html", "htmlcov/empty.css", PAGE]).await;
}
