//! A gzip file: members one after the other, and zeros after the last, which gzip passes over as tapes are padded so.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

pub(super) struct GzipMembers<R> {
    /// None after the last.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipMembers<R> {
    pub(super) fn new(upload: R) -> Self {
        Self {
            member: Some(GzDecoder::new(upload)),
        }
    }

    /// Goes on to the next member, if there is one.
    fn advance(&mut self) -> io::Result<()> {
        let Some(mut upload) = self.member.take().map(GzDecoder::into_inner) else {
            return Ok(());
        };
        match upload.fill_buf()? {
            [] => {}
            [0, ..] => skip_zeros(&mut upload)?,
            _ => self.member = Some(GzDecoder::new(upload)),
        }
        Ok(())
    }
}

fn skip_zeros(upload: &mut impl BufRead) -> io::Result<()> {
    loop {
        let padding = upload.fill_buf()?;
        if padding.is_empty() {
            return Ok(());
        }
        if padding.iter().any(|&byte| byte != 0) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "something else follows the gzip stream",
            ));
        }
        let length = padding.len();
        upload.consume(length);
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            self.advance()?;
        }
        Ok(0)
    }
}
