//! The content of a report, independent of its format.

use std::collections::BTreeSet;

use formats::Count;

use super::random::Random;

/// A program and the coverage of its tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Model {
    pub files: Vec<SourceFile>,
}

/// A source file. Paths are distinct within a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceFile {
    /// The number of the file, for formats that number files.
    pub id: usize,
    pub path: String,
    /// Distinct lines, in any order.
    pub lines: Vec<Line>,
    /// Functions with distinct names.
    pub functions: Vec<Function>,
    /// Whether the file was written before. Counts that readers add up must not be stated again.
    pub is_repeat: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    pub number: u32,
    pub hits: u64,
    /// The number of branches. 0 without a condition.
    pub branches: u32,
    pub taken: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub line: u32,
    pub hits: u64,
}

/// The things that a counter counts in a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    Lines,
    Branches,
    Functions,
    /// Lines, branches and functions together.
    Elements,
    /// Lines and branches together.
    Steps,
    /// Files with lines, each covered if any of its lines is.
    Files,
}

impl SourceFile {
    pub fn count(&self, of: Of) -> Count {
        match of {
            Of::Lines => sum(self.lines.iter().map(|line| Count::one(line.hits > 0))),
            Of::Branches => sum(self.lines.iter().map(|line| {
                Count::new(line.taken.into(), line.branches.into())
                    .expect("no more taken than there are")
            })),
            Of::Functions => sum(self
                .functions
                .iter()
                .map(|function| Count::one(function.hits > 0))),
            Of::Elements => self.count(Of::Steps).plus(self.count(Of::Functions)),
            Of::Steps => self.count(Of::Lines).plus(self.count(Of::Branches)),
            Of::Files if self.lines.is_empty() => Count::ZERO,
            Of::Files => Count::one(self.lines.iter().any(|line| line.hits > 0)),
        }
    }

    /// The folder and the name, for formats that write them separately.
    pub fn folder_and_name(&self) -> (&str, &str) {
        match self.path.rsplit_once('/') {
            Some((folder, name)) if !folder.is_empty() => (folder, name),
            _ => ("", &self.path),
        }
    }

    /// The lines in the order of their numbers.
    pub fn lines_in_order(&self) -> Vec<&Line> {
        let mut lines: Vec<&Line> = self.lines.iter().collect();
        lines.sort_unstable_by_key(|line| line.number);
        lines
    }

    /// The same file, written again by another test run that covered none of it.
    pub fn repeated(&self) -> Self {
        let mut again = self.clone();
        again.is_repeat = true;
        for line in &mut again.lines {
            (line.hits, line.taken) = (0, 0);
        }
        for function in &mut again.functions {
            function.hits = 0;
        }
        again
    }
}

fn sum(counts: impl Iterator<Item = Count>) -> Count {
    counts.fold(Count::ZERO, Count::plus)
}

impl Model {
    pub fn new(mut files: Vec<SourceFile>) -> Self {
        let mut paths = BTreeSet::new();
        files.retain(|file| paths.insert(file.path.clone()));
        for (id, file) in files.iter_mut().enumerate() {
            file.id = id;
        }
        Self { files }
    }

    pub fn count(&self, of: Of) -> Count {
        sum(self.files.iter().map(|file| file.count(of)))
    }

    /// A realistic program: `files` files, each with about `lines` lines of code.
    pub fn realistic(files: usize, lines: u32) -> Self {
        let files = 0..files;
        Self::new(files.map(|id| realistic_file(id, lines)).collect())
    }
}

/// One file of a realistic program. The same number gives the same file.
pub fn realistic_file(id: usize, lines: u32) -> SourceFile {
    const FOLDERS: [&str; 5] = ["server", "client/views", "parsers", "tools", "storage/disk"];
    const WORDS: [&str; 6] = ["request", "table", "cursor", "account", "session", "layout"];
    const VERBS: [&str; 4] = ["read", "write", "resolve", "remove"];
    let random = &mut Random::new(id as u64);
    let (folder, word) = (random.choose(&FOLDERS), random.choose(&WORDS));
    let mut file = SourceFile {
        id,
        path: format!("src/{folder}/module{}/{word}_{id}.c", id / 20),
        ..SourceFile::default()
    };
    let (mut number, mut is_reached) = (10, true);
    for _ in 0..lines {
        number += 1 + u32::from(random.one_in(3)) * u32::try_from(random.below(6)).expect("small");
        if random.one_in(8) {
            is_reached = !random.one_in(4);
        }
        let most = 1 << random.below(12);
        let hits = u64::from(is_reached) * (1 + random.below(most));
        let branches = if random.one_in(7) {
            random.choose(&[2, 2, 2, 4, 6])
        } else {
            0
        };
        let taken = if is_reached {
            u32::try_from(random.below(u64::from(branches) + 1)).expect("small")
        } else {
            0
        };
        if random.one_in(12) {
            let name = format!("{}_{word}_{number}", random.choose(&VERBS));
            let line = number;
            file.functions.push(Function { name, line, hits });
        }
        file.lines.push(Line {
            number,
            hits,
            branches,
            taken,
        });
    }
    file
}
