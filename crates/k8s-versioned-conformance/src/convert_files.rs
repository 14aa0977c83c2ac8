//! The program of an example: it converts the objects of a file to a version.

use std::fmt;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

use k8s_versioned::conversion::ConversionReport;
use k8s_versioned::conversion::generic::Convertibles;
use k8s_versioned_source::{ReadLimits, documents};
use serde_json::Value;

use crate::check::Convertible;

/// An object that is converted, and what became of its values.
#[derive(Debug)]
pub struct Converted {
    /// Its `apiVersion`, kind and name before.
    title: String,
    object: Value,
    report: ConversionReport,
}

impl Converted {
    /// The object in the version.
    pub fn json(&self) -> &Value {
        &self.object
    }
}

/// The lines of the report, each with a mark of comments in YAML.
impl fmt::Display for Converted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# {}", self.title)?;
        self.report.to_string().lines().try_for_each(|line| writeln!(f, "#   {line}"))
    }
}

/// Runs the program on its arguments, a version and a file: the objects as JSON on the standard output, the reports on the standard
/// error.
pub fn main<K: Convertibles>() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [version, file] = arguments.as_slice() else {
        eprintln!(
            "two arguments are needed: a version, and a file in YAML or JSON (`-` is the standard input)"
        );
        return ExitCode::from(2);
    };
    let converted =
        read(file).and_then(|bytes| convert(&Convertible::all::<K>(), version, file, &bytes));
    match converted.and_then(|converted| write(&converted)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn read(file: &str) -> Result<Vec<u8>, String> {
    if file != "-" {
        return fs::read(file).map_err(|error| format!("{file}: {error}"));
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn write(all: &[Converted]) -> Result<(), String> {
    for converted in all {
        eprint!("{converted}");
        let text = serde_json::to_string_pretty(&converted.object);
        let text = text.map_err(|error| error.to_string())?;
        writeln!(io::stdout(), "{text}").map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Converts the objects of a file to a version, by its name.
///
/// # Errors
/// The file is not YAML or JSON, or has no object; an object is of another kind or of an unknown version, cannot be decoded, or its
/// kind lacks the version.
pub fn convert(
    kinds: &[Convertible],
    version: &str,
    file: &str,
    bytes: &[u8],
) -> Result<Vec<Converted>, String> {
    let mut all = Vec::new();
    for tree in documents(file, bytes, &ReadLimits::OBJECTS) {
        let mut tree = tree.map_err(|errors| {
            let start = errors.0.first().map_or(0, |error| error.span.start);
            let before = bytes.get(..start).unwrap_or_default();
            let line = before.split(|byte| *byte == b'\n').count();
            format!("{file}:{line}: {errors}")
        })?;
        for found in tree.objects() {
            let object = tree.value(found.node).to_json();
            let title = title(&object);
            let converted = convert_one(kinds, version, &object);
            let (object, report) = converted.map_err(|why| format!("{file}: {title}: {why}"))?;
            all.push(Converted { title, object, report });
        }
    }
    if all.is_empty() {
        return Err(format!("{file}: no object in it"));
    }
    Ok(all)
}

fn convert_one(
    kinds: &[Convertible],
    version: &str,
    object: &Value,
) -> Result<(Value, ConversionReport), String> {
    let [api_version, kind] = ["/apiVersion", "/kind"].map(|pointer| text_at(object, pointer));
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    let found = kinds.iter().find(|it| it.is_of(group, kind));
    let found = found.ok_or_else(|| {
        let known: Vec<String> = kinds.iter().map(Convertible::title).collect();
        format!("no `apiVersion` and `kind` of objects that convert: {}", known.join(", "))
    })?;
    let versions = (found.versions)();
    let name = |api_version: &&'static str| {
        api_version.rsplit_once('/').map_or(*api_version, |(_, version)| version)
    };
    let Some(to) = versions.iter().position(|known| name(known) == version) else {
        let known: Vec<&str> = versions.iter().map(name).collect();
        return Err(format!("no version `{version}`; the kind has {}", known.join(", ")));
    };
    (found.convert)(object, to)
}

fn title(object: &Value) -> String {
    let parts = ["/apiVersion", "/kind", "/metadata/name"].map(|pointer| text_at(object, pointer));
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        "an object".to_owned()
    } else {
        parts.join(" ").escape_debug().to_string()
    }
}

fn text_at<'v>(object: &'v Value, pointer: &str) -> &'v str {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
