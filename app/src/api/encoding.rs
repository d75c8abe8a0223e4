//! How answers travel to the browser.

use leptos::server_fn::{ContentType, Decodes, Encodes, Format, FormatType};
use serde::{Serialize, de::DeserializeOwned};

/// JSON that is read as text, as leptos reads what a page brings along: the code that reads each type is then in the
/// WASM once, where leptos's own encoding, which reads bytes, would bring it twice.
pub struct JsonText;

impl ContentType for JsonText {
    const CONTENT_TYPE: &'static str = "application/json";
}

impl FormatType for JsonText {
    const FORMAT_TYPE: Format = Format::Text;
}

impl<T: Serialize> Encodes<T> for JsonText {
    type Error = serde_json::Error;

    fn encode(value: &T) -> Result<bytes::Bytes, Self::Error> {
        serde_json::to_string(value).map(bytes::Bytes::from)
    }
}

impl<T: DeserializeOwned> Decodes<T> for JsonText {
    type Error = serde_json::Error;

    fn decode(bytes: bytes::Bytes) -> Result<T, Self::Error> {
        serde_json::from_str(&String::from_utf8_lossy(&bytes))
    }
}
