//! The rules for a version, and for what all versions have in common.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};

use super::costs::Costs;
use super::dump::dump_list;
use super::judged::Judged;
use super::names::check_label;
use super::openapi::Schemas;
use super::part::Part;
use super::shape::VERSION;
use super::update::missing;
use super::{check_defaults, structural};
use crate::answer::{Reason, RefusalCause, Room};
use crate::field_path;
use crate::go::{self, GoQuoted};
use crate::path::Path;

/// The fields of a version that the server keeps once if all versions agree, with their name there.
const SHARED: [(&str, &str); 4] = [
    ("schema", "validation"),
    ("subresources", "subresources"),
    ("additionalPrinterColumns", "additionalPrinterColumns"),
    ("selectableFields", "selectableFields"),
];

/// The versions of a definition as the server keeps them internally.
pub(super) struct Versions<'a> {
    all: Vec<Version<'a>>,
    /// What all versions agree on.
    shared: Fields<'a>,
    /// Whether there is a list of versions, which can be empty.
    is_stated: bool,
}

/// A version, and the fields that it does not share with all others.
struct Version<'a> {
    part: Part<'a>,
    own: Fields<'a>,
}

/// Some of the [`SHARED`] fields, by their names in a version.
#[derive(Default)]
struct Fields<'a>(BTreeMap<&'static str, &'a Value>);

impl<'a> Fields<'a> {
    fn part(&self, name: &str) -> Option<Part<'a>> {
        self.0.get(name).copied().and_then(Part::from_value)
    }

    fn parts(&self, name: &str) -> impl Iterator<Item = Part<'a>> + use<'a> {
        let items =
            self.0.get(name).and_then(|value| value.as_array()).map_or(&[][..], Vec::as_slice);
        items.iter().filter_map(Part::from_value)
    }

    fn schema(&self) -> Option<Part<'a>> {
        self.part("schema")?.part("openAPIV3Schema")
    }
}

impl<'a> Versions<'a> {
    pub(super) fn read(spec: Part<'a>) -> Self {
        let part = |part| Version { part, own: Fields::default() };
        let mut all: Vec<Version<'a>> = spec.parts("versions").map(part).collect();
        let mut shared = Fields::default();
        for (name, _) in SHARED {
            let first = all.first().and_then(|version| version.part.get(name));
            if all.iter().all(|version| version.part.get(name) == first) {
                shared.0.extend(first.map(|value| (name, value)));
                continue;
            }
            for Version { part, own } in &mut all {
                own.0.extend(part.get(name).map(|value| (name, value)));
            }
        }
        Self { all, shared, is_stated: spec.has("versions") }
    }

