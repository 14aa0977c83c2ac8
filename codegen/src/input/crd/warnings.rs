//! Warnings about definitions: what servers make of each keyword (`k8s_versioned_admission::definition`), at its line.
//!
//! A definition with a fault is served, if an older server has stored it, so it generates. What has no type is any JSON in Rust.

use std::collections::BTreeSet;

use k8s_versioned_admission::NEWEST;
use k8s_versioned_admission::definition::keywords::{KeywordEffect, KeywordUse};
use k8s_versioned_admission::definition::{
    DefinitionVerdict, judge_without_advice, place_in_definition,
};
use k8s_versioned_core::nearest::nearest;
use k8s_versioned_core::pointer::{self, Pointer};
use k8s_versioned_core::quoted::{OneLine, start};
use k8s_versioned_core::{Quoted, Release};
use k8s_versioned_source::{MemberIndex, TreeValue, ValueKind};
use litemap::LiteMap;
use serde::de::IgnoredAny;
use serde_json::{Deserializer, Value as Json};

use super::definition::{DefinedVersion, Definition, Definitions, Origin, is_true, nearest_place};
use super::publish::STRUCTURE;
use crate::Problems;
use crate::gather::Gather;
use crate::problem::{CrdCause, Place};
use crate::spec::{FACTS, Nested, TYPES};
use crate::text::join;

/// The most characters of a message of a server that are shown.
const SHOWN: usize = 300;

/// The most bytes of a value in such a message.
const SHOWN_VALUE: usize = 60;

/// The most pairs of names that are compared to find a near one: a hostile schema has so many that it takes minutes.
const COMPARED: usize = 10_000;

/// The pointer to the versions of a definition.
const VERSIONS: &str = "/spec/versions";

/// A warning about one place.
#[derive(Clone, Debug)]
pub(crate) struct Warning {
    /// The name of the definition.
    definition: String,
    place: Place,
    /// The warning about this place.
    cause: CrdCause,
}

impl Warning {
    /// The places of a definition with the same key share a warning: all vendor extensions do.
    fn key(&self) -> (&str, CrdCause) {
        let cause = match &self.cause {
            CrdCause::ForeignKeywords(_) => CrdCause::ForeignKeywords(String::new()),
            other => other.clone(),
        };
        (&self.definition, cause)
    }
}

/// The warnings about definitions, which are also there as JSON.
pub(super) fn of_definitions(definitions: &Definitions<'_>, objects: &[Json]) -> Vec<Warning> {
    let all = definitions.all.iter().zip(objects);
    all.flat_map(|(definition, object)| of_definition(definitions, definition, object)).collect()
}

fn of_definition(
    definitions: &Definitions<'_>,
    definition: &Definition,
    object: &Json,
) -> Vec<Warning> {
    let mut about = About::new(definitions, definition);
    let DefinitionVerdict { answer, keywords, .. } = judge_without_advice(object, NEWEST);
    about.objects();
    about.misread_names();
    for finding in &keywords {
        about.keyword(finding);
    }
    let refused = keywords.iter().filter(|finding| finding.effect == KeywordEffect::Refused);
    let refused: BTreeSet<&str> = refused.map(schema_of).gather();
    let is_explained = |pointer: &str| {
        let is_whole = pointer.ends_with("/openAPIV3Schema");
        around(pointer).any(|schema| refused.contains(schema))
            || is_whole && refused.range(pointer..).any(|schema| is_below(schema, pointer))
    };
    // The status of a definition is not its author's.
    let causes = answer.causes.iter().filter(|cause| !cause.field.starts_with("status."));
    for cause in causes {
        let pointer = pointer_of(&cause.field);
        if !is_explained(&pointer) {
            about.refusal(&pointer, &shortened(&cause.message));
        }
    }
    // A server that cannot decode a definition has no causes.
    if let Some(path) = &answer.undecodable {
        let pointer = pointer_of(path);
        if !is_explained(&pointer) {
            about.refusal(&pointer, &answer.message);
        }
    }
    about.warnings
}

