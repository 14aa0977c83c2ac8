//! The first file that a stranger brings: definitions and objects of recordings, dressed as projects ship them, give the answers of
//! the bare ones.

mod dress;
mod reports;

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::call;
use dress::{described, installed};
use testing::dress::{FORMS, applied};

/// The recordings of public definitions that are part of another package.
const RECORDINGS: &str = "../k8s-versioned-admission/fixtures/recordings.json.gz";

/// A definition, and bodies that were sent to create an object of it, each with the status of the answer.
struct Recorded {
    definition: Value,
    creates: Vec<(Value, u64)>,
}

/// The definitions that have creates with strict field validation.
fn recorded() -> Vec<Recorded> {
    let mut text = String::new();
    GzDecoder::new(fs::File::open(RECORDINGS).unwrap()).read_to_string(&mut text).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let mut all: BTreeMap<String, Recorded> = BTreeMap::new();
    for exchange in value["exchanges"].as_array().unwrap() {
        let (path, name) =
            (exchange["path"].as_str().unwrap(), exchange["definition"].as_str().unwrap());
        let request = &exchange["recording"]["request"];
        let response = &exchange["recording"]["response"];
        let message = response["json"]["message"].as_str().unwrap_or_default();
        // A file does not tell the namespace of the request.
        let is_strict =
            request["query"]["fieldValidation"] == "Strict" && exchange["release"] == "v1.36";
        if path.ends_with("-create.json")
            && is_strict
            && request["json"].is_object()
            && !message.contains("namespace sent on the request")
        {
            let recorded = all.entry(name.to_owned()).or_insert_with(|| Recorded {
                definition: value["definitions"][name].clone(),
                creates: Vec::new(),
            });
            recorded.creates.push((request["json"].clone(), response["status"].as_u64().unwrap()));
        }
    }
    all.into_values().collect()
}

