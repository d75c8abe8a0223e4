//! A report of any size that is in memory nowhere: its parts are made as they are read.

use std::io::{self, Read};
use std::rc::Rc;

use super::{Model, Odd, Out, SourceFile, Writer};

/// Reads a report part by part.
pub struct Stream<'a> {
    parts: Box<dyn Iterator<Item = Rc<[u8]>> + 'a>,
    part: Rc<[u8]>,
    at: usize,
}

impl<'a> Stream<'a> {
    /// A report of a few files, written again and again until it is `bytes` long.
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

    /// A report of `count` files, each made when it is its turn. It states the totals of `stated`, or none.
    pub fn of_files(
        writer: &'a Writer,
        stated: Option<&'a Model>,
        count: usize,
        mut file: impl FnMut(usize) -> SourceFile + 'a,
    ) -> Self {
        let odd = match stated {
            Some(_) => Odd::none(),
            None => Odd::new(1 << super::Oddity::Unstated as u16, 0),
        };
        let model = stated.cloned().unwrap_or_default();
        let mut out = Out::new(odd);
        (writer.head)(&mut out, &model);
        let mut id = 0;
        Self::new(std::iter::from_fn(move || {
            id += 1;
            match id - 1 {
                id if id < count => (writer.file)(&mut out, &file(id)),
                id if id == count => (writer.tail)(&mut out, &model),
                _ => return None,
            }
            Some(part(&mut out))
        }))
    }

    fn new(parts: impl Iterator<Item = Rc<[u8]>> + 'a) -> Self {
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

impl Read for Stream<'_> {
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