/// The place of a value by its pointer in a definition, in the object that has it.
pub(super) fn place_of(
    definitions: &Definitions<'_>,
    definition: &Definition,
    pointer: &str,
) -> Option<Place> {
    let about = About::new(definitions, definition);
    let (origin, root, pointer) = about.locate(pointer)?;
    Some(nearest_place(root, &origin.object, &pointer))
}

/// The message of a server, `Invalid value: VALUE: RULE`, without a long value.
fn shortened(message: &str) -> String {
    let rule = rule_after_long_value(message).unwrap_or(message);
    OneLine(start(rule, SHOWN)).to_string()
}

fn rule_after_long_value(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once(": ")?;
    let mut values = Deserializer::from_str(rest).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let end = values.byte_offset();
    rest.get(end..)?.strip_prefix(": ").filter(|_| end > SHOWN_VALUE)
}

/// The pointer to the schema of a finding.
fn schema_of(finding: &KeywordUse) -> &str {
    if finding.is_absent { &finding.pointer } else { outer(&finding.pointer) }
}

/// A pointer, and the pointers to the values around its value.
fn around(pointer: &str) -> impl Iterator<Item = &str> {
    let ends = pointer.match_indices('/').map(|(end, _)| end);
    ends.chain([pointer.len()]).filter_map(|end| pointer.get(..end))
}

/// Returns `true` if a pointer leads to a value or into it.
fn is_below(pointer: &str, value: &str) -> bool {
    pointer.strip_prefix(value).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The JSON pointer to what a server names by a path such as `spec.versions[0].schema`.
fn pointer_of(path: &str) -> String {
    let mut pointer = String::new();
    let place = place_in_definition(path);
    let mut rest = &*place;
    while let Some(next) = rest.chars().next() {
        let (token, after) = match next {
            '[' => rest.get(1..).and_then(|rest| rest.split_once(']')).unwrap_or((rest, "")),
            _ => rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len())),
        };
        pointer::push(&mut pointer, token);
        rest = after.strip_prefix('.').unwrap_or(after);
    }
    pointer
}

/// An object, and the members of the objects in it.
type Root<'i, 'a> = (TreeValue<'a>, &'i MemberIndex);

/// Collects the warnings about a definition.
struct About<'a> {
    definitions: &'a Definitions<'a>,
    definition: &'a Definition,
    /// The members of the objects by the numbers of their trees: a large object can have many warnings.
    indexes: LiteMap<usize, MemberIndex>,
    warnings: Vec<Warning>,
}

impl<'a> About<'a> {
    fn new(definitions: &'a Definitions<'a>, definition: &'a Definition) -> Self {
        let origins = definition.origins.iter();
        let indexes = origins.map(|origin| (origin.tree, MemberIndex::default())).gather();
        Self { definitions, definition, indexes, warnings: Vec::new() }
    }

    fn push(&mut self, place: Place, cause: CrdCause) {
        self.warnings.push(Warning { definition: self.definition.name(), place, cause });
    }

    fn root(&self, origin: &Origin) -> Option<Root<'_, 'a>> {
        Some((self.definitions.object(origin)?, self.indexes.get(&origin.tree)?))
    }

    /// The object with the value at a pointer of the definition, and the pointer in it: the versions come from all objects.
    fn locate(&self, pointer: &str) -> Option<(&'a Origin, Root<'_, 'a>, String)> {
        let first = self.definition.origins.first()?;
        let of_version = pointer.strip_prefix(VERSIONS).and_then(|rest| rest.strip_prefix('/'));
        let Some(of_version) = of_version else {
            return Some((first, self.root(first)?, pointer.to_owned()));
        };
        let (index, inside) = of_version.split_at(of_version.find('/').unwrap_or(of_version.len()));
        let mut index: usize = index.parse().ok()?;
        for origin in &self.definition.origins {
            let root = self.root(origin)?;
            let versions = root.0.pointer(VERSIONS).and_then(TreeValue::items);
            let count = versions.map_or(0, Iterator::count);
            if index < count {
                return Some((origin, root, format!("{VERSIONS}/{index}{inside}")));
            }
            index -= count;
        }
        None
    }

