//! The effects of all groups add up, for any changes.

use super::*;
use crate::any::part;
use lines::{AbsentParts, Effect, Limits, Way};
use proptest::{prelude::*, sample::select};

const PATHS: [&str; 3] = ["src/a.rs", "src/ab.rs", "src/c.rs"];

fn any_hunk() -> impl Strategy<Value = String> {
    (1..30_u32, 0..4_u32, 0..4_u32, 0..2_u32).prop_map(|(at, old, new, moved)| {
        let start = |at: u32, lines: u32| if lines == 0 { at - 1 } else { at };
        match old + new {
            0 => String::new(),
            _ => format!(
                "@@ -{},{old} +{},{new} @@\n",
                start(at, old),
                start(at + moved, new)
            ),
        }
    })
}

/// A diff of the files in the parts, consistent with them or not.
fn any_diff() -> impl Strategy<Value = String> {
    let path = || select(PATHS.to_vec());
    let file = (path(), path(), 0..4_u8, any_hunk()).prop_map(|(path, other, kind, hunk)| {
        match kind {
            0 => format!("diff --git a/{path} b/{path}\ndeleted file mode 100644\n--- a/{path}\n+++ /dev/null\n@@ -1,9 +0,0 @@\n"),
            1 => format!("diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,9 @@\n"),
            2 if path != other => format!("diff --git a/{other} b/{path}\nrename from {other}\nrename to {path}\n"),
            _ if hunk.is_empty() => String::new(),
            _ => edit(path, &hunk),
        }
    });
    prop::collection::vec(file, 0..4).prop_map(|files| files.concat())
}

/// The changes of a diff. `None` if it is refused.
fn read(diff: &str) -> Option<Changes> {
    let mut parser = ChangesParser::default();
    parser.feed(diff.as_bytes()).ok()?;
    parser.finish().ok()
}

fn less(new: u64, old: u64) -> i64 {
    i64::try_from(new).expect("few") - i64::try_from(old).expect("few")
}

proptest! {
    #[test]
    fn effects_add_up_to_the_difference_of_the_counts(
        others in part(), absent in part(), head in part(), diff in any_diff(), is_exact in any::<bool>()
    ) {
        let changes = read(&diff);
        let base = others.clone().united(absent.clone(), &Limits::default()).expect("few lines");
        let parts = AbsentParts { absent: vec![("e2e".into(), absent)], others };
        let way = Way { changes: changes.as_ref(), is_exact, absent: Some(&parts), ..Way::default() };
        let difference = Difference::between(&base, &head, way);
        let (old, new) = (base.counts(), head.counts());
        let expected = Effect {
            covered: less(new.covered(), old.covered()),
            coverable: less(new.coverable(), old.coverable()),
        };
        let mut sum = Effect::default();
        for group in &difference.groups {
            sum += group.effect;
        }
        prop_assert_eq!(sum, expected, "{}", diff);
    }

    #[test]
    fn a_record_does_not_differ_from_itself(record in part(), is_exact in any::<bool>()) {
        let way = Way { is_exact, ..Way::default() };
        prop_assert_eq!(Difference::between(&record, &record, way), Difference::default());
    }
}
