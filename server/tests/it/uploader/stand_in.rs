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
}

#[derive(Clone)]
struct Script {
    answers: Arc<Vec<Answer>>,
    arrived: Arc<Mutex<Vec<Arrived>>>,
}

/// The stand-in. It answers in the order of its answers, and repeats the last one.
pub struct StandIn {
    pub url: String,
    script: Script,
}

impl StandIn {
    pub async fn start(answers: &[Answer]) -> Self {
        let script = Script {
            answers: Arc::new(answers.to_vec()),
            arrived: Arc::default(),
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
}

async fn answer(
    State(script): State<Script>,
    uri: Uri,
    headers: HeaderMap,
    _body: Bytes,
) -> Response {
    let number = {
        let mut arrived = script.arrived.lock().unwrap();
        arrived.push(Arrived {
            path: uri.to_string(),
            headers,
        });
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