    /// Several objects are one definition.
    fn objects(&mut self) {
        let Some((first, more)) = self.definition.origins.split_first() else { return };
        let files =
            more.iter().filter_map(|origin| Some(self.root(origin)?.0.tree().file().to_string()));
        let files: BTreeSet<String> = files.gather();
        if let Some(root) = self.root(first).filter(|_| !more.is_empty()) {
            let (kind, files) = (self.definition.kind.clone(), join(&files, "`, `"));
            let place = nearest_place(root, &first.object, "");
            self.push(place, CrdCause::United { kind, files });
        }
    }

    /// The names of fields that YAML gives another meaning.
    fn misread_names(&mut self) {
        for version in &self.definition.versions {
            let Some((root, _)) = self.root(&version.origin) else { continue };
            let Some(schema) = version.schema.map(|schema| root.tree().value(schema)) else {
                continue;
            };
            let mut names = Vec::new();
            misread_names(schema, None, &mut names);
            for (place, cause) in names {
                let pointer = version.schema_pointer() + &place.pointer;
                self.push(Place { pointer, ..place }, cause);
            }
        }
    }

    fn keyword(&mut self, finding: &KeywordUse) {
        let Some((origin, root, pointer)) = self.locate(&finding.pointer) else { return };
        let is_of = |version: &DefinedVersion| {
            let own = format!("{VERSIONS}/{}", version.index);
            version.origin == *origin && is_below(&pointer, &own)
        };
        if !self.definition.versions.iter().any(is_of) {
            return;
        }
        let KeywordUse { keyword, when, effect, why, .. } = finding;
        let is_absent = finding.is_absent;
        let schema = if is_absent { pointer.as_str() } else { outer(&pointer) };
        let (value, index) = root;
        let Some(schema) = index.pointer(value, schema) else { return };
        let is_foreign = keyword.starts_with("x-") && !keyword.starts_with("x-kubernetes-");
        let (keyword, more) = (keyword.clone(), 0);
        let when = if is_absent { String::new() } else { described(schema, &keyword, when) };
        let cause = match effect {
            KeywordEffect::Refused => {
                let what = if is_absent {
                    format!("a schema without `{keyword}`")
                } else {
                    format!("`{keyword}` here{when}")
                };
                CrdCause::Refused { what, why, in_rust: in_rust(schema, finding), more }
            }
            _ if is_foreign => CrdCause::ForeignKeywords(keyword),
            _ => CrdCause::Meaningless { keyword, when, why, more },
        };
        let place = nearest_place(root, &origin.object, &pointer);
        self.push(place, cause);
    }

    fn refusal(&mut self, pointer: &str, message: &str) {
        let Some((origin, root, pointer)) = self.locate(pointer) else { return };
        // Versions without a schema are of any objects.
        let lacks_schema = |version: &DefinedVersion| {
            version.origin == *origin
                && version.schema.is_none()
                && pointer.starts_with(&format!("{VERSIONS}/{}/schema", version.index))
        };
        let in_rust =
            self.definition.versions.iter().any(lacks_schema).then_some("objects are any JSON");
        let message = message.to_owned();
        let place = nearest_place(root, &origin.object, &pointer);
        self.push(place, CrdCause::Rejected { message, in_rust, more: 0 });
    }
}

fn outer(pointer: &str) -> &str {
    pointer.rsplit_once('/').map_or("", |(outer, _)| outer)
}

