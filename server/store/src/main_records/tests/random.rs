//! Changes to records in a pseudo-random order, the same in every run.

use crate::{
    Announced, BranchList, Deleted, Deletion, HowNamesChange, MainBranch, MainRight, NameChange,
    NameChangeError, Named, NewLines, NewRecord, OtherParts, Remaining, Scope, Standing, Stated,
    Store, StoreError, Union, United, actor::Actor, testing::new_record,
};
use domain::{BranchName, PartName, Percentage, Repository, Timestamp};
use std::collections::HashSet;

/// Pseudo-random numbers, the same in every run.
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const BRANCHES: [&str; 6] = ["main", "master", "trunk", "next", "fix/1", "ветка"];

pub(crate) fn upload(draw: &mut Draw) -> NewRecord {
    let total = draw.below(1_000) as u64;
    let (repository, branch) = (repository(draw).to_string(), draw.one_of(&BRANCHES));
    // Few different commits, so that most uploads are retries.
    let commit = draw.one_of(&["c1", "c2", "c3", "c4"]);
    let mut new = new_record(&repository, branch, commit);
    new.stated.language = draw.one_of(&["rust", "go"]).parse().expect("a language");
    match draw.below(6) {
        0 | 1 => new.stated.main_right = MainRight::Denied("not today".to_owned()),
        2 => new.stated.main_right = MainRight::Queued,
        _ => {}
    }
    new.percentage = Percentage::from_basis_points(draw.below(10_001) as u16);
    new.lines = (total > 300).then_some(domain::Count {
        covered: total / 2,
        total,
    });
    let counted = |covered: u64| domain::Count { covered, total };
    new.branches = total.is_multiple_of(2).then_some(counted(total / 3));
    new.functions = total.is_multiple_of(3).then_some(counted(total / 4));
    new
}

fn repository(draw: &mut Draw) -> Repository {
    let name = draw.one_of(&[
        "acme/one",
        "ACME/One",
        "acme/two",
        "Acme/TWO",
        "zoo/sub/three",
        "Zoo/SUB/three",
    ]);
    name.parse().expect("a repository")
}

/// Names of one kind: an existing one, and a new one.
fn names(draw: &mut Draw) -> (Named, Named) {
    const ORGS: [&str; 4] = ["acme", "Zoo/sub", "ZOO", "labs"];
    const REPOSITORIES: [&str; 5] = [
        "acme/one",
        "ACME/two",
        "zoo/sub/Three",
        "Labs/one",
        "acme/New",
    ];
    let (all, is_org) = match draw.below(3) {
        0 => (&ORGS[..], true),
        _ => (&REPOSITORIES[..], false),
    };
    let mut name = || Named::read(draw.one_of(all), is_org).expect("a name");
    (name(), name())
}

/// Makes one random change. Returns a description of it for failure messages.
pub(crate) async fn something_happens(store: &Store, draw: &mut Draw) -> String {
    let by = Actor::service();
    match draw.below(20) {
        15 => {
            let timed_out = store.writer().time_out_parts().await.expect("timed out");
            format!("{timed_out:?} timed out")
        }
        16 => {
            let closing = closing(draw);
            let closed = store.writer().close_record(&closing).await;
            format!("{closing:?}: {:?}", closed.expect("closed"))
        }
        17 => delete_some_part(store, draw).await,
        10 | 11 => {
            let deleted = delete_some_record(store, draw).await;
            format!("{deleted:?} was deleted")
        }
        12 => {
            let what = match draw.below(4) {
                0 => Deletion::Repository(repository(draw)),
                _ => Deletion::Branch(
                    repository(draw),
                    draw.one_of(&BRANCHES).parse().expect("a branch"),
                ),
            };
            let deleted = store.operator().delete(&what, &[Scope::All], &by).await;
            format!("{:?} was deleted", deleted.expect("deleted"))
        }
        happening @ (13 | 14) => {
            let (from, to) = names(draw);
            let how = match happening {
                13 => HowNamesChange::Rename,
                _ => HowNamesChange::Merge,
            };
            let requested = NameChange { from, to, how };
            let changed = store
                .operator()
                .change_names(&requested, draw.below(4) == 0, &by)
                .await;
            if let Err(NameChangeError::Store(error)) = &changed {
                panic!("{requested:?} failed: {error:?}");
            }
            format!("{requested:?}: {changed:?}")
        }
        0 | 1 => {
            let repository = repository(draw);
            let active: HashSet<String> = BRANCHES
                .iter()
                .filter(|_| draw.below(2) == 0)
                .map(|branch| branch.to_string())
                .collect();
            let list = BranchList {
                active: &active,
                forge_claim: None,
                from_branch: None,
                by: &by,
            };
            let retired = store.writer().retire_branches(&repository, list).await;
            format!("{retired:?} branches of {repository} were retired, without {active:?}")
        }
        2 => {
            let repository = repository(draw);
            let branch: Option<BranchName> = match draw.below(3) {
                0 => None,
                1 => Some("not-yet".parse().expect("a branch")),
                _ => draw.one_of(&BRANCHES).parse().ok(),
            };
            let configured = store
                .operator()
                .configure_main_branch(&repository, branch.as_ref(), &by)
                .await;
            format!("{branch:?} was made main of {repository}: {configured:?}")
        }
        _ => {
            let mut new = upload(draw);
            if draw.below(3) == 0 {
                new.part.name = part(draw);
                new.stated.announced = announced(draw);
            }
            new.part.united = united(store, &new).await;
            let (before, may_become_main) = (
                store
                    .everything()
                    .main_branch(&new.stated.repository)
                    .await
                    .expect("a branch"),
                store
                    .writer()
                    .may_become_main(&new.stated.repository, &new.stated.branch)
                    .await
                    .expect("an answer"),
            );
            let published = store.writer().publish(&new).await.expect("published");
            let main = store
                .everything()
                .main_branch(&new.stated.repository)
                .await
                .expect("a branch");
            let is_main =
                main.as_ref().and_then(|main| main.branch.as_ref()) == Some(&new.stated.branch);
            let current = store
                .writer()
                .current_records(&new.stated.repository)
                .await
                .expect("records");
            let is_current = current
                .iter()
                .any(|record| record.id == published.record.id);
            match published.standing {
                Standing::Current => assert!(is_current, "{new:?}"),
                Standing::Superseded
                | Standing::Incomplete(_)
                | Standing::Provisional
                | Standing::Unconfirmed(_) => {
                    assert!(!is_current, "{new:?}");
                }
                Standing::Kept(_) => assert!(published.replaced_reports.is_empty(), "{new:?}"),
            }
            assert!(
                may_become_main || !is_main,
                "{new:?} was not expected to be main"
            );
            if matches!(
                published.standing,
                Standing::Unconfirmed(_) | Standing::Kept(_)
            ) {
                let branch = |main: Option<MainBranch>| main.and_then(|main| main.branch);
                assert_eq!(branch(before), branch(main), "{new:?}");
                assert_ne!(new.stated.main_right, MainRight::Granted);
            }
            format!("{published:?} was published")
        }
    }
}

