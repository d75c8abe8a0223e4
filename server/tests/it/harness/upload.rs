//! One upload, with parameters that suit most tests.

use super::{Reachable, TOKEN};
use reqwest::{
    Client, Response,
    multipart::{Form, Part},
};
use serde_json::Value;

/// An upload that is accepted unless a test changes it.
#[derive(Clone)]
pub struct Upload {
    parameters: Vec<(&'static str, String)>,
    authorization: Option<String>,
    headers: Vec<(&'static str, String)>,
    part: &'static str,
    has_archive: bool,
    body: Vec<u8>,
    before: Vec<(&'static str, Vec<u8>)>,
    after: Vec<(&'static str, Vec<u8>)>,
}

impl Upload {
    pub fn of(body: Vec<u8>) -> Self {
        let parameters = [
            ("org_name", "acme"),
            ("repo_name", "payments"),
            ("branch_name", "main"),
            ("commit_hash", "c1"),
            ("commit_author", "Kim"),
            ("language", "rust"),
            ("coverage_xml_file_name", "coverage.xml"),
        ];
        Self {
            parameters: parameters
                .map(|(name, value)| (name, value.to_owned()))
                .into(),
            authorization: Some(format!("Bearer {TOKEN}")),
            headers: Vec::new(),
            part: "file",
            has_archive: true,
            body,
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self = self.without(name);
        self.parameters.push((name, value.to_owned()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.parameters.retain(|(other, _)| *other != name);
        self
    }

    pub fn authorization(mut self, value: Option<&str>) -> Self {
        self.authorization = value.map(str::to_owned);
        self
    }

    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub fn in_part(mut self, name: &'static str) -> Self {
        self.part = name;
        self
    }

    pub fn without_archive(mut self) -> Self {
        self.has_archive = false;
        self
    }

    /// Adds a part before the archive.
    pub fn before(mut self, name: &'static str, content: &[u8]) -> Self {
        self.before.push((name, content.to_owned()));
        self
    }

    /// Adds a part after the archive.
    pub fn after(mut self, name: &'static str, content: &[u8]) -> Self {
        self.after.push((name, content.to_owned()));
        self
    }

    pub fn body(self) -> Vec<u8> {
        self.body
    }

    pub async fn send(self, server: &impl Reachable) -> Response {
        self.try_send(server.client(), &server.url(""))
            .await
            .unwrap()
    }

    /// Sends it to a server that may stop before it answers.
    pub async fn try_send(self, client: &Client, url: &str) -> reqwest::Result<Response> {
        let archive = (self.part, self.body);
        let archive = self.has_archive.then_some(archive);
        let parts = self.before.into_iter().chain(archive).chain(self.after);
        let mut form = Form::new().text("note", "passed over");
        for (name, content) in parts {
            form = form.part(name, Part::bytes(content).file_name("x"));
        }
        let mut request = client
            .post(format!("{url}/coverages-api"))
            .query(&self.parameters)
            .multipart(form);
        if let Some(authorization) = self.authorization {
            request = request.header("authorization", authorization);
        }
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        request.send().await
    }

    /// Sends it, expects it to be accepted, and returns the answer.
    pub async fn accepted(self, server: &impl Reachable) -> Value {
        let response = self.send(server).await;
        let status = response.status();
        let answer: Value = response.json().await.unwrap();
        assert!(status.is_success(), "{status}: {answer}");
        answer
    }

    /// Sends it, expects it to be refused, and returns the status and the problem.
    pub async fn refused(self, server: &impl Reachable) -> (u16, Value) {
        let response = self.send(server).await;
        let status = response.status().as_u16();
        let problem: Value = response.json().await.unwrap();
        assert!(status >= 400, "{status}: {problem}");
        (status, problem)
    }
}