/// Collects the names of fields that YAML gives another meaning, in a schema and the schemas in it. The places are in the outermost
/// schema.
fn misread_names(
    schema: TreeValue<'_>,
    pointer: Option<&Pointer<'_>>,
    names: &mut Vec<(Place, CrdCause)>,
) {
    for (key, member) in schema.members().into_iter().flatten() {
        let Some(nested) = Nested::for_keyword(key) else { continue };
        let around = Pointer { parent: pointer, token: &key };
        if key == "properties" {
            for (name, word, span) in member.misread_keys() {
                let (word, name, more) = (word.to_owned(), name.to_owned(), 0);
                let pointer = Pointer::text(Some(&around.inside(&name)));
                let place = Place { file: member.tree().file().clone(), pointer, span: Some(span) };
                names.push((place, CrdCause::MisreadName { word, name, more }));
            }
        }
        match (nested, member.kind()) {
            (Nested::Members, ValueKind::Object) => {
                for (name, schema) in member.members().into_iter().flatten() {
                    misread_names(schema, Some(&around.inside(&name)), names);
                }
            }
            (Nested::Itself, ValueKind::Array) => {
                for (index, schema) in member.items().into_iter().flatten().enumerate() {
                    misread_names(schema, Some(&around.inside(&index)), names);
                }
            }
            (Nested::Itself, _) => misread_names(member, Some(&around), names),
            (Nested::Members, _) => {}
        }
    }
}

// The text of a warning about a keyword.

/// When a keyword has its effect, with the value or the name that is meant.
fn described(schema: TreeValue<'_>, keyword: &str, when: &str) -> String {
    let value = schema.get(keyword);
    let about = match keyword {
        "default" => value.map(text_of),
        "enum" => strange_word(schema).map(text_of),
        "type" => value.and_then(TreeValue::string).map(|name| with_near(name, TYPES.into_iter())),
        "format" => value.and_then(TreeValue::string).map(|name| Quoted(name).to_string()),
        "required" => missing_field(schema, value),
        "x-kubernetes-list-map-keys" => missing_key(schema, value),
        _ if when.is_empty() => {
            let near = nearest(keyword, STRUCTURE.into_iter().chain(FACTS));
            near.map(|near| format!("did you mean `{near}`?"))
        }
        _ => None,
    };
    let parts = [Some(when).filter(|when| !when.is_empty()).map(str::to_owned), about];
    match parts.into_iter().flatten().collect::<Vec<_>>().join(": ") {
        parts if parts.is_empty() => parts,
        parts => format!(" ({parts})"),
    }
}

/// A value as JSON, and as YAML has it if that is another word.
fn text_of(value: TreeValue<'_>) -> String {
    let text = value.to_json().to_string();
    let json = Quoted(&text);
    match value.misread() {
        Some(word) => format!("{json}, written `{word}` without quotes"),
        None => json.to_string(),
    }
}

fn with_near<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let near = nearest(name, known).filter(|near| *near != name);
    let near = near.map(|near| format!(", did you mean `{near}`?")).unwrap_or_default();
    format!("{}{near}", Quoted(name))
}

/// The first value of `enum` that is not of the type.
fn strange_word(schema: TreeValue<'_>) -> Option<TreeValue<'_>> {
    let of_type = schema.get("type").and_then(TreeValue::string)?;
    let fits = |word: &TreeValue<'_>| match word.kind() {
        ValueKind::Null => true,
        ValueKind::Bool => of_type == "boolean",
        ValueKind::Number => ["integer", "number"].contains(&of_type),
        ValueKind::String => of_type == "string",
        ValueKind::Array => of_type == "array",
        ValueKind::Object => of_type == "object",
    };
    schema.get("enum").and_then(TreeValue::items)?.find(|word| !fits(word))
}

fn missing_field(schema: TreeValue<'_>, required: Option<TreeValue<'_>>) -> Option<String> {
    let required: Vec<&str> = required?.items()?.filter_map(TreeValue::string).collect();
    let properties: BTreeSet<&str> =
        schema.get("properties")?.members()?.map(|(name, _)| name).gather();
    let missing = required.iter().find(|name| !properties.contains(*name))?;
    let is_small = required.len().saturating_mul(properties.len()) <= COMPARED;
    Some(with_near(missing, properties.into_iter().filter(|_| is_small)))
}

fn missing_key(schema: TreeValue<'_>, keys: Option<TreeValue<'_>>) -> Option<String> {
    let fields = schema.at(&["items", "properties"]).and_then(TreeValue::members);
    let fields: BTreeSet<&str> = fields.into_iter().flatten().map(|(name, _)| name).gather();
    let mut keys = keys?.items()?.filter_map(TreeValue::string);
    let missing = keys.find(|key| !fields.contains(key))?;
    Some(with_near(missing, fields.into_iter().take(COMPARED)))
}

