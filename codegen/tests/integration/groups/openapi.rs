//! The release build of the types of all groups in all releases, beside that of `k8s-openapi`, which has those of one release.
//! `docs/performance.md` has the figures.

use std::fs;
use std::path::Path;
use std::time::Instant;

use k8s_versioned_codegen::Files;
use testing::specs::groups::documents;

use super::compiled::{cargo, folder, lock, write, write_package};
use super::kopium::{median, runs};

/// What is not a type of a group.
const OTHERS: [&str; 5] = ["apply", "lifecycle", "registry", "requests", "schemars"];

#[test]
#[ignore = "builds each side nine times"]
fn beside_k8s_openapi() {
    let folder = folder("openapi");
    let features = write_package(&folder, "groups", &documents(|_| true), "", "");
    let groups = features.into_keys().filter(|name| !OTHERS.contains(&name.as_str()));
    let groups = groups.collect::<Vec<_>>().join(",");
    let manifest = "[package]\nname = \"peer\"\nedition = \"2024\"\n\n[dependencies]\nk8s-openapi = \"0.29\"\n\n[workspace]\n";
    let files = Files::from([
        ("Cargo.toml".to_owned(), manifest.into()),
        ("Cargo.lock".to_owned(), lock()),
        ("src/lib.rs".to_owned(), Vec::new()),
    ]);
    write(&folder.join("peer"), &files);
    let types = ["--no-default-features", "--features", &groups];
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    // In turn, so that both meet the same other work of the machine.
    for _ in 0..runs() {
        ours.push(seconds(&folder, "groups", "groups", &types));
        theirs.push(seconds(&folder, "peer", "k8s-openapi", &[]));
    }
    let (ours, theirs) = (median(ours), median(theirs));
    println!(
        "release build, seconds: ours {ours:.1}, k8s-openapi {theirs:.1} ({:.2})",
        ours / theirs
    );
}

/// The time to compile one package in a release build of another that has it. Its dependencies are compiled before.
fn seconds(folder: &Path, package: &str, compiled: &str, arguments: &[&str]) -> f64 {
    let build = [&["build", "--quiet", "--release"], arguments].concat();
    cargo(folder, package, &build);
    cargo(folder, package, &["clean", "--quiet", "--release", "--package", compiled]);
    // The package itself is compiled, too, on both sides.
    let library = folder.join(package).join("src/lib.rs");
    fs::write(&library, fs::read(&library).unwrap()).unwrap();
    let start = Instant::now();
    cargo(folder, package, &build);
    start.elapsed().as_secs_f64()
}
