//! `validate`: objects as a server would judge them by the definitions of a package, or against the schemas of its documents.

mod args;
mod costs;
mod deprecations;
mod document_kinds;
pub(crate) mod servers;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use k8s_versioned_admission as admission;
use k8s_versioned_admission::definition::place_in_definition;
use k8s_versioned_codegen::tools::diff::DiffError;
use k8s_versioned_codegen::{Files, Published};
#[cfg(feature = "validate")]
use k8s_versioned_conformance::Documents;
use k8s_versioned_core::findings::{Finding, Severity, count};
use k8s_versioned_core::{Release, Short};
use k8s_versioned_source::{Content, ReadLimits};
use k8s_versioned_terminal::input::{Document, DocumentSyntax};
use k8s_versioned_terminal::{
    InputPlace, Progress, Report, ReportFormat, quotes_hint, stdout_width,
};
use serde_json::Value;

use crate::error::{SourceFolder, ValidateCounts};
use crate::input::{
    self, Rereadable, check_stdin, findings_of, for_each_document, read_paths, unreadable,
};
use crate::project::specs::Specs;
use crate::text::finding_kinds::{self, DUPLICATE_FIELD, UNKNOWN_FIELD};
use crate::{Error, Project};
#[cfg(feature = "validate")]
use args::FieldValidation;
pub use args::ValidateArgs;
use deprecations::Deprecations;
use document_kinds::Kinds;
use servers::{DEFINITION, Judged, Servers, judge_definition, text_at};

/// Validates objects against the documents of a project or the definitions that the arguments name, and writes the report.
///
/// # Errors
/// There is neither a project nor a definition; a path cannot be read. [`Error::Invalid`] after the report, if an object is not
/// valid, cannot be read, or there is none.
pub fn run(
    project: impl FnOnce() -> Result<Project, Error>,
    args: &ValidateArgs,
    progress: &Progress,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if args.explain_cost {
        return costs::run(args, out);
    }
    let paths = [&args.paths, &args.crds, &args.old].into_iter().flatten();
    check_stdin(paths.map(PathBuf::as_path))?;
    let named = input::files(&args.paths)?;
    let files = &named.files;
    let (inputs, missing) = open_all(files, &args.paths)?;
    let mut definitions = Definitions::read(&inputs)?;
    // A chart has only templates: the note about it says what to do.
    definitions.has_faults |= files.is_empty();
    let (judge, notes) = ObjectJudge::read(project, args, &definitions)?;
    let old = stored_objects(&args.old)?;
    let report = Report::new(args.format, args.quiet.quiet).with_width(stdout_width());
    let mut report = report.failing_on(args.fail_on.severity());
    let (stored, mut counts) = (Vec::new(), ValidateCounts::default());
    counts.unreadable += missing.len();
    for finding in named.notes().chain(notes).chain(missing) {
        report.add(finding);
    }
    let mut validation = Validation { args, judge, old, report, stored, counts };
    for rereadable in &inputs {
        validation.input(rereadable, progress, out)?;
    }
    progress.end();
    validation.end(files, out)
}

/// Opens the files. Those in folders that cannot be opened, such as links to nothing, are findings: the others are judged all the same.
fn open_all(
    files: &[PathBuf],
    named: &[PathBuf],
) -> Result<(Vec<Rereadable>, Vec<Finding>), Error> {
    let (mut inputs, mut missing) = (Vec::new(), Vec::new());
    for file in files {
        match Rereadable::new(file) {
            Ok(input) => inputs.push(input),
            Err(Error::Argument { path, source }) if !named.contains(file) => {
                let (id, file) = (finding_kinds::ARGUMENT.id, path.display().to_string());
                let message = format!("it cannot be read: {source}");
                missing.push(Finding::new(Severity::Error, id, file, message));
            }
            Err(error) => return Err(error),
        }
    }
    Ok((inputs, missing))
}

/// The definitions in the inputs, which judge the other objects.
#[derive(Default)]
struct Definitions {
    all: Vec<Value>,
    /// Whether there may be more: in what cannot be read, or what has a typo. The findings about the objects say so.
    has_faults: bool,
}

