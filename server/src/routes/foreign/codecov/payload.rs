//! The body of an upload of Codecov's clients: JSON with compressed coverage files, or text with marker lines. Every stage is metered
//! while it is read; no stated size is trusted.

mod text;

use crate::routes::foreign::receive;

use super::{
    json::{Json, Next},
    window::Window,
};
use base64::{prelude::BASE64_STANDARD, read::DecoderReader};
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use ingest::{BodyReader, ForeignFiles, IngestError, Meter, Received};
use std::{
    io::{self, Read},
    time::Duration,
};

/// The most bytes of a name.
const NAME_BYTES: usize = 4_096;

/// The most bytes of the list of the repository's files; a longer list is ignored by its reader.
const PATHS_BYTES: usize = (16 << 20) + 1;

const GZIP: &[u8] = &[0x1f, 0x8b];

/// How the body of an upload is read.
pub(super) fn whole() -> receive::Read {
    receive::Read {
        files: read,
        early_body: None,
        waited: Duration::ZERO,
        notice: None,
    }
}

/// Reads the coverage files of a body, plain or compressed with gzip.
///
/// # Errors
///
/// If the body is damaged, exceeds a limit, or has too many coverage files.
fn read(
    body: Received<BodyReader>,
    meter: &Meter,
    files: &mut ForeignFiles,
) -> Result<(), IngestError> {
    let mut window = Window::new(body);
    let is_gzip = window
        .peek(GZIP.len())
        .map_err(|error| failed(meter, error))?
        .starts_with(GZIP);
    match is_gzip {
        true => {
            let plain = meter.unpack(MultiGzDecoder::new(Rest(window)));
            read_plain(Window::new(plain), meter, files)
        }
        false => read_plain(window, meter, files),
    }
}

fn read_plain<R: Read>(
    mut window: Window<R>,
    meter: &Meter,
    files: &mut ForeignFiles,
) -> Result<(), IngestError> {
    let start = window.peek(1).map_err(|error| failed(meter, error))?;
    match start.first() {
        Some(b'{') => read_json(&mut Json::new(window), meter, files),
        _ => text::read(window, meter, files),
    }
}

fn read_json<R: Read>(
    json: &mut Json<R>,
    meter: &Meter,
    files: &mut ForeignFiles,
) -> Result<(), IngestError> {
    let io = |error| failed(meter, error);
    json.enter(b'{').map_err(io)?;
    let mut is_first = true;
    while json.has_more(b'}', is_first).map_err(io)? {
        is_first = false;
        let name = json.name(NAME_BYTES).map_err(io)?;
        let next = json.next().map_err(io)?;
        match (name.as_str(), next) {
            ("network_files", Next::Array) => files.set_paths(paths(json).map_err(io)?),
            ("coverage_files", Next::Array) => read_files(json, meter, files)?,
            _ => json.skip().map_err(io)?,
        }
    }
    Ok(())
}

/// The list of the repository's files, as `git ls-files -z` prints it.
fn paths<R: Read>(json: &mut Json<R>) -> io::Result<Vec<u8>> {
    let (mut listed, mut is_first) = (Vec::new(), true);
    json.enter(b'[')?;
    while json.has_more(b']', is_first)? {
        is_first = false;
        let path = match json.next()? {
            Next::Text => json.short_text(NAME_BYTES)?,
            _ => {
                json.skip()?;
                continue;
            }
        };
        if !path.is_empty() && listed.len() < PATHS_BYTES {
            listed.extend_from_slice(path.as_bytes());
            listed.push(0);
        }
    }
    Ok(listed)
}

fn read_files<R: Read>(
    json: &mut Json<R>,
    meter: &Meter,
    files: &mut ForeignFiles,
) -> Result<(), IngestError> {
    let io = |error| failed(meter, error);
    json.enter(b'[').map_err(io)?;
    let mut is_first = true;
    while json.has_more(b']', is_first).map_err(io)? {
        is_first = false;
        match json.next().map_err(io)? {
            Next::Object => read_file(json, meter, files)?,
            _ => json.skip().map_err(io)?,
        }
    }
    Ok(())
}

/// Reads one coverage file: its name and its format come before its content, as the clients write them.
fn read_file<R: Read>(
    json: &mut Json<R>,
    meter: &Meter,
    files: &mut ForeignFiles,
) -> Result<(), IngestError> {
    let io = |error| failed(meter, error);
    json.enter(b'{').map_err(io)?;
    let (mut name, mut is_plain, mut is_first) = (String::new(), false, true);
    while json.has_more(b'}', is_first).map_err(io)? {
        is_first = false;
        let member = json.name(NAME_BYTES).map_err(io)?;
        let next = json.next().map_err(io)?;
        match (member.as_str(), next) {
            ("filename", Next::Text) => name = json.short_text(NAME_BYTES).map_err(io)?,
            ("format", Next::Text) => {
                is_plain = json.short_text(NAME_BYTES).map_err(io)? != "base64+compressed";
            }
            ("data", Next::Text) => {
                let mut text = json.text().map_err(io)?;
                if is_plain {
                    take(&name, &mut text, meter, files)?;
                } else {
                    let decoded = DecoderReader::new(&mut text, &BASE64_STANDARD);
                    let plain = meter.unpack(ZlibDecoder::new(decoded));
                    take(&name, plain, meter, files)?;
                }
                text.skip().map_err(io)?;
            }
            _ => json.skip().map_err(io)?,
        }
    }
    Ok(())
}

/// Reads a coverage file, and its content to the end.
fn take(
    name: &str,
    mut content: impl Read,
    meter: &Meter,
    files: &mut ForeignFiles,
) -> Result<(), IngestError> {
    files.read(name, &mut content)?;
    io::copy(&mut content, &mut io::sink()).map_err(|error| failed(meter, error))?;
    Ok(())
}

/// The cause of a failure: a limit, or damage.
fn failed(meter: &Meter, error: io::Error) -> IngestError {
    match meter.explain(error) {
        IngestError::CorruptArchive(error) => IngestError::CorruptPayload(error.to_string()),
        cause => cause,
    }
}

/// What is left of a window, as a reader.
struct Rest<R>(Window<R>);

impl<R: Read> Read for Rest<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ahead = self.0.peek(1)?;
        let bytes = ahead.len().min(buffer.len());
        buffer[..bytes].copy_from_slice(&ahead[..bytes]);
        self.0.consume(bytes);
        Ok(bytes)
    }
}
