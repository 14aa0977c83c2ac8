//! `validate --explain-cost`: what the rules of definitions are estimated to cost, and what would lower it.

use std::io::Write;
use std::sync::Arc;

use k8s_versioned_admission::NEWEST;
use k8s_versioned_admission::definition::{CostExplanation, VersionCost, explain_costs};
use k8s_versioned_core::Release;
use k8s_versioned_core::findings::{Finding, Severity};
use k8s_versioned_core::pointer::unescaped;
use k8s_versioned_source::{Content, ReadLimits};
use k8s_versioned_terminal::{InputPlace, Report, stdout_width};
use serde_json::Value;

use super::ValidateArgs;
use crate::Error;
use crate::error::ValidateCounts;
use crate::input::{self, findings_of, unreadable};
use crate::text::finding_kinds::{NO_OBJECT, RULE_COST, VERSION_COST};

/// How many limits are named for a rule.
const NAMED: usize = 3;

/// Writes a report of the costs of all definitions in the files.
///
/// # Errors
/// A path cannot be read. [`Error::Invalid`] after the report, if a server would refuse a definition for its costs, if a file
/// cannot be read, or if there is no definition.
pub(super) fn run(args: &ValidateArgs, out: &mut dyn Write) -> Result<(), Error> {
    let release = args.release.iter().max().copied().unwrap_or(NEWEST);
    let mut report = Report::new(args.format, args.quiet.quiet).with_width(stdout_width());
    let mut counts = ValidateCounts::default();
    let named = input::files(&args.paths)?;
    for note in named.notes() {
        report.add(note);
    }
    for file in named.files {
        let input = input::open(&file)?;
        let name: Arc<str> = input.name().into();
        let read = input.for_each(&ReadLimits::OBJECTS, |mut document| {
            let objects = document.content.as_mut().ok().map(Content::take_objects);
            let place = InputPlace::document(&name, &document);
            if let Err(error) = &document.content {
                counts.unreadable += 1;
                for (finding, _) in findings_of(error) {
                    report.add(place.finding(finding, ""));
                }
            }
            for (items, object) in objects.into_iter().flatten() {
                let place = place.object(&items, &object);
                if is_definition(&object) {
                    report.count_objects(1);
                    add_costs(&place, &object, release, &mut report, &mut counts);
                }
            }
            Ok::<_, Error>(())
        });
        read.map_err(|stop| stop.into_error(|source| unreadable(&file, source)))?;
    }
    let is_empty = counts.objects() + counts.unreadable == 0;
    if is_empty {
        let message = "no definition is in the files";
        report.add(Finding::new(Severity::Error, NO_OBJECT.id, "", message));
    }
    let success = counts.invalid + counts.unreadable == 0 && !is_empty;
    report.write(success, None::<()>, out).map_err(Error::Output)?;
    if success { Ok(()) } else { Err(Error::Invalid(counts)) }
}

fn is_definition(object: &Value) -> bool {
    object.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition")
}

fn add_costs(
    place: &InputPlace<'_>,
    definition: &Value,
    release: Release,
    report: &mut Report,
    counts: &mut ValidateCounts,
) {
    let explained = explain_costs(definition, release);
    let sums = VersionCost::sums(&explained);
    let refused = explained.iter().filter(|own| own.share() > 1.0).count()
        + sums.iter().filter(|sum| sum.share() > 1.0).count();
    counts.findings += refused;
    *if refused > 0 { &mut counts.invalid } else { &mut counts.valid } += 1;
    for explanation in &explained {
        let path = path_of(definition, &explanation.pointer);
        report.add(place.finding(finding(place.file(), explanation), &path));
    }
    for sum in &sums {
        report.add(place.finding(sum_finding(place.file(), sum), "spec.versions"));
    }
}

/// The finding of a version: an error if its expressions cost more together than servers allow.
fn sum_finding(file: &str, sum: &VersionCost) -> Finding {
    let VersionCost { version, cost, .. } = sum;
    let severity = if sum.share() > 1.0 { Severity::Error } else { Severity::Note };
    let share = share(sum.share());
    let message = format!(
        "all rules of {version} have an estimated cost of {cost}, {share} what servers allow for a version"
    );
    Finding::new(severity, VERSION_COST.id, file, message)
}

/// The finding of an expression: an error if it costs more than servers allow.
fn finding(file: &str, explanation: &CostExplanation) -> Finding {
    let CostExplanation { text, cost, .. } = explanation;
    let is_refused = explanation.share() > 1.0;
    let severity = if is_refused { Severity::Error } else { Severity::Note };
    let message = format!(
        "an estimated cost of {cost}, {} what servers allow: {text}",
        share(explanation.share())
    );
    let finding = Finding::new(severity, RULE_COST.id, file, message);
    let limits: Vec<String> = explanation
        .bounds
        .iter()
        .take(NAMED)
        .map(|bound| {
            let at = if bound.field.is_empty() { "the root" } else { &bound.field };
            format!("`{}: {}` at {at} makes it {}", bound.keyword, bound.value, bound.cost)
        })
        .collect();
    if limits.is_empty() { finding } else { finding.with_hint(limits.join("; ")) }
}

/// A share as people write it.
fn share(share: f64) -> String {
    match share {
        _ if share > 100.0 => "more than 100 times".to_owned(),
        _ if share >= 1.0 => format!("{share:.1} times"),
        _ if share < 0.001 => "less than 0.1 % of".to_owned(),
        _ => format!("{:.1} % of", share * 100.0),
    }
}

/// The field path of an expression in its definition.
fn path_of(definition: &Value, pointer: &str) -> String {
    let (mut path, mut around) = (String::new(), Some(definition));
    for token in pointer.split('/').skip(1) {
        let name = unescaped(token);
        let part = around.and_then(|value| value.pointer(&format!("/{token}")));
        if around.is_some_and(Value::is_array) {
            path.extend(["[", &*name, "]"]);
        } else {
            let dot = if path.is_empty() { "" } else { "." };
            path.extend([dot, &*name]);
        }
        around = part;
    }
    path
}
