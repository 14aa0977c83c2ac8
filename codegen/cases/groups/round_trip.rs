//! Decodes the objects of files with the types of a generated package, encodes them again, and prints each difference.
//!
//! The first argument is the number of objects that have to be equal at least. Each other one is a file with an object in
//! each line, or a folder of files with one object each, also in folders below it. Of the objects in a file `examples`,
//! only a part is given: the types may add what is required.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use groups::Kinds;
use k8s_versioned::Registry;
use serde_json::Value;

fn main() -> ExitCode {
    let (mut equal, mut without_kind, mut differ) = (0_usize, 0, 0);
    let mut arguments = env::args().skip(1);
    let at_least: usize = arguments.next().and_then(|argument| argument.parse().ok()).expect("a number");
    for (name, text) in arguments.flat_map(|path| objects(Path::new(&path))) {
        match round_trip(&text, name.starts_with("examples")) {
            None => without_kind += 1,
            Some(differences) if differences.is_empty() => equal += 1,
            Some(differences) => {
                differ += 1;
                println!("{name}:\n  {}", differences.join("\n  "));
            }
        }
    }
    assert!(
        refuses_depth(),
        "a text of hostile depth is decoded, or the deepest one that is allowed is not"
    );
    println!(
        "{equal} equal, {differ} differ, {without_kind} of kinds that the documents do not have"
    );
    if differ == 0 && equal >= at_least { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A type that contains itself does not overflow the stack, however deep the text is: the deepest one that is decoded needs
/// no more than a thread has.
fn refuses_depth() -> bool {
    let Some(entry) = Kinds.find("apiextensions.k8s.io/v1", "CustomResourceDefinition") else {
        return true;
    };
    let of_levels = |levels: usize| {
        let (open, close) = (r#"{"not":{"properties":{"a":"#.repeat(levels), "}}}".repeat(levels));
        let schema = format!(r#"{{"openAPIV3Schema":{open}{{}}{close}}}"#);
        format!(r#"{{"spec":{{"versions":[{{"schema":{schema}}}]}}}}"#)
    };
    // Each has three objects; the text has six more around them, and 400 are the most.
    let deepest = of_levels(131);
    // Without optimisation, the frames are more than twice as large.
    let size = if cfg!(debug_assertions) { 8 << 20 } else { 2 << 20 };
    let thread = std::thread::Builder::new().stack_size(size).spawn(move || {
        let value =
            k8s_versioned::from_json::<Value>(deepest.as_bytes()).expect("it is not too deep");
        let decoded = entry.decode_value(&value).expect("the types are not too deep");
        decoded.encode().expect("it can be encoded").to_string().contains(&"}".repeat(393))
    });
    let survives = thread.expect("a thread").join().expect("it does not panic");
    survives && entry.decode(of_levels(50_000).as_bytes()).is_err()
}

/// The objects of a file or folder, each with a name for messages.
fn objects(path: &Path) -> Vec<(String, String)> {
    let read = |path: &Path| fs::read_to_string(path).expect("the file is text");
    if path.is_file() {
        let text = read(path);
        let file = path.file_name().unwrap_or_default().display().to_string();
        let named =
            |(index, line): (usize, &str)| (format!("{file}, line {}", index + 1), line.to_owned());
        return text.lines().enumerate().map(named).collect();
    }
    let objects: Vec<_> =
        files(path).iter().map(|file| (file.display().to_string(), read(file))).collect();
    assert!(!objects.is_empty(), "no objects in {}", path.display());
    objects
}

/// The files of JSON in a folder, at any depth.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("the folder exists").map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let json = files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    json.chain(folders.iter().flat_map(|folder| self::files(folder))).collect()
}

/// The differences of an object; `None` if the package does not have its kind. Of an object that is only a part, nothing
/// may be lost.
fn round_trip(text: &str, is_part: bool) -> Option<Vec<String>> {
    let value: Value = serde_json::from_str(text).expect("JSON");
    let (api_version, kind) = (value["apiVersion"].as_str()?, value["kind"].as_str()?);
    let entry = Kinds.find(api_version, kind)?;
    let mut differences = Vec::new();
    for decoded in [entry.decode(text.as_bytes()), entry.decode_value(&value)] {
        match decoded {
            Ok(object) => compare(kind, &value, &object.encode().unwrap(), &mut differences),
            Err(error) => differences.push(error.to_string()),
        }
    }
    differences.retain(|difference| !is_part || !difference.contains(" is new: "));
    Some(differences)
}

fn compare(path: &str, was: &Value, is: &Value, differences: &mut Vec<String>) {
    match (was, is) {
        (Value::Object(was), Value::Object(is)) => {
            let added = is.keys().filter(|name| !was.contains_key(*name));
            differences.extend(added.map(|name| format!("{path}.{name} is new: {}", is[name])));
            for (name, value) in was {
                match is.get(name) {
                    Some(is) => compare(&format!("{path}.{name}"), value, is, differences),
                    None => differences.push(format!("{path}.{name} is lost: {value}")),
                }
            }
        }
        (Value::Array(was), Value::Array(is)) if was.len() == is.len() => {
            for (index, (was, is)) in was.iter().zip(is).enumerate() {
                compare(&format!("{path}[{index}]"), was, is, differences);
            }
        }
        _ if was == is => {}
        _ => differences.push(format!("{path} was {was} and is {is}")),
    }
}
