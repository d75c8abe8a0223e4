//! The body of a job: multipart, a form or JSON, plain or compressed with gzip. It arrives before its token, so it is bounded, and
//! only its members and its packed files are kept.

use super::{
    form::FormDecoder,
    split::{MAX_JSON_BYTES, Split, SplitError, Splitter},
};
use crate::{
    http::error::{ApiError, Code},
    routes::upload::Incoming,
};
use axum::{
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, FromRequest, Multipart, Request, multipart::MultipartError},
    http::{HeaderMap, HeaderValue, header},
};
use flate2::write::GzDecoder;
use futures::{Stream, StreamExt, TryStreamExt};
use ingest::IngestError;
use std::io::{self, Write};
use tokio::{sync::mpsc, task};

/// The fields of a form that can have the job.
const FIELDS: [&str; 2] = ["json_file", FIELD];
const FIELD: &str = "json";

/// The chunks that may wait for the thread that decodes them.
const CHUNKS: usize = 4;

/// The most bytes of a body.
const MAX_BODY_BYTES: u64 = MAX_JSON_BYTES;

const GZIP: &[u8] = &[0x1f, 0x8b];

/// Receives a job.
pub(super) async fn receive(
    headers: &HeaderMap,
    body: Body,
    incoming: &Incoming,
) -> Result<Split, ApiError> {
    match kind(headers) {
        Kind::Multipart(content_type) => of_multipart(content_type, body, incoming).await,
        kind => {
            incoming.begin_part();
            let chunks = body.into_data_stream();
            let chunks = chunks.map_err(|error| IngestError::Body(error.to_string()));
            decode(chunks, matches!(kind, Kind::Form)).await
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// With the content type to read it with.
    Multipart(HeaderValue),
    Form,
    Json,
}

fn kind(headers: &HeaderMap) -> Kind {
    let stated = headers.get(header::CONTENT_TYPE);
    let stated = stated.and_then(|stated| stated.to_str().ok());
    let stated = stated.unwrap_or_default();
    let end = stated.find([';', ',']).unwrap_or(stated.len());
    match stated[..end].trim().to_ascii_lowercase().as_str() {
        "multipart/form-data" => {
            // The Ruby client writes a comma before the boundary.
            let parameters = stated[end..].trim_start_matches([';', ',']);
            let stated = format!("multipart/form-data;{parameters}");
            match HeaderValue::from_str(&stated) {
                Ok(stated) => Kind::Multipart(stated),
                Err(_) => Kind::Json,
            }
        }
        "application/x-www-form-urlencoded" => Kind::Form,
        _ => Kind::Json,
    }
}

async fn of_multipart(
    content_type: HeaderValue,
    body: Body,
    incoming: &Incoming,
) -> Result<Split, ApiError> {
    let mut request = Request::new(body);
    request
        .headers_mut()
        .insert(header::CONTENT_TYPE, content_type);
    DefaultBodyLimit::disable().apply(&mut request);
    let multipart = Multipart::from_request(request, &()).await;
    let mut multipart = multipart.map_err(|rejection| {
        ApiError::malformed(format!(
            "The body is not a form with a job. ({})",
            rejection.body_text()
        ))
    })?;
    while let Some(field) = multipart.next_field().await.map_err(broken)? {
        if field.name().is_some_and(|name| FIELDS.contains(&name)) {
            incoming.begin_part();
            return decode(field.map_err(broken), false).await;
        }
    }
    Err(ApiError::malformed(
        "The form has no field `json_file` or `json` with the job.",
    ))
}

fn too_long() -> ApiError {
    let detail = format!(
        "The job has more than {MAX_BODY_BYTES} bytes; measure fewer files, or send the coverage file with the upload script."
    );
    ApiError::new(Code::UploadTooLarge, detail)
}

fn broken(error: MultipartError) -> IngestError {
    IngestError::Body(error.body_text())
}

/// Decodes a body in another thread. A body that is refused is not received further.
async fn decode(
    mut chunks: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    is_form: bool,
) -> Result<Split, ApiError> {
    let (sender, mut received) = mpsc::channel::<Bytes>(CHUNKS);
    let decoding = task::spawn_blocking(move || {
        let mut decoder = match is_form {
            true => Decoder::Form(FormDecoder::new(FIELD, Splitter::new())),
            false => Decoder::Unknown(Vec::new()),
        };
        while let Some(chunk) = received.blocking_recv() {
            decoder.write(&chunk)?;
        }
        decoder.finish()
    });
    let forwarded = async {
        let mut bytes = 0;
        while let Some(chunk) = chunks.next().await.transpose()? {
            bytes += chunk.len() as u64;
            if bytes > MAX_BODY_BYTES {
                return Err(too_long());
            }
            if sender.send(chunk).await.is_err() {
                break;
            }
        }
        Ok::<_, ApiError>(())
    };
    let forwarded = forwarded.await;
    drop(sender);
    let decoded = decoding.await?;
    // An interrupted body is the cause of an incomplete job.
    forwarded?;
    decoded
}

/// The decoders of a body. JSON may be compressed, whatever its content type states.
enum Decoder {
    /// Fewer bytes than say whether it is compressed.
    Unknown(Vec<u8>),
    Plain(Splitter),
    Gzip(Box<GzDecoder<Splitter>>),
    Form(FormDecoder<Splitter>),
}

impl Decoder {
    fn write(&mut self, bytes: &[u8]) -> Result<(), ApiError> {
        if let Self::Unknown(start) = self {
            start.extend_from_slice(bytes);
            if start.len() < GZIP.len() {
                return Ok(());
            }
            let start = std::mem::take(start);
            *self = match start.starts_with(GZIP) {
                true => Self::Gzip(Box::new(GzDecoder::new(Splitter::new()))),
                false => Self::Plain(Splitter::new()),
            };
            return self.write(&start);
        }
        let written = match self {
            Self::Unknown(_) => Ok(()),
            Self::Plain(splitter) => splitter.write_all(bytes),
            Self::Gzip(decoder) => decoder.write_all(bytes),
            Self::Form(decoder) => decoder.write_all(bytes),
        };
        written.map_err(|error| {
            let splitter = match self {
                Self::Plain(splitter) => Some(&*splitter),
                Self::Gzip(decoder) => Some(decoder.get_ref()),
                Self::Form(decoder) => Some(decoder.get_ref()),
                Self::Unknown(_) => None,
            };
            let failure = splitter.and_then(Splitter::failure);
            match failure {
                Some(failure) => refused(failure),
                None => damaged(&error),
            }
        })
    }

    fn finish(self) -> Result<Split, ApiError> {
        let splitter = match self {
            Self::Unknown(_) => Splitter::new(),
            Self::Plain(splitter) => splitter,
            Self::Gzip(decoder) => decoder.finish().map_err(|error| damaged(&error))?,
            Self::Form(decoder) => {
                if !decoder.is_found {
                    return Err(ApiError::malformed(
                        "The form has no field `json` with the job.",
                    ));
                }
                decoder.finish().map_err(|error| damaged(&error))?
            }
        };
        splitter.finish().map_err(refused)
    }
}

fn refused(failure: SplitError) -> ApiError {
    let detail = format!("The job cannot be read: {failure}.");
    match failure {
        SplitError::TooDeep | SplitError::CutOff => ApiError::malformed(detail),
        _ => ApiError::new(Code::UploadTooLarge, detail),
    }
}

fn damaged(error: &io::Error) -> ApiError {
    ApiError::malformed(format!(
        "The job is cut off or damaged; send it again. ({error})"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};

    fn kind_of(stated: &'static str) -> Kind {
        let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(stated))];
        kind(&HeaderMap::from_iter(headers))
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    async fn decoded(body: &[u8], size: usize) -> Result<String, String> {
        let chunks = body
            .chunks(size)
            .map(|chunk| Ok(Bytes::copy_from_slice(chunk)));
        let chunks: Vec<_> = chunks.collect();
        let split = decode(futures::stream::iter(chunks), false).await;
        let split = split.map_err(|refusal| refusal.detail)?;
        Ok(String::from_utf8(split.members).expect("UTF-8"))
    }

    #[test]
    fn a_comma_before_the_boundary_is_a_semicolon() {
        let multipart = |stated| Kind::Multipart(HeaderValue::from_static(stated));
        for stated in [
            "multipart/form-data; boundary=x",
            "multipart/form-data, boundary=x",
            "Multipart/Form-Data;boundary=x",
        ] {
            let Kind::Multipart(read) = kind_of(stated) else {
                panic!("{stated}");
            };
            assert!(read.to_str().is_ok_and(|read| read.ends_with("boundary=x")));
        }
        assert_eq!(
            kind_of("multipart/form-data"),
            multipart("multipart/form-data;")
        );
        assert_eq!(
            kind_of("application/x-www-form-urlencoded; charset=x"),
            Kind::Form
        );
        assert_eq!(kind_of("application/json"), Kind::Json);
    }

    #[tokio::test]
    async fn json_is_decompressed_wherever_it_is_split() {
        let (plain, packed) = (&b"{\"a\": 1}"[..], gzip(b"{\"a\": 1}"));
        for body in [plain, &packed] {
            for size in 1..=body.len() {
                assert_eq!(decoded(body, size).await.as_deref(), Ok("{\"a\": 1}"));
            }
        }
    }

    #[tokio::test]
    async fn a_damaged_body_is_refused() {
        let packed = gzip(b"{\"a\": 1}");
        let twice = [&*packed, &*packed].concat();
        for body in [
            &packed[..packed.len() - 1],
            &packed[..9],
            &twice,
            b"",
            b"{",
            b"\x1f",
        ] {
            let refusal = decoded(body, 100).await.expect_err("a damaged body");
            assert!(refusal.starts_with("The job "), "{refusal}");
        }
    }

    #[tokio::test]
    async fn a_gzip_bomb_stops_at_the_limit() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"{\"a\":\"").expect("memory");
        for _ in 0..64 {
            encoder.write_all(&[b'x'; 64 << 10]).expect("memory");
        }
        let bomb = encoder.finish().expect("memory");
        let refusal = decoded(&bomb, 4_096).await.expect_err("a bomb");
        assert!(refusal.contains("beside the list of files"), "{refusal}");
    }
}
