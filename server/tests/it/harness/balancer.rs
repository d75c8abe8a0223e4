//! A small load balancer: passes each connection to a random service, and to another one if that is gone.

use super::Reachable;
use reqwest::Client;
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};
use tokio_util::task::AbortOnDropHandle;

pub struct Balancer {
    client: Client,
    address: SocketAddr,
    services: Arc<Mutex<Vec<String>>>,
    _accepting: AbortOnDropHandle<()>,
}

impl Balancer {
    /// Starts it in front of services at these `host:port`s.
    pub async fn start(services: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let services = Arc::new(Mutex::new(services));
        let accepting = tokio::spawn({
            let services = services.clone();
            async move {
                loop {
                    let (connection, _) = listener.accept().await.unwrap();
                    let services = services.lock().unwrap().clone();
                    tokio::spawn(hand_on(connection, services));
                }
            }
        });
        Self {
            // Each request is a connection, so each may go to another service.
            client: Client::builder().pool_max_idle_per_host(0).build().unwrap(),
            address,
            services,
            _accepting: AbortOnDropHandle::new(accepting),
        }
    }

    /// Replaces the address of one service.
    pub fn replace(&self, place: usize, service: String) {
        self.services.lock().unwrap()[place] = service;
    }
}

async fn hand_on(mut connection: TcpStream, mut services: Vec<String>) {
    while !services.is_empty() {
        let service = services.swap_remove(rand::random_range(0..services.len()));
        if let Ok(mut other) = TcpStream::connect(&service).await {
            copy_bidirectional(&mut connection, &mut other).await.ok();
            return;
        }
    }
}

impl Reachable for Balancer {
    fn client(&self) -> &Client {
        &self.client
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}