impl Definitions {
    fn read(inputs: &[Rereadable]) -> Result<Self, Error> {
        let mut definitions = Self::default();
        for rereadable in inputs {
            if !rereadable.mentions(HINT)? {
                continue;
            }
            let read = rereadable.open()?.for_each(&ReadLimits::OBJECTS, |mut document| {
                definitions.has_faults |= document.content.is_err();
                let objects = document.content.as_mut().ok().map(Content::take_objects);
                for (_, object) in objects.into_iter().flatten() {
                    if is_definition(&object) {
                        definitions.all.push(object);
                    } else {
                        definitions.has_faults |= Kinds::is_nearly_definition(&object);
                    }
                }
                Ok::<(), Error>(())
            });
            read.map_err(|stop| stop.into_error(|source| unreadable(rereadable.path(), source)))?;
        }
        Ok(definitions)
    }
}

/// What a file with a definition contains, also if there is a typo in its kind.
const HINT: &[u8] = b"CustomResource";

fn is_definition(object: &Value) -> bool {
    let (group, kind) = (text_at(object, "/apiVersion"), text_at(object, "/kind"));
    kind == DEFINITION && group.starts_with("apiextensions.k8s.io/")
}

/// A run of the command.
struct Validation<'a> {
    args: &'a ValidateArgs,
    judge: ObjectJudge,
    /// The objects that the server has, by what identifies them.
    old: HashMap<[String; 4], Value>,
    report: Report,
    /// The objects as the server would store them.
    stored: Vec<Value>,
    counts: ValidateCounts,
}

impl Validation<'_> {
    /// Judges the objects of an input, and writes the findings as far as they are known.
    fn input(
        &mut self,
        rereadable: &Rereadable,
        progress: &Progress,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let (input, file) = (rereadable.open()?, rereadable.path());
        let name: Arc<str> = input.name().into();
        let read = input.for_each(&ReadLimits::OBJECTS, |document| {
            self.document(&name, document);
            // What is printed may depend on all objects.
            if self.args.as_stored {
                return Ok(());
            }
            let judged = self.counts.objects();
            if judged.is_multiple_of(1_000) {
                progress.say(count(judged, "object"));
            }
            progress.pause(|| self.report.write_next(out)).map_err(Error::Output)
        });
        read.map(drop).map_err(|stop| stop.into_error(|source| unreadable(file, source)))
    }

    /// Judges the objects of a document.
    fn document(&mut self, file: &Arc<str>, mut document: Document<'_>) {
        let objects = document.content.as_mut().ok().map(Content::take_objects);
        let place = InputPlace::document(file, &document);
        if let Err(error) = &document.content {
            self.counts.unreadable += 1;
            for (finding, start) in findings_of(error) {
                let place =
                    start.map_or_else(|| place.clone(), |start| place.at(document.position(start)));
                self.report.add(place.finding(finding, ""));
            }
        }
        for (items, object) in objects.into_iter().flatten() {
            self.object(&place.object(&items, &object), &object);
        }
    }

    fn object(&mut self, place: &InputPlace<'_>, object: &Value) {
        let Self { judge, args, .. } = self;
        let foreign =
            judge.kinds.foreign(object).filter(|_| args.skip_unknown && !is_definition(object));
        if let Some(kind) = foreign {
            let finding = Finding::of_object(finding_kinds::SKIPPED.id, place.file(), kind);
            self.report.add(place.finding(finding, ""));
            self.counts.skipped += 1;
            return;
        }
        let Judged { mut findings, stored } = judge.judge(args, place.file(), object, &self.old);
        let release = args.release.iter().max().copied();
        findings.extend(judge.deprecations.finding(&judge.kinds, release, place.file(), object));
        self.counts.add(&findings, args.fail_on.severity());
        self.report.count_objects(1);
        for mut finding in findings {
            if finding.hint.is_none() && place.is_yaml() {
                finding.hint = unquoted(&finding.message).map(Into::into);
            }
            self.report.add(placed(place, finding, object));
        }
        if args.as_stored {
            self.stored.extend(stored);
        }
    }

    /// Writes the rest of the report, and the sum.
    fn end(mut self, files: &[PathBuf], out: &mut dyn Write) -> Result<(), Error> {
        let ValidateCounts { unreadable, skipped, .. } = self.counts;
        let is_empty = self.counts.objects() + unreadable == 0;
        // Hooks name the files of a commit, whose kinds may all belong to others.
        let may_be_empty = self.args.skip_unknown;
        if is_empty {
            let severity = if may_be_empty { Severity::Note } else { Severity::Error };
            let what = if skipped > 0 { " of a kind that is known here" } else { "" };
            for file in files {
                let name = k8s_versioned_terminal::input::name_of(file);
                let message = format!("it has no object{what}");
                self.report.add(Finding::new(severity, finding_kinds::NO_OBJECT.id, name, message));
            }
        }
        let success = self.counts.is_success() && (may_be_empty || !is_empty);
        let is_text = self.args.format == ReportFormat::Text;
        let stored = std::mem::take(&mut self.stored);
        let more = (self.args.as_stored && success).then_some(Stored { stored: &stored });
        let mut text = Vec::new();
        self.report.write(success, more, &mut text).map_err(Error::Output)?;
        if success && is_text && !self.args.quiet.quiet {
            let valid = count(self.counts.valid, "object");
            writeln!(text, "{valid} valid").map_err(Error::Output)?;
        }
        if self.args.as_stored && success && is_text {
            let comments = String::from_utf8_lossy(&text);
            text = comments.lines().flat_map(|line| format!("# {line}\n").into_bytes()).collect();
            text.extend(yaml(&stored)?.into_bytes());
        }
        out.write_all(&text).and_then(|()| out.flush()).map_err(Error::Output)?;
        if success { Ok(()) } else { Err(Error::Invalid(self.counts)) }
    }
}

