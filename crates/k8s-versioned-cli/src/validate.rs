//! `validate`: objects against the schemas of a package's documents.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use k8s_versioned_codegen::diff::DiffError;
use k8s_versioned_codegen::input::{self, Sources, crd};
use k8s_versioned_codegen::rules::{self, LifecycleRule};
use k8s_versioned_codegen::{Files, Problems};
use k8s_versioned_conformance::Documents;
use k8s_versioned_names::Release;
use k8s_versioned_names::findings::{Finding, Position, Severity};
use k8s_versioned_source::{Limits, documents};
use serde_json::Value;

use crate::error::{Refused, Source};
use crate::output::{self, Output};
use crate::specs::Specs;
use crate::{Error, Project, fetch};

const HELP: &str = "\
Exit codes: 0 if all objects are valid; 1 if one is not, if a file has a syntax error, or if there are no objects; 2 for wrong \
usage, or if a file, the package or the release does not exist.

Example: helm template CHART | k8s-versioned --root backup-types validate --skip-unknown -";

/// The objects to validate.
#[derive(Clone, Debug, Args)]
#[command(after_help = HELP)]
pub struct ValidateArgs {
    /// Files of objects in YAML or JSON, and folders with such files at any depth; `-` is the standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The release whose schemas count [default: for each kind, the newest release that has it].
    #[arg(long, value_name = "RELEASE")]
    release: Option<Release>,
    /// How unknown fields are treated; `kubectl` uses `strict`.
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    field_validation: FieldValidation,
    /// Skip kinds of other API groups; without it they are errors.
    #[arg(long)]
    skip_unknown: bool,
}

/// The treatment of fields that the server does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum FieldValidation {
    /// It refuses the object.
    #[default]
    Strict,
    /// It drops them, and warns.
    Warn,
    /// It drops them.
    Ignore,
}

/// Validates objects against the documents of a project.
///
/// # Errors
/// A path cannot be read, or it has no object. [`Error::Invalid`] has all findings, and the files that are not YAML.
pub fn run(project: &Project, args: &ValidateArgs) -> Result<Output, Error> {
    let specs = Specs::read(project)?;
    let ends = Ends::read(&specs).map_err(|problems| specs.refused(problems))?;
    let documents = read_documents(&specs)?;
    check_release(&documents, args.release)?;
    let files = fetch::read_paths(&args.paths)?;
    let (objects, problems) = read_objects(&files);
    let (mut findings, mut valid, mut invalid) = (Vec::new(), 0, 0);
    for object in &objects {
        let foreign = documents.foreign(&object.value).filter(|_| args.skip_unknown);
        let found = if let Some(of) = foreign {
            let message = format!("skipped: {of}");
            vec![Finding::new(Severity::Note, "skipped", object.file.as_str(), message)]
        } else {
            let mut found = judge(&documents, args, object);
            found.extend(ends.finding(&documents, args.release, object));
            let is_invalid = found.iter().any(|it| it.severity == Severity::Error);
            *if is_invalid { &mut invalid } else { &mut valid } += 1;
            found
        };
        let position = object.position();
        findings.extend(found.into_iter().map(|mut finding| {
            position.mark(&mut finding);
            let at = position.field(&finding.path);
            finding.at(at)
        }));
    }
    let objects = valid + invalid;
    if objects == 0 && problems.is_empty() {
        if !findings.is_empty() {
            let message = "there are no objects of a kind that the documents have";
            return Err(Error::Refusal(message.to_owned()));
        }
        let empty = |file| Finding::new(Severity::Error, "no-object", file, "it has no object");
        findings.extend(files.keys().map(empty));
    }
    if valid < objects || objects == 0 || !problems.is_empty() {
        let sources = vec![Source { shown: String::new(), files }];
        let unreadable = Refused { problems, sources };
        return Err(Error::Invalid { findings, objects, invalid, unreadable });
    }
    let text = findings.iter().map(Finding::to_string).collect::<String>();
    let json = output::validated(true, objects, &findings);
    Ok(Output { text: format!("{text}objects valid {valid}\n"), json })
}

fn check_release(documents: &Documents, release: Option<Release>) -> Result<(), Error> {
    let mut known = documents.releases();
    // Of definitions that are of no release.
    known.remove(&Release::new(0, 0));
    match release {
        Some(release) if !known.is_empty() && !known.contains(&release) => {
            Err(Error::NothingToCompare(Box::new(DiffError::NoRelease(release, known))))
        }
        _ => Ok(()),
    }
}

