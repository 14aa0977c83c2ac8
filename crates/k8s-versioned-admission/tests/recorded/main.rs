//! Recordings of real servers: what they answered is what this package answers.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod exchange;
mod mutants;
mod sample;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use exchange::{Class, Exchange};
use k8s_versioned_admission::{Definition, NEWEST};
use k8s_versioned_names::Release;
use sample::{Sample, Sampled};
use serde_json::Value;

/// The sample is answered as the servers answered it: status, causes, messages, warnings and the stored object.
#[test]
fn the_sample_is_answered_as_servers_answer() {
    let sample = Sample::load();
    let mut definitions: HashMap<(&str, Release), Definition> = HashMap::new();
    let (mut failures, mut statuses) = (Vec::new(), BTreeSet::new());
    for Sampled { release, definition, exchange } in &sample.exchanges {
        let compiled = definitions.entry((definition, *release)).or_insert_with(|| {
            Definition::compile_for(&sample.definitions[definition], *release).unwrap()
        });
        statuses.insert(exchange.status());
        for (class, text) in exchange.differences(&exchange.answer(compiled)) {
            failures.push(format!("{} {class:?}: {text}", exchange.path));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(sample.exchanges.len() > 250, "{}", sample.exchanges.len());
    assert_eq!(statuses.into_iter().collect::<Vec<_>>(), [200, 201, 400, 422, 500]);
}

/// All recordings of a folder (`RECORDED_CUSTOM`), as in docs/recordings.md, with the definitions beside them.
#[test]
#[ignore = "needs a folder of recordings, named by RECORDED_CUSTOM"]
fn recordings_of_a_folder() {
    let Ok(folder) = std::env::var("RECORDED_CUSTOM") else {
        println!("RECORDED_CUSTOM is not set");
        return;
    };
    let shown: usize = std::env::var("SHOWN").ok().and_then(|it| it.parse().ok()).unwrap_or(5);
    let only = std::env::var("CLASS").unwrap_or_default();
    let mut roots = Vec::new();
    find_roots(Path::new(&folder), &mut roots);
    let mut summary = Summary::default();
    for root in roots {
        judge_root(&root, &mut summary);
    }
    if std::env::var_os("WRITE_SAMPLE").is_some() {
        summary.sample.save();
    }
    println!(
        "{} exchanges, {} refusals, {} acceptances",
        summary.count, summary.refused, summary.accepted
    );
    for (class, differences) in &summary.found {
        println!("{class:?}: {}", differences.len());
        if only.is_empty() || format!("{class:?}") == only {
            for difference in differences.iter().take(shown) {
                println!("  {difference}");
            }
        }
    }
}

#[derive(Default)]
struct Summary {
    count: usize,
    refused: usize,
    accepted: usize,
    found: BTreeMap<Class, Vec<String>>,
    /// A few exchanges of each kind, verb and status, if they are small.
    sample: Sample,
    sampled: HashMap<String, usize>,
}

impl Summary {
    /// Takes an exchange into the sample if there are not enough of its kind.
    fn sample(&mut self, release: Release, definition: (&str, &Value), exchange: Exchange) {
        const LARGEST: usize = 30_000;
        let place = exchange.path.split('/').nth(2).unwrap_or_default();
        let plural = exchange.path.split('/').nth(4).unwrap_or_default();
        let (plural, every) = if plural.starts_with("cel") { ("cel", 4) } else { (plural, 1) };
        let source = definition.1.to_string();
        let has_rules = source.contains("x-kubernetes-validations");
        let (own, status) = (place.starts_with("devb"), exchange.status());
        let most = match (own, plural, release) {
            (true, "ratchets", NEWEST) => 40,
            (true, _, NEWEST) => 20,
            (true, ..) => 5,
            // One refusal or update of each public kind, and one new object without rules.
            (false, ..) => usize::from(status != 201 || !has_rules),
        };
        let key = if own {
            format!("{release} {plural} {}", status / 100)
        } else {
            format!("{place} {plural} {}", status == 201)
        };
        let taken = self.sampled.entry(key).or_default();
        let wanted = *taken < most * every && source.len() < LARGEST;
        if wanted {
            *taken += 1;
            if taken.is_multiple_of(every) {
                let name = definition.0.to_owned();
                self.sample.definitions.entry(name.clone()).or_insert_with(|| definition.1.clone());
                self.sample.exchanges.push(Sampled { release, definition: name, exchange });
            }
        }
    }
}

/// The folders with `definitions` and `recordings` inside.
fn find_roots(folder: &Path, roots: &mut Vec<PathBuf>) {
    if folder.join("definitions").is_dir() {
        roots.push(folder.to_owned());
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            find_roots(&entry.path(), roots);
        }
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn judge_root(root: &Path, summary: &mut Summary) {
    let name = root.file_name().unwrap().to_string_lossy().into_owned();
    let release: Release = name
        .rsplit_once("-1.")
        .map_or(NEWEST, |(_, minor)| Release::new(1, minor.parse().unwrap()));
    let mut paths = Vec::new();
    files(&root.join("recordings"), &mut paths);
    paths.sort();
    let mut definitions: HashMap<String, (Definition, Value)> = HashMap::new();
    for path in paths {
        let place: Vec<_> =
            path.iter().rev().take(5).map(|it| it.to_string_lossy().into_owned()).collect();
        let [_, plural, version, group, edition] = &*place else { panic!("{}", path.display()) };
        let place = format!("definitions/{edition}/{plural}.{group}.json");
        let (definition, source) = definitions.entry(place.clone()).or_insert_with_key(|place| {
            let definition = sample::without_prose(&read(&root.join(place)));
            (Definition::compile_for(&definition, release).unwrap(), definition)
        });
        let shown = path.strip_prefix(root).unwrap().display().to_string();
        let exchange = Exchange {
            path: format!("{name} {shown}"),
            version: version.clone(),
            recording: read(&path),
        };
        judge(&exchange, definition, summary);
        summary.sample(release, (&place, source), exchange);
    }
}

fn judge(exchange: &Exchange, definition: &Definition, summary: &mut Summary) {
    summary.count += 1;
    let count = if exchange.status() < 300 { &mut summary.accepted } else { &mut summary.refused };
    *count += 1;
    let answer = exchange.answer(definition);
    for (class, text) in exchange.differences(&answer) {
        let text = format!("{} [{}]\n   {text}", exchange.path, exchange.recording["name"]);
        summary.found.entry(class).or_default().push(text);
    }
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}
