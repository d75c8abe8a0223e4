//! The rule over generated repositories, checkouts and coverage files.

use super::*;
use proptest::{prelude::*, sample::select};

/// A repository and a coverage file of it.
#[derive(Debug)]
struct Layout {
    listed: Vec<String>,
    /// The folder of the repository that was measured: ends with `/`, or is empty.
    folder: String,
    /// The path of this folder on the job's machine.
    checkout: &'static str,
    /// The measured files, with the paths of the repository.
    measured: Vec<String>,
    /// Whether paths are relative, with the checkout as their source.
    has_source: bool,
    has_root: bool,
    has_report_folder: bool,
}

impl Layout {
    /// Returns the name of a file in the coverage file.
    fn name(&self, path: &str) -> String {
        let rest = &path[self.folder.len()..];
        match (self.has_source, self.checkout.contains('\\')) {
            (true, _) => rest.to_owned(),
            (false, true) => format!("{}{}", self.checkout, rest.replace('/', "\\")),
            (false, false) => format!("{}{rest}", self.checkout),
        }
    }

    /// Applies the rule to names. `None` for no file of the repository.
    fn found(&self, names: &[String]) -> Vec<Option<String>> {
        let paths: Vec<_> = self.listed.iter().map(String::as_str).collect();
        let listed = listed(&paths);
        let files: Vec<_> = names
            .iter()
            .map(|path| Named { path, group: None })
            .collect();
        let sources = match self.has_source && !self.checkout.is_empty() {
            true => vec![self.checkout.to_owned()],
            false => Vec::new(),
        };
        let report_folder = format!("{}coverage", self.folder);
        let job = Job {
            // The root belongs to the whole repository.
            root: (self.has_root && self.folder.is_empty()).then_some(self.checkout),
            report_folder: if self.has_report_folder {
                &report_folder
            } else {
                ""
            },
            repository: "pay",
            sources: &sources,
            project: None,
        };
        let meanings = listed.meanings(&files, &job, &|_, _| false);
        let path = |meaning| match meaning {
            Ok(number) => Some(listed.get(number).to_owned()),
            Err(_) => None,
        };
        meanings.into_iter().map(path).collect()
    }

    /// Returns whether another root than the layout's explains all names.
    fn is_doubtful(&self) -> bool {
        let names: Vec<_> = self
            .measured
            .iter()
            .map(|path| self.full_name(path))
            .collect();
        let explains = |removed: &str, put: &str| {
            names.iter().zip(&self.measured).all(|(name, path)| {
                let rest = name.strip_prefix(removed);
                let target = rest.map(|rest| format!("{put}{rest}"));
                target.is_some_and(|target| {
                    self.listed.contains(&target) && (&target != path || names.len() > 1)
                })
            }) && names.iter().zip(&self.measured).any(|(name, path)| {
                name.strip_prefix(removed)
                    .map(|rest| format!("{put}{rest}"))
                    .as_ref()
                    != Some(path)
            })
        };
        let first = &names[0];
        let starts = (0..first.len()).filter(|&at| at == 0 || first[..at].ends_with('/'));
        starts.into_iter().any(|at| {
            let (removed, rest) = first.split_at(at);
            self.listed.iter().any(|path| {
                let put = path.strip_suffix(rest);
                put.is_some_and(|put| {
                    (put.is_empty() || put.ends_with('/')) && explains(removed, put)
                })
            })
        })
    }

    fn full_name(&self, path: &str) -> String {
        format!(
            "{}{}",
            self.checkout.replace('\\', "/"),
            &path[self.folder.len()..]
        )
    }

    /// Returns whether the folder was moved, and no path and file share two last components.
    fn is_too_short(&self) -> bool {
        let is_mixed = !self.checkout.is_empty() && !self.folder.is_empty();
        is_mixed
            && self
                .measured
                .iter()
                .all(|path| !path[self.folder.len()..].contains('/'))
    }
}

fn path() -> impl Strategy<Value = String> {
    const FOLDERS: [&str; 7] = ["src", "lib", "pay", "vendor", "internal", "packages", "a"];
    const NAMES: [&str; 5] = ["index.js", "pay.go", "main.py", "mod.rs", "util.c"];
    let folders = prop::collection::vec(select(&FOLDERS[..]), 0..4);
    (folders, select(&NAMES[..])).prop_map(|(folders, name)| {
        let folders: String = folders.iter().map(|folder| format!("{folder}/")).collect();
        format!("{folders}{name}")
    })
}

fn layout() -> impl Strategy<Value = Layout> {
    const CHECKOUTS: [&str; 6] = [
        "",
        "/",
        "/home/runner/work/pay/pay/",
        "D:\\a\\pay\\pay\\",
        "/app/",
        "/builds/acme/pay/",
    ];
    let listed = prop::collection::hash_set(path(), 1..25);
    let parts = (
        listed,
        any::<prop::sample::Index>(),
        0_usize..3,
        any::<u32>(),
    );
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (parts, select(&CHECKOUTS[..]), flags).prop_map(
        |((listed, of, depth, bits), checkout, flags)| {
            let (has_source, has_root, has_report_folder) = flags;
            let mut listed: Vec<_> = listed.into_iter().collect();
            listed.sort();
            // A folder of one of the files.
            let of = &listed[of.index(listed.len())];
            let ends = of.match_indices('/').map(|(at, _)| at + 1);
            let ends: Vec<_> = [0].into_iter().chain(ends).collect();
            let folder = of[..ends[depth.min(ends.len() - 1)]].to_owned();
            let inside = listed.iter().filter(|path| path.starts_with(&folder));
            let chosen = inside
                .enumerate()
                .filter(|(number, path)| bits >> number & 1 == 1 || *path == of);
            Layout {
                measured: chosen.map(|(_, path)| path.clone()).collect(),
                listed,
                folder,
                checkout,
                has_source,
                has_root,
                has_report_folder,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn each_file_is_itself_if_only_one_root_explains_all(layout in layout()) {
        let names: Vec<_> = layout.measured.iter().map(|path| layout.name(path)).collect();
        let found = layout.found(&names);
        let is_certain = !layout.is_doubtful() && !layout.is_too_short();
        for ((name, path), found) in names.iter().zip(&layout.measured).zip(found) {
            if is_certain {
                prop_assert_eq!(found.as_ref(), Some(path), "{}", name);
            }
        }
    }

    #[test]
    fn files_of_elsewhere_never_count_as_measured_ones(layout in layout(), bits in any::<u32>()) {
        let mut names: Vec<_> = layout.measured.iter().map(|path| layout.name(path)).collect();
        let own = names.len();
        prop_assume!(!layout.is_doubtful() && !layout.is_too_short());
        // A dependency with files of the same paths, but fewer.
        let paths = layout.listed.iter().enumerate().filter(|(number, _)| bits >> number & 1 == 1);
        let elsewhere = paths.map(|(_, path)| format!("/root/.cargo/registry/src/x-1/tiny-1.0/{path}"));
        names.extend(elsewhere.take(own - 1));
        let found = layout.found(&names);
        for (path, found) in layout.measured.iter().zip(&found) {
            prop_assert!(found.is_none() || found.as_ref() == Some(path), "{path}: {found:?}");
        }
        for (name, found) in names.iter().zip(&found).skip(own) {
            let is_measured = found.as_ref().is_some_and(|found| layout.measured.contains(found));
            prop_assert!(!is_measured, "{name}: {found:?}");
        }
    }
}
