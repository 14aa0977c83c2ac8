//! `validate`: objects as a server would judge them by the definitions of a package, or against the schemas of its documents.

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use clap::{Args, ValueEnum};
use k8s_versioned_admission as admission;
use k8s_versioned_codegen::diff::DiffError;
use k8s_versioned_codegen::input::{self, Sources, crd};
use k8s_versioned_codegen::{Files, Problems};
#[cfg(feature = "validate")]
use k8s_versioned_conformance::Documents;
use k8s_versioned_names::Release;
use k8s_versioned_names::findings::{Finding, Position, Severity};
use k8s_versioned_source::{Limits, NodeId, Tree, documents};
use serde_json::Value;

use crate::admit::{self, Judged, Sending, Servers};
use crate::ends::Ends;
use crate::error::{Refused, Source};
use crate::kinds::Kinds;
use crate::output::{self, Output};
use crate::specs::Specs;
use crate::{Error, Project, fetch, place};

const HELP: &str = "\
An object of a definition in `specs` is judged as a server would: decoding, defaults, metadata, schema, lists and CEL. Webhooks, \
policies, quotas and permissions are not known here. The kinds of OpenAPI documents are compared with their schemas, if this build \
has the feature `validate`.

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
    /// The release of the server, whose definitions and schemas count if `specs` has it; for several, each finding names its
    /// releases. A release of another product selects definitions alone [default: for each kind, the newest release that has
    /// it, on the newest server].
    #[arg(long, value_name = "RELEASE")]
    release: Vec<Release>,
    /// How unknown fields are treated; `kubectl` uses `strict`.
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    field_validation: FieldValidation,
    /// The objects that the server has: files, or folders with files. An object with the same group, kind, namespace and name is
    /// an update of one; others are created.
    #[arg(long, value_name = "PATH")]
    old: Vec<PathBuf>,
    /// Send the objects to a subresource. Without `--old`, the server has the same objects without a status.
    #[arg(long, value_name = "NAME", value_enum)]
    subresource: Option<Subresource>,
    /// Print the objects as the server would store them, in YAML, if it accepts all; findings are comments.
    #[arg(long)]
    as_stored: bool,
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

/// A subresource to which whole objects are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Subresource {
    /// The status, which alone is replaced.
    Status,
}

impl ValidateArgs {
    fn sending(&self) -> Sending {
        let field_validation = match self.field_validation {
            FieldValidation::Strict => &admission::FieldValidation::Strict,
            FieldValidation::Warn => &admission::FieldValidation::Warn,
            FieldValidation::Ignore => &admission::FieldValidation::Ignore,
        };
        Sending { field_validation, is_status: self.subresource == Some(Subresource::Status) }
    }
}

