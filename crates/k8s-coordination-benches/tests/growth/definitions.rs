//! Definitions of several sizes, and packages of them.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use k8s_versioned_cli::args::Cli;
use k8s_versioned_cli::text::errors;
use k8s_versioned_terminal::Progress;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// Fields of texts, named `PREFIX0` and so on.
pub(crate) fn texts(prefix: &str, count: usize) -> Value {
    let field = |at| (format!("{prefix}{at}"), json!({"type": "string", "description": "A text."}));
    (0..count).map(field).collect::<Map<_, _>>().into()
}

/// An object of these properties.
pub(crate) fn object(properties: &Value) -> Value {
    json!({"type": "object", "properties": properties})
}

/// A definition with these versions, each with the schema of its `spec`; the last one is stored.
pub(crate) fn definition(kind: &str, versions: &[(String, Value)]) -> Value {
    let plural = format!("{}s", kind.to_lowercase());
    let version = |(at, (name, spec)): (usize, &(String, Value))| {
        let schema = object(&json!({
            "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}, "spec": spec,
        }));
        json!({
            "name": name, "served": true, "storage": at + 1 == versions.len(),
            "schema": {"openAPIV3Schema": schema},
        })
    };
    let list_kind = format!("{kind}List");
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.example.com")},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"kind": kind, "listKind": list_kind, "plural": plural, "singular": kind.to_lowercase()},
            "versions": versions.iter().enumerate().map(version).collect::<Vec<_>>(),
        },
    })
}

/// A definition of one version.
pub(crate) fn of_one(kind: &str, spec: &Value) -> Value {
    definition(kind, &[("v1".to_owned(), spec.clone())])
}

/// `v1`, `v2` and so on, each with the schema of its `spec`.
pub(crate) fn versions(count: usize, spec: impl Fn(usize) -> Value) -> Vec<(String, Value)> {
    (1..=count).map(|at| (format!("v{at}"), spec(at))).collect()
}

/// Definitions of kinds with ten fields.
pub(crate) fn kinds(count: usize, fields: &str) -> Vec<Value> {
    (0..count).map(|at| of_one(&format!("Widget{at}"), &object(&texts(fields, 10)))).collect()
}

/// Objects in objects.
pub(crate) fn nested(depth: usize) -> Value {
    (0..depth).fold(object(&texts("field", 1)), |inner, _| {
        object(&json!({"inner": inner, "a": {"type": "string"}}))
    })
}

/// Writes the values as files of a folder.
pub(crate) fn write(folder: &Path, values: &[Value]) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    for (at, value) in values.iter().enumerate() {
        fs::write(folder.join(format!("{at:04}.json")), value.to_string()).unwrap();
    }
    folder.to_owned()
}

/// Runs the command in a folder.
pub(crate) fn run(folder: &Path, args: &str) -> Result<String, String> {
    let words = ["k8s-versioned", "--root", folder.to_str().unwrap()].into_iter();
    let cli = Cli::try_parse_from(words.chain(args.split_whitespace())).unwrap();
    let mut out = Vec::new();
    match k8s_versioned_cli::run(&cli, &Progress::hidden(), &mut out) {
        Ok(()) => Ok(String::from_utf8(out).unwrap()),
        Err(error) => Err(String::from_utf8(out).unwrap() + &errors::error(&error, false)),
    }
}

/// A folder with a package of definitions, and the definitions beside it.
pub(crate) struct Package {
    pub(crate) folder: TempDir,
}

impl Package {
    pub(crate) fn new(definitions: &[Value]) -> Self {
        let folder = TempDir::new().unwrap();
        let crds = write(&folder.path().join("crds"), definitions);
        run(folder.path(), &format!("new types --release 1.0.0 --crds {}", crds.display()))
            .unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("types")
    }

    /// Runs the command in the package.
    pub(crate) fn run(&self, args: &str) -> Result<String, String> {
        run(&self.path(), args)
    }

    /// The package with the drafted rules of its conversions.
    pub(crate) fn with_rules(self) -> Self {
        let rules = self.run("draft").unwrap();
        fs::write(self.path().join("specs/conversions.toml"), rules).unwrap();
        self
    }
}