/// A finding with its place in an object. Servers name the parts of a definition otherwise than the definition does.
fn placed(place: &InputPlace<'_>, finding: Finding, object: &Value) -> Finding {
    let path = finding.path.clone();
    // The path of an unknown or repeated field is the one in the file.
    let is_of_file = [UNKNOWN_FIELD, DUPLICATE_FIELD].iter().any(|kind| kind.id == finding.id);
    let own = if is_definition(object) && !is_of_file {
        place_in_definition(&path)
    } else {
        Cow::Borrowed(&*path)
    };
    let mut placed = place.finding(finding, &path);
    if let Cow::Owned(own) = &own {
        let position = place.position(own);
        placed.line = position.map(|position| position.line);
        placed.column = position.map(|position| position.column);
        placed.hint.get_or_insert_with(|| format!("in the file it is `{}`", Short(own)).into());
    }
    placed
}

/// The hint for a number or a boolean of YAML that is to be a text.
fn unquoted(message: &str) -> Option<String> {
    let (_, found) = message.rsplit_once(" in body must be of type string: \"")?;
    quotes_hint(found.strip_suffix('"')?)
}

/// The objects as the server would store them, for programs.
#[derive(serde::Serialize)]
struct Stored<'a> {
    stored: &'a [Value],
}

fn yaml(objects: &[Value]) -> Result<String, Error> {
    let mut all = Vec::new();
    for object in objects {
        let text = DocumentSyntax::Yaml.text(object).map_err(|error| {
            Error::Refusal(format!("the objects cannot be written as YAML: {error}"))
        })?;
        all.push(text);
    }
    Ok(all.join("---\n"))
}

/// What judges objects: the servers of the definitions, and the documents for the other kinds.
struct ObjectJudge {
    servers: Servers,
    kinds: Kinds,
    deprecations: Deprecations,
    #[cfg(feature = "validate")]
    documents: Documents,
}

impl ObjectJudge {
    /// The definitions that the arguments name, else those of the package; before them, those of the input. With these no package is
    /// needed.
    fn read(
        project: impl FnOnce() -> Result<Project, Error>,
        args: &ValidateArgs,
        definitions: &Definitions,
    ) -> Result<(Self, Vec<Finding>), Error> {
        let is_input_enough = !definitions.all.is_empty() || definitions.has_faults;
        let hint = "no folder of specs, and no definition in the input; `--crds` names definitions, `--root` names a package";
        let (mut judge, notes) = match args.crds.as_slice() {
            [] => match project() {
                Ok(project) => (Self::of_package(&project, args)?, Vec::new()),
                Err(Error::NoProject(..)) if is_input_enough => (Self::of_input()?, Vec::new()),
                Err(Error::NoProject(root, _)) => return Err(Error::NoProject(root, hint)),
                Err(other) => return Err(other),
            },
            paths => Self::of_definitions(paths, args)?,
        };
        for definition in &definitions.all {
            judge.kinds.add(definition);
            judge.servers.add(definition, &args.release);
        }
        for release in &args.release {
            check_release(&judge.kinds, &judge.servers, *release)?;
        }
        Ok((judge, notes))
    }

