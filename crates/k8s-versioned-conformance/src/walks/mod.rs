//! Random walks: objects made from the schemas of a kind are converted from version to version, and edited on the way.
//!
//! Four laws hold: an object that nobody edits comes back equal, and nothing that its version requires is missing then; live fields
//! win; and no value vanishes without a finding.

mod keys;
mod objects;
mod schemas;

use std::borrow::Cow;
use std::collections::HashSet;

use k8s_versioned::conversion::{ConversionFinding, ConversionReport};
use objects::Maker;
use serde_json::{Map, Value, json};
use thiserror::Error;

pub use schemas::Schemas;

use crate::check::Convertible;
use crate::differences::differences;

/// A walk that broke a law, or could not be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}, seed {seed}: {what}")]
#[non_exhaustive]
pub struct WalkError {
    /// The kind of the object.
    pub kind: &'static str,
    /// The seed, which repeats the walk.
    pub seed: u64,
    /// The law, with the objects before and after.
    pub what: String,
}

/// Takes a random object of the kind along a walk of 1 to 12 conversions, with edits between them. A test takes many
/// walks, each with another seed. In a walk with an odd seed, each version fills in the merge keys that have a default, as servers
/// do. In every second pair of walks, values have another type than their version declares.
///
/// ```no_run
/// use k8s_versioned_conformance::check::Convertible;
/// use k8s_versioned_conformance::walks::{Schemas, walk};
/// # use k8s_versioned::conversion::generic::{Convertibles, ConvertibleVisitor};
/// # enum Kinds {}
/// # impl Convertibles for Kinds { fn visit(_: &mut impl ConvertibleVisitor) {} }
///
/// let schemas = Schemas::load("specs")?;
/// for kind in Convertible::all::<Kinds>() {
///     (0..500).try_for_each(|seed| walk(&kind, &schemas, seed))?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A law is broken, or no schema of the folder is of the kind.
pub fn walk(kind: &Convertible, schemas: &Schemas, seed: u64) -> Result<(), WalkError> {
    let case = Case { of: kind, seed };
    let mut make = Maker::new(schemas, seed);
    let version = case.any_version(&mut make);
    let object = make.object(case.api_version(version), kind.kind);
    let object = object.ok_or_else(|| {
        case.error(format!("no schema of {} is known", case.api_version(version)))
    })?;
    let mut walked = Walked::new(object, version);
    if case.is_spoilt() {
        make.spoil_object(&mut walked.object);
    }
    for _ in 0..=make.rng.usize(..12) {
        if make.rng.u8(..3) == 0 {
            walked.edit(&case, &mut make);
        }
        walked.check(&case)?;
        let to = case.any_version(&mut make);
        walked.convert(&case, to, schemas)?;
    }
    Ok(())
}

/// An object on its walk.
struct Walked {
    object: Value,
    /// The index of its version.
    version: usize,
    /// The objects of the versions that it has left since it was edited.
    left: Vec<Left>,
    /// Whether keys that a server requires have been filled in since then.
    filled: bool,
    /// Whether it lacked a required field before the last conversion.
    was_lacking: bool,
    /// The required fields that it lacks after the last conversion.
    lacking: Vec<String>,
}

impl Walked {
    fn new(object: Value, version: usize) -> Self {
        let (left, lacking) = (Vec::new(), Vec::new());
        Self { object, version, left, filled: false, was_lacking: false, lacking }
    }

    /// Changes values, as a client does.
    fn edit(&mut self, case: &Case<'_>, make: &mut Maker<'_>) {
        make.edit_object(&mut self.object, case.api_version(self.version), case.of.kind);
        if case.is_spoilt() {
            make.spoil_object(&mut self.object);
        }
        self.left.clear();
        self.filled = false;
    }

    /// Checks that the object, as its type writes it, is as it left if its version was left before.
    fn check(&mut self, case: &Case<'_>) -> Result<(), WalkError> {
        let (written, report) = case.convert(&self.object, self.version)?;
        self.object = written;
        if let Some(left) = self.left.iter().find(|left| left.version == self.version) {
            let lost = if self.was_lacking { &[] } else { &*self.lacking };
            case.check_return(left, &self.object, (self.filled, case.is_spoilt()), lost)?;
        } else {
            let (object, lacking) = (self.object.clone(), paths_lacking(&report));
            self.left.push(Left { version: self.version, object, lacking });
        }
        self.was_lacking |= !self.lacking.is_empty() || has_made_up(&self.object);
        Ok(())
    }