    fn parts(&self) -> impl Iterator<Item = Part<'a>> {
        self.all.iter().map(|version| version.part)
    }

    /// The first storage version, which the server uses.
    pub(super) fn stored(&self) -> Option<&'a str> {
        self.parts().find(|version| version.is("storage")).map(|version| version.text("name"))
    }

    /// A cause that shows all versions.
    fn invalid(&self, path: &Path<'_>, detail: &str) -> RefusalCause {
        let own = |version: &Version<'_>| {
            let members = version.part.0.iter();
            let own = members.filter(|(name, _)| !self.shared.0.contains_key(name.as_str()));
            let mut shown = Map::new();
            shown.extend(own.map(|(name, value)| (name.clone(), value.clone())));
            Value::Object(shown)
        };
        let all: Vec<Value> = self.all.iter().map(own).collect();
        let shown = if self.is_stated { dump_list(&all, &VERSION) } else { "null".to_owned() };
        let message = format!("Invalid value: {shown}: {detail}");
        RefusalCause { reason: Reason::Invalid, field: path.to_string(), message }
    }

    /// Checks that every version has a schema.
    pub(super) fn check_presence(&self, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
        let has_schema = |fields: &Fields<'_>| {
            fields.part("schema").is_some_and(|schema| schema.has("openAPIV3Schema"))
        };
        if has_schema(&self.shared) {
            return;
        }
        for (at, version) in self.all.iter().enumerate() {
            if !has_schema(&version.own) {
                let path = path.index(at);
                causes.push(RefusalCause::required(
                    path.field("schema").field("openAPIV3Schema"),
                    "",
                ));
            }
        }
    }

    /// Checks each version.
    pub(super) fn check(&self, path: &Path<'_>, judged: &mut Judged) {
        for (at, Version { part, own }) in self.all.iter().enumerate() {
            let path = path.index(at);
            check_label(part.text("name"), &path.field("name"), &mut judged.causes);
            check_deprecation(*part, &path.field("deprecationWarning"), &mut judged.causes);
            let has_status =
                part.part("subresources").is_some_and(|subresources| subresources.has("status"));
            if let Some(schema) = own.part("schema") {
                let version = part.text("name");
                check_schema(schema, version, has_status, &path.field("schema"), judged);
            }
            check_rest(own, &path, NO_SCHEMA, &mut judged.causes);
        }
    }

    /// Checks that the names are unique, and that one version is stored.
    pub(super) fn check_storage(&self, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
        let mut names: Vec<_> = self.parts().map(|version| version.text("name")).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair.first() == pair.last()) {
            causes.push(self.invalid(path, "must contain unique version names"));
        }
        if self.parts().filter(|version| version.is("storage")).count() != 1 {
            causes.push(
                self.invalid(path, "must have exactly one version marked as storage version"),
            );
        }
    }

    /// Checks what all versions agree on.
    pub(super) fn check_shared(&self, path: &Path<'_>, judged: &mut Judged) {
        let statuses = self.parts().filter_map(|part| part.part("subresources"));
        let has_status = statuses.into_iter().any(|subresources| subresources.has("status"));
        if let Some(schema) = self.shared.part("schema") {
            let first = self.parts().next().map_or("", |version| version.text("name"));
            check_schema(schema, first, has_status, &path.field("validation"), judged);
        }
        check_rest(&self.shared, path, NO_SHARED_SCHEMA, &mut judged.causes);
    }

    /// Checks that the server's note of the stored versions fits, after the storage version is noted.
    pub(super) fn check_stored(
        &self,
        mut noted: Vec<String>,
        path: &Path<'_>,
        judged: &mut Judged,
    ) {
        let stored = self.stored().filter(|stored| !noted.iter().any(|noted| noted == stored));
        noted.extend(stored.map(str::to_owned));
        let invalid = |field: String, shown: &str, detail: &str| {
            let message = format!("Invalid value: {shown}: {detail}");
            RefusalCause { reason: Reason::Invalid, field, message }
        };
        if noted.is_empty() {
            let detail = "must have at least one stored version";
            return judged.causes.push(invalid(path.to_string(), "null", detail));
        }
        // The server crosses a noted version out when it meets it.
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        left.extend(noted.iter().enumerate().map(|(at, version)| (version.as_str(), at)));
        for version in self.parts() {
            let name = version.text("name");
            if left.remove(name).is_none() && version.is("storage") {
                let detail = format!("must have the storage version {name}");
                let shown: Value = noted.iter().map(String::as_str).collect();
                judged.causes.push(invalid(path.to_string(), &go::json(&shown), &detail));
            }
        }
        let mut left: Vec<_> = left.into_iter().collect();
        left.sort_unstable_by_key(|(_, at)| *at);
        for (version, at) in left {
            let (field, detail) = (path.index(at).to_string(), missing(version, judged.release));
            judged.causes.push(invalid(field, &GoQuoted(version).to_string(), &detail));
        }
    }
}

fn check_deprecation(version: Part<'_>, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    let Some(warning) = version.optional("deprecationWarning") else { return };
    let mut invalid = |detail: String| causes.push(RefusalCause::invalid(path, warning, detail));
    if !version.is("deprecated") {
        return invalid("can only be set for deprecated versions".to_owned());
    }
    if warning.len() > 256 {
        invalid("must be <= 256 characters long".to_owned());
    }
    if warning.is_empty() {
        invalid("must not be an empty string".to_owned());
    }
    if let Some(strange) = k8s_versioned_core::syntax::first_unprintable(warning) {
        let at = warning.find(strange).unwrap_or_default();
        invalid(format!(
            "must only contain printable UTF-8 characters; non-printable character found at index {at}"
        ));
    }
}

/// The fields of a schema that the root may have beside a status, as the server lists them.
const ROOT_FIELDS: &str = "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength \
                           MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties \
                           ExternalDocs Example XPreserveUnknownFields XValidations";

