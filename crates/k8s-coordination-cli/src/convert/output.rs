//! The output of converted documents.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_versioned_findings::Severity;
use serde_json::Value;
use tempfile::NamedTempFile;

use crate::Error;
use crate::input::{Input, InputPosition, Syntax};
use crate::report::{Note, ObjectReport};

/// A converted input.
pub(super) struct Output {
    path: Option<PathBuf>,
    place: InputPosition,
    syntax: Syntax,
    documents: Vec<Value>,
    /// `true` if a conversion changed anything.
    changed: bool,
    /// `true` if the text has more than its values, such as comments.
    styled: bool,
}

impl Output {
    /// The output for an input whose documents were `before`.
    pub(super) fn new(input: &Input, before: &[Value], documents: Vec<Value>) -> io::Result<Self> {
        let mut plain = Vec::new();
        input.syntax.write(before, &mut plain)?;
        Ok(Self {
            path: input.path.clone(),
            place: input.place.clone(),
            syntax: input.syntax,
            changed: before != documents,
            styled: plain.trim_ascii_end() != input.text.trim_ascii_end(),
            documents,
        })
    }

    /// Returns `true` if the conversion changes the input.
    pub(super) fn is_changed(&self) -> bool {
        self.changed
    }

    /// Reports what the text loses when it is written again.
    fn report_loss(&self, report: &mut ObjectReport) {
        if self.styled {
            let message = match self.syntax {
                Syntax::Json => "order and style of the JSON are not kept",
                Syntax::Yaml => "comments, order and style of the YAML are not kept",
                Syntax::Protobuf => {
                    "the order of the fields, and fields of unknown numbers, are not kept"
                }
            };
            report.note(&self.place, "", Note::new(Severity::Note, "style-lost", message));
        }
    }
}

/// Reports each input that a conversion would change.
pub(super) fn report_changes(
    outputs: &[Output],
    to: LeaseCandidateVersion,
    report: &mut ObjectReport,
) {
    for output in outputs.iter().filter(|output| output.is_changed()) {
        let message = format!("the conversion to {to} would change it");
        report.note(&output.place, "", Note::new(Severity::Error, "would-change", message));
    }
}

/// Writes all documents in one stream, in the format of the inputs, or as YAML if they have several formats. Protobuf has
/// one object: several are written as YAML.
pub(super) fn write(
    outputs: Vec<Output>,
    report: &mut ObjectReport,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all = |syntax| outputs.iter().all(|output| output.syntax == syntax);
    let syntax = match outputs.as_slice() {
        [Output { syntax: Syntax::Protobuf, .. }] => Syntax::Protobuf,
        _ if all(Syntax::Json) => Syntax::Json,
        _ => Syntax::Yaml,
    };
    for output in &outputs {
        output.report_loss(report);
    }
    let documents = outputs.into_iter().flat_map(|output| output.documents);
    syntax.write(&documents.collect::<Vec<_>>(), out)
}

/// Replaces the files. A file without changes stays as it is.
///
/// All new files are complete before the first is replaced, and readers see the old file or the new one.
pub(super) fn replace(outputs: &[Output], report: &mut ObjectReport) -> Result<(), Error> {
    let mut written = Vec::new();
    for output in outputs.iter().filter(|output| output.changed) {
        if let Some(path) = &output.path {
            let error = |reason| Error::write(path, reason);
            written.push((path, write_beside(path, output).map_err(error)?));
            output.report_loss(report);
        }
    }
    for (path, (file, target)) in written {
        file.persist(target).map_err(|error| Error::write(path, error.error))?;
    }
    Ok(())
}

/// A new file with the content, in the folder of the file that it replaces, and the path of that file.
fn write_beside(path: &Path, output: &Output) -> io::Result<(NamedTempFile, PathBuf)> {
    let target = fs::canonicalize(path)?;
    let folder = target.parent().unwrap_or(&target);
    let mut file = NamedTempFile::new_in(folder)?;
    output.syntax.write(&output.documents, &mut file)?;
    file.as_file().set_permissions(fs::metadata(&target)?.permissions())?;
    file.as_file().sync_all()?;
    Ok((file, target))
}
