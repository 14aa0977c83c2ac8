//! Packages of several groups as a user gets them: compiled, documented, used to decode and encode objects, and checked
//! by the conformance kit.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};
use std::{env, fs};

use k8s_versioned_cli::project::{Crates, package_files};
use k8s_versioned_codegen::tools::draft::Drafter;
use k8s_versioned_codegen::{Builder, Features, Files, Generated, Plans};
use serde_json::Value;
use testing::specs;
use testing::specs::groups::{documents, group_of, lines};

use super::{GROUPS, examples, kinds, package as generate};

#[test]
#[ignore = "compiles a package of ten groups: `.ci/run --all` has a step for it"]
fn objects_of_ten_groups() {
    let folder = folder("ten-groups");
    write_package(&folder, "groups", &documents(|path| GROUPS.contains(&&*group_of(path))), "", "");
    cargo(&folder, "groups", &["check", "--no-default-features", "--features", "apps"]);
    round_trip(&folder, 58);
}

#[test]
#[ignore = "compiles a package of all groups"]
fn objects_of_all_groups() {
    let folder = folder("all-groups");
    write_package(&folder, "groups", &documents(|_| true), "", "");
    // Each vector is of a kind that a document has.
    round_trip(&folder, lines("vectors.jsonl.gz").count());
}

/// Custom resources: the definitions of public projects in the cases, or those in the folder `CRDS`, which can also have the
/// documents of a server. Each file is a module, since several files can have the same kinds.
#[test]
#[ignore = "compiles packages of 185 definitions"]
fn definitions() {
    let mut specs: Vec<Files> = Vec::new();
    if let Ok(crds) = env::var("CRDS") {
        for (path, text) in specs::files(Path::new(&crds)).unwrap() {
            let name = path.rsplit('/').next().unwrap();
            let is_document = name.starts_with("apis__");
            let name = if is_document { format!("v1.36/{name}") } else { "crd.yaml".to_owned() };
            specs.push(Files::from([(name, text)]));
        }
    } else {
        let crds = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/crds");
        let own = ["odd.yaml", "unusual.yaml"].map(|name| fs::read(crds.join(name)).unwrap());
        let texts = lines("../crds/manifests.jsonl.gz").map(String::into_bytes);
        let texts = texts.chain(own);
        specs.extend(texts.map(|text| Files::from([("crd.yaml".to_owned(), text)])));
    }
    let folder = folder("definitions");
    let (mut slowest, all) = (Duration::ZERO, Instant::now());
    // A package of more files takes the compiler more memory than most machines have.
    for batch in specs.chunks(70) {
        slowest = slowest.max(write_modules(&folder, batch));
        if env::var_os("CHECK").is_some() {
            cargo(&folder, "groups", &["check"]);
            continue;
        }
        cargo(&folder, "groups", &["check", "--all-features"]);
        let objects = batch.iter().flat_map(examples::of).map(|object| object.to_string() + "\n");
        fs::write(folder.join("examples.jsonl"), objects.collect::<String>()).unwrap();
        round_trip(&folder, 0);
    }
    println!("{} files in {:?}, the slowest generated in {slowest:?}", specs.len(), all.elapsed());
}

/// Generates a package with a module for each of these folders, and a registry of all their kinds. Returns the longest time
/// that one of them took.
fn write_modules(folder: &Path, all: &[Files]) -> Duration {
    let (mut modules, mut kinds) = (String::new(), Vec::new());
    let (mut files, mut features) = (Files::new(), Features::new());
    let mut slowest = Duration::ZERO;
    for (index, specs) in all.iter().enumerate() {
        let name = format!("m{index}");
        let mut specs = specs.clone();
        specs.insert("group.toml".to_owned(), b"features = []".to_vec());
        let builder = Builder::new(specs).root(format!("crate::{name}"));
        let start = Instant::now();
        let generated = builder.generate().unwrap_or_else(|problems| panic!("{problems}"));
        slowest = slowest.max(start.elapsed());
        generated.files.values().for_each(|text| check_names(text));
        let code = generated.files.into_iter();
        files.extend(code.map(|(path, text)| (format!("src/{name}/{path}"), text)));
        features.extend(generated.features);
        modules.extend(["pub mod ", &name, ";\n"]);
        kinds.push(format!("{name}::Kinds.kinds()"));
    }
    let library = format!(
        "{modules}\nuse k8s_versioned::{{KindEntry, Registry}};\nuse std::sync::LazyLock;\n\npub struct Kinds;\n\n\
         impl Registry for Kinds {{\n    fn kinds(&self) -> &[KindEntry] {{\n        static ALL: LazyLock<Vec<KindEntry>> =\n            \
         LazyLock::new(|| [{}].concat());\n        &ALL\n    }}\n}}\n",
        kinds.join(", ")
    );
    files.insert("Cargo.toml".to_owned(), manifest("groups", &features).into_bytes());
    files.insert("Cargo.lock".to_owned(), lock());
    files.insert("src/lib.rs".to_owned(), library.into_bytes());
    // The files of the last batch.
    let _ = fs::remove_dir_all(folder.join("groups"));
    write(&folder.join("groups"), &files);
    slowest
}

