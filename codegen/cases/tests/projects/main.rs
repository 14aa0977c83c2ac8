//! The conversions of public projects, by our rules, beside what the project's own code makes of the same objects.
//!
//! `codegen/cases/projects` has a folder for each project. The normal run compiles some of them and checks a sample of the lines;
//! `PROJECTS=all` compiles all. `ORACLE=DIR PROJECTS=all cargo test -p codegen-cases --test projects -- --ignored` checks the lines of
//! the folder `DIR`: files such as `kueue-LocalQueue.jsonl`, with an object a line. With `UPDATE_DOCS=1` it writes
//! `docs/reference/project-conversions.md`.

// The lints of the workspace let tests panic, but not the functions that tests share.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod compare;
mod differences;
mod facts;
mod figures;
mod judge;
mod lines;
mod page;

use std::env;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use k8s_versioned_codegen::{Plans, Problem};
use k8s_versioned_conformance::walks::{Schemas, walk};
use testing::specs::projects;

use differences::KNOWN;
use judge::{Kind, Project, Verdict, judge};
use lines::Line;

#[allow(missing_docs, reason = "cases without descriptions")]
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    clippy::pedantic,
    reason = "generated from definitions without descriptions; no test uses all"
)]
mod compiled {
    use crate::judge::{Project, project};

    include!(concat!(env!("OUT_DIR"), "/of-projects/mod.rs"));
}

/// How many walks the normal run takes over each kind.
const WALKS: u64 = 100;

/// A sample of the lines of each kind that is compiled, and the objects that people wrote.
#[test]
fn as_the_projects_convert() {
    for project in compiled::projects() {
        for kind in &project.kinds {
            let (name, kind_name) = (project.name, kind.name);
            for lines in [lines::sample(name, kind_name), lines::by_hand(name, kind_name)] {
                judge(&project, kind, &lines).check();
            }
        }
    }
}

/// `generate` warns of no value of Cluster API that servers reject: the rules say what is made up, and leave out what is empty.
#[test]
fn servers_reject_no_value() {
    let plans = Plans::read(&projects::files("cluster-api")).unwrap();
    let is_rejected =
        |problem: &&Problem| ["made-up-rejected", "empty-rejected"].contains(&problem.id());
    let rejected: Vec<String> =
        plans.warnings.iter().filter(is_rejected).map(Problem::message).collect();
    assert_eq!(rejected, [""; 0]);
}

/// All lines of the folder `ORACLE`.
#[test]
#[ignore = "needs a folder of objects: `ORACLE`"]
fn all_lines() {
    let mut verdicts = Vec::new();
    for project in compiled::projects() {
        for kind in &project.kinds {
            let verdict = judge(&project, kind, &lines::of_folder(project.name, kind.name));
            println!("{verdict}");
            verdicts.push(verdict);
        }
    }
    let failures: String = verdicts.iter().map(Verdict::failures).collect();
    assert!(failures.is_empty(), "{failures}");
    if env::var("PROJECTS").is_ok_and(|value| value == "all") {
        let unused = unused(&verdicts);
        assert!(unused.is_empty(), "no line shows these differences: {unused:?}");
        if env::var_os("UPDATE_DOCS").is_some() {
            page::keep(&verdicts);
        }
    }
}

/// How long the conversion of a `Cluster` takes, from JSON to JSON, of all objects of the sample.
#[test]
#[ignore = "needs a release build of `PROJECTS=cluster-api`: it prints a time"]
fn time_of_a_cluster() {
    let projects = compiled::projects();
    let project = projects.iter().find(|project| project.name == "cluster-api");
    let kind = project.and_then(|of| of.kinds.iter().find(|kind| kind.name == "Cluster"));
    let kind = kind.expect("`PROJECTS` has cluster-api");
    let lines = lines::sample("cluster-api", "Cluster");
    let mut rounds: Vec<Duration> = (0..ROUNDS).map(|_| time(kind, &lines)).collect();
    rounds.sort();
    let [best, middle] = [0, ROUNDS / 2].map(|at| rounds[at] / u32::try_from(lines.len()).unwrap());
    println!("a Cluster: {middle:?}, at best {best:?}");
}

/// How often the objects of the sample are converted.
const ROUNDS: usize = 1_000;

/// The time in which these objects are converted.
fn time(kind: &Kind, lines: &[Line]) -> Duration {
    let start = Instant::now();
    for line in lines {
        black_box((kind.convert)(black_box(&line.input), &line.to, false)).unwrap();
    }
    start.elapsed()
}

/// The differences that no line shows.
fn unused(verdicts: &[Verdict]) -> Vec<&'static str> {
    let is_used = |index: &usize| verdicts.iter().any(|verdict| verdict.known.contains_key(index));
    let unused = (0..KNOWN.len()).filter(|index| !is_used(index));
    unused.map(|index| KNOWN[index].path).collect()
}

/// The rules of all projects are complete and short, drafts find them, and the page has their figures.
#[test]
#[ignore = "drafts the rules of all projects, which takes a minute"]
fn the_page_is_up_to_date() {
    let figures = page::all_figures();
    page::check(&figures);
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    testing::page::check(&docs.join("project-conversions.md"), &page::page(&figures));
}

/// Kinds of Tekton have the specs of others in them.
#[test]
fn the_page_names_the_rules_that_drafts_never_guess() {
    let draft = figures::draft("tekton");
    let guesses = |rule: &str| draft.contains(&format!("rule = {rule:?}\n"));
    assert!(guesses("embedded") && !guesses("pattern"), "{draft}");
    assert!(page::HEAD.contains("Drafts guess no `pattern` |"));
}

#[test]
fn nothing_is_lost() {
    walks(WALKS);
}

#[test]
#[ignore = "takes 10,000 walks over each kind"]
fn nothing_is_lost_on_many_walks() {
    walks(10_000);
}

/// Takes this many walks over each kind that is compiled.
fn walks(count: u64) {
    for Project { specs, kinds, .. } in compiled::projects() {
        let schemas = Schemas::load(specs).unwrap();
        for kind in kinds {
            let walked = (0..count).try_for_each(|seed| walk(&kind.walked, &schemas, seed));
            walked.unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