    /// Converts the object.
    fn convert(&mut self, case: &Case<'_>, to: usize, schemas: &Schemas) -> Result<(), WalkError> {
        let (target, report) = case.step(&self.object, to)?;
        self.lacking = paths_lacking(&report);
        if case.is_spoilt() && report.iter().any(|(_, finding)| is_stale(finding)) {
            self.left.clear();
        }
        (self.object, self.version) = (target, to);
        let schema = schemas.of_kind(case.api_version(to), case.of.kind);
        let schema = schema.filter(|_| case.seed % 2 == 1);
        self.filled |= schema.is_some_and(|schema| keys::fill(&mut self.object, schema, schemas));
        Ok(())
    }
}

/// How many places of differences an error names.
const MANY: usize = 12;

/// An object of a version as it left for another one.
struct Left {
    version: usize,
    object: Value,
    /// The required fields that it lacked.
    lacking: Vec<String>,
}

struct Case<'k> {
    of: &'k Convertible,
    seed: u64,
}

impl Case<'_> {
    /// Whether the objects have values of other types than their schemas state.
    const fn is_spoilt(&self) -> bool {
        self.seed / 2 % 2 == 1
    }

    /// The index of any version.
    fn any_version(&self, make: &mut Maker<'_>) -> usize {
        make.rng.usize(..(self.of.versions)().len())
    }

    /// The `apiVersion` with an index.
    fn api_version(&self, index: usize) -> &'static str {
        (self.of.versions)().get(index).copied().unwrap_or_default()
    }

    fn error(&self, what: String) -> WalkError {
        WalkError { kind: self.of.kind, seed: self.seed, what }
    }

    /// Checks that an object comes back as it left, and has each required field that it had.
    fn check_return(
        &self,
        left: &Left,
        current: &Value,
        (filled, is_spoilt): (bool, bool),
        lacking: &[String],
    ) -> Result<(), WalkError> {
        let Left { version, object, .. } = left;
        let version = self.api_version(*version);
        if !comes_back(object, current, filled, is_spoilt) {
            let found = differences("", object, current).into_iter().map(|found| found.pointer);
            let (places, found) = (found.clone().take(MANY).collect::<Vec<_>>(), found.count());
            let more = if found > MANY { ", …" } else { "" };
            let what = format!(
                "{version} does not come back as it left, at {}{more}:\n{object}\n{current}",
                places.join(", ")
            );
            return Err(self.error(what));
        }
        // An object can be made without a value, such as an empty text.
        let had = |path: &&String| !left.lacking.contains(path) && has_value(object, path);
        match lacking.iter().filter(|_| !is_spoilt).find(had) {
            None => Ok(()),
            Some(path) => {
                Err(self
                    .error(format!("{version} lacks {path}, which it had:\n{object}\n{current}")))
            }
        }
    }

    fn convert(&self, source: &Value, to: usize) -> Result<(Value, ConversionReport), WalkError> {
        let converted = (self.of.convert)(source, to);
        let (target, report) =
            converted.map_err(|error| self.error(format!("{error}:\n{source}")))?;
        if report.iter().any(|(path, _)| path.to_string().is_empty()) {
            return Err(self.error(format!("a finding names no path: {report}\n{source}")));
        }
        Ok((target, report))
    }

    /// Returns `true` if all these words of the source are in the result of the conversion back.
    fn come_back(
        &self,
        source: &Value,
        target: &Value,
        missing: &[&str],
    ) -> Result<bool, WalkError> {
        let versions = (self.of.versions)();
        let own = source.get("apiVersion").and_then(Value::as_str);
        let Some(version) = versions.iter().position(|version| own == Some(*version)) else {
            return Ok(false);
        };
        let text = self.convert(target, version)?.0.to_string();
        let all = words(&text);
        Ok(missing.iter().all(|word| all.contains(word)))
    }

    /// Converts, and checks that nothing vanishes without a finding, and that live fields win.
    fn step(&self, source: &Value, to: usize) -> Result<(Value, ConversionReport), WalkError> {
        let (target, report) = self.convert(source, to)?;
        let mut findings = json!(report);
        // A live value stays where a kept one is discarded: it is in the object, not only in the finding.
        for finding in findings.as_array_mut().into_iter().flatten() {
            finding.as_object_mut().map(|finding| finding.remove("live"));
        }
        let text = format!("{target} {findings}");
        let (all, mut marked) = (words(&text), Vec::new());
        [source.get("spec"), source.get("status")]
            .into_iter()
            .flatten()
            .for_each(|part| markers(part, &mut marked));
        let missing: Vec<&str> =
            marked.iter().map(|word| &**word).filter(|word| !all.contains(word)).collect();
        match missing.first() {
            None => Ok((target, report)),
            // A rule can compute another value, such as an amount in another unit.
            Some(_) if self.come_back(source, &target, &missing)? => Ok((target, report)),
            Some(word) => {
                Err(self.error(format!("`{word}` vanished:\n{source}\n{target}\n{report}")))
            }
        }
    }
}