/// Checks that a schema is structural, and the defaults of a structural schema. Returns `true` if it has no fault.
fn is_structural_with_defaults(schema: Part<'_>, path: &Path<'_>, judged: &mut Judged) -> bool {
    let mut causes = structural::check(schema, path);
    if causes.is_empty() {
        causes = check_defaults::check(schema, path, judged);
    }
    let sound = causes.is_empty();
    judged.causes.append(&mut causes);
    sound
}

/// Checks a schema with its defaults and rules.
fn check_schema(
    validation: Part<'_>,
    version: &str,
    has_status: bool,
    path: &Path<'_>,
    judged: &mut Judged,
) {
    let (Some(value), path) = (validation.get("openAPIV3Schema"), path.field("openAPIV3Schema"))
    else {
        return;
    };
    let Some(schema) = Part::from_value(value) else { return };
    let before = judged.causes.len();
    if has_status {
        check_root_fields(value, &path, &mut judged.causes);
    }
    if schema.is("nullable") {
        judged.causes.push(RefusalCause::forbidden(
            path.field("nullable"),
            "nullable cannot be true at the root",
        ));
    }
    let unsupported = structural::unsupported(schema);
    let is_internal_fault = unsupported.is_none() && has_false_preserve(schema);
    let compiles = unsupported.is_none()
        && !is_internal_fault
        && is_structural_with_defaults(schema, &path, judged);
    let mut schemas = Schemas {
        release: judged.release,
        compiles,
        faults: Vec::new(),
        broken_rules: Vec::new(),
        not_judged: Vec::new(),
        is_unchanged: judged.ratchet.is_unchanged(version, value),
        ratchet: &mut judged.ratchet,
        room: Room::default(),
        is_cut: false,
        costs: Costs::default(),
    };
    schemas.check(schema, &path);
    let Schemas { mut faults, mut broken_rules, mut not_judged, costs, .. } = schemas;
    judged.causes.append(&mut faults);
    judged.causes.append(&mut broken_rules);
    judged.not_judged.append(&mut not_judged);
    judged.costs.extend(costs.expressions);
    if let (Some(message), true) = (unsupported, judged.causes.len() == before) {
        judged.causes.push(RefusalCause::invalid(path, "", message));
    }
}

/// Returns `true` if a part has `x-kubernetes-preserve-unknown-fields: false`.
fn has_false_preserve(schema: Part<'_>) -> bool {
    let own = schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(false));
    own || schema.below().any(has_false_preserve)
}

/// Checks that the schema of the status is only in `properties`, so that it can be taken out.
fn check_root_fields(schema: &Value, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    let Some(part) = Part::from_value(schema) else { return };
    for field in super::shape::JSON_SCHEMA.fields {
        let present = part.get(field.name).is_some_and(|value| match value {
            Value::String(text) => {
                !text.is_empty() || field.name.starts_with("x-") || field.name == "$ref"
            }
            Value::Bool(value) => *value || field.name == "additionalProperties",
            _ => true,
        });
        if !present {
            continue;
        }
        if field.name == "type" && part.text("type") != "object" {
            let detail = "only \"object\" is allowed as the type at the root of the schema if the status subresource \
                          is enabled";
            return causes.push(RefusalCause::invalid(
                path.field("type"),
                part.text("type"),
                detail,
            ));
        }
        if !ROOT_FIELDS.split(' ').any(|allowed| allowed == field.go) {
            let shown = super::dump::dump(schema, &super::shape::JSON_SCHEMA);
            let detail = format!(
                "only [{ROOT_FIELDS}] fields are allowed at the root of the schema if the status subresource \
                         is enabled"
            );
            let message = format!("Invalid value: {shown}: {detail}");
            return causes.push(RefusalCause {
                reason: Reason::Invalid,
                field: path.to_string(),
                message,
            });
        }
    }
}

/// The message of servers about selectable fields of a version without a schema. It states the opposite of what is meant.
const NO_SCHEMA: &str = "may only be set when `version.schema.openAPIV3Schema` is not included";

/// The same message for the fields that all versions agree on.
const NO_SHARED_SCHEMA: &str = "may only be set when validations.schema is included";

