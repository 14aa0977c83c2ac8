//! The same definitions with this generator and with kopium: what compiles, how long names and texts are, how long a build
//! takes, and what is kept. `docs/explanations/comparison.md` has the table.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use k8s_versioned_codegen::{Builder, Features, Files};
use testing::specs;

use super::compiled::{folder, lock, manifest, type_name, write};

/// `KOPIUM` is the program, and `CRDS` a folder of definitions.
#[test]
#[ignore = "needs the program kopium and a folder of definitions"]
fn beside_kopium() {
    let program = env::var("KOPIUM").expect("the path of kopium");
    let crds = env::var("CRDS").expect("a folder of definitions");
    let (mut own_modules, mut their_modules) = (Modules::default(), Modules::default());
    let mut features = Features::new();
    let files = specs::files(Path::new(&crds)).unwrap();
    for (index, (path, text)) in files.iter().enumerate() {
        let file = Path::new(&crds).join(path);
        let output = Command::new(&program).args(["-A", "-d", "-f"]).arg(&file).output().unwrap();
        if output.status.success() {
            let text = String::from_utf8(output.stdout).unwrap();
            their_modules.add(index, Files::from([("mod.rs".to_owned(), text.into_bytes())]));
        }
        let specs = Files::from([
            ("crd.yaml".to_owned(), text.clone()),
            ("group.toml".to_owned(), b"features = [\"apply\"]".to_vec()),
        ]);
        let builder = Builder::new(specs).root(format!("crate::m{index}"));
        let generated = builder.generate().unwrap();
        own_modules.add(index, generated.files);
        features.extend(generated.features);
    }
    let folder = folder("kopium");
    let dependencies = "[package]\nname = \"theirs\"\nedition = \"2024\"\n\n[dependencies]\n\
        kube = { version = \"5\", default-features = false, features = [\"derive\"] }\n\
        k8s-openapi = { version = \"0.29\", features = [\"schemars\"] }\n\
        schemars = \"1\"\nserde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\n\n[workspace]\n";
    println!("| {} files | this generator | kopium |\n|---|--:|--:|", files.len());
    let own = manifest("ours", &features);
    let (ours, theirs) = (folder.join("ours"), folder.join("theirs"));
    let mut rows = [own_modules.measure(&ours, &own), their_modules.measure(&theirs, dependencies)];
    // In turn, so that both meet the same other work of the machine.
    let settings: [&[&str]; 3] = [&["--all-features"], &["--no-default-features"], &[]];
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..runs() {
        for (at, arguments) in settings.iter().enumerate() {
            times[at].push(seconds(if at < 2 { &ours } else { &theirs }, arguments));
        }
    }
    let [all, types, kopium] = times.map(median);
    rows[0].push(("seconds of `cargo check` of the package, all features", format!("{all:.1}")));
    rows[1].push(("", format!("{kopium:.1} ({:.2})", all / kopium)));
    rows[0].push(("the same, types alone", format!("{types:.1}")));
    rows[1].push(("", format!("{kopium:.1} ({:.2})", types / kopium)));
    let [ours, theirs] = rows;
    for ((what, ours), (_, theirs)) in ours.iter().zip(&theirs) {
        println!("| {what} | {ours} | {theirs} |");
    }
}

/// How often each build is timed: `RUNS`, or nine times.
pub(super) fn runs() -> usize {
    env::var("RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(9)
}

pub(super) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The time of a check of the package alone: its dependencies are checked before.
fn seconds(folder: &Path, arguments: &[&str]) -> f64 {
    let check = || assert!(cargo(folder).args(arguments).output().unwrap().status.success());
    let library = folder.join("src/lib.rs");
    check();
    fs::write(&library, fs::read(&library).unwrap()).unwrap();
    let start = Instant::now();
    check();
    start.elapsed().as_secs_f64()
}

/// Generated modules, one for each file.
#[derive(Default)]
struct Modules {
    all: Vec<(String, Files)>,
}

impl Modules {
    fn add(&mut self, index: usize, files: Files) {
        self.all.push((format!("m{index}"), files));
    }

    /// Compiles what can be compiled: modules with errors are left out until there are none.
    fn measure(mut self, folder: &Path, manifest: &str) -> Vec<(&'static str, String)> {
        let generated = self.all.len();
        let seconds = loop {
            self.write(folder, manifest);
            let start = Instant::now();
            let broken = broken(folder);
            if broken.is_empty() {
                break start.elapsed().as_secs_f64();
            }
            self.all.retain(|(name, _)| !broken.contains(name));
        };
        let files = self.all.iter().flat_map(|(_, files)| files);
        let rust = files.filter(|(path, _)| Path::new(path).extension() == Some("rs".as_ref()));
        let text: String =
            rust.map(|(_, text)| String::from_utf8_lossy(text).into_owned() + "\n").collect();
        let mut names: Vec<usize> = text.lines().filter_map(type_name).map(str::len).collect();
        names.sort_unstable();
        let name = |part: usize| names.get(names.len() * part / 100).copied().unwrap_or_default();
        let count = |needle: &str| text.matches(needle).count();
        vec![
            ("generate", generated.to_string()),
            ("compile", self.all.len().to_string()),
            ("types", names.len().to_string()),
            (
                "characters in a type name: median, 90th percentile, longest",
                format!("{}, {}, {}", name(50), name(90), names.last().unwrap_or(&0)),
            ),
            ("lines", text.lines().count().to_string()),
            ("seconds of `cargo check`, with dependencies", format!("{seconds:.0}")),
            ("fields whose docs name the default", count("Default: `").to_string()),
            ("enums that accept unknown values", count("    Other(").to_string()),
            ("enums", count("pub enum ").to_string()),
            (
                "notes on limits, patterns and CEL rules",
                ["At most ", "At least ", "Matches `", "Rule: `"]
                    .map(count)
                    .iter()
                    .sum::<usize>()
                    .to_string(),
            ),
        ]
    }

    fn write(&self, folder: &Path, manifest: &str) {
        let _ = fs::remove_dir_all(folder);
        let modules: String =
            self.all.iter().flat_map(|(name, _)| ["pub mod ", name, ";\n"]).collect();
        let mut files = Files::from([
            ("Cargo.toml".to_owned(), manifest.as_bytes().to_vec()),
            ("Cargo.lock".to_owned(), lock()),
            ("src/lib.rs".to_owned(), modules.into_bytes()),
        ]);
        for (name, of_module) in &self.all {
            let of_module = of_module.iter();
            files
                .extend(of_module.map(|(path, text)| (format!("src/{name}/{path}"), text.clone())));
        }
        write(folder, &files);
    }
}

/// The modules in which the compiler finds errors.
fn broken(folder: &Path) -> BTreeSet<String> {
    let output = cargo(folder).args(["--message-format", "short"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let errors = said.lines().filter(|line| line.contains(": error"));
    let broken: BTreeSet<String> = errors
        .filter_map(|line| line.strip_prefix("src/")?.split('/').next().map(str::to_owned))
        .collect();
    assert!(output.status.success() || !broken.is_empty(), "{said}");
    broken
}

fn cargo(folder: &Path) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(folder).arg("check");
    cargo.env("CARGO_TARGET_DIR", folder.with_extension("target")).env("CARGO_INCREMENTAL", "0");
    // No feature chooses the release: below this workspace, its configuration does.
    cargo.env("K8S_OPENAPI_ENABLED_VERSION", "1.36");
    cargo
}
