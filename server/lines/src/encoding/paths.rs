//! The paths of files in ascending order, front-coded.

use super::{DecodeError, number};
use crate::limits::{Limits, TooLarge};

pub(crate) fn write<'p>(
    body: &mut Vec<u8>,
    paths: impl ExactSizeIterator<Item = &'p str>,
) -> Result<(), TooLarge> {
    number::write(body, u32::try_from(paths.len()).map_err(|_| TooLarge)?);
    let mut before: &[u8] = &[];
    for path in paths {
        number::write_text(body, before, path.as_bytes());
        before = path.as_bytes();
    }
    Ok(())
}

pub(crate) fn read(rest: &mut &[u8], limits: &Limits) -> Result<Vec<Box<str>>, DecodeError> {
    let number = number::read_length(rest, 2).ok_or(DecodeError::Damaged)?;
    if number > limits.files {
        return Err(TooLarge.into());
    }
    let mut paths: Vec<Box<str>> = Vec::with_capacity(number);
    let mut path: Vec<u8> = Vec::new();
    let mut room = limits.path_bytes;
    for _ in 0..number {
        number::read_text(rest, &mut path).ok_or(DecodeError::Damaged)?;
        let text = std::str::from_utf8(&path).map_err(|_| DecodeError::Damaged)?;
        if paths.last().is_some_and(|before| **before >= *text) {
            return Err(DecodeError::Damaged);
        }
        room = room.checked_sub(text.len()).ok_or(TooLarge)?;
        paths.push(text.into());
    }
    Ok(paths)
}
