//! Reading a part of a file that others read at the same time.

use std::{
    fs::File,
    io::{self, Read},
    os::unix::fs::FileExt,
    sync::Arc,
};

/// A range of a shared file.
#[derive(Debug)]
pub struct EntryReader {
    file: Arc<File>,
    position: u64,
    left: u64,
}

impl EntryReader {
    pub(super) fn new(file: Arc<File>, position: u64, length: u64) -> Self {
        Self {
            file,
            position,
            left: length,
        }
    }
}

impl Read for EntryReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let read = self.file.read_at(&mut buffer[..wanted], self.position)?;
        if read == 0 && wanted > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.position += read as u64;
        self.left -= read as u64;
        Ok(read)
    }
}