/// Validates objects against the documents of a project.
///
/// # Errors
/// A path cannot be read, or it has no object. [`Error::Invalid`] has all findings, and the files that are not YAML.
pub fn run(project: &Project, args: &ValidateArgs) -> Result<Output, Error> {
    let judge = Judge::read(project, args)?;
    let files = fetch::read_paths(&args.paths)?;
    let (objects, problems) = read_objects(&files);
    let old = fetch::read_paths(&args.old)?;
    let old = stored_objects(&old)?;
    let (mut findings, mut stored, mut valid, mut invalid) = (Vec::new(), Vec::new(), 0, 0);
    for object in &objects {
        let foreign = judge.kinds.foreign(&object.value).filter(|_| args.skip_unknown);
        let found = if let Some(of) = foreign {
            let message = format!("skipped: {of}");
            vec![Finding::new(Severity::Note, "skipped", object.file.as_str(), message)]
        } else {
            let Judged { findings: mut found, stored: kept } = judge.judge(args, object, &old);
            let release = args.release.iter().max().copied();
            found.extend(judge.ends.finding(&judge.kinds, release, &object.file, &object.value));
            let is_invalid = found.iter().any(|it| it.severity == Severity::Error);
            *if is_invalid { &mut invalid } else { &mut valid } += 1;
            stored.extend(kept);
            found
        };
        let position = object.position();
        findings.extend(found.into_iter().map(|finding| object.place(&position, finding)));
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
    let text = format!("{text}objects valid {valid}\n");
    let mut json = output::validated(true, objects, &findings);
    if !args.as_stored {
        return Ok(Output { text, json });
    }
    let comments = text.trim_end().replace('\n', "\n# ");
    let text = format!("# {comments}\n{}", yaml(&stored)?);
    json.as_object_mut().map(|members| members.insert("stored".to_owned(), stored.into()));
    Ok(Output { text, json })
}

fn yaml(objects: &[Value]) -> Result<String, Error> {
    // A long line is not folded: other readers unfold differently.
    let options = serde_saphyr::ser_options! { folded_wrap_chars: usize::MAX };
    serde_saphyr::to_string_multiple_with_options(objects, options)
        .map_err(|error| Error::Refusal(format!("the objects cannot be written as YAML: {error}")))
}

/// What judges objects: the servers of the definitions, and the documents for the other kinds.
struct Judge {
    servers: Servers,
    kinds: Kinds,
    ends: Ends,
    #[cfg(feature = "validate")]
    documents: Documents,
}

impl Judge {
    fn read(project: &Project, args: &ValidateArgs) -> Result<Self, Error> {
        let specs = Specs::read(project)?;
        let documents = read_documents(&specs)?;
        let kinds = Kinds::read(&documents)?;
        let group = input::read_group(&specs.files).map_err(|problems| specs.refused(problems))?;
        let ends = Ends::read(&specs).map_err(|problems| specs.refused(problems))?;
        let servers = Servers::read(&specs.files, group.product.is_some(), &args.release)?;
        for release in &args.release {
            check_release(&kinds, &servers, *release)?;
        }
        #[cfg(feature = "validate")]
        let documents =
            Documents::parse(&documents).map_err(|error| Error::Refusal(error.to_string()))?;
        Ok(Self {
            servers,
            kinds,
            ends,
            #[cfg(feature = "validate")]
            documents,
        })
    }

    /// What is wrong with an object, and how it is stored.
    fn judge(
        &self,
        args: &ValidateArgs,
        object: &FoundObject<'_>,
        old: &HashMap<[String; 4], Value>,
    ) -> Judged {
        let FoundObject { file, value, .. } = object;
        let stored = old.get(&admit::identity(value).map(str::to_owned));
        self.servers.judge(args.sending(), file, value, stored).unwrap_or_else(|| {
            let findings = self.by_documents(args, object);
            Judged { findings, stored: None }
        })
    }

    /// What is wrong with an object by the schema of its kind, in the newest of the releases.
    #[cfg(feature = "validate")]
    fn by_documents(&self, args: &ValidateArgs, object: &FoundObject<'_>) -> Vec<Finding> {
        let (FoundObject { file, value, .. }, documents) = (object, &self.documents);
        let release = args.release.iter().max().copied();
        let mut findings = documents.validate(release, file, value);
        if findings.iter().any(|it| it.id == "no-schema") {
            return vec![self.kinds.no_schema(file, value)];
        }
        let mut unknown = documents.unknown_fields(release, file, value);
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

    /// The finding for a kind that this build cannot judge.
    #[cfg(not(feature = "validate"))]
    fn by_documents(&self, _: &ValidateArgs, object: &FoundObject<'_>) -> Vec<Finding> {
        let FoundObject { file, value, .. } = object;
        if !self.kinds.contain(value) {
            return vec![self.kinds.no_schema(file, value)];
        }
        let message = "not judged: this build of the command judges the kinds of definitions alone";
        let finding = Finding::new(Severity::Error, "not-judged", file.as_str(), message);
        vec![finding.with_hint("install it with `--features validate`")]
    }
}

fn check_release(kinds: &Kinds, servers: &Servers, release: Release) -> Result<(), Error> {
    let mut known = kinds.releases.clone();
    // Of definitions that are of no release.
    known.remove(&Release::new(0, 0));
    if known.contains(&release) || servers.answer_at(release) {
        return Ok(());
    }
    if servers.is_empty() {
        return Err(Error::NothingToCompare(Box::new(DiffError::NoRelease(release, known))));
    }
    let (oldest, newest) = (admission::OLDEST, admission::NEWEST);
    Err(Error::Usage(format!(
        "no server of {release} is known, and specs has no such release; servers of {oldest} to {newest} are known"
    )))
}

/// The documents of a project, and what a server publishes for its definitions, all in JSON.
fn read_documents(specs: &Specs) -> Result<Files, Error> {
    let refused = |problems| specs.refused(problems);
    let mut sources = Sources::read(&specs.files).map_err(refused)?;
    let mut files = specs.files.clone();
    files.retain(|path, _| !crd::is_manifest(path));
    // The others are in JSON already.
    sources.retain(|release, name| !files.contains_key(&format!("{release}/{name}")));
    let input = sources.documents(&specs.files).map_err(refused)?;
    files.extend(input.documents.iter().map(|document| {
        let path = format!("{}/{}", document.release, document.name);
        (path, crd::schemas_of(document).to_string().into_bytes())
    }));
    Ok(files)
}

/// An object of a file.
struct FoundObject<'t> {
    file: String,
    /// The number of its document.
    document: usize,
    /// The line of its document.
    line: usize,
    /// Its number in a list, from 1.
    item: Option<usize>,
    value: Value,
    /// Its document, and where it is there.
    tree: Rc<Tree<'t>>,
    node: NodeId,
}

impl FoundObject<'_> {
    fn position(&self) -> Position {
        let (document, line) = (Some(self.document), Some(self.line));
        let position = Position { document, line, ..Position::default() };
        position.object(self.item.into_iter().collect(), &self.value)
    }

    /// Sets the place of a finding: the object, and the line and column of the field.
    fn place(&self, position: &Position, mut finding: Finding) -> Finding {
        position.mark(&mut finding);
        if !finding.path.is_empty() {
            let field = place::locate(self.tree.value(self.node), &finding.path);
            let at = self.tree.position(field.span().start);
            (finding.line, finding.column) = (Some(at.line), Some(at.column));
        }
        let at = position.field(&finding.path);
        finding.at(at)
    }
}

