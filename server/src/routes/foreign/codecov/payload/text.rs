//! The text of legacy clients: sections that end with a marker line, of which `# path=NAME` begins a coverage file.

use super::{PATHS_BYTES, failed, take};
use crate::routes::foreign::codecov::window::Window;
use ingest::{ForeignFiles, IngestError, Meter};
use std::io::{self, Read};

const FILE: &[u8] = b"# path=";
const MARKER: &[u8] = b"<<<<<< ";
const FILE_ENDS: &[u8] = b"<<<<<< EOF";
const PATHS_END: &[u8] = b"<<<<<< network";
const ENVIRONMENT_ENDS: &[u8] = b"<<<<<< ENV";

/// What follows is not part of a report.
const IGNORED: &[u8] = b"==FROMNOWONIGNOREDBYCODECOV==>>>";

/// The bytes that decide what a line is.
const LOOK_AHEAD: usize = 64;

/// The most bytes of a section without a name, which is kept until its end says what it is.
const UNNAMED_BYTES: usize = PATHS_BYTES;

/// The file with the lines that the client would leave out. They count here, so that the numbers equal an upload of the same file.
const FIXES: &str = "fixes";

pub(super) fn read<R: Read>(
    mut window: Window<R>,
    meter: &Meter,
    files: &mut ForeignFiles,
) -> Result<(), IngestError> {
    let io = |error| failed(meter, error);
    loop {
        let ahead = window.peek(LOOK_AHEAD).map_err(io)?;
        match ahead {
            [] => return Ok(()),
            [byte, ..] if byte.is_ascii_whitespace() => window.consume(1),
            ahead if ahead.starts_with(FILE) => {
                let name = line(&mut window).map_err(io)?;
                let name = name.strip_prefix("# path=").unwrap_or_default().to_owned();
                let mut section = Section::new(&mut window);
                match name.as_str() {
                    FIXES => {}
                    _ => take(&name, &mut section, meter, files)?,
                }
                io::copy(&mut section, &mut io::sink()).map_err(io)?;
                line(&mut window).map_err(io)?;
            }
            _ => unnamed(&mut window, meter, files)?,
        }
    }
}

/// Reads a section without a name: variables of the job, the paths of the repository, or a coverage file.
fn unnamed<R: Read>(
    window: &mut Window<R>,
    meter: &Meter,
    files: &mut ForeignFiles,
) -> Result<(), IngestError> {
    let io = |error| failed(meter, error);
    let mut section = Section::new(window);
    let mut content = Vec::new();
    (&mut section)
        .take(UNNAMED_BYTES as u64)
        .read_to_end(&mut content)
        .map_err(io)?;
    let rest = io::copy(&mut section, &mut io::sink()).map_err(io)?;
    let marker = line(window).map_err(io)?;
    match marker.as_bytes() {
        marker if marker.starts_with(ENVIRONMENT_ENDS) => {}
        marker if marker.starts_with(PATHS_END) => {
            let names = content.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
            let names = names.filter(|name| !name.is_empty());
            files.set_paths(names.flat_map(|name| [name, b"\0"].concat()).collect());
        }
        _ if rest > 0 => {
            let long = "a coverage file without `# path=` is too long".to_owned();
            return Err(IngestError::CorruptPayload(long));
        }
        _ => take("", &*content, meter, files)?,
    }
    Ok(())
}

/// Reads a line to its end, and keeps only the start of the line.
fn line<R: Read>(window: &mut Window<R>) -> io::Result<String> {
    const KEPT: usize = 4_096;
    let mut line = Vec::new();
    while let Some(byte) = window.next()? {
        if byte == b'\n' {
            break;
        }
        if line.len() < KEPT {
            line.push(byte);
        }
    }
    Ok(String::from_utf8_lossy(&line).trim().to_owned())
}

/// The content of a section, up to its marker line, which is left.
struct Section<'a, R> {
    window: &'a mut Window<R>,
    is_at_start_of_line: bool,
    is_ignored: bool,
}

impl<'a, R: Read> Section<'a, R> {
    fn new(window: &'a mut Window<R>) -> Self {
        Self {
            window,
            is_at_start_of_line: true,
            is_ignored: false,
        }
    }

    /// Whether the next line ends the section.
    fn is_over(ahead: &[u8]) -> bool {
        ahead.starts_with(MARKER)
            && [FILE_ENDS, PATHS_END, ENVIRONMENT_ENDS]
                .iter()
                .any(|marker| ahead.starts_with(marker))
    }
}

impl<R: Read> Read for Section<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let ahead = self.window.peek(LOOK_AHEAD)?;
            if ahead.is_empty() || (self.is_at_start_of_line && Self::is_over(ahead)) {
                return Ok(0);
            }
            self.is_ignored |= self.is_at_start_of_line && ahead.starts_with(IGNORED);
            let line = ahead.iter().position(|byte| *byte == b'\n');
            let line = line.map_or(ahead.len(), |end| end + 1);
            let bytes = match self.is_ignored {
                true => line,
                false => line.min(buffer.len()),
            };
            self.is_at_start_of_line = ahead[..bytes].ends_with(b"\n");
            if !self.is_ignored {
                buffer[..bytes].copy_from_slice(&ahead[..bytes]);
            }
            self.window.consume(bytes);
            if !self.is_ignored {
                return Ok(bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections(text: &str) -> Vec<String> {
        let mut window = Window::new(text.as_bytes());
        let mut found = Vec::new();
        while !window.peek(1).expect("bytes").is_empty() {
            let mut content = String::new();
            let mut section = Section::new(&mut window);
            section.read_to_string(&mut content).expect("a section");
            found.push(content);
            line(&mut window).expect("a marker");
        }
        found
    }

    #[test]
    fn a_section_ends_at_a_line_that_begins_with_its_marker() {
        let text = "A=1\n<<<<<< ENV\na.py\nb.py\n<<<<<< network\n# path=c.xml\nx <<<<<< EOF\n<<<<<< no\n<<<<<< EOF\n";
        let expected = [
            "A=1\n",
            "a.py\nb.py\n",
            "# path=c.xml\nx <<<<<< EOF\n<<<<<< no\n",
        ];
        assert_eq!(sections(text), expected);
        assert_eq!(
            sections("a\n==FROMNOWONIGNOREDBYCODECOV==>>>\nb\n<<<<<< EOF"),
            ["a\n"]
        );
    }

    #[test]
    fn a_line_longer_than_the_buffer_is_one_line() {
        let long = "x".repeat(200_000) + "<<<<<< EOF\n";
        assert_eq!(sections(&format!("{long}<<<<<< EOF\n")), [long]);
    }
}