/// The documents of a project, and what a server publishes for its definitions.
fn read_documents(specs: &Specs) -> Result<Documents, Error> {
    let refused = |problems| specs.refused(problems);
    let mut sources = Sources::read(&specs.files).map_err(refused)?;
    let mut files = specs.files.clone();
    files.retain(|path, _| !crd::is_manifest(path));
    // The kit reads the other documents itself.
    sources.retain(|release, name| !files.contains_key(&format!("{release}/{name}")));
    let input = sources.documents(&specs.files).map_err(refused)?;
    files.extend(input.documents.iter().map(|document| {
        let path = format!("{}/{}", document.release, document.name);
        (path, crd::schemas_of(document).to_string().into_bytes())
    }));
    Documents::parse(&files).map_err(|error| Error::Refusal(error.to_string()))
}

/// The lifecycles of the kinds.
struct Ends {
    group: String,
    rules: Vec<LifecycleRule>,
}

impl Ends {
    fn read(specs: &Specs) -> Result<Self, Problems> {
        let group = input::read_group(&specs.files)?;
        let rules = rules::read(&specs.files, &group)?;
        let group = rules.group.group().to_owned();
        Ok(Self { group, rules: rules.lifecycle.iter().cloned().collect() })
    }

    /// The warning about an object of a version that is deprecated in a release, or in the newest one.
    fn finding(
        &self,
        documents: &Documents,
        release: Option<Release>,
        FoundObject { file, value, .. }: &FoundObject,
    ) -> Option<Finding> {
        let text = |name: &str| value.get(name)?.as_str();
        let (api_version, kind) = text("apiVersion").zip(text("kind"))?;
        let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
        let rule = self.rules.iter().find(|rule| {
            rule.group.as_ref().unwrap_or(&self.group) == group
                && (rule.version.to_string().as_str(), rule.kind.value.as_str()) == (version, kind)
        })?;
        let release = release.or(documents.releases().last().copied())?;
        let since = rule.deprecated.filter(|since| *since <= release)?;
        let removed = rule.removed.map(|removed| format!(", and removed in {removed:#}"));
        let removed = removed.unwrap_or_default();
        let message = format!("{api_version} {kind} is deprecated since {since:#}{removed}");
        let finding = Finding::new(Severity::Warning, "deprecated", file.as_str(), message);
        Some(finding.with_hint("write the object in a version that stays"))
    }
}

/// What is wrong with an object.
fn judge(documents: &Documents, args: &ValidateArgs, object: &FoundObject) -> Vec<Finding> {
    let FoundObject { file, value, .. } = object;
    let mut findings = documents.validate(args.release, file, value);
    let is_foreign = documents.foreign(value).is_some();
    for finding in findings.iter_mut().filter(|it| is_foreign && it.id == "no-schema") {
        finding.hint = Some("`--skip-unknown` skips it".into());
    }
    let mut unknown = documents.unknown_fields(args.release, file, value);
    if args.field_validation == FieldValidation::Warn {
        for finding in &mut unknown {
            finding.severity = Severity::Warning;
            "not a field of this version: a server drops it".clone_into(&mut finding.message);
        }
    }
    if args.field_validation != FieldValidation::Ignore {
        findings.append(&mut unknown);
    }
    findings
}

/// An object of a file.
struct FoundObject {
    file: String,
    /// The number of its document.
    document: usize,
    /// The line of its document.
    line: usize,
    /// Its number in a list, from 1.
    item: Option<usize>,
    value: Value,
}

impl FoundObject {
    fn position(&self) -> Position {
        let (document, line) = (Some(self.document), Some(self.line));
        let position = Position { document, line, ..Position::default() };
        position.object(self.item.into_iter().collect(), &self.value)
    }
}

/// The objects of files, and the problems of documents that cannot be read.
fn read_objects(files: &Files) -> (Vec<FoundObject>, Problems) {
    let (mut all, mut problems) = (Vec::new(), Problems::new());
    for (file, bytes) in files {
        for tree in documents(file.as_str(), bytes, &Limits::MANIFESTS) {
            match tree {
                Err(errors) => problems.append(errors.into()),
                Ok(mut tree) => {
                    let line = tree.position(tree.root().span().start).line;
                    all.extend(tree.objects().into_iter().map(|object| FoundObject {
                        file: file.clone(),
                        document: tree.number(),
                        line,
                        item: object.item.map(|index| index + 1),
                        value: tree.value(object.node).to_json(),
                    }));
                }
            }
        }
    }
    let problems = problems.or(()).err().unwrap_or_default();
    (all, problems)
}