/// The stored objects of files, by what identifies them.
fn stored_objects(files: &Files) -> Result<HashMap<[String; 4], Value>, Error> {
    let (objects, problems) = read_objects(files);
    if !problems.is_empty() {
        let source = Source { shown: String::new(), files: files.clone() };
        return Err(Error::refused(problems, vec![source]));
    }
    let objects = objects.into_iter().map(|object| object.value);
    Ok(objects.map(|it| (admit::identity(&it).map(str::to_owned), it)).collect())
}

/// The objects of files, and the problems of documents that cannot be read.
fn read_objects(files: &Files) -> (Vec<FoundObject<'_>>, Problems) {
    let (mut all, mut problems) = (Vec::new(), Problems::new());
    for (file, bytes) in files {
        for tree in documents(file.as_str(), bytes, &Limits::MANIFESTS) {
            match tree {
                Err(errors) => problems.append(errors.into()),
                Ok(mut tree) => {
                    let line = tree.position(tree.root().span().start).line;
                    let objects = tree.objects();
                    let tree = Rc::new(tree);
                    all.extend(objects.into_iter().map(|object| FoundObject {
                        file: file.clone(),
                        document: tree.number(),
                        line,
                        item: object.item.map(|index| index + 1),
                        value: tree.value(object.node).to_json(),
                        tree: Rc::clone(&tree),
                        node: object.node,
                    }));
                }
            }
        }
    }
    let problems = problems.or(()).err().unwrap_or_default();
    (all, problems)
}