/// What Rust has instead of a type that the schema does not have.
fn in_rust(schema: TreeValue<'_>, finding: &KeywordUse) -> Option<&'static str> {
    let kind = |key: &str| schema.get(key).map_or(ValueKind::Null, TreeValue::kind);
    let is_map = kind("additionalProperties") == ValueKind::Object;
    let has_fields = kind("properties") == ValueKind::Object;
    let is_int_or_string = is_true(schema, "x-kubernetes-int-or-string");
    let is_open = !is_map && !has_fields && !is_int_or_string;
    match finding.keyword.as_str() {
        "type" if is_open && finding.is_of_unknown_type => Some("the value is any JSON"),
        "$ref" if is_open && kind("type") != ValueKind::String => Some("the value is any JSON"),
        "items" => Some("items are any JSON"),
        "additionalProperties" if is_map && has_fields => Some("other members are any JSON"),
        "patternProperties" if is_open => Some("members are any JSON"),
        _ => None,
    }
}

/// The warnings about one definition, by release.
type ByRelease<'a> = LiteMap<Option<Release>, Vec<&'a Warning>>;

/// The warnings about documents that are made of definitions, and about the definitions of the package: one for each definition and
/// keyword, at its first place in the newest release.
pub(crate) fn warnings(warnings: &[(Option<Release>, Warning)]) -> Problems {
    let mut all: LiteMap<(&str, CrdCause), ByRelease<'_>> = LiteMap::new();
    for (release, warning) in warnings {
        let one = all.entry(warning.key()).or_default();
        one.entry(*release).or_default().push(warning);
    }
    let mut problems = Problems::new();
    for (_, newest) in all.values().filter_map(LiteMap::last) {
        if let Some(first) = newest.iter().min_by_key(|newest| newest.place.order()) {
            problems.push(&first.place, cause(first, newest));
        }
    }
    problems
}

/// The warning at the first of these places, which names the others.
fn cause(first: &Warning, all: &[&Warning]) -> CrdCause {
    let mut cause = first.cause.clone();
    match &mut cause {
        CrdCause::Meaningless { more, .. }
        | CrdCause::Refused { more, .. }
        | CrdCause::Rejected { more, .. }
        | CrdCause::MisreadName { more, .. } => *more = all.len() - 1,
        CrdCause::ForeignKeywords(names) => {
            let foreign = all.iter().filter_map(|warning| match &warning.cause {
                CrdCause::ForeignKeywords(name) => Some(name.as_str()),
                _ => None,
            });
            *names = join(foreign.gather::<BTreeSet<_>>(), "`, `");
        }
        _ => {}
    }
    cause
}

#[cfg(test)]
mod tests {
    use super::pointer_of;

    #[test]
    fn paths_of_servers_are_pointers() {
        for (path, pointer) in [
            (
                "spec.validation.openAPIV3Schema.properties[a/b].type",
                "/spec/versions/0/schema/openAPIV3Schema/properties/a~1b/type",
            ),
            ("spec.versions[1].schema", "/spec/versions/1/schema"),
            (
                "spec.additionalPrinterColumns[2].JSONPath",
                "/spec/versions/0/additionalPrinterColumns/2/jsonPath",
            ),
            ("spec.selectableFields[0].jsonPath", "/spec/versions/0/selectableFields/0/jsonPath"),
            (
                "spec.validation.openAPIV3Schema.allOf[0]",
                "/spec/versions/0/schema/openAPIV3Schema/allOf/0",
            ),
            (
                "spec.conversion.webhookClientConfig.url",
                "/spec/conversion/webhook/clientConfig/url",
            ),
            (
                "spec.conversion.conversionReviewVersions[1]",
                "/spec/conversion/webhook/conversionReviewVersions/1",
            ),
            ("metadata.name", "/metadata/name"),
            ("", ""),
        ] {
            assert_eq!(pointer_of(path), pointer);
        }
    }
}
