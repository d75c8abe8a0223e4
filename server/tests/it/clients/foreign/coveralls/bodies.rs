//! The same job in the bodies of all clients.

use super::{FORM, JOBS, answer, assert_is_done, job, numbers, server};
use crate::harness::{Archive, COMMIT, Reachable, Upload, gzip};
use serde_json::Value;

fn form_of(job: &Value) -> String {
    let pairs = [("json", job.to_string())];
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish()
}

#[tokio::test]
async fn a_job_of_every_client_has_the_numbers_of_a_native_upload() {
    let native = server().await;
    let file = job().to_string();
    let archive = Archive::new().file("coverage.json", file).tar_gz();
    Upload::of(archive)
        .with("coverage_xml_file_name", "coverage.json")
        .with("commit_hash", COMMIT)
        .with("language", "python")
        .accepted(&native)
        .await;
    let expected = numbers(&native).await;
    assert_eq!(expected["percentage"], 66.67);
    let text = job().to_string();
    let multipart = |head: &str, content: &[u8]| {
        let head = format!("--xyz\r\nContent-Disposition: form-data; {head}\r\n\r\n");
        [head.as_bytes(), content, b"\r\n--xyz--\r\n"].concat()
    };
    let packed = gzip(text.as_bytes());
    let with_name = "name=\"json_file\"; filename=\"json_file\"";
    for (client, kind, body) in [
        (
            "coverage-reporter",
            "multipart/form-data; boundary=xyz",
            multipart(
                &format!("{with_name}\r\nContent-Type: application/gzip"),
                &packed,
            ),
        ),
        (
            "coveralls-python",
            "multipart/form-data; boundary=xyz",
            multipart(with_name, text.as_bytes()),
        ),
        ("node-coveralls", FORM, form_of(&job()).into_bytes()),
        (
            "coveralls-next",
            "multipart/form-data; boundary=xyz",
            multipart("name=\"json\"", text.as_bytes()),
        ),
        (
            "tarpaulin",
            "multipart/form-data; boundary=xyz",
            multipart(
                "name=\"json_file\"; filename=\"report\"\r\nContent-Type: gzip/json",
                &packed,
            ),
        ),
        (
            "coveralls-ruby",
            "multipart/form-data, boundary=xyz",
            multipart(
                &format!("{with_name}\r\nContent-Type: text/plain"),
                text.as_bytes(),
            ),
        ),
        ("another", "application/json", text.clone().into_bytes()),
    ] {
        let server = server().await;
        let request = server.client().post(server.url(JOBS)).body(body);
        let response = request.header("content-type", kind).send().await.unwrap();
        let (status, answer) = answer(response).await;
        assert_is_done(status, &answer);
        assert_eq!(numbers(&server).await, expected, "{client}");
    }
}