/// No name of a type has more than 40 letters.
fn check_names(text: &[u8]) {
    let text = str::from_utf8(text).unwrap();
    for name in text.lines().filter_map(type_name) {
        assert!(name.len() <= 40, "{name}");
    }
}

/// The name of the type that begins in a line.
pub(crate) fn type_name(line: &str) -> Option<&str> {
    let item = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "))?;
    item.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

/// The manifest of a package with these features.
pub(crate) fn manifest(name: &str, features: &Features) -> String {
    let crates = Crates::Folder(crates().display().to_string());
    package_files::manifest(name, features, Some(&crates), None, false).unwrap()
}

/// Makes the docs of the package, and runs `round_trip.rs` with it. `OBJECTS` names a folder of more objects, such as those
/// that a server has stored.
fn round_trip(folder: &Path, at_least: usize) {
    cargo(folder, "groups", &["doc", "--no-deps"]);
    let manifest = format!(
        "[package]\nname = \"round-trip\"\nedition = \"2024\"\n\n[dependencies]\ngroups = {{ path = \"../groups\" }}\n\
         k8s-versioned = {{ path = {:?} }}\nserde_json = \"1\"\n\n[workspace]\n",
        format!("{}/k8s-versioned", crates().display())
    );
    let vectors = lines("vectors.jsonl.gz").map(|line| line + "\n").collect::<String>();
    let files = Files::from([
        ("Cargo.toml".to_owned(), manifest.into_bytes()),
        ("Cargo.lock".to_owned(), lock()),
        ("src/main.rs".to_owned(), fs::read(cases().join("round_trip.rs")).unwrap()),
        ("vectors.jsonl".to_owned(), vectors.into_bytes()),
    ]);
    write(&folder.join("round-trip"), &files);
    let at_least = at_least.to_string();
    let mut run = vec!["run", "--", &*at_least, "vectors.jsonl"];
    let objects = env::var("OBJECTS").ok();
    run.extend(objects.as_deref());
    let examples = folder.join("examples.jsonl");
    run.extend(examples.to_str().filter(|_| examples.exists()));
    cargo(folder, "round-trip", &run);
}

/// Conversions of kinds of several groups compile with the types of each group alone, and with none.
#[test]
#[ignore = "compiles a package: `.ci/run --all` has a step for it"]
fn conversions_of_single_groups() {
    let folder = folder("conversions");
    let mut specs = specs::files(&cases().join("../good/custom-groups")).unwrap();
    specs.remove("group.toml");
    let generated = Builder::new(specs).generate().unwrap_or_else(|problems| panic!("{problems}"));
    write_generated(&folder, "boats", generated, "");
    for groups in ["", "lake", "sea", "lake,sea"] {
        let features = format!("conversion,registry,{groups}");
        let features = ["--no-default-features", "--features", features.trim_end_matches(',')];
        cargo(&folder, "boats", &[&["check"], &features[..]].concat());
    }
}

/// Types of another package, and the conformance kit on paths of the core group, kinds of the cluster and subresources.
#[test]
#[ignore = "compiles two packages: `.ci/run --all` has a step for it"]
fn kit() {
    let folder = folder("kit");
    let of = |groups: &[&str]| {
        documents(|path| path.starts_with("v1.36/") && groups.contains(&&*group_of(path)))
    };
    let (core, others) = (of(&[""]), of(&["apps", "rbac.authorization.k8s.io"]));
    write_package(&folder, "core-types", &core, "", "");
    let rules = r#"
        [[module]]
        schemas = "io.k8s.api.core.{version}"
        module = "{version}"
        crate = "core_types"

        [[module]]
        schemas = "io.k8s.api.autoscaling.{version}"
        module = "autoscaling::{version}"
        crate = "core_types"
    "#;
    let dependency = "core-types = { path = \"../core-types\" }\n";
    write_package(&folder, "groups", &others, rules, dependency);
    let documents = core.into_iter().chain(others);
    let mut files: Files = documents.map(|(path, text)| (format!("specs/{path}"), text)).collect();
    let recordings = specs::files(&cases().join("recordings")).unwrap().into_iter();
    files.extend(recordings.map(|(path, text)| (format!("tests/recordings/{path}"), text)));
    files.insert("tests/kit.rs".to_owned(), fs::read(cases().join("kit.rs")).unwrap());
    write(&folder.join("groups"), &files);
    cargo(&folder, "groups", &["test"]);
}

/// The built-in kinds with several versions whose conversions need no rule.
const WITHOUT_RULES: [(&str, &str); 9] = [
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
    ("certificates.k8s.io", "ClusterTrustBundle"),
    ("flowcontrol.apiserver.k8s.io", "FlowSchema"),
    ("networking.k8s.io", "IPAddress"),
    ("networking.k8s.io", "ServiceCIDR"),
    ("storage.k8s.io", "VolumeAttributesClass"),
];

/// Their conversions compile, and lose nothing on random walks: by the test that each package with conversions gets.
#[test]
#[ignore = "compiles a package of five groups: `.ci/run --all` has a step for it"]
fn conversions_without_rules() {
    let folder = folder("without-rules");
    let groups: BTreeSet<&str> = WITHOUT_RULES.iter().map(|(group, _)| *group).collect();
    let mut specs = documents(|path| groups.contains(&*group_of(path)));
    let versions = kinds(&specs);
    let rule = |(group, kind): &(&str, &str)| {
        let versions = &versions[&((*group).to_owned(), (*kind).to_owned())];
        format!("[[kind]]\ngroup = {group:?}\nkind = {kind:?}\nversions = {versions:?}\n")
    };
    let rules: Vec<String> = WITHOUT_RULES.iter().map(rule).collect();
    let rules = rules.concat().replace('{', "[").replace('}', "]");
    specs.insert("conversions.toml".to_owned(), rules.into_bytes());
    write_package(&folder, "groups", &specs, "", "");
    let manifest = fs::read_to_string(folder.join("groups/Cargo.toml")).unwrap();
    let mut files: Files =
        specs.into_iter().map(|(path, text)| (format!("specs/{path}"), text)).collect();
    let begin = package_files::files_of_conversions(&manifest).into_iter();
    files.extend(begin.map(|(path, text)| (path.to_owned(), text.into_bytes())));
    write(&folder.join("groups"), &files);
    cargo(&folder, "groups", &["test", "--test", "conversions"]);
}

/// The drafts for all kinds with several versions in the folder `CRDS`, as they stand: their conversions compile, and lose nothing on
/// 200 walks each, also of values of other types than their version declares.
#[test]
#[ignore = "needs a folder of definitions: `CRDS`"]
fn drafts() {
    let Ok(crds) = env::var("CRDS") else { return };
    let definitions = examples::versions(&specs::files(Path::new(&crds)).unwrap());
    let specs: Vec<Files> = definitions.iter().map(drafted).collect();
    let texts = specs.iter().map(|files| str::from_utf8(&files["conversions.toml"]).unwrap());
    let text: String = texts.collect();
    let count = |part: &str| text.matches(part).count();
    let (rules, guesses) = (count("\nrule = "), count("# a guess"));
    let kept = count("rule = \"keep-aside\"");
    println!("{} kinds: {rules} rules, {guesses} guesses, {kept} keep-aside", specs.len());
    let (folder, mut failed) = (folder("drafts"), Vec::new());
    for (index, batch) in specs.chunks(20).enumerate() {
        write_modules(&folder, batch);
        let walks = ("tests/walks.rs".to_owned(), walks_of(batch.len()).into_bytes());
        let specs = batch.iter().enumerate().flat_map(|(index, specs)| {
            let place = move |path: &String| format!("specs/m{index}/{path}");
            specs.iter().map(move |(path, text)| (place(path), text.clone()))
        });
        write(&folder.join("groups"), &specs.chain([walks]).collect());
        let arguments = ["test", "--no-fail-fast", "--test", "walks"];
        let is_success = cargo_status(&folder, "groups", &arguments).success();
        println!("batch {index}: {}", if is_success { "nothing is lost" } else { "FAILED" });
        failed.extend((!is_success).then_some(index));
    }
    assert!(failed.is_empty(), "batches {failed:?} failed");
}

/// A definition with the draft of the rules for its kind.
pub(super) fn drafted(definition: &Value) -> Files {
    let mut files = Files::from([("crd.yaml".to_owned(), definition.to_string().into_bytes())]);
    let plans = Plans::read(&files).unwrap_or_else(|problems| panic!("{problems}"));
    let text = Drafter::new(&plans).drafts(false).unwrap().concat();
    files.insert("conversions.toml".to_owned(), text.into_bytes());
    files
}

/// A test for each module.
fn walks_of(modules: usize) -> String {
    let mut text = "use k8s_versioned::conversion::generic::Convertibles;\n\
        use k8s_versioned_conformance::check::Convertible;\n\
        use k8s_versioned_conformance::walks::{Schemas, walk};\n\n\
        fn take<K: Convertibles>(specs: &str) {\n    \
        let schemas = Schemas::load(specs).unwrap();\n    \
        for kind in Convertible::all::<K>() {\n        \
        let walked = (0..200).try_for_each(|seed| walk(&kind, &schemas, seed));\n        \
        walked.unwrap_or_else(|error| panic!(\"{error}\"));\n    }\n}\n"
        .to_owned();
    for index in 0..modules {
        let _ = write!(
            text,
            "\n#[test]\nfn m{index}() {{\n    take::<groups::m{index}::Kinds>(\"specs/m{index}\");\n}}\n"
        );
    }
    text
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/groups")
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("crates")
}

/// The versions of this workspace, which are there without a network.
pub(crate) fn lock() -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("Cargo.lock")).unwrap()
}

