//! A report of any size that is never completely in memory: its parts are generated while they are read.

use std::io::{self, Read};
use std::rc::Rc;

use super::{Model, Odd, Out, SourceFile, Writer};

/// The part of a path that is replaced with a number.
pub const NUMBER: &str = "00000000";

/// Reads a report part by part.
pub struct Stream {
    parts: Box<dyn Iterator<Item = Rc<[u8]>>>,
    part: Rc<[u8]>,
    at: usize,
}

impl Stream {
    /// A report of a few files, repeated until it has `bytes` bytes.
    pub fn of_repeated_files(writer: &Writer, model: &Model, bytes: usize) -> Self {
        let mut out = Out::new(Odd::none());
        (writer.head)(&mut out, model);
        for file in &model.files {
            (writer.file)(&mut out, file);
        }
        let start = part(&mut out);
        for file in &model.files {
            (writer.file)(&mut out, &file.repeated());
        }
        let repeated = part(&mut out);
        (writer.tail)(&mut out, model);
        let end = part(&mut out);
        let times = bytes / repeated.len();
        let repeats = std::iter::repeat_n(repeated, times);
        Self::new([start].into_iter().chain(repeats).chain([end]))
    }

    /// A report of `count` copies of `file`, whose path contains [`NUMBER`]. Each copy has its own number there.
    pub fn of_numbered_files(writer: &Writer, file: &SourceFile, odd: Odd, count: usize) -> Self {
        let mut out = Out::new(odd);
        (writer.head)(&mut out, &Model::new(vec![file.clone()]));
        let head = part(&mut out);
        (writer.file)(&mut out, file);
        let first = part(&mut out);
        (writer.file)(&mut out, file);
        let mut numbered = out.text.clone().into_bytes();
        out.text.clear();
        (writer.tail)(&mut out, &Model::new(vec![file.clone()]));
        let tail = part(&mut out);

        let starts = numbered.windows(NUMBER.len()).enumerate();
        let starts = starts.filter(|(_, window)| *window == NUMBER.as_bytes());
        let starts: Vec<usize> = starts.map(|(at, _)| at).collect();
        assert!(!starts.is_empty(), "no {NUMBER} in the path");
        let files = (1..count).map(move |number| {
            let number = format!("{number:0width$}", width = NUMBER.len());
            for start in &starts {
                numbered[*start..start + NUMBER.len()].copy_from_slice(number.as_bytes());
            }
            Rc::from(numbered.as_slice())
        });
        Self::new([head, first].into_iter().chain(files).chain([tail]))
    }

    fn new(parts: impl Iterator<Item = Rc<[u8]>> + 'static) -> Self {
        Self {
            parts: Box::new(parts),
            part: Rc::default(),
            at: 0,
        }
    }
}

fn part(out: &mut Out) -> Rc<[u8]> {
    let part = Rc::from(out.text.as_bytes());
    out.text.clear();
    part
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.part.len() {
            match self.parts.next() {
                Some(part) => (self.part, self.at) = (part, 0),
                None => return Ok(0),
            }
        }
        let read = (&self.part[self.at..]).read(buffer)?;
        self.at += read;
        Ok(read)
    }
}
