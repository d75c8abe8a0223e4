//! A service over HTTP, whether it runs in the test or in its own process.

use reqwest::{Client, Response};
use serde_json::Value;

pub trait Reachable {
    fn client(&self) -> &Client;

    fn url(&self, path: &str) -> String;

    async fn get(&self, path: &str) -> Response {
        self.client().get(self.url(path)).send().await.unwrap()
    }

    async fn get_json(&self, path: &str) -> Value {
        let response = self.get(path).await;
        assert_eq!(response.status(), 200, "{path}");
        response.json().await.unwrap()
    }

    async fn get_text(&self, path: &str) -> String {
        let response = self.get(path).await;
        assert_eq!(response.status(), 200, "{path}");
        response.text().await.unwrap()
    }

    /// All records of the full listing, in its order.
    async fn records(&self) -> Vec<Value> {
        self.listed("/coverages-api?full&per_page=1000").await
    }

    /// The current records.
    async fn current_records(&self) -> Vec<Value> {
        self.listed("/coverages-api?per_page=1000").await
    }

    async fn listed(&self, path: &str) -> Vec<Value> {
        let mut records = Vec::new();
        for page in 1.. {
            let listing = self.get_json(&format!("{path}&p={page}")).await;
            let pages = listing["data"].as_object().unwrap().values();
            records.extend(pages.flat_map(|page| page.as_array().unwrap().clone()));
            if listing["has_next"] == false {
                break;
            }
        }
        records
    }
}
