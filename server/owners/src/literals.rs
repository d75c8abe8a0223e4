//! Rules without wildcards, which are looked up by parts of a path.

use crate::Rule;
use domain::Reach;
use std::collections::HashMap;

/// How many earlier rules a rule is compared with.
const COMPARED: usize = 8;

/// The bytes that a look-up takes in one step.
const BYTES_IN_A_STEP: usize = 16;

/// The rules by the folder or file that they name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Literals {
    /// Whose name begins at the root.
    anchored: HashMap<Box<str>, Chain>,
    /// Whose name can begin at any component.
    floating: HashMap<Box<str>, Chain>,
    /// The most components of a floating name.
    depth: usize,
    links: Vec<Link>,
    /// The length of the longest chain.
    longest: usize,
}

/// The rules with one name.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    /// One more than the place of the first link.
    first: u32,
    length: u32,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    rule: u32,
    reach: Reach,
    /// One more than the place of the next link.
    next: u32,
}

impl Literals {
    /// Adds a rule, which is the last of `rules`. The empty name is the root.
    pub(crate) fn add(&mut self, is_floating: bool, name: String, reach: Reach, rules: &[Rule]) {
        let rule = (rules.len() - 1) as u32;
        let names = match is_floating {
            true => {
                self.depth = self.depth.max(name.split('/').count());
                &mut self.floating
            }
            false => &mut self.anchored,
        };
        let chain = names.entry(name.into()).or_default();
        let mut at = chain.first;
        for _ in 0..COMPARED {
            let Some(link) = at.checked_sub(1).map(|at| &mut self.links[at as usize]) else {
                break;
            };
            // The later of two rules for the same paths counts.
            if link.reach == reach && rules[link.rule as usize].replaced_by(&rules[rule as usize]) {
                link.rule = rule;
                return;
            }
            at = link.next;
        }
        self.links.push(Link {
            rule,
            reach,
            next: chain.first,
        });
        chain.first = self.links.len() as u32;
        chain.length += 1;
        self.longest = self.longest.max(chain.length as usize);
    }

    /// The rules that match a path, which is not empty.
    pub(crate) fn matching(&self, path: &str) -> Vec<u32> {
        let mut found = Vec::new();
        let slashes = || path.bytes().enumerate().filter(|&(_, byte)| byte == b'/');
        let ends: Vec<_> = slashes().map(|(at, _)| at).chain([path.len()]).collect();
        self.collect(self.anchored.get(""), ends.len(), &mut found);
        for (component, &end) in ends.iter().enumerate() {
            let below = ends.len() - 1 - component;
            self.collect(self.anchored.get(&path[..end]), below, &mut found);
        }
        let mut start = 0;
        for first in 0..ends.len() {
            for (length, &end) in ends[first..].iter().enumerate().take(self.depth) {
                let below = ends.len() - 1 - first - length;
                self.collect(self.floating.get(&path[start..end]), below, &mut found);
            }
            start = ends[first] + 1;
        }
        found
    }

    /// Adds the rules of a name that match the path that is so many components below.
    fn collect(&self, chain: Option<&Chain>, below: usize, found: &mut Vec<u32>) {
        let mut at = chain.map_or(0, |chain| chain.first);
        while let Some(link) = at.checked_sub(1).map(|at| self.links[at as usize]) {
            let is_match = match link.reach {
                Reach::Itself => below == 0,
                Reach::Below => below > 0,
                Reach::ItselfAndBelow => true,
                Reach::Children => below == 1,
            };
            if is_match {
                found.push(link.rule);
            }
            at = link.next;
        }
    }

    /// How many steps [`Self::matching`] takes at most.
    pub(crate) fn steps(&self, path: &str) -> u64 {
        let components = 1 + path.bytes().filter(|&byte| byte == b'/').count();
        let look_ups = 1 + components * (1 + self.depth.min(components));
        (look_ups * (1 + path.len() / BYTES_IN_A_STEP + self.longest)) as u64
    }
}

impl Rule {
    fn replaced_by(&self, later: &Self) -> bool {
        self.section == later.section && self.excludes == later.excludes
    }
}
