//! The release build of the types of all groups, in one release and in seven, beside the build of `k8s-openapi`, which has one.
//! `docs/explanations/performance.md` has the figures.

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
#[ignore = "needs an idle machine: it measures the time of 27 builds"]
fn beside_k8s_openapi() {
    let folder = folder("openapi");
    let [one, seven] = [("one", "v1.37/"), ("seven", "v1.")].map(|(name, releases)| {
        let documents = documents(|path| path.starts_with(releases));
        let features = write_package(&folder, name, &documents, "", "");
        let groups = features.into_keys().filter(|name| !OTHERS.contains(&name.as_str()));
        groups.collect::<Vec<_>>().join(",")
    });
    let manifest = "[package]\nname = \"peer\"\nedition = \"2024\"\n\n[dependencies]\nk8s-openapi = \"0.29\"\n\n[workspace]\n";
    let files = Files::from([
        ("Cargo.toml".to_owned(), manifest.into()),
        ("Cargo.lock".to_owned(), lock()),
        ("src/lib.rs".to_owned(), Vec::new()),
    ]);
    write(&folder.join("peer"), &files);
    let mut times = [const { Vec::new() }; 3];
    // In turn, so that all meet the same other work of the machine.
    for _ in 0..runs() {
        times[0].push(seconds(
            &folder,
            "one",
            "one",
            &["--no-default-features", "--features", &one],
        ));
        times[1].push(seconds(
            &folder,
            "seven",
            "seven",
            &["--no-default-features", "--features", &seven],
        ));
        times[2].push(seconds(&folder, "peer", "k8s-openapi", &[]));
    }
    let [one, seven, peer] = times.map(median);
    println!("| seconds of a release build of the types | | of `k8s-openapi` |\n|---|--:|--:|");
    for (name, time) in [("`k8s-openapi`", peer), ("one release", one), ("seven releases", seven)] {
        println!("| {name} | {time:.1} | {:.2} |", time / peer);
    }
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
