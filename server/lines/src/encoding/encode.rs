//! Encodes lines.

use super::{HEAD, frame, number, paths};
use crate::{
    branches::Branches,
    file::FileLines,
    limits::{Limits, TooLarge},
    line::State,
    record::Lines,
};

impl Lines {
    /// Encodes the lines.
    ///
    /// # Errors
    ///
    /// If the lines exceed the limits.
    pub fn encode(&self, limits: &Limits) -> Result<Vec<u8>, TooLarge> {
        let states: usize = self.files().map(|(_, file)| bytes_of_states(file)).sum();
        self.within(limits)?;
        if states > limits.unpacked_bytes {
            return Err(TooLarge);
        }
        let mut body = Vec::with_capacity(states + self.len() + self.files().len() * 64);
        paths::write(&mut body, self.files().map(|(path, _)| path))?;
        for (_, file) in self.files() {
            write_states(file, &mut body);
        }
        for (_, file) in self.files() {
            let hits = file.lines().iter().map(|line| line.hits());
            body.extend(hits.filter(|&hits| hits > 0));
        }
        for (_, file) in self.files() {
            write_branches(file, &mut body);
        }
        if body.len() > limits.unpacked_bytes {
            return Err(TooLarge);
        }
        frame::pack(HEAD, &body)
    }
}

fn last(file: &FileLines) -> u32 {
    file.lines().last().map_or(0, |line| line.number())
}

fn bytes_of_states(file: &FileLines) -> usize {
    let last = last(file);
    number::len(last) + last.div_ceil(4) as usize
}

fn write_states(file: &FileLines, body: &mut Vec<u8>) {
    let last = last(file);
    number::write(body, last);
    let start = body.len();
    body.resize(start + last.div_ceil(4) as usize, 0);
    let states = &mut body[start..];
    for line in file.lines() {
        let index = line.number() - 1;
        let bits = match line.state() {
            State::Missed => 1,
            State::Partial => 2,
            State::Hit => 3,
        };
        states[index as usize / 4] |= bits << (index % 4 * 2);
    }
}

fn write_branches(file: &FileLines, body: &mut Vec<u8>) {
    let mut rows = file.all_branches().peekable();
    for line in file.in_state(State::Partial) {
        match rows.next_if(|(of, _)| *of == line.number()) {
            Some((_, branches)) => write_row(branches, body),
            None => body.push(0),
        }
    }
}

fn write_row(branches: &Branches, body: &mut Vec<u8>) {
    let (taken, total) = branches.stated();
    number::write(body, total);
    number::write(body, taken);
    number::write(body, branches.missed_only.into());
    for names in [branches.missed().unwrap_or_default(), branches.reached()] {
        // At most 1,024 names.
        number::write(body, u32::try_from(names.len()).unwrap_or(0));
        let mut before = 0;
        for &name in names {
            number::write(body, name - before);
            before = name;
        }
    }
}
