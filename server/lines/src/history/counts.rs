//! The numbers of lines by file and origin. Totals of new lines need no lines.

use super::{History, Origin};
use crate::{
    encoding::{DecodeError, frame, number},
    limits::{Limits, TooLarge},
    record::Lines,
};
use std::collections::{BTreeMap, HashMap};

/// The version, and the name.
const HEAD: frame::Head = *b"CVO\x01";

/// The lines of a file with one origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OriginCount {
    /// The origin.
    pub origin: Origin,
    /// Lines that ran.
    pub covered: u32,
    /// All coverable lines.
    pub coverable: u32,
}

/// The numbers of lines by file and origin, in the order of paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OriginCounts {
    files: Vec<(Box<str>, Vec<OriginCount>)>,
}

impl History {
    /// Counts the lines by file and origin. `lines` are the lines of the record.
    pub fn counts(&self, lines: &Lines) -> OriginCounts {
        let files = self.files_with(lines, |history| history.origin);
        let files = files.map(|(path, file, origins)| {
            let mut counts: BTreeMap<Origin, (u32, u32)> = BTreeMap::new();
            let of_lines: Vec<_> = origins.zip(file.lines()).collect();
            // Most lines have the origin of their neighbour.
            for same in of_lines.chunk_by(|(one, _), (other, _)| one == other) {
                let ran = same.iter().filter(|(_, line)| line.ran()).count();
                let (covered, coverable) = counts.entry(same[0].0).or_default();
                // A file has less than 2³² lines.
                *covered += u32::try_from(ran).unwrap_or(u32::MAX);
                *coverable += u32::try_from(same.len()).unwrap_or(u32::MAX);
            }
            let counts = counts
                .into_iter()
                .map(|(origin, (covered, coverable))| OriginCount {
                    origin,
                    covered,
                    coverable,
                });
            (path.into(), counts.collect())
        });
        OriginCounts {
            files: files.collect(),
        }
    }
}

impl OriginCounts {
    /// The files, in the order of their paths.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&str, &[OriginCount])> {
        self.files.iter().map(|(path, counts)| (&**path, &**counts))
    }

    /// Encodes the counts: the distinct origins; then for each file its path, front-coded, the number of its origins, and for each
    /// the index of the origin, the number of lines that ran, and of other lines.
    ///
    /// # Errors
    ///
    /// If the counts exceed the limits.
    pub fn encode(&self, limits: &Limits) -> Result<Vec<u8>, TooLarge> {
        let mut indexes: HashMap<Origin, u32> = HashMap::new();
        let (mut origins, mut body) = (Vec::new(), Vec::new());
        let mut before: &[u8] = &[];
        for (path, counts) in self.files() {
            number::write_text(&mut body, before, path.as_bytes());
            before = path.as_bytes();
            number::write(&mut body, number_of(counts.len())?);
            for count in counts {
                let index = number_of(origins.len())?;
                let index = *indexes.entry(count.origin).or_insert_with(|| {
                    origins.push(count.origin);
                    index
                });
                number::write(&mut body, index);
                number::write(&mut body, count.covered);
                number::write(&mut body, count.coverable - count.covered);
            }
        }
        let mut head = super::encoding::origins(&origins)?;
        number::write(&mut head, number_of(self.files.len())?);
        head.extend(body);
        match head.len() > limits.unpacked_bytes {
            true => Err(TooLarge),
            false => frame::pack(HEAD, &head),
        }
    }

    /// Decodes counts.
    ///
    /// # Errors
    ///
    /// If the bytes are no counts, or exceed the limits.
    pub fn decode(blob: &[u8], limits: &Limits) -> Result<Self, DecodeError> {
        let body = frame::unpack(HEAD, blob, limits.unpacked_bytes)?;
        let mut rest = body.as_slice();
        let decoded = read(&mut rest, limits)?;
        rest.is_empty()
            .then_some(decoded)
            .ok_or(DecodeError::Damaged)
    }
}

fn number_of(length: usize) -> Result<u32, TooLarge> {
    u32::try_from(length).map_err(|_| TooLarge)
}

/// Each file takes at least three bytes, and each origin of a file three.
fn read(rest: &mut &[u8], limits: &Limits) -> Result<OriginCounts, DecodeError> {
    let damaged = DecodeError::Damaged;
    let origins = super::encoding::read_origins(rest, limits.lines).ok_or(damaged)?;
    let length = number::read_length(rest, 3).ok_or(damaged)?;
    if length > limits.files {
        return Err(TooLarge.into());
    }
    let (mut files, mut path) = (Vec::with_capacity(length), Vec::new());
    let (mut room, mut lines) = (limits.path_bytes, limits.lines);
    for _ in 0..length {
        number::read_text(rest, &mut path).ok_or(damaged)?;
        let text = str::from_utf8(&path).map_err(|_| damaged)?;
        room = room.checked_sub(text.len()).ok_or(TooLarge)?;
        let counts = read_file(rest, &origins).ok_or(damaged)?;
        // Each origin of a file has a line.
        lines = lines.checked_sub(counts.len()).ok_or(TooLarge)?;
        files.push((text.into(), counts));
    }
    Ok(OriginCounts { files })
}

fn read_file(rest: &mut &[u8], origins: &[Origin]) -> Option<Vec<OriginCount>> {
    let length = number::read_length(rest, 3)?;
    let counts = (0..length).map(|_| {
        let origin = *origins.get(number::read(rest)? as usize)?;
        let (covered, missed) = (number::read(rest)?, number::read(rest)?);
        Some(OriginCount {
            origin,
            covered,
            coverable: covered.checked_add(missed)?,
        })
    });
    counts.collect()
}
