//! The parts of a base that were not measured at the head.

use crate::{Store, StoreError, blocking::blocking, run::Run};
use ::lines::{AbsentParts, Limits, Lines};
use domain::PartName;
use std::collections::BTreeSet;

/// A part that is carried forward is not absent.
pub(crate) const MEASURED: &str = "
    select q.part from record_parts q where q.record_id = $1 and q.skip_reason is null
    union
    select k.part from carried_parts k where k.record_id = $1";

/// The absent parts; `None` if there are none, if the lines of a part of the base are not kept, or if they are too many.
pub(super) async fn absent(
    store: &Store,
    base: i64,
    head: i64,
) -> Result<Option<AbsentParts>, StoreError> {
    let (of_base, of_head) = (united(store, base).await?, united(store, head).await?);
    if of_base.is_subset(&of_head) {
        return Ok(None);
    }
    let (mut absent, mut others) = (Vec::new(), Lines::default());
    // All absent parts are in memory at once, so they share the limits of one.
    let mut room = Limits::default();
    for part in of_base {
        let Some(lines) = store.united_part_lines(base, &part).await? else {
            return Ok(None);
        };
        if !of_head.contains(&part) {
            match lines.rest_of(room) {
                Some(rest) => room = rest,
                None => return Ok(None),
            }
            absent.push((String::from(part).into(), lines));
            continue;
        }
        match blocking(move || others.united(lines, &Limits::default())).await? {
            Ok(united) => others = united,
            Err(::lines::TooLarge) => return Ok(None),
        }
    }
    Ok(Some(AbsentParts { absent, others }))
}

/// The parts of a record whose lines are united in it. A record without rows of parts has the unnamed part.
async fn united(store: &Store, record: i64) -> Result<BTreeSet<PartName>, StoreError> {
    let names: Vec<PartName> = store.values(MEASURED, [record]).await?;
    if names.is_empty() {
        return Ok([PartName::default()].into());
    }
    Ok(names.into_iter().collect())
}
