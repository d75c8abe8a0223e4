//! The names of parts whose client does not name them: jobs of one matrix send the same flags.

use crate::IngestError;
use domain::{PartName, text::hexadecimal};
use lines::{Limits, Lines};
use sha2::{Digest, Sha256};
use store::{NewRecord, Store, StoreError};
use tokio::task;

/// The bytes of a digest that a name has.
const DIGEST_BYTES: usize = 4;

/// The most bytes of a name before its digest.
const STATED_BYTES: usize = 55;

/// Chooses the name of an uploaded part: `stated`, unless the commit has a part of this name with another result. Then the name ends
/// with a digest of the result, so that the same result again replaces it. A repetition counts as the same if its lines have the same
/// states: numbers of hits differ from run to run.
pub(crate) async fn choose(
    store: &Store,
    new: &mut NewRecord,
    stated: &PartName,
) -> Result<(), IngestError> {
    let writer = store.writer();
    let (key, right) = (new.stated.key(), &new.stated.main_right);
    let others = writer.other_parts(key, right, stated).await?;
    new.part.name = stated.clone();
    let Some(record) = others.record_id.filter(|_| others.has_part) else {
        new.part.must_be_new = true;
        return Ok(());
    };
    new.part.must_be_new = false;
    let Some(states) = &new.line_states else {
        return Ok(());
    };
    let Some(former) = writer.part_lines(record, stated).await? else {
        return Ok(());
    };
    let encoded = states.encoded.clone();
    let digests = task::spawn_blocking(move || {
        let own = Lines::decode(&encoded, &Limits::default())?;
        Ok((digest(&own), digest(&former)))
    });
    let (own, former) = digests
        .await?
        .map_err(|source| StoreError::Lines { record, source })?;
    if own != former {
        new.part.name = with_digest(stated, &own);
    }
    Ok(())
}

fn with_digest(stated: &PartName, digest: &[u8]) -> PartName {
    let digest = hexadecimal(&digest[..digest.len().min(DIGEST_BYTES)]);
    let start = stated.as_str();
    let start = &start[..start.len().min(STATED_BYTES)];
    let name = match start.is_empty() {
        true => digest,
        false => format!("{start}-{digest}"),
    };
    name.parse().unwrap_or_else(|_| stated.clone())
}

/// The digest of paths and states of lines.
fn digest(lines: &Lines) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for (path, file) in lines.files() {
        hasher.update(path.as_bytes());
        hasher.update([0]);
        for line in file.lines() {
            hasher.update(line.number().to_le_bytes());
            hasher.update([line.state() as u8]);
        }
        hasher.update([0; 4]);
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_digest_is_a_name_of_a_part() {
        for (stated, expected) in [
            ("unit-py", "unit-py-abababab".to_owned()),
            ("", "abababab".to_owned()),
            (&"a".repeat(64), format!("{}-abababab", "a".repeat(55))),
        ] {
            let stated = PartName::try_from(stated.to_owned()).expect("a part");
            assert_eq!(with_digest(&stated, &[0xab; 32]).as_str(), expected);
        }
    }
}