/// Writes a file into a folder and returns its path.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// The output of a command without the names and the lines of files, which differ.
fn without_places(folder: &Path, output: Result<String, String>) -> Result<String, String> {
    let clean = |text: String| {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("-->"));
        let lines = lines.map(|line| match line.find(&folder.display().to_string()) {
            // `error[id]: PATH:1:2 at document 1, item 1 (Kind name): field: message`, `warning[id]: PATH:1:2 at /a/b: message`
            Some(at) => {
                let (before, place) = line.split_at(at);
                let end = place.split_once(" (").or_else(|| place.split_once(": "));
                let rest = end.map_or(place, |(_, rest)| rest);
                format!("{before}{rest}")
            }
            None => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    output.map(clean).map_err(clean)
}

/// `validate --crds` gives the answer of the server for each form of a definition, and of an object.
#[test]
fn objects_are_judged_by_definitions_in_every_form() {
    let all = recorded();
    let creates: usize = all.iter().map(|recorded| recorded.creates.len()).sum();
    assert!(all.len() > 20 && creates > 60, "{} {creates}", all.len());
    for (index, Recorded { definition, creates }) in all.iter().enumerate() {
        let folder = TempDir::new().unwrap();
        let bare = write(folder.path(), "bare.json", definition.to_string().as_bytes());
        let (form, dress) = FORMS[index % FORMS.len()];
        let crd = write(
            folder.path(),
            &format!("crd-{form}"),
            &dress(&installed(&described(definition))),
        );
        for (number, (object, status)) in creates.iter().take(3).enumerate() {
            let plain = write(folder.path(), "plain.json", object.to_string().as_bytes());
            let (form, dress) = FORMS[(index + number) % FORMS.len()];
            let dressed = write(folder.path(), &format!("object-{form}"), &dress(&applied(object)));
            let validate = |crd: &Path, object: &Path| {
                let command = format!("validate --crds {} {}", crd.display(), object.display());
                without_places(folder.path(), call(folder.path(), &command))
            };
            let expected = validate(&bare, &plain);
            let name = &definition["metadata"]["name"];
            assert_eq!(expected.is_ok(), *status < 300, "{name}: {expected:?}");
            assert_eq!(validate(&crd, &plain), expected, "{name} in {}", crd.display());
            assert_eq!(validate(&bare, &dressed), expected, "{name}: {}", dressed.display());
            if expected.is_ok() {
                let dump = write(folder.path(), "dump", &dress(&stored(object)));
                let answer = validate(&crd, &dump);
                assert!(answer.is_ok(), "{name}: {} as {form}: {answer:?}", dump.display());
            }
        }
    }
}

/// Definitions are judged in every form, also as a cluster has them.
#[test]
fn definitions_are_judged_in_every_form() {
    let mut accepted = 0;
    for (index, Recorded { definition, .. }) in recorded().iter().enumerate() {
        let folder = TempDir::new().unwrap();
        let judge = |name: &str, bytes: &[u8]| {
            let file = write(folder.path(), name, bytes);
            let validate = |options: &str| {
                let command = format!("validate {options} {}", file.display());
                without_places(folder.path(), call(folder.path(), &command))
            };
            [validate(""), validate("--explain-cost")]
        };
        let (form, dress) = FORMS[index % FORMS.len()];
        let described = described(definition);
        let expected = judge("bare.json", described.to_string().as_bytes());
        let name = &definition["metadata"]["name"];
        accepted += usize::from(expected.iter().all(Result::is_ok));
        assert_eq!(judge(form, &dress(&installed(&described))), expected, "{name} as {form}");
    }
    assert!(accepted > 20, "{accepted}");
}

/// `diff` finds the changes of bare definitions in every form.
#[test]
fn changes_are_found_in_every_form() {
    for (index, Recorded { definition, .. }) in recorded().iter().step_by(2).enumerate() {
        let folder = TempDir::new().unwrap();
        let described = described(definition);
        let diff = |name: &str, dress: &dyn Fn(&Value) -> Vec<u8>| {
            let [old, new] = [("old", described.clone()), ("new", changed(&described))].map(
                |(side, definition)| {
                    write(folder.path(), &format!("{side}-{name}"), &dress(&definition))
                },
            );
            let command = format!("diff {} {}", old.display(), new.display());
            let names = |text: String| text.replace(&format!("-{name}"), "");
            without_places(folder.path(), call(folder.path(), &command)).map(names).map_err(names)
        };
        let expected = diff("bare.json", &|definition| definition.to_string().into_bytes());
        assert!(expected.as_ref().is_ok_and(|text| text.contains("more")), "{expected:?}");
        let (form, dress) = FORMS[index % FORMS.len()];
        let dressed = diff(form, &|definition| dress(&installed(definition)));
        assert_eq!(dressed, expected, "{} as {form}", definition["metadata"]["name"]);
    }
}

/// A definition whose first version has one field more.
fn changed(definition: &Value) -> Value {
    let mut changed = definition.clone();
    let schema = &mut changed["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    schema["properties"]["more"] = serde_json::json!({"type": "string", "description": "More."});
    changed
}

/// An object with what a server adds to it.
fn stored(object: &Value) -> Value {
    let mut stored = applied(object);
    // Servers drop the status of a new object, so nobody judged it.
    stored.as_object_mut().unwrap().remove("status");
    let version = &object["apiVersion"];
    let managed = serde_json::json!([{
        "manager": "kubectl", "operation": "Update", "apiVersion": version,
        "time": "2026-01-02T03:04:05Z", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {}},
    }]);
    for (name, value) in [
        ("uid", "0b1c2d3e-0000-4000-8000-000000000000".into()),
        ("resourceVersion", "7".into()),
        ("generation", 1.into()),
        ("creationTimestamp", "2026-01-02T03:04:05Z".into()),
        ("managedFields", managed),
    ] {
        stored["metadata"][name] = value;
    }
    stored
}

/// `show` prints the same types for each form, and descriptions where there are some.
#[test]
fn types_are_shown_of_definitions_in_every_form() {
    for (index, Recorded { definition, .. }) in recorded().iter().step_by(3).enumerate() {
        let folder = TempDir::new().unwrap();
        let show = |path: &Path| {
            without_places(folder.path(), call(folder.path(), &format!("show {}", path.display())))
        };
        let described = described(definition);
        let expected = show(&write(folder.path(), "bare.json", described.to_string().as_bytes()));
        assert!(expected.as_ref().is_ok_and(|text| text.contains("pub struct")), "{expected:?}");
        let (form, dress) = FORMS[index % FORMS.len()];
        let dressed = write(folder.path(), form, &dress(&installed(&described)));
        assert_eq!(show(&dressed), expected, "{} as {form}", definition["metadata"]["name"]);
    }
}

/// A package made from a definition is the same for each form, and stays as it is.
#[test]
fn packages_are_made_of_definitions_in_every_form() {
    let all = recorded();
    let definition = described(&all[0].definition);
    let group = definition["spec"]["group"].as_str().unwrap();
    let mut expected = None;
    for (form, dress) in FORMS {
        let folder = TempDir::new().unwrap();
        let crd = write(folder.path(), form, &dress(&installed(&definition)));
        let new = format!(
            "new {}/types --group {group} --release 1.0.0 --crds {}",
            folder.path().display(),
            crd.display()
        );
        call(folder.path(), &new).unwrap_or_else(|error| panic!("{form}: {error}"));
        let package = folder.path().join("types");
        call(&package, "draft").unwrap_or_else(|error| panic!("{form}: {error}"));
        call(&package, "generate").unwrap_or_else(|error| panic!("{form}: {error}"));
        call(&package, "generate --check").unwrap_or_else(|error| panic!("{form}: {error}"));
        let fetch = format!("fetch --release 1.1.0 --crds {}", crd.display());
        call(&package, &fetch).unwrap_or_else(|error| panic!("{form}: {error}"));
        let mut specs = BTreeMap::new();
        for file in walkdir::WalkDir::new(package.join("specs")).into_iter().map(Result::unwrap) {
            if file.path().is_file() {
                specs.insert(file.file_name().to_owned(), fs::read_to_string(file.path()).unwrap());
            }
        }
        assert_eq!(expected.get_or_insert_with(|| specs.clone()), &specs, "{form}");
    }
}

/// A definition that servers reject hinders no other: only its own objects are not judged.
#[test]
fn a_definition_that_servers_refuse() {
    let all = recorded();
    let Recorded { definition, creates } = &all[0];
    let folder = TempDir::new().unwrap();
    let mut broken = definition.clone();
    broken["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["odd"] =
        serde_json::json!({"type": "blockDevice"});
    let good = all[1].definition.to_string();
    let crds = write(folder.path(), "crds.json", format!("{broken}\n{good}").as_bytes());
    let object = write(folder.path(), "object.json", creates[0].0.to_string().as_bytes());
    let other = write(
        folder.path(),
        "other.yaml",
        b"{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}",
    );
    let validate = |object: &Path| {
        let command =
            format!("validate --skip-unknown --crds {} {}", crds.display(), object.display());
        call(folder.path(), &command)
    };
    let error = validate(&object).unwrap_err();
    assert!(error.contains("not judged: servers reject the definition of this kind: "), "{error}");
    assert!(validate(&other).unwrap().contains("it has no object of a kind"));
}

/// The definitions of a folder, as CONTRIBUTING describes it: `DEFINITIONS=DIR cargo test … -- --ignored front_door`.
#[test]
#[ignore = "needs a folder of definitions: `DEFINITIONS`"]
fn definitions_of_a_folder() {
    let folder = std::env::var("DEFINITIONS").expect("DEFINITIONS names a folder");
    let other = TempDir::new().unwrap();
    let object = write(
        other.path(),
        "other.yaml",
        b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    );
    let files =
        k8s_versioned_terminal::input::files_in(Path::new(&folder), &["json", "yaml", "yml"], true);
    let (mut wrong, mut read) = (Vec::new(), 0);
    for file in files.unwrap() {
        read += 1;
        let (name, target) = (file.display().to_string(), TempDir::new().unwrap());
        let mut run = |root: &Path, command: &str| {
            let result = call(root, command);
            let is_empty = |error: &String| {
                error.contains("no object") || error.contains("no objects of a kind")
            };
            match &result {
                Err(error) if !is_empty(error) => wrong.push(format!("{name}: {command}: {error}")),
                _ => {}
            }
            result.is_ok()
        };
        run(target.path(), &format!("show {name}"));
        run(target.path(), &format!("validate --skip-unknown --crds {name} {}", object.display()));
        let package = target.path().join("types");
        if run(target.path(), &format!("new {} --crds {name} --release 1.0.0", package.display()))
            && run(&package, "draft")
            && run(&package, "generate")
        {
            run(&package, "generate --check");
            run(&package, &format!("fetch --release 1.1.0 --crds {name}"));
            run(&package, "diff 1.0.0 1.1.0");
        }
    }
    assert!(
        read > 0 && wrong.is_empty(),
        "{read} definitions, {} differences:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
