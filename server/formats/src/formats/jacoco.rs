//! JaCoCo: `report > group* > package > sourcefile > line`, with counters at every level.
//!
//! The counter of the whole report is a child of the root, near the end of the file. The first counter in a file belongs to
//! a method. Counters of methods and classes overlap and are never added up for lines.
//! Without lines, as in classes without debug information, the total is in instructions.
//!
//! Source: <https://www.jacoco.org/jacoco/trunk/coverage/report.dtd>, and what writers do beyond it.

use super::reader::{Inside, Root};
use crate::count::Count;
use crate::counter::{Counter, Counters};
use crate::error::ReportError;
use crate::files::Files;
use crate::findings::Findings;
use crate::number::integer;
use crate::xml::Xml;

/// Reports of other kinds have the same root. An empty report is recognised by its name only.
pub(super) fn claims(root: &Root, inside: Inside<'_>) -> bool {
    const CHILDREN: [&str; 4] = ["counter", "package", "group", "sessioninfo"];
    let is_empty = inside == Inside::Nothing && root.has("name");
    is_empty || CHILDREN.iter().any(|child| inside.is(child))
}

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    xml.root_text(b"name", &mut found.project)?;
    let mut classes = Counters::default();
    xml.every_child(|xml| match xml.name() {
        b"counter" => add_counter(xml, &mut found.stated),
        _ => part(xml, "", &mut classes, found),
    })?;
    // Source files may lack counters that classes have.
    for (counter, count) in classes.iter() {
        if found.stated.get(counter).is_none() && !found.files.know(counter) {
            found.stated.add(counter, count);
        }
    }
    if found.stated.get(Counter::Line).is_none() && !found.files.know(Counter::Line) {
        found.total = &[Counter::Instruction];
    }
    Ok(())
}

/// The most groups that are kept.
const MAX_GROUPS: usize = 1_000;

/// Reads a group, a package, or an element of one. `folder` is the folder of its files. `classes` gets the counts of classes.
fn part(
    xml: &mut Xml<'_>,
    folder: &str,
    classes: &mut Counters,
    found: &mut Findings,
) -> Result<(), ReportError> {
    match xml.name() {
        kind @ (b"group" | b"package") => {
            let folder = xml.path_in(folder)?;
            if kind == b"group" && found.groups.len() < MAX_GROUPS {
                found.groups.push(folder.clone());
            }
            xml.every_child(|xml| part(xml, &folder, classes, found))
        }
        b"sourcefile" => source_file(xml, folder, &mut found.files),
        b"class" => xml.children(b"counter", |xml| add_counter(xml, classes)),
        _ => xml.skip(),
    }
}

fn source_file(xml: &mut Xml<'_>, folder: &str, files: &mut Files) -> Result<(), ReportError> {
    files.enter(&xml.path_in(folder)?);
    let mut stated = Counters::default();
    let mut listed = [
        (Counter::Instruction, Count::ZERO),
        (Counter::Branch, Count::ZERO),
    ];
    while xml.child()? {
        match xml.name() {
            b"line" => line(xml, &mut listed, files)?,
            b"counter" => add_counter(xml, &mut stated)?,
            _ => xml.skip()?,
        }
    }
    // Listed lines count only if no counter is stated, and only once: a file that appears twice may list the same lines.
    for (counter, count) in listed {
        if stated.get(counter).is_none() && !files.states(counter) {
            stated.add(counter, count.non_empty());
        }
    }
    files.add_all(&stated);
    Ok(())
}

/// Reads a line, and adds its instructions and branches to `listed`.
///
/// gcovr writes lines without instructions, which do not state whether the line ran, and Kover some with 0 of 0. As JaCoCo
/// defines it, a line counts if it has instructions or branches.
fn line(
    xml: &mut Xml<'_>,
    listed: &mut [(Counter, Count); 2],
    files: &mut Files,
) -> Result<(), ReportError> {
    let mut number = None;
    // Covered and missed.
    let (mut instructions, mut branches) = ([None; 2], [None; 2]);
    xml.attributes(|name, value| match name {
        b"nr" => number = integer(value),
        b"ci" => instructions[0] = integer(value),
        b"mi" => instructions[1] = integer(value),
        b"cb" => branches[0] = integer(value),
        b"mb" => branches[1] = integer(value),
        _ => {}
    })?;
    let is_empty = |counts| counts == [Some(0); 2];
    let counts = if is_empty(instructions) {
        branches
    } else {
        instructions
    };
    if let (Some(number @ 1..), [Some(covered), _]) = (number, counts)
        && !is_empty(counts)
    {
        files.line(number, u64::from(covered > 0));
        if let [Some(taken), Some(missed)] = branches {
            let branches = Count::of_missed(taken, missed);
            files.branches_on(number, branches);
        }
    }
    for ((_, sum), counts) in listed.iter_mut().zip([instructions, branches]) {
        if let [Some(covered), Some(missed)] = counts {
            *sum = sum.plus(Count::of_missed(covered, missed));
        }
    }
    xml.skip()
}

/// Reads a `counter` and adds it to the count of its kind.
fn add_counter(xml: &mut Xml<'_>, to: &mut Counters) -> Result<(), ReportError> {
    let (mut counter, mut missed, mut covered) = (None, None, None);
    xml.attributes(|name, value| match name {
        b"type" => counter = counter_of(value),
        b"missed" => missed = integer(value),
        b"covered" => covered = integer(value),
        _ => {}
    })?;
    if let (Some(counter), Some(missed), Some(covered)) = (counter, missed, covered) {
        let count = Count::of_missed(covered, missed);
        to.add(counter, count.non_empty());
    }
    xml.skip()
}

/// `COMPLEXITY` does not count places in the code: it is the number of paths through a method.
fn counter_of(kind: &[u8]) -> Option<Counter> {
    match kind {
        b"INSTRUCTION" => Some(Counter::Instruction),
        b"LINE" => Some(Counter::Line),
        b"BRANCH" => Some(Counter::Branch),
        b"METHOD" => Some(Counter::Function),
        b"CLASS" => Some(Counter::Class),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
