//! A receiver of webhooks, which can misbehave.

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::Value;
use std::{
    future::pending,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{net::TcpListener, task::JoinHandle, time::sleep};

/// How a receiver answers.
#[derive(Clone, Copy, Debug)]
pub enum ReceiverBehaviour {
    /// With this status.
    Status(u16),
    /// With a redirect to itself, to another path.
    Redirect,
    /// Never.
    Silent,
}

/// A notification as it arrived.
#[derive(Clone, Debug)]
pub struct Notified {
    pub path: String,
    pub headers: HeaderMap,
    pub text: String,
    pub body: Value,
}

struct Shared {
    behaviour: Mutex<ReceiverBehaviour>,
    notified: Mutex<Vec<Notified>>,
}

pub struct Receiver {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

impl Receiver {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            behaviour: Mutex::new(ReceiverBehaviour::Status(204)),
            notified: Mutex::default(),
        });
        let router = Router::new().fallback(take).with_state(shared.clone());
        let serving = async move { axum::serve(listener, router).await.unwrap() };
        Self {
            address,
            shared,
            task: tokio::spawn(serving),
        }
    }

    /// The address of a webhook.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn behave(&self, behaviour: ReceiverBehaviour) {
        *self.shared.behaviour.lock().unwrap() = behaviour;
    }

    /// All notifications so far, also the refused ones.
    pub fn notified(&self) -> Vec<Notified> {
        self.shared.notified.lock().unwrap().clone()
    }

    /// Waits until this many have arrived.
    pub async fn wait_for(&self, count: usize) -> Vec<Notified> {
        for _ in 0..600 {
            if self.notified().len() >= count {
                return self.notified();
            }
            sleep(Duration::from_millis(50)).await;
        }
        panic!(
            "{count} notifications expected, these came: {:#?}",
            self.notified()
        );
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn take(
    State(shared): State<Arc<Shared>>,
    uri: axum::http::Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let text = String::from_utf8(body.to_vec()).unwrap();
    shared.notified.lock().unwrap().push(Notified {
        path: uri.path().to_owned(),
        headers,
        body: serde_json::from_str(&text).unwrap_or_default(),
        text,
    });
    let behaviour = *shared.behaviour.lock().unwrap();
    match behaviour {
        ReceiverBehaviour::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        ReceiverBehaviour::Redirect => {
            let place = HeaderValue::from_static("/elsewhere");
            (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, place)]).into_response()
        }
        ReceiverBehaviour::Silent => pending().await,
    }
}
