//! Kinds of public projects whose conversions were written by hand, from `codegen/cases/projects`: a folder for each project, with its
//! definitions without prose, our rules, and objects with what the project's own code makes of them.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use k8s_versioned_codegen::Files;
use serde_json::Value;

/// The projects, those that are quick to compile first.
pub const ALL: [&str; 6] = ["kueue", "hetzner", "tekton", "aws", "cluster-api", "prometheus"];

/// How many of the projects are compiled unless `PROJECTS` names others.
const COMPILED: usize = 2;

/// The projects whose conversions are compiled: those in `PROJECTS`, which is `all` or has names with commas between them.
pub fn compiled() -> Vec<&'static str> {
    let named = std::env::var("PROJECTS").unwrap_or_default();
    match &*named {
        "" => ALL.into_iter().take(COMPILED).collect(),
        "all" => ALL.to_vec(),
        named => ALL
            .into_iter()
            .filter(|project| named.split(',').any(|named| named == *project))
            .collect(),
    }
}

/// The folder of a project.
pub fn folder(project: &str) -> PathBuf {
    super::of_workspace("codegen/cases/projects").join(project)
}

/// The lines of a compressed file.
pub fn lines(path: &Path) -> Vec<String> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    BufReader::new(GzDecoder::new(file)).lines().map(Result::unwrap).collect()
}

/// The rule files and the definitions of a project. The generator reads the rules only.
pub fn files(project: &str) -> Files {
    let folder = folder(project);
    let mut files = super::files(&folder).unwrap();
    files.retain(|path, _| Path::new(path).extension() == Some("toml".as_ref()));
    for line in lines(&folder.join("definitions.jsonl.gz")) {
        let definition: Value = serde_json::from_str(&line).unwrap();
        let name = definition["metadata"]["name"].as_str().unwrap();
        // JSON is YAML.
        files.insert(format!("v1.1/{name}.yaml"), line.into_bytes());
    }
    files
}

/// The name of the module of a project.
pub fn module(project: &str) -> String {
    project.replace('-', "_")
}