/// An empty folder for packages.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It has the files of an earlier run.
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Generates a package with these rules and more dependencies.
pub(super) fn write_package(
    folder: &Path,
    name: &str,
    documents: &Files,
    rules: &str,
    dependencies: &str,
) -> Features {
    write_generated(folder, name, generate(documents, rules), dependencies)
}

fn write_generated(
    folder: &Path,
    name: &str,
    generated: Generated,
    dependencies: &str,
) -> Features {
    let crates = Crates::Folder(crates().display().to_string());
    let manifest =
        package_files::manifest(name, &generated.features, Some(&crates), None, false).unwrap();
    let manifest = manifest.replace("[dependencies]\n", &format!("[dependencies]\n{dependencies}"));
    let mut files = Files::from([
        ("Cargo.toml".to_owned(), manifest.into_bytes()),
        ("src/lib.rs".to_owned(), package_files::LIBRARY.into()),
        // The docs of the library.
        ("README.md".to_owned(), b"Types of several groups.\n".to_vec()),
    ]);
    files.insert("Cargo.lock".to_owned(), lock());
    let code = generated.files.into_iter();
    files.extend(code.map(|(path, text)| (format!("src/generated/{path}"), text)));
    write(&folder.join(name), &files);
    generated.features
}

pub(crate) fn write(folder: &Path, files: &Files) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Runs cargo in a package. Warnings are errors.
pub(super) fn cargo(folder: &Path, package: &str, arguments: &[&str]) {
    let status = cargo_status(folder, package, arguments);
    assert!(status.success(), "cargo {arguments:?} in {package} failed");
}

fn cargo_status(folder: &Path, package: &str, arguments: &[&str]) -> ExitStatus {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(folder.join(package)).arg("--offline").args(arguments);
    // One folder for all packages.
    cargo.env("CARGO_TARGET_DIR", folder.with_file_name("packages"));
    cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    cargo.env("RUSTFLAGS", "-D warnings").env("RUSTDOCFLAGS", "-D warnings");
    cargo.status().unwrap()
}
