//! From the body of a request to an object of the kind: the refusals with 400, and the warnings.

use std::sync::LazyLock;

use k8s_versioned::json::server::ServerJson;
use k8s_versioned_core::syntax::group_version;
use serde_json::{Map, Value};

use super::body::{self, ReadError};
use super::{FieldValidation, WriteRequest};
use crate::answer::{RefusalCause, ServerAnswer, ServerWarning, Undecodable};
use crate::definition::{Definition, Version};
use crate::go::GoQuoted;
use crate::metadata::{self, Metadata, text};
use crate::path::{Path, UnknownFields};
use crate::schema::Schema;
use crate::values::{drop_nulls, embedded, fill_defaults, prune, too_many_defaults};

const METADATA: Path<'_> = Path::Field(&Path::Root, "metadata");

/// An answer that ends a request.
pub(crate) type Refusal = Box<ServerAnswer>;

/// An object whose metadata is apart.
pub(crate) struct Object {
    /// The members. That of the metadata is null, or absent.
    pub(crate) members: Map<String, Value>,
    pub(crate) metadata: Metadata,
    /// Whether the body has a float, which a server may store as an integer.
    pub(crate) has_floats: bool,
}

impl Object {
    pub(crate) fn kind(&self) -> &str {
        text(&self.members, "kind")
    }

    pub(crate) fn into_value(self) -> Value {
        let Self { mut members, metadata, .. } = self;
        match members.get_mut("metadata") {
            Some(place) => *place = metadata.into(),
            None => _ = members.insert("metadata".to_owned(), metadata.into()),
        }
        members.into()
    }
}

/// An object that was received.
pub(crate) struct Received {
    pub(crate) object: Object,
    pub(crate) warnings: Vec<ServerWarning>,
    /// What there was no room for.
    pub(crate) left_out: Vec<String>,
}

/// The type that an object states.
struct Head {
    /// Whether the object has the kind and the version of the request.
    is_own_type: bool,
    metadata: Value,
}

/// Receives the body of a request.
pub(crate) struct Receiver<'a> {
    pub(crate) definition: &'a Definition,
    pub(crate) version: &'a Version,
    pub(crate) request: &'a WriteRequest<'a>,
}