/// A kept value gave way to a live one: one of another type does so to the value of a field that another version has elsewhere.
fn is_stale(finding: &ConversionFinding) -> bool {
    matches!(finding, ConversionFinding::Stale { .. })
}

/// The annotations note values that a conversion made up: also one in a form that was kept for a version in between.
fn has_made_up(object: &Value) -> bool {
    let annotations = object.pointer("/metadata/annotations").and_then(Value::as_object);
    let mut texts = annotations.into_iter().flatten().filter_map(|(_, text)| text.as_str());
    texts.any(|text| text.contains(r#""filled":"#))
}

/// Whether an object has a value at a path, and not an empty text. A conversion into its own version reports no empty field of an object
/// that can be absent.
fn has_value(object: &Value, path: &str) -> bool {
    let mut value = Some(object);
    for segment in path.split('.') {
        let mut parts = segment.split('[');
        let name = parts.next().unwrap_or_default();
        value = value.and_then(|value| value.get(name));
        for index in parts {
            // The key of a map, which is not looked for.
            let Some(index) = index.strip_suffix(']').and_then(|it| it.parse::<usize>().ok())
            else {
                return true;
            };
            value = value.and_then(|value| value.get(index));
        }
    }
    value.is_some_and(|value| value != "")
}

/// The required fields that have no value.
fn paths_lacking(report: &ConversionReport) -> Vec<String> {
    let is_lacking = |finding: &_| matches!(finding, ConversionFinding::InvalidInTarget);
    let lacking = report.iter().filter(|(_, finding)| is_lacking(finding));
    lacking.map(|(path, _)| path.to_string()).collect()
}

/// Returns `true` if an object comes back equal, or with nothing but more members where a server `filled` some in. A value of another
/// type is in a place that is empty for the others, so empty values do not count around it, and it takes the place of a kept one.
fn comes_back(before: &Value, after: &Value, filled: bool, is_spoilt: bool) -> bool {
    let (after, before) = (content(after, before), content(before, before));
    if is_spoilt {
        let [spec, status, metadata] = before.map(|part| part.and_then(without_empty));
        let [new_spec, new_status, _] = after.map(|part| part.and_then(without_empty));
        let is_within = |few: Option<Value>, many: Option<Value>| match (few, many) {
            (Some(few), Some(many)) => few == many || filled && is_within(&few, &many),
            (few, many) => few == many,
        };
        return metadata.is_none() || is_within(spec, new_spec) && is_within(status, new_status);
    }
    if !filled {
        return after == before;
    }
    after.into_iter().zip(before).all(|(after, before)| match (after, before) {
        (Some(after), Some(before)) => is_within(before, after),
        (after, before) => after == before,
    })
}

/// A value without the empty values inside; `None` if nothing is left. Items of a list stay, since their places are known.
fn without_empty(value: &Value) -> Option<Value> {
    match value {
        Value::Object(members) => {
            let members = members.iter();
            let left: Map<String, Value> = members
                .filter_map(|(name, value)| Some((name.clone(), without_empty(value)?)))
                .collect();
            (!left.is_empty()).then_some(Value::Object(left))
        }
        Value::Array(items) => {
            let left: Vec<Option<Value>> = items.iter().map(without_empty).collect();
            let is_empty = left.iter().all(Option::is_none);
            let item = |left: Option<Value>| left.unwrap_or_else(|| json!({}));
            (!is_empty).then(|| left.into_iter().map(item).collect())
        }
        other => {
            let is_empty = [json!(null), json!(""), json!(0), json!(false)].contains(other);
            (!is_empty).then(|| other.clone())
        }
    }
}

/// Returns `true` if an object has the members of another, at any depth.
fn is_within(few: &Value, many: &Value) -> bool {
    match (few, many) {
        (Value::Object(few), Value::Object(many)) => few
            .iter()
            .all(|(name, value)| many.get(name).is_some_and(|other| is_within(value, other))),
        (Value::Array(few), Value::Array(many)) => {
            let mut pairs = few.iter().zip(many);
            few.len() == many.len() && pairs.all(|(one, other)| is_within(one, other))
        }
        _ => few == many,
    }
}

/// The parts of an object that come back equal. The metadata does so if there was no annotation: what a former edit left in one
/// is discarded on the way.
fn content<'v>(object: &'v Value, before: &Value) -> [Option<&'v Value>; 3] {
    let annotations = before.pointer("/metadata/annotations").and_then(Value::as_object);
    let bare = annotations.is_some_and(|all| all.len() == 1);
    let metadata = object.get("metadata").filter(|_| bare);
    [object.get("spec"), object.get("status"), metadata]
}

/// The texts and numbers that occur once in an object when it is made.
fn markers<'v>(value: &'v Value, marked: &mut Vec<Cow<'v, str>>) {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match value {
        Value::String(text) => {
            let text = text.trim_start_matches('0');
            let rest = text.strip_prefix('m').or(text.strip_suffix("Mi")).unwrap_or(text);
            if !rest.is_empty() && digits(rest) {
                marked.push(text.into());
            }
        }
        // A text that is not a number is 0 where it has to be one.
        // No object is made with another number, but a rule can fill in one.
        Value::Number(number)
            if number
                .as_u64()
                .is_some_and(|number| (1..10_000).contains(&number) || number > 1 << 40) =>
        {
            marked.push(number.to_string().into());
        }
        Value::Array(items) => items.iter().for_each(|item| markers(item, marked)),
        Value::Object(members) => members.values().for_each(|value| markers(value, marked)),
        _ => {}
    }
}

