//! `generate` where links lead elsewhere, where it is killed, and where two run at once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use walkdir::WalkDir;

use crate::command::{WIDGETS, call};

/// A package of widgets whose code is generated, and the file of its definition.
fn package() -> (TempDir, PathBuf, PathBuf) {
    let folder = TempDir::new().unwrap();
    let definition = folder.path().join("widgets.yaml");
    fs::write(&definition, WIDGETS).unwrap();
    call(folder.path(), &format!("new some-types --crds {}", definition.display())).unwrap();
    let path = folder.path().join("some-types");
    call(&path, "generate").unwrap();
    let mut specs = fs::read_dir(path.join("specs")).unwrap().map(|entry| entry.unwrap().path());
    let vendored =
        specs.find(|path| path.extension().is_some_and(|extension| extension == "yaml")).unwrap();
    (folder, path, vendored)
}

/// The files of a package, without those of a run that did not end.
fn files(package: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_left_over = |path: &Path| path.to_str().unwrap().contains("/.k8s-versioned-");
    let entries = WalkDir::new(package).into_iter().map(|entry| entry.unwrap().into_path());
    let files = entries.filter(|path| path.is_file() && !is_left_over(path));
    files.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn left_overs(package: &Path) -> usize {
    let names = fs::read_dir(package).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_str().unwrap().starts_with(".k8s-versioned-")).count()
}

fn start(package: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
    command.arg("--root").arg(package).arg("generate");
    command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().unwrap()
}

/// Two states of a definition, so that each run has something to write.
fn states(vendored: &Path) -> [String; 2] {
    let text = fs::read_to_string(vendored).unwrap();
    [text.replace("size", "width"), text]
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links() {
    use std::os::unix::fs::symlink;

    let (folder, path, vendored) = package();
    let (victim, elsewhere) = (folder.path().join("victim"), folder.path().join("elsewhere"));
    fs::write(&victim, "precious").unwrap();
    fs::create_dir(&elsewhere).unwrap();
    fs::write(&vendored, &states(&vendored)[0]).unwrap();
    for at in [path.clone(), path.join("src/generated"), path.join("docs"), path.join("specs")] {
        fs::create_dir_all(&at).unwrap();
        for number in 0..6 {
            symlink(&victim, at.join(format!(".k8s-versioned-{number}.tmp"))).unwrap();
        }
    }
    call(&path, "generate").unwrap();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert_eq!(left_overs(&path) + left_overs(&path.join("src/generated")), 0);

    // A folder on the way is a link.
    for inside in ["src", "docs", "tests"] {
        let (folder, path, _) = package();
        let elsewhere = folder.path().join("elsewhere");
        fs::remove_dir_all(path.join(inside)).unwrap();
        fs::create_dir(&elsewhere).unwrap();
        symlink(&elsewhere, path.join(inside)).unwrap();
        let refused = call(&path, "generate").unwrap_err();
        assert!(refused.contains("links are not followed"), "{inside}: {refused}");
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0, "{inside}");
    }
}

/// Kills runs at moments of their whole time, and returns how many packages were neither the old nor the new one: at once in their code,
/// and in all files after the next run, also if that run is refused.
fn kill(rounds: u32) -> usize {
    let (_folder, path, vendored) = package();
    let states = states(&vendored);
    let before = Instant::now();
    assert!(start(&path).wait().unwrap().success());
    let whole = before.elapsed();
    let code = |state: &BTreeMap<PathBuf, Vec<u8>>| -> BTreeMap<PathBuf, Vec<u8>> {
        let of_code = |file: &PathBuf| file.starts_with(path.join("src"));
        state.clone().into_iter().filter(|(file, _)| of_code(file)).collect()
    };
    let generated = |mut state: BTreeMap<PathBuf, Vec<u8>>| {
        state.remove(&vendored);
        state
    };
    let mut mixed = 0;
    for round in 0..rounds {
        let old = files(&path);
        let state = &states[round as usize % 2];
        fs::write(&vendored, state).unwrap();
        let mut run = start(&path);
        std::thread::sleep(whole * round / rounds + Duration::from_micros(u64::from(round) * 7));
        run.kill().unwrap();
        run.wait().unwrap();
        let killed = files(&path);
        fs::write(&vendored, "no: definition").unwrap();
        assert!(call(&path, "generate").is_err(), "round {round}");
        let refused = files(&path);
        fs::write(&vendored, state).unwrap();
        assert!(start(&path).wait().unwrap().success(), "round {round}");
        assert!(call(&path, "generate --check").is_ok(), "round {round}");
        assert_eq!(left_overs(&path), 0, "round {round}");
        let new = files(&path);
        let is_whole = [code(&old), code(&new)].contains(&code(&killed))
            && [generated(old), generated(new)].contains(&generated(refused));
        mixed += usize::from(!is_whole);
    }
    mixed
}

#[test]
fn a_run_after_a_killed_one_succeeds() {
    assert_eq!(kill(6), 0);
}

#[test]
#[ignore = "200 runs take minutes"]
fn two_hundred_killed_runs_leave_the_old_or_the_new_package() {
    assert_eq!(kill(200), 0);
}

/// Two runs at once, each of which has to write.
fn at_once(rounds: usize) {
    let (_folder, path, vendored) = package();
    let states = states(&vendored);
    for round in 0..rounds {
        fs::write(&vendored, &states[round % 2]).unwrap();
        let mut runs = [start(&path), start(&path)];
        for run in &mut runs {
            assert!(run.wait().unwrap().success(), "round {round}");
        }
        assert!(call(&path, "generate --check").is_ok(), "round {round}");
        assert_eq!(left_overs(&path), 0, "round {round}");
    }
}

#[test]
fn two_runs_at_once_wait_for_each_other() {
    at_once(3);
}

#[test]
#[ignore = "200 runs take minutes"]
fn two_hundred_pairs_of_runs_succeed() {
    at_once(200);
}

/// A whole folder is replaced, and its unchanged files stay the same files.
#[test]
fn an_unchanged_file_is_not_touched() {
    let (_folder, path, vendored) = package();
    let code = path.join("src/generated");
    let times = || -> BTreeMap<PathBuf, _> {
        let files = WalkDir::new(&code).into_iter().map(|entry| entry.unwrap().into_path());
        files
            .filter(|file| file.is_file())
            .map(|file| (file.clone(), file.metadata().unwrap().modified().unwrap()))
            .collect()
    };
    let before = times();
    fs::write(&vendored, &states(&vendored)[0]).unwrap();
    call(&path, "generate").unwrap();
    let after = times();
    let same = after.iter().filter(|(path, time)| before.get(*path) == Some(time)).count();
    assert!(same > 0 && same < after.len(), "{same} of {}", after.len());
}

#[test]
fn a_name_that_rust_has_is_refused() {
    let folder = TempDir::new().unwrap();
    for name in ["fn", "self", "core", "test", "serde-json", "k8s-versioned"] {
        let refused = call(folder.path(), &format!("new {name}")).unwrap_err();
        assert!(refused.contains(&format!("write `{name}-types`")), "{refused}");
        assert!(!folder.path().join(name).exists());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