impl Receiver<'_> {
    pub(crate) fn receive(&self) -> Result<Received, Refusal> {
        let ServerJson { value, duplicates, is_cut, has_floats, has_nulls, .. } =
            body::read(self.request.body).map_err(|error| self.undecoded(&error))?;
        let mut members = self.members(value)?;
        let Head { is_own_type, metadata } = self.take_head(&mut members);
        // Most objects have the type of the URL, which needs no further check. Hot path, row `answer` of the benches.
        if !is_own_type {
            self.check_type(&members)?;
        }
        let validation = self.request.field_validation;
        let mut unknown = match *validation {
            FieldValidation::Ignore => UnknownFields::Ignored,
            _ => UnknownFields::noted(self.request.body.len()),
        };
        let metadata = match metadata::decode(metadata, &METADATA, &mut unknown) {
            Ok(metadata) => metadata,
            Err(Undecodable { message, path }) => {
                return Err(self.unhandled(&members, &message, Some(path)));
            }
        };
        let schema =
            if is_own_type { Some(&self.version.schema) } else { self.own_schema(&members) };
        let mut value = Value::Object(members);
        let fitted =
            schema.map_or(Ok(true), |schema| self.fit(&mut value, schema, has_nulls, &mut unknown));
        let members = into_members(value);
        let has_all_defaults = match fitted {
            Ok(has_all) => has_all,
            Err(cause) => {
                return Err(self.unhandled(&members, &cause.to_string(), Some(cause.field)));
            }
        };
        let warnings = self.warnings(&members, duplicates, &unknown)?;
        if !is_own_type {
            self.compare_version(&members)?;
        }
        let object = Object { members, metadata, has_floats };
        let left_out = [
            is_cut.then(|| "lists and objects deeper than 400 levels".to_owned()),
            unknown.left_out(),
            (!has_all_defaults).then(|| too_many_defaults("the object")),
        ];
        Ok(Received { object, warnings, left_out: left_out.into_iter().flatten().collect() })
    }

    /// The warnings about duplicate and unknown fields: the strict validation refuses the object for them.
    fn warnings(
        &self,
        members: &Map<String, Value>,
        duplicates: Vec<String>,
        unknown: &UnknownFields,
    ) -> Result<Vec<ServerWarning>, Refusal> {
        let warnings = match *self.request.field_validation {
            FieldValidation::Ignore => Vec::new(),
            _ => problems(duplicates, unknown.paths()),
        };
        if *self.request.field_validation == FieldValidation::Strict && !warnings.is_empty() {
            let texts: Vec<String> = warnings.iter().map(ServerWarning::to_string).collect();
            let error = format!("strict decoding error: {}", texts.join(", "));
            return Err(self.unhandled(members, &error, None));
        }
        Ok(warnings)
    }

    /// Reads the type of an object and takes its metadata, in one walk. Hot path, row `answer` of the benches.
    fn take_head(&self, members: &mut Map<String, Value>) -> Head {
        let (mut is_own_kind, mut is_own_version, mut metadata) = (false, false, Value::Null);
        for (name, value) in members {
            match name.as_str() {
                "kind" => is_own_kind = *value == self.definition.kind,
                "apiVersion" => is_own_version = *value == self.version.of_group,
                "metadata" => metadata = value.take(),
                _ => {}
            }
        }
        Head { is_own_type: is_own_kind && is_own_version, metadata }
    }

    /// Reads a stored object by the definition of today, with what there was no room for.
    pub(crate) fn read_stored(&self, stored: &Value) -> (Object, Option<String>) {
        let mut members = stored.as_object().cloned().unwrap_or_default();
        let metadata = members.get_mut("metadata").map(Value::take).unwrap_or_default();
        let metadata =
            metadata::decode(metadata, &METADATA, &mut UnknownFields::Ignored).unwrap_or_default();
        let mut value = Value::Object(members);
        let fitted = self.fit(&mut value, &self.version.schema, true, &mut UnknownFields::Ignored);
        // What does not fit is not stored.
        let left_out = (fitted == Ok(false)).then(|| too_many_defaults("the stored object"));
        (Object { members: into_members(value), metadata, has_floats: false }, left_out)
    }

    /// The members of a body.
    fn members(&self, value: Value) -> Result<Map<String, Value>, Refusal> {
        match value {
            Value::Object(members) => Ok(members),
            Value::Null => Ok(Map::new()),
            other => {
                let actual = metadata::json_type(&other);
                let target = r#"struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }"#;
                let error =
                    format!("json: cannot unmarshal {actual} into Go value of type {target}");
                Err(self.unreadable(&error))
            }
        }
    }

    /// Checks that a body states its type.
    #[cold]
    fn check_type(&self, members: &Map<String, Value>) -> Result<(), Refusal> {
        for name in ["apiVersion", "kind"] {
            let wrong = |value: &&Value| !value.is_string() && !value.is_null();
            if let Some(value) = members.get(name).filter(wrong) {
                let actual = metadata::json_type(value);
                let refusal = self.unreadable(&format!(
                    "json: cannot unmarshal {actual} into Go struct field .{name} of type string"
                ));
                return Err(Box::new(ServerAnswer {
                    undecodable: Some(name.to_owned()),
                    ..*refusal
                }));
            }
        }
        let api_version = text(members, "apiVersion");
        let slashes = api_version.bytes().filter(|byte| *byte == b'/').count();
        if text(members, "kind").is_empty() || slashes > 1 {
            let body = String::from_utf8_lossy(self.request.body);
            return Err(self.unrecognized(&format!("Object 'Kind' is missing in '{body}'")));
        }
        Ok(())
    }

    /// The schema of an object's own version, which can differ from the one in the URL. Objects of other kinds have none: they
    /// are not changed before they are refused.
    #[cold]
    fn own_schema(&self, object: &Map<String, Value>) -> Option<&Schema> {
        // A version that is not served has no fields.
        static NO_FIELDS: LazyLock<Schema> = LazyLock::new(Schema::default);
        let (group, version) = group_version(text(object, "apiVersion")).unwrap_or_default();
        if text(object, "kind") != self.definition.kind || group != self.definition.group {
            return None;
        }
        Some(self.definition.version(version).map_or(&NO_FIELDS, |version| &version.schema))
    }

    /// Makes a value fit its schema: without unknown fields and nulls, and with defaults. Returns `false` if there was no room for all
    /// defaults.
    fn fit(
        &self,
        value: &mut Value,
        schema: &Schema,
        has_nulls: bool,
        unknown: &mut UnknownFields,
    ) -> Result<bool, RefusalCause> {
        if !self.definition.preserves_unknown_fields {
            let before = unknown.count();
            prune(value, Some(schema), true, unknown);
            if has_nulls {
                drop_nulls(value, schema);
            }
            unknown.sort_after(before);
        }
        if schema.below.embedded {
            let before = unknown.count();
            embedded::coerce(value, schema, &Path::Root, self.definition.facts, unknown)?;
            unknown.sort_after(before);
        }
        Ok(fill_defaults(value, schema))
    }

    #[cold]
    fn compare_version(&self, members: &Map<String, Value>) -> Result<(), Refusal> {
        let (own, expected) = (text(members, "apiVersion"), &self.version.of_group);
        if own == expected {
            return Ok(());
        }
        Err(Box::new(ServerAnswer::bad_request(format!(
            "the API version in the data ({own}) does not match the expected API version ({expected})"
        ))))
    }

    /// The answer to an object with a part of another type, or with unknown fields where these are forbidden.
    #[cold]
    fn unhandled(
        &self,
        members: &Map<String, Value>,
        error: &str,
        path: Option<String>,
    ) -> Refusal {
        let (_, version) = group_version(text(members, "apiVersion")).unwrap_or_default();
        let refusal = self.unhandled_kind(version, text(members, "kind"), error);
        Box::new(ServerAnswer { undecodable: path, ..*refusal })
    }

    fn unhandled_kind(&self, version: &str, kind: &str, error: &str) -> Refusal {
        let (version, expected) = (GoQuoted(version), &self.definition.kind);
        Box::new(ServerAnswer::bad_request(format!(
            "{kind} in version {version} cannot be handled as a {expected}: {error}"
        )))
    }

    fn undecoded(&self, error: &ReadError) -> Refusal {
        match error {
            ReadError::Json(error) => self.unreadable(error),
            ReadError::Number(error) => {
                self.unhandled_kind(&self.version.name, &self.definition.kind, error)
            }
        }
    }

    /// The answer to a body that is not JSON, or whose type is malformed.
    fn unreadable(&self, error: &str) -> Refusal {
        self.unrecognized(&format!("couldn't get version/kind; json parse error: {error}"))
    }

    /// The answer to a body that does not state its type.
    #[cold]
    fn unrecognized(&self, error: &str) -> Refusal {
        let (kind, summary) = (&self.definition.kind, summary(self.request.body));
        Box::new(ServerAnswer::bad_request(format!(
            "the object provided is unrecognized (must be of type {kind}): {error} ({summary})"
        )))
    }
}

fn into_members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// The duplicate and the unknown fields.
fn problems(duplicates: Vec<String>, unknown: &[String]) -> Vec<ServerWarning> {
    let duplicates = duplicates.into_iter().map(ServerWarning::DuplicateField);
    duplicates.chain(unknown.iter().cloned().map(ServerWarning::UnknownField)).collect()
}

/// The start of a body, as servers show it.
fn summary(body: &[u8]) -> String {
    const SHOWN: usize = 30;
    let start = body.get(..SHOWN.min(body.len())).unwrap_or(body);
    let dots = if body.len() > SHOWN { " ..." } else { "" };
    match body.first() {
        None => "<empty>".to_owned(),
        Some(b'{') => format!("{}{dots}", String::from_utf8_lossy(start)),
        Some(_) => {
            let digit = |nibble: u8| char::from_digit(nibble.into(), 16);
            let digits = start.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
            format!("{}{dots}", digits.flatten().collect::<String>())
        }
    }
}
