//! Objects of recordings, dressed as tools write them, give the answers of the bare ones.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use testing::dress::{FORMS, applied};
use walkdir::WalkDir;

use crate::command::{coordination, root};

/// The objects that were sent to create one.
fn objects() -> Vec<Value> {
    let files = WalkDir::new(root().join("fixtures/v1.36")).sort_by_file_name();
    let files = files.into_iter().map(Result::unwrap);
    let creates = files.filter(|file| file.file_name().to_string_lossy().contains("-create"));
    let read = |path: &Path| {
        let recording: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        recording.pointer("/request/json").filter(|object| object.is_object()).cloned()
    };
    creates.filter_map(|file| read(file.path())).collect()
}

/// The output of a command without the places of a file, whose form tells them.
fn answer(folder: &Path, command: &[&str], name: &str) -> (i32, String) {
    let ran = coordination(folder, &[command, &[name]].concat());
    let lines = ran.stdout.lines().chain(ran.stderr.lines());
    let answer = lines.filter_map(|line| match line.split_once(name) {
        // `error[id]: FILE:1:2 at document 1, item 1 (Lease a): field: message`
        Some((before, place)) => {
            let end = place.find(" (").or_else(|| place.find(": "));
            let rest = end.and_then(|end| place.get(end..)).unwrap_or(place);
            Some(format!("{before}{rest}"))
        }
        // The advice about the items of a list.
        None => line.split("; an item of a list").next().map(str::to_owned),
    });
    (ran.code, answer.collect::<Vec<_>>().join("\n"))
}

#[test]
fn objects_are_read_in_every_form() {
    let objects = objects();
    assert!(objects.len() > 50, "{}", objects.len());
    let folder = TempDir::new().unwrap();
    for (index, object) in objects.iter().step_by(3).enumerate() {
        let (form, dress) = FORMS[index % FORMS.len()];
        let dressed = applied(object);
        fs::write(folder.path().join("bare.json"), dressed.to_string()).unwrap();
        fs::write(folder.path().join(form), dress(&dressed)).unwrap();
        for command in [
            &["validate"][..],
            &["elect", "--now", "2026-01-02T03:04:05Z"],
            &["convert", "--to", "v1beta1", "--check"],
        ] {
            let expected = answer(folder.path(), command, "bare.json");
            assert_eq!(answer(folder.path(), command, form), expected, "{object} as {form}");
        }
    }
}
