//! A comparison as findings about files: annotations of a workflow of GitHub, and a Code Quality report of GitLab.

use std::collections::BTreeMap;

use k8s_versioned_codegen::tools::diff::comparison::{Comparison, StoredObject};
use k8s_versioned_codegen::tools::diff::{self, Class};
use k8s_versioned_core::findings::{Finding, Severity};
use k8s_versioned_source::Positions;

use super::args::DiffArgs;
use crate::error::SourceFolder;
use crate::text::finding_kinds::STORED_OBJECT;
use crate::text::output;

/// The changes that have an effect, then the stored objects. What the command fails for is an error.
pub(super) fn write(comparison: &Comparison, sources: &[SourceFolder], args: &DiffArgs) -> String {
    let mut texts = Texts::new(sources);
    let changes = comparison.findings.iter().filter(|change| change.classes != [Class::NoEffect]);
    let changes = changes.map(|change| of_change(change, args, &mut texts));
    let objects = comparison.objects.iter().flat_map(|objects| &objects.affected);
    let objects = objects.map(|object| of_object(object, args));
    output::in_form(&mut changes.chain(objects), args.format)
}

fn of_change(change: &diff::DiffFinding, args: &DiffArgs, texts: &mut Texts<'_>) -> Finding {
    let concerns = |class: &Class| class.breaks() || *class == Class::Unknown;
    let severity = if args.fails_on(&change.classes) {
        Severity::Error
    } else if change.classes.iter().any(concerns) {
        Severity::Warning
    } else {
        Severity::Note
    };
    let message = format!("{}: {}", change.headline(), change.effects());
    let mut finding = Finding::new(severity, change.rule.id, "", message);
    if let Some(place) = &change.place {
        texts.locate(&place.file, place.span.as_ref().map(|span| span.start), &mut finding);
    }
    finding
}

fn of_object(object: &StoredObject, args: &DiffArgs) -> Finding {
    let severity = if args.fails_on_objects() { Severity::Error } else { Severity::Warning };
    let mut finding = Finding::new(severity, STORED_OBJECT.id, &*object.file, object.verdict());
    (finding.line, finding.column) = (object.line, object.line.map(|_| 1));
    finding
}

/// The texts of the files, whose lines are counted once.
struct Texts<'a> {
    sources: &'a [SourceFolder],
    positions: BTreeMap<String, Positions<'a>>,
}

impl<'a> Texts<'a> {
    fn new(sources: &'a [SourceFolder]) -> Self {
        Self { sources, positions: BTreeMap::new() }
    }

    /// Sets the path and the position of a byte of a file.
    fn locate(&mut self, file: &str, offset: Option<usize>, finding: &mut Finding) {
        let found = self.sources.iter().find_map(|source| Some((source, source.files.get(file)?)));
        let Some((source, bytes)) = found else { return };
        finding.file = source.path(file);
        let (Some(offset), Ok(text)) = (offset, str::from_utf8(bytes)) else { return };
        let positions = self.positions.entry(file.to_owned());
        let position = positions.or_insert_with(|| Positions::new(text, 1)).of(offset);
        (finding.line, finding.column) = (Some(position.line), Some(position.column));
    }
}
