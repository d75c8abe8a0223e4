//! A stand-in for a service, or for a proxy in front of it, with fixed answers.

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse, Response},
};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// A status, the value of `Retry-After`, and a body.
pub type Answer = (u16, Option<&'static str>, &'static str);

/// A request that has arrived.
#[derive(Clone)]
pub struct Arrived {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Arrived {
    /// The value of a parameter. The script encodes it byte for byte, if it has to.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let (_, query) = self.path.split_once('?').unwrap();
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.find(|(key, _)| *key == name)?;
        if !value.contains('%') {
            return Some(value.to_owned());
        }
        let bytes = value.split('%').skip(1);
        let bytes = bytes.map(|hex| u8::from_str_radix(hex, 16).unwrap());
        Some(String::from_utf8(bytes.collect()).unwrap())
    }

    /// The form field `changes`.
    pub fn changes(&self) -> Option<String> {
        let body = String::from_utf8_lossy(&self.body);
        let (_, part) = body.split_once("name=\"changes\"")?;
        let (_, text) = part.split_once("\r\n\r\n").unwrap();
        Some(text.split("\r\n--").next().unwrap().to_owned())
    }
}

#[derive(Clone)]
struct Script {
    answers: Arc<Vec<Answer>>,
    arrived: Arc<Mutex<Vec<Arrived>>>,
    base: Arc<(u16, String)>,
    asked: Arc<Mutex<Vec<Arrived>>>,
}

/// The stand-in. It answers in the order of its answers, and repeats the last one. The request before a push has a separate
/// answer.
pub struct StandIn {
    pub url: String,
    script: Script,
}

impl StandIn {
    pub async fn start(answers: &[Answer]) -> Self {
        Self::start_with_base(answers, 404, String::new()).await
    }

    /// The same with an answer to `GET /coverages-api/base`.
    pub async fn start_with_base(answers: &[Answer], status: u16, base: String) -> Self {
        let script = Script {
            answers: Arc::new(answers.to_vec()),
            arrived: Arc::default(),
            base: Arc::new((status, base)),
            asked: Arc::default(),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, script }
    }

    pub fn arrived(&self) -> Vec<Arrived> {
        self.script.arrived.lock().unwrap().clone()
    }

    /// The requests for the base of a push.
    pub fn asked(&self) -> Vec<Arrived> {
        self.script.asked.lock().unwrap().clone()
    }
}

async fn answer(
    State(script): State<Script>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let path = uri.to_string();
    let request = Arrived {
        path,
        headers,
        body,
    };
    if uri.path() == "/coverages-api/base" {
        script.asked.lock().unwrap().push(request);
        let (status, base) = &*script.base;
        return (StatusCode::from_u16(*status).unwrap(), base.clone()).into_response();
    }
    let number = {
        let mut arrived = script.arrived.lock().unwrap();
        arrived.push(request);
        arrived.len() - 1
    };
    let last = script.answers.len() - 1;
    let (status, retry_after, body) = script.answers[number.min(last)];
    // This status stands for no answer at all.
    if status == 0 {
        return std::future::pending().await;
    }
    let mut answer = (StatusCode::from_u16(status).unwrap(), body).into_response();
    if let Some(seconds) = retry_after {
        let headers = answer.headers_mut();
        headers.insert("retry-after", seconds.parse().unwrap());
    }
    answer
}
