use super::*;
use flate2::read::DeflateDecoder;
use std::io::Read;

/// Returns the members and the files of a job that arrives in pieces of `size` bytes.
fn split_by(text: &[u8], size: usize) -> Result<(String, Option<String>), SplitError> {
    let mut splitter = Splitter::new();
    for piece in text.chunks(size) {
        if splitter.write_all(piece).is_err() {
            break;
        }
    }
    let split = splitter.finish()?;
    let members = String::from_utf8(split.members).expect("UTF-8");
    let files = split.files.map(|files| {
        let mut text = String::new();
        let mut files = DeflateDecoder::new(&files[..]);
        files.read_to_string(&mut text).expect("UTF-8");
        text
    });
    Ok((members, files))
}

fn split(text: &str) -> Result<(String, Option<String>), SplitError> {
    split_by(text.as_bytes(), usize::MAX)
}

const JOB: &str = r#"{"repo_token": "a\"}", "git": {"source_files": 1, "source": "kept"}, "source_files" : [{"name": "source",
  "source" : "say(\"}],\\\");", "coverage": [1, null]}, {"source": null, "name": "b"}], "parallel": true}"#;

#[test]
fn the_files_are_split_from_the_other_members_and_their_text_is_dropped() {
    let members = r#"{"repo_token": "a\"}", "git": {"source_files": 1, "source": "kept"}, "source_files" :null, "parallel": true}"#;
    let files = r#"{"source_files": [{"name": "source",
  "source" : "", "coverage": [1, null]}, {"source": null, "name": "b"}]}"#;
    for size in 1..=JOB.len() {
        let (found, of_files) = split_by(JOB.as_bytes(), size).expect("a job");
        assert_eq!(found, members, "by {size}");
        assert_eq!(of_files.as_deref(), Some(files), "by {size}");
    }
}

#[test]
fn a_job_may_end_with_its_files_or_have_none() {
    let (members, files) = split(r#"{"source_files":[]}"#).expect("a job");
    assert_eq!(members, r#"{"source_files":null}"#);
    assert_eq!(files.as_deref(), Some(r#"{"source_files":[]}"#));
    assert_eq!(split(r#"{"a": 1}"#), Ok((r#"{"a": 1}"#.to_owned(), None)));
    let twice = split(r#"{"source_files":[1],"source_files":[2]}"#).expect("a job");
    let both = r#"{"source_files":[1],"source_files":[2]}"#;
    assert_eq!(twice.1.as_deref(), Some(both));
}

#[test]
fn a_job_that_is_cut_off_is_refused() {
    for end in 0..JOB.len() {
        let found = split_by(&JOB.as_bytes()[..end], 7);
        assert_eq!(found, Err(SplitError::CutOff), "{end}");
    }
}

#[test]
fn the_text_of_files_does_not_count_but_other_members_do() {
    let long = "x".repeat(MAX_MEMBERS_BYTES);
    let job = format!(r#"{{"source_files":[{{"source":"{long}"}}]}}"#);
    let files = split(&job).expect("a job").1;
    assert_eq!(
        files.as_deref(),
        Some(r#"{"source_files":[{"source":""}]}"#)
    );
    let job = format!(r#"{{"git":"{long}"}}"#);
    assert_eq!(split(&job), Err(SplitError::LongMembers));
}

#[test]
fn the_first_limit_that_is_reached_is_named() {
    let deep = "[".repeat(1_000);
    assert_eq!(split(&format!("{{\"a\":{deep}")), Err(SplitError::TooDeep));
    let mut splitter = Splitter {
        bytes: MAX_JSON_BYTES - 3,
        ..Splitter::new()
    };
    assert!(splitter.write_all(b"{\"a").is_ok());
    assert!(splitter.write_all(b"\"").is_err());
    assert_eq!(splitter.finish().err(), Some(SplitError::TooLong));
}
