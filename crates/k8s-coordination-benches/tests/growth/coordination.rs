//! The commands of `coordination`.

use std::fs;
use std::path::Path;

use allocation_counter::measure;
use clap::Parser as _;
use k8s_coordination_cli::{Cli, Progress};
use k8s_versioned_codegen::on_this_thread;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::row::{Row, Work};

const VALIDATE: &str = "validate";
const CONVERT: &str = "convert --to v1alpha1";
const ELECT: &str = "elect --now 2026-01-02T03:04:05Z";

pub(crate) const ROWS: &[Row] = &[
    Row::new("coordination validate, documents", 16, |size| of(VALIDATE, &documents(size))),
    Row::new("coordination validate, a list in JSON", 16, |size| of(VALIDATE, &list(size))),
    Row::new("coordination validate, a list in YAML", 16, |size| {
        of(VALIDATE, &format!("# YAML\n{}", list(size)))
    }),
    Row::new("coordination validate, a list in YAML with findings", 16, |size| {
        let invalid = (0..size).map(|at| candidate(at, "-"));
        of(VALIDATE, &format!("# YAML\n{}", of_items(invalid)))
    }),
    Row::new("coordination validate, duplicate fields", 16, |size| {
        let text = candidate(0, "l").to_string();
        let twice = "\"spec\":{},".repeat(size);
        of(VALIDATE, &text.replacen("\"spec\":", &format!("{twice}\"spec\":"), 1))
    }),
    Row::new("coordination validate, unknown fields", 16, |size| {
        of(VALIDATE, &with("spec", &members(size, &json!(1))))
    }),
    Row::new("coordination validate, nested unknown fields", 16, |size| {
        let owner = |at| json!({"apiVersion": "v1", "kind": "A", "name": "a", "uid": format!("{at}"), "other": at});
        let owners: Vec<Value> = (0..size).map(owner).collect();
        of(VALIDATE, &with("metadata", &json!({"ownerReferences": owners})))
    }),
    Row::new("coordination validate, bad annotations", 16, |size| {
        let bad = (0..size).map(|at| (format!("/{at}"), json!("a"))).collect::<Map<_, _>>();
        of(VALIDATE, &with("metadata", &json!({"annotations": bad})))
    }),
    Row::new("coordination validate, bad labels", 16, |size| {
        of(VALIDATE, &with("metadata", &json!({"labels": members(size, &json!("!"))})))
    }),
    Row::new("coordination validate, bad owners", 16, |size| {
        let owner = |at| json!({"apiVersion": "", "kind": "", "name": "", "uid": format!("{at}")});
        let owners: Vec<Value> = (0..size).map(owner).collect();
        of(VALIDATE, &with("metadata", &json!({"ownerReferences": owners})))
    }),
    Row::new("coordination validate, bad finalizers", 16, |size| {
        let finalizers: Vec<String> = (0..size).map(|at| format!("!{at}")).collect();
        of(VALIDATE, &with("metadata", &json!({"finalizers": finalizers})))
    }),
    Row::new("coordination validate, managed fields", 16, |size| {
        let entry = |at| json!({"manager": format!("{at}"), "operation": "?", "fieldsType": "FieldsV1", "fieldsV1": {}});
        let entries: Vec<Value> = (0..size).map(entry).collect();
        of(VALIDATE, &with("metadata", &json!({"managedFields": entries})))
    }),
    Row::new("coordination convert, documents", 16, |size| of(CONVERT, &documents(size))),
    Row::new("coordination convert, a list in JSON", 16, |size| of(CONVERT, &list(size))),
    Row::new("coordination convert, unknown fields", 16, |size| {
        of(CONVERT, &with("spec", &members(size, &json!(1))))
    }),
    Row::new("coordination convert, kept strategies", 16, |size| {
        let strategies: Vec<String> = (0..size).map(|at| format!("example.com/s{at}")).collect();
        let candidate = json!({
            "apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidate", "metadata": {"name": "a"},
            "spec": {"leaseName": "l", "binaryVersion": "1.33.0", "preferredStrategies": strategies},
        });
        of("convert --to v1beta1", &candidate.to_string())
    }),
    Row::new("coordination convert --in-place", 4, |size| {
        let folder = TempDir::new().unwrap();
        for at in 0..size {
            let name = format!("{at}.json");
            fs::write(folder.path().join(name), candidate(at, "l").to_string()).unwrap();
        }
        command("convert --to v1alpha1 --in-place", folder, None)
    }),
    Row::new("coordination elect, candidates", 16, |size| of(ELECT, &list(size))),
    Row::new("coordination elect, Leases", 16, |size| {
        let items = (0..size).map(|at| candidate(at, &format!("l{at}")));
        of(ELECT, &of_items(items))
    }),
    Row::new("coordination elect, preferences", 16, |size| {
        let preferring = |at: usize| {
            let mut candidate = candidate(at, "l");
            candidate["apiVersion"] = json!("coordination.k8s.io/v1alpha1");
            candidate["spec"].as_object_mut().unwrap().remove("strategy");
            let [one, next] = [at, at + 1].map(|at| format!("example.com/s{at}"));
            candidate["spec"]["preferredStrategies"] = json!([one, next]);
            candidate
        };
        of(ELECT, &of_items((0..size).map(preferring)))
    }),
    Row::new("coordination conform", 1, conform),
];

