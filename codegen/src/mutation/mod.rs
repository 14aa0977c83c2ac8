//! The generator with randomly changed documents and rules.
//!
//! Each mutant is the real input with one to three changes, made from a seed. The generator must not panic:
//! it yields Rust, or problems that name a file of the input.
//!
//! `MUTANT_GROUPS=all` changes the documents of all built-in groups. `MUTANT_CRDS=FOLDER` changes the definitions of custom
//! resources in a folder instead of the cases.
//!
//! `MUTANTS=1000000 cargo test -p k8s-versioned-codegen mutation -- --nocapture` runs a million, `MINUTES=30` as many as take that
//! time in each test; `MUTANT_SEED=42` begins with another seed. A mutant that fails is printed with its seed; put the seed into
//! `regressions.txt` beside this file, which every run tries first.

mod change;
mod definitions;
mod input;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use definitions::Definitions;
use input::{Input, Mutant};

const REGRESSIONS: &str = include_str!("regressions.txt");

#[test]
fn mutants_yield_rust_or_problems_with_a_place() {
    let input = Input::real();
    for seed in REGRESSIONS.lines().filter_map(|line| line.parse().ok()) {
        try_one(&mut input.clone(), seed);
    }
    try_many(&[input]);
}

/// Groups with features that the groups of this workspace lack: recursion, reviews, `scale`, defaults and maps of times.
const GROUPS: [&str; 4] = ["apiextensions.k8s.io", "authorization.k8s.io", "autoscaling", "policy"];

#[test]
fn mutants_of_other_groups() {
    let all = std::env::var("MUTANT_GROUPS").is_ok_and(|value| value == "all");
    let inputs: Vec<Input> = Input::of_groups(if all { &[] } else { &GROUPS }, "v1.36/").collect();
    try_many(&inputs);
}

/// A change in one of the releases.
#[test]
fn mutants_of_merged_releases() {
    let all = std::env::var("MUTANT_GROUPS").is_ok_and(|value| value == "all");
    let inputs: Vec<Input> = Input::of_groups(if all { &[] } else { &["policy"] }, "v1.").collect();
    try_many(&inputs);
}

#[test]
fn mutants_of_definitions() {
    let definitions = match std::env::var_os("MUTANT_CRDS") {
        Some(folder) => Definitions::of_folder(folder.as_ref(), usize::MAX),
        None => Definitions::of_cases(),
    };
    assert!(definitions.len() > 5);
    for_each_seed(|| |seed| try_definition(&definitions, seed));
}

/// A definition with a character that changes the direction of text.
const TURNED: &str = r#"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.dev
  scope: Cluster
  names: {kind: Turned, plural: turned}
  versions:
  - name: v1
    served: true
    schema:
      openAPIV3Schema:
        type: object
        description: "\u202ea"
        properties:
          "\u202efield": {type: string, default: "\u202ea", pattern: "\u202ea", enum: ["\u202ea", "\u202eb"]}
          spec:
            type: object
            x-kubernetes-validations: [{rule: "\u202ea", message: "\u202ea"}]
            properties:
              "\u202eparts":
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: ["\u202ea"]
                items: {type: object, properties: {"\u202ea": {type: integer, example: "\u202ea", title: "\u202ea"}}}
"#;

/// The case with hostile names and words, with its descriptions and without.
#[test]
fn hostile_texts_are_no_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/good/custom");
    for source in ["none", "documents"] {
        let mut files = testing::specs::files(&folder).unwrap();
        let rules = format!("descriptions = {source:?}").into_bytes();
        files.insert("group.toml".to_owned(), rules);
        files.insert("v1.1/turned.yaml".to_owned(), TURNED.into());
        let generated = definitions::generate(&files).unwrap();
        definitions::check(&generated);
        let words = &generated.files["v1/hostile_words.rs"];
        assert!(str::from_utf8(words).unwrap().contains("AStdProcessAbortB"));
    }
}

/// Makes the mutant of `seed`. Returns `true` if it generates.
fn try_definition(definitions: &Definitions, seed: u64) -> bool {
    let files = definitions::mutant(definitions, &mut fastrand::Rng::with_seed(seed));
    let tried = catch_unwind(|| match definitions::generate(&files) {
        Ok(generated) => {
            definitions::check(&generated);
            true
        }
        Err(problems) => {
            definitions::check_places(&files, &problems);
            false
        }
    });
    tried.unwrap_or_else(|_| panic!("seed {seed}"))
}

/// Tries mutants of each input in turn.
fn try_many(inputs: &[Input]) {
    for_each_seed(|| {
        let mut inputs = inputs.to_vec();
        move |seed| {
            let index = usize::try_from(seed).unwrap() % inputs.len();
            try_one(&mut inputs[index], seed)
        }
    });
}

/// Tries the mutant of each seed, by a function for each thread.
fn for_each_seed<F: FnMut(u64) -> bool>(new: impl Fn() -> F + Sync) {
    let count = variable("MUTANTS").unwrap_or(100);
    let first = variable("MUTANT_SEED").unwrap_or(0);
    let (next, generated) = (AtomicU64::new(first), AtomicU64::new(0));
    let start = Instant::now();
    let end = variable("MINUTES").map(|minutes| start + Duration::from_secs(60 * minutes));
    let goes_on = |seed: &u64| end.map_or(*seed < first + count, |end| Instant::now() < end);
    let tried = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut try_one = new();
                let seeds = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
                for seed in seeds.take_while(goes_on) {
                    tried.fetch_add(1, Ordering::Relaxed);
                    generated.fetch_add(u64::from(try_one(seed)), Ordering::Relaxed);
                }
            });
        }
    });
    let (count, generated) = (tried.into_inner(), generated.into_inner());
    let time = start.elapsed();
    println!("{count} mutants from seed {first} in {time:?}: {generated} generate");
    // Both must happen, or the changes are too large or too small to test anything.
    assert!(generated * 100 > count, "less than 1 % of the mutants generate");
    assert!((count - generated) * 100 > count, "less than 1 % of the mutants are refused");
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Makes the mutant of `seed`. Returns `true` if it generates.
fn try_one(input: &mut Input, seed: u64) -> bool {
    let mut random = fastrand::Rng::with_seed(seed);
    let mutant = Mutant::new(input, &mut random);
    match catch_unwind(AssertUnwindSafe(|| mutant.generate(input))) {
        Ok(Ok(files)) => {
            for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
                let parsed = syn::parse_file(str::from_utf8(text).unwrap());
                parsed.unwrap_or_else(|error| panic!("seed {seed}: {path}: {error}"));
            }
            true
        }
        Ok(Err(problems)) => {
            assert!(!problems.is_empty(), "seed {seed}: refused without a problem");
            for problem in problems.iter() {
                let known = input.knows(&problem.place.file);
                assert!(known, "seed {seed}: no such file: {problem}\nchanges: {mutant}");
            }
            false
        }
        Err(_) => panic!("seed {seed} panics; changes: {mutant}"),
    }
}