/// The words of a text: a number in it is found whole.
fn words(text: &str) -> HashSet<&str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric())
        .map(|word| word.trim_start_matches('0'))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{has_value, markers, words};

    /// An empty text in an object that can be absent is not lost where a report says that it is empty.
    #[test]
    fn an_empty_text_is_no_value() {
        let object = json!({"spec": {"ref": {"name": ""}, "ports": [{"name": "a"}, {"name": ""}], "size": 0}});
        for (path, has) in [
            ("spec.ref.name", false),
            ("spec.ref.kind", false),
            ("spec.ports[0].name", true),
            ("spec.ports[1].name", false),
            ("spec.size", true),
            (r#"spec["a.b"].name"#, true),
        ] {
            assert_eq!(has_value(&object, path), has, "{path}");
        }
    }

    #[test]
    fn markers_are_found_in_a_text() {
        let value = json!({"a": 1.5, "b": -2, "c": 7, "d": "m8", "e": ["09", "Mi", "x"], "f": 0});
        let mut marked = Vec::new();
        markers(&value, &mut marked);
        assert_eq!(marked, ["7", "m8", "9"]);
        let (text, other) = (value.to_string(), "7.5 m80 90");
        assert!(marked.iter().all(|marked| words(&text).contains(&**marked)));
        assert!(!marked.iter().skip(1).any(|marked| words(other).contains(&**marked)));
    }
}
