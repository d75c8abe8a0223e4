//! Compares the files of two records and computes their shares of the change. `domain`'s `Moved` has the arithmetic.

use super::{DecodeError, StoredFiles, decoding::StoredFileReader};
use domain::{
    Change, ChangeCause, ChangeGroup, Count, Moved, MovedFile, MovedGroup, MovedKind,
    rounded_share, share_of_change,
};
use std::{cmp::Ordering, cmp::Reverse};

/// Splits `change`, the change between two records, by their files, and names at most `named` files with the largest shares.
/// `None` if the files cannot be compared.
pub(crate) fn moved(
    base: &StoredFiles,
    head: &StoredFiles,
    change: Change,
    named: usize,
) -> Result<Option<Moved>, DecodeError> {
    if base.counter != head.counter || base.encoded.is_none() || head.encoded.is_none() {
        return Ok(None);
    }
    let shares = Shares {
        base: sum(base)?,
        head: sum(head)?,
    };
    if shares.base.total == 0 || shares.head.total == 0 {
        return Ok(None);
    }
    let mut groups = [Group::default(); 3];
    let mut files: Vec<MovedFile> = Vec::new();
    let mut uncovered = 0;
    each_pair(base, head, |path, kind, before, after| {
        if before == after {
            return;
        }
        let share = shares.of(before, after);
        let file = MovedFile {
            path: path.to_owned(),
            kind,
            before,
            after,
            change: shares.rounded(share),
        };
        uncovered += file.uncovered();
        let group = &mut groups[kind as usize];
        group.files += 1;
        group.share += share;
        files.push(file);
        if files.len() > named * 32 {
            keep_largest(&mut files, &shares, named);
        }
    })?;
    keep_largest(&mut files, &shares, named);
    let [added, removed, changed] = groups.map(|group| MovedGroup {
        files: group.files,
        change: shares.rounded(group.share),
    });
    let moved_files = added.files + removed.files + changed.files;
    let sum =
        |changes: &mut dyn Iterator<Item = Change>| changes.map(Change::basis_points).sum::<i32>();
    let of_groups = sum(&mut [added, removed, changed].iter().map(|group| group.change));
    let of_files = sum(&mut files.iter().map(|file| file.change));
    Ok(Some(Moved {
        counter: head.counter.clone(),
        added,
        removed,
        changed,
        outside_groups: Change::from_basis_points(change.basis_points() - of_groups),
        uncovered,
        other_files: moved_files - files.len() as u32,
        files,
        outside_files: Change::from_basis_points(change.basis_points() - of_files),
    }))
}

/// The effect of each file whose counts differ, if lines are not kept. Empty for unreadable files, and for files that count
/// different things.
pub(crate) fn groups(base: &StoredFiles, head: &StoredFiles) -> Vec<ChangeGroup> {
    let mut groups = Vec::new();
    if base.counter != head.counter {
        return groups;
    }
    let read = each_pair(base, head, |path, kind, before, after| {
        let less = |after: u64, before: u64| after.cast_signed().wrapping_sub(before.cast_signed());
        if before != after {
            groups.push(ChangeGroup {
                path: Some(path.to_owned()),
                covered: less(after.covered, before.covered),
                total: less(after.total, before.total),
                files: 1,
                is_whole_file: kind != MovedKind::Changed,
                ..ChangeGroup::of_no_file(match kind {
                    MovedKind::Added => ChangeCause::Appeared,
                    MovedKind::Removed => ChangeCause::Vanished,
                    MovedKind::Changed => ChangeCause::ChangedSince,
                })
            });
        }
    });
    if let Err(error) = read {
        let reason = error.to_string();
        tracing::error!(reason, "the files of two records cannot be compared");
        groups.clear();
    }
    groups
}

#[derive(Clone, Copy, Default)]
struct Group {
    files: u32,
    share: i128,
}

/// Exact shares of a change, as integers with the denominator `base.total * head.total`.
struct Shares {
    base: Count,
    head: Count,
}

impl Shares {
    /// This cannot overflow: the counts of files and the number of files are bounded.
    fn of(&self, before: Count, after: Count) -> i128 {
        let more = |after: u64, before: u64| i128::from(after) - i128::from(before);
        let change = (
            more(after.covered, before.covered),
            more(after.total, before.total),
        );
        let base = (i128::from(self.base.covered), i128::from(self.base.total));
        share_of_change(change, base)
    }

    /// The share in hundredths of a percentage point, rounded half away from zero.
    fn rounded(&self, share: i128) -> Change {
        let whole = i128::from(self.base.total) * i128::from(self.head.total);
        let points = rounded_share(share, whole, 10_000);
        let points = points.clamp(i128::from(i32::MIN), i128::from(i32::MAX));
        Change::from_basis_points(i32::try_from(points).unwrap_or_default())
    }
}

fn keep_largest(files: &mut Vec<MovedFile>, shares: &Shares, named: usize) {
    files.sort_by(|a, b| {
        let size = |file: &MovedFile| Reverse(shares.of(file.before, file.after).abs());
        size(a).cmp(&size(b)).then_with(|| a.path.cmp(&b.path))
    });
    files.truncate(named);
}

fn sum(stored: &StoredFiles) -> Result<Count, DecodeError> {
    let mut sum = Count::default();
    if let Some(mut files) = stored.read("")? {
        while files.advance()? {
            sum = sum.plus(files.counts().lines);
        }
    }
    Ok(sum)
}

/// Passes the files of both records to `see` in the order of their paths. A common start was removed from the paths of each
/// record. If one of these starts contains the other, the difference is added to the paths again.
fn each_pair(
    base: &StoredFiles,
    head: &StoredFiles,
    mut see: impl FnMut(&str, MovedKind, Count, Count),
) -> Result<(), DecodeError> {
    let (of_base, of_head) = (left_out(base, head), left_out(head, base));
    let (Some(mut base), Some(mut head)) = (base.read(of_base)?, head.read(of_head)?) else {
        return Ok(());
    };
    let lines = |file: &StoredFileReader<'_>| file.counts().lines;
    let (mut has_base, mut has_head) = (base.advance()?, head.advance()?);
    loop {
        let order = match (has_base, has_head) {
            (true, true) => base.path().cmp(head.path()),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => return Ok(()),
        };
        match order {
            Ordering::Less => {
                see(
                    base.path(),
                    MovedKind::Removed,
                    lines(&base),
                    Count::default(),
                );
                has_base = base.advance()?;
            }
            Ordering::Greater => {
                see(
                    head.path(),
                    MovedKind::Added,
                    Count::default(),
                    lines(&head),
                );
                has_head = head.advance()?;
            }
            Ordering::Equal => {
                see(head.path(), MovedKind::Changed, lines(&base), lines(&head));
                has_base = base.advance()?;
                has_head = head.advance()?;
            }
        }
    }
}

/// The start that the paths of `files` lack in comparison with the paths of `others`.
pub(crate) fn left_out<'a>(files: &'a StoredFiles, others: &StoredFiles) -> &'a str {
    if others.root.is_empty() {
        return "";
    }
    files.root.strip_prefix(&others.root).unwrap_or_default()
}