/// Checks the subresources, columns and selectable fields of a version or of all.
fn check_rest(
    fields: &Fields<'_>,
    path: &Path<'_>,
    no_schema: &str,
    causes: &mut Vec<RefusalCause>,
) {
    if let Some(scale) =
        fields.part("subresources").and_then(|subresources| subresources.part("scale"))
    {
        check_scale(scale, &path.field("subresources"), causes);
    }
    let columns = path.field("additionalPrinterColumns");
    for (at, column) in fields.parts("additionalPrinterColumns").enumerate() {
        check_column(column, &columns.index(at), causes);
    }
    if fields.parts("selectableFields").next().is_none() {
        return;
    }
    let path = path.field("selectableFields");
    match fields.schema() {
        Some(schema) => check_selectable(fields, schema, &path, causes),
        None => causes.push(RefusalCause::invalid(path, "", no_schema)),
    }
}

fn check_scale(scale: Part<'_>, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    for (name, field, prefixes, detail) in [
        (
            "specReplicasPath",
            "scale.specReplicasPath",
            [".spec."].as_slice(),
            "should be a json path under .spec",
        ),
        (
            "statusReplicasPath",
            "scale.statusReplicasPath",
            &[".status."],
            "should be a json path under .status",
        ),
        (
            "labelSelectorPath",
            "scale.labelSelectorPath",
            &[".spec.", ".status."],
            "should be a json path under either .spec or .status",
        ),
    ] {
        let (text, path) = (scale.text(name), path.field(field));
        if text.is_empty() {
            if name != "labelSelectorPath" {
                causes.push(RefusalCause::required(path, ""));
            }
        } else if !text.starts_with('.') {
            causes.push(RefusalCause::invalid(
                path,
                text,
                "must be a simple json path starting with .",
            ));
        } else if !prefixes.iter().any(|prefix| text.starts_with(prefix)) {
            causes.push(RefusalCause::invalid(path, text, detail));
        }
    }
}

fn check_column(column: Part<'_>, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    const TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
    const FORMATS: [&str; 8] =
        ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
    if column.text("name").is_empty() {
        causes.push(RefusalCause::required(path.field("name"), ""));
    }
    let (name, format, json_path) =
        (column.text("type"), column.text("format"), column.text("jsonPath"));
    if !TYPES.contains(&name) {
        structural::must_be(
            name,
            &path.field("type"),
            &format!("must be one of {}", TYPES.join(",")),
            causes,
        );
    }
    if !format.is_empty() && !FORMATS.contains(&format) {
        let detail = format!("must be one of {}", FORMATS.join(","));
        causes.push(RefusalCause::invalid(path.field("format"), format, detail));
    }
    if json_path.is_empty() {
        causes.push(RefusalCause::required(path.field("JSONPath"), ""));
    } else if !json_path.starts_with('.') {
        let detail = "must be a simple json path starting with .";
        causes.push(RefusalCause::invalid(path.field("JSONPath"), json_path, detail));
    }
}

fn check_selectable(
    fields: &Fields<'_>,
    schema: Part<'_>,
    path: &Path<'_>,
    causes: &mut Vec<RefusalCause>,
) {
    const MOST: usize = 8;
    if let Some(message) = structural::unsupported(schema) {
        return causes.push(RefusalCause::invalid(path, "", message));
    }
    let mut seen: HashSet<String> = HashSet::new();
    for (at, field) in fields.parts("selectableFields").enumerate() {
        let (item, text) = (path.index(at), field.text("jsonPath"));
        let field = item.field("jsonPath");
        if text.is_empty() {
            causes.push(RefusalCause::required(field, ""));
            continue;
        }
        let (target, written) = match field_path::follow(text, schema.0, false) {
            Ok(target) => target,
            Err(fault) => {
                let detail = format!("is an invalid path: {fault}");
                causes.push(RefusalCause::invalid(field, text, detail));
                continue;
            }
        };
        if written == "metadata" || written.starts_with("metadata.") {
            causes.push(RefusalCause::invalid(field, text, "must not point to fields in metadata"));
        }
        if !target.is_some_and(|target| {
            matches!(Part(target).text("type"), "string" | "boolean" | "integer")
        }) {
            let detail = "must point to a field of type string, boolean or integer. Enum string fields and strings \
                          with formats are allowed.";
            causes.push(RefusalCause::invalid(field, text, detail));
        }
        if !seen.insert(written) {
            let (field, message) =
                (field.to_string(), format!("Duplicate value: {}", GoQuoted(text)));
            causes.push(RefusalCause { reason: Reason::Duplicate, field, message });
        }
    }
    if seen.len() > MOST {
        let message = format!("Too many: {}: must have at most {MOST} items", seen.len());
        causes.push(RefusalCause { reason: Reason::TooMany, field: path.to_string(), message });
    }
}