fn part(draw: &mut Draw) -> PartName {
    let name = draw.one_of(&["", "unit", "web"]);
    name.to_owned().try_into().expect("a part")
}

fn announced(draw: &mut Draw) -> Announced {
    let expected = draw.one_of(&["", "", "unit,web", "e2e"]);
    Announced {
        expected: expected.parse().expect("parts"),
        only_here: Default::default(),
        is_finished: draw.below(4) == 0,
        skipped: (draw.below(4) == 0).then(|| (part(draw), "no".to_owned())),
        timeout: std::time::Duration::ZERO,
    }
}

fn closing(draw: &mut Draw) -> Stated {
    let new = upload(draw);
    Stated {
        announced: announced(draw),
        ..new.stated
    }
}

fn any_union(draw: &mut Draw) -> Union {
    let total = 1 + draw.below(100) as u64;
    Union {
        lines: domain::Count {
            covered: total / 2,
            total,
        },
        branches: None,
        details: Default::default(),
        line_states: NewLines {
            covered: total / 2,
            coverable: total,
            encoded: Vec::new(),
            branches: None,
            tests: None,
        },
        carried: Vec::new(),
    }
}

/// The other parts of an upload, with random numbers as their union.
pub(crate) async fn united(store: &Store, new: &NewRecord) -> Option<United> {
    let commit = new.stated.key();
    let right = &new.stated.main_right;
    let others = store.writer().other_parts(commit, right, &new.part.name);
    let others = moments(others.await.expect("parts"));
    (!others.is_empty()).then(|| United {
        others,
        union: Some(any_union(&mut Draw(7))),
    })
}

fn moments(others: OtherParts) -> Vec<(PartName, Timestamp)> {
    let others = others.parts.into_iter();
    others
        .map(|part| (part.details.name, part.arrived_at))
        .collect()
}

async fn delete_some_part(store: &Store, draw: &mut Draw) -> String {
    let parts: Vec<(i64, String)> =
        sqlx::query_as("select record_id, part from record_parts order by record_id, part")
            .fetch_all(&store.read_pool)
            .await
            .expect("parts");
    let Some((record_id, part)) = parts.get(draw.below(parts.len().max(1))) else {
        return "no part was deleted".to_owned();
    };
    let part = PartName::try_from(part.clone()).expect("a part");
    let others = store
        .writer()
        .other_parts_of(*record_id, Some(&part))
        .await
        .expect("parts");
    let remaining = others.has_part && !others.parts.is_empty();
    let remaining = remaining.then(|| Remaining {
        parts: moments(others),
        union: any_union(draw),
    });
    let deleted = store
        .writer()
        .delete_part(
            *record_id,
            &part,
            remaining.as_ref(),
            &[Scope::All],
            &Actor::service(),
        )
        .await;
    if let Err(error) = &deleted {
        assert!(matches!(error, StoreError::OnlyPart), "{error:?}");
    }
    format!("{part} of {record_id} was deleted: {deleted:?}")
}

async fn delete_some_record(store: &Store, draw: &mut Draw) -> Option<Deleted> {
    let ids: Vec<i64> = sqlx::query_scalar("select id from records order by id")
        .fetch_all(&store.read_pool)
        .await
        .expect("ids");
    let id = *ids.get(draw.below(ids.len().max(1)))?;
    let deleted = store
        .operator()
        .delete(&Deletion::Record(id), &[Scope::All], &Actor::service())
        .await
        .expect("deleted");
    Some(deleted.expect("a record"))
}