    /// A judge of the definitions in the input only.
    fn of_input() -> Result<Self, Error> {
        Self::new(Servers::default(), &Files::new(), Deprecations::default())
    }

    fn of_package(project: &Project, args: &ValidateArgs) -> Result<Self, Error> {
        let specs = Specs::read(project)?;
        let refused = |problems| specs.refused(problems);
        let published = Published::of_package(&specs.files).map_err(refused)?;
        let deprecations = Deprecations::read(&specs).map_err(refused)?;
        Self::of(published, deprecations, args)
    }

    /// The judge, and what of the paths is left out.
    fn of_definitions(
        paths: &[PathBuf],
        args: &ValidateArgs,
    ) -> Result<(Self, Vec<Finding>), Error> {
        let (files, notes) = read_paths(paths)?;
        let source = SourceFolder { label: String::new(), files };
        let refused = |problems| Error::refused(problems, vec![source.clone()]);
        let published = Published::of_definitions(&source.files).map_err(refused)?;
        Ok((Self::of(published, Deprecations::default(), args)?, notes))
    }

    fn of(
        published: Published,
        deprecations: Deprecations,
        args: &ValidateArgs,
    ) -> Result<Self, Error> {
        let Published { definitions, of_product, documents, .. } = published;
        Self::new(
            Servers::compile(definitions, of_product, &args.release),
            &documents,
            deprecations,
        )
    }

    fn new(servers: Servers, documents: &Files, deprecations: Deprecations) -> Result<Self, Error> {
        let kinds = Kinds::read(documents)?;
        #[cfg(feature = "validate")]
        let documents =
            Documents::parse(documents).map_err(|error| Error::Refusal(error.to_string()))?;
        Ok(Self {
            servers,
            kinds,
            deprecations,
            #[cfg(feature = "validate")]
            documents,
        })
    }

    /// What is wrong with an object, and how it is stored.
    fn judge(
        &self,
        args: &ValidateArgs,
        file: &str,
        object: &Value,
        old: &HashMap<[String; 4], Value>,
    ) -> Judged {
        let stored = old.get(&servers::identity(object).map(str::to_owned));
        if is_definition(object) {
            let mut judged = judge_definition(args.sending(), &args.release, file, object, stored);
            judged.findings.extend(self.servers.later_definition(file, object));
            return judged;
        }
        self.servers.judge(args.sending(), file, object, stored).unwrap_or_else(|| {
            let findings = self.by_documents(args, file, object);
            Judged { findings, stored: None }
        })
    }

    /// What is wrong with an object by the schema of its kind, in the newest of the releases.
    #[cfg(feature = "validate")]
    fn by_documents(&self, args: &ValidateArgs, file: &str, object: &Value) -> Vec<Finding> {
        let documents = &self.documents;
        let release = args.release.iter().max().copied();
        let mut findings = documents.validate(release, file, object);
        if findings.iter().any(|finding| finding.id == finding_kinds::UNKNOWN_KIND.id) {
            return vec![self.kinds.unknown_kind(file, object)];
        }
        let mut unknown = documents.unknown_fields(release, file, object);
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
    fn by_documents(&self, _: &ValidateArgs, file: &str, object: &Value) -> Vec<Finding> {
        if !self.kinds.contain(object) {
            return vec![self.kinds.unknown_kind(file, object)];
        }
        let message = "not judged: this build of the command judges the kinds of definitions alone";
        let finding = Finding::new(Severity::Error, finding_kinds::NOT_JUDGED.id, file, message);
        vec![finding.with_hint("install it with `--features validate`")]
    }
}

fn check_release(kinds: &Kinds, servers: &Servers, release: Release) -> Result<(), Error> {
    let mut known = kinds.releases.clone();
    // The release of definitions that are of no release.
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

/// The stored objects of files, by what identifies them.
fn stored_objects(paths: &[PathBuf]) -> Result<HashMap<[String; 4], Value>, Error> {
    let mut stored = HashMap::new();
    for path in input::files(paths)?.files {
        for_each_document(&path, |_, objects| {
            let identified =
                objects.into_iter().map(|(_, it)| (servers::identity(&it).map(str::to_owned), it));
            stored.extend(identified);
            Ok(())
        })?;
    }
    Ok(stored)
}
