//! `validate`: objects against the schemas of a package's documents.

use std::path::PathBuf;

use clap::Args;
use k8s_versioned_codegen::crd;
use k8s_versioned_conformance::Documents;
use k8s_versioned_names::Release;
use serde_json::json;

use crate::error::Source;
use crate::output::Output;
use crate::specs::Specs;
use crate::{Error, Project, fetch};

/// The objects to validate.
#[derive(Clone, Debug, Args)]
pub struct ValidateArgs {
    /// Files of objects in YAML or JSON, and folders with such files at any depth.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The release whose schemas count [default: for each kind, the newest release that has it].
    #[arg(long, value_name = "RELEASE")]
    release: Option<Release>,
}

/// Validates objects against the documents of a project.
///
/// # Errors
/// A file cannot be read, or there is no object; [`Error::Invalid`] with all findings.
pub fn run(project: &Project, args: &ValidateArgs) -> Result<Output, Error> {
    let mut documents = Specs::read(project)?.files;
    let derived = crd::derive(&documents);
    let refused =
        |problems, files| Error::refused(problems, vec![Source { shown: String::new(), files }]);
    documents.extend(derived.map_err(|problems| refused(problems, documents.clone()))?);
    let documents = Documents::parse(&documents);
    let documents = documents.map_err(|error| Error::Refusal(error.to_string()))?;
    let files = fetch::read_paths(&args.paths)?;
    let objects = crd::objects(&files).map_err(|problems| refused(problems, files))?;
    let (mut findings, mut valid) = (Vec::new(), 0);
    for (file, object) in objects.iter().filter(|(_, object)| !object.is_null()) {
        let found = documents.validate(args.release, file, object);
        valid += usize::from(found.is_empty());
        findings.extend(found);
    }
    if !findings.is_empty() {
        return Err(Error::Invalid { findings, objects: objects.len() - valid });
    }
    if objects.is_empty() {
        return Err(Error::Refusal("there are no objects".to_owned()));
    }
    Ok(Output { text: format!("objects valid {valid}\n"), json: json!({ "valid": valid }) })
}