/// Members with short names.
fn members(size: usize, value: &Value) -> Value {
    (0..size).map(|at| (format!("m{at}"), value.clone())).collect::<Map<_, _>>().into()
}

pub(crate) fn candidate(at: usize, lease: &str) -> Value {
    json!({
        "apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
        "metadata": {"name": format!("a{at}"), "namespace": "b"},
        "spec": {
            "leaseName": lease, "binaryVersion": "1.33.0", "emulationVersion": "1.33.0",
            "renewTime": "2026-01-02T03:04:00.000000Z", "strategy": "OldestEmulationVersion",
        },
    })
}

/// A candidate with more members in one of its parts.
fn with(part: &str, members: &Value) -> String {
    let mut candidate = candidate(0, "l");
    for (name, value) in members.as_object().unwrap() {
        candidate[part][name] = value.clone();
    }
    candidate.to_string()
}

fn documents(size: usize) -> String {
    let documents = (0..size).map(|at| format!("---\n{}\n", candidate(at, "l")));
    documents.collect::<Vec<_>>().concat()
}

fn list(size: usize) -> String {
    of_items((0..size).map(|at| candidate(at, "l")))
}

fn of_items(items: impl Iterator<Item = Value>) -> String {
    json!({"apiVersion": "v1", "kind": "List", "items": items.collect::<Vec<_>>()}).to_string()
}

/// The command with a file.
fn of(args: &str, text: &str) -> Work {
    let folder = TempDir::new().unwrap();
    let extension = if text.starts_with('{') { "json" } else { "yaml" };
    let name = format!("objects.{extension}");
    fs::write(folder.path().join(&name), text).unwrap();
    command(args, folder, Some(&name))
}

/// The command with a file of a folder, or with the whole folder. Whatever it says of the objects, it costs no more than the input.
fn command(args: &str, folder: TempDir, file: Option<&str>) -> Work {
    let path = file.map_or(folder.path().to_owned(), |file| folder.path().join(file));
    let words = ["coordination"].into_iter().chain(args.split(' '));
    let cli = Cli::try_parse_from(words.chain([path.to_str().unwrap()])).unwrap();
    Box::new(move || {
        // The folder lives as long as the work.
        let _ = &folder;
        let (mut out, mut err) = (Vec::new(), Vec::new());
        k8s_coordination_cli::run(&cli, &Progress::hidden(), &mut out, &mut err).unwrap();
    })
}

/// Recordings of this workspace, several times.
fn conform(size: usize) -> Work {
    const RECORDED: &str = "v1.35/coordination.k8s.io/v1/leases-validation";
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let folder = TempDir::new().unwrap();
    let to = folder.path().join(RECORDED);
    fs::create_dir_all(&to).unwrap();
    for entry in fs::read_dir(fixtures.join(RECORDED)).unwrap().take(8) {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        let name = name.to_str().unwrap();
        for copy in 0..size {
            fs::copy(&path, to.join(name.replace(".json", &format!("-{copy}.json")))).unwrap();
        }
    }
    let fixtures = format!("conform --fixtures {} --specs", folder.path().display());
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    let words = ["coordination"].into_iter().chain(fixtures.split(' '));
    let cli = Cli::try_parse_from(words.chain([specs.to_str().unwrap()])).unwrap();
    Box::new(move || {
        let _ = &folder;
        let (mut out, mut err) = (Vec::new(), Vec::new());
        k8s_coordination_cli::run(&cli, &Progress::hidden(), &mut out, &mut err).unwrap();
    })
}

/// A list is in memory as a whole, as its text and as values; no more of it.
#[test]
fn a_list_takes_few_times_its_bytes() {
    for (form, head, most) in [("JSON", "", 4), ("YAML", "# YAML\n", 3)] {
        let text = format!("{head}{}", list(4_000));
        let work = of(VALIDATE, &text);
        let used = measure(|| on_this_thread(work)).bytes_max;
        println!("{form}: {used} of {} bytes", text.len());
        assert!(used < most * text.len() as u64, "{form}: {used} of {} bytes", text.len());
    }
}
