//! Reading the body of a request as API servers do.

use std::borrow::Cow;
use std::collections::HashSet;
use std::mem;

use serde_json::Value;

use super::{DecodeError, DecodedObject, KindEntry};
use crate::TypeMetaError;
use crate::field::is_in;
use crate::json::server::{self, ServerJson, Target, type_field};
use crate::json::{LocatedError, Noted};

/// The body of a request that creates or replaces an object.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Body<'a> {
    /// The bytes of a JSON text.
    Json(&'a [u8]),
    /// A value. Its objects have no duplicate members.
    Value(Cow<'a, Value>),
    /// The bytes of a body as protobuf.
    #[cfg(feature = "protobuf")]
    Protobuf(&'a [u8]),
}

impl<'a> From<&'a [u8]> for Body<'a> {
    fn from(json: &'a [u8]) -> Self {
        Self::Json(json)
    }
}

impl<'a> From<&'a str> for Body<'a> {
    fn from(json: &'a str) -> Self {
        Self::Json(json.as_bytes())
    }
}

impl<'a> From<&'a Value> for Body<'a> {
    fn from(value: &'a Value) -> Self {
        Self::Value(Cow::Borrowed(value))
    }
}

impl From<Value> for Body<'_> {
    fn from(value: Value) -> Self {
        Self::Value(Cow::Owned(value))
    }
}

/// An object that a server could read. Only [`KindEntry::receive`] creates it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Received {
    /// The object, of the type that the registry has for its kind.
    pub object: Box<dyn DecodedObject>,
    /// The paths of unknown fields, as servers write them. The object does not have these fields.
    pub unknown: Vec<String>,
    /// The number of more unknown fields, whose paths are too long together.
    pub more_unknown: usize,
    /// The paths of duplicate fields, as servers write them. The last one counts.
    pub duplicates: Vec<String>,
}

/// The most errors of one value that are reported.
const MANY: usize = 100;

/// The most times that a value is decoded, and so the values before all duplicate members together: one time for each
/// that a server names, and as many again for their errors.
const MOST_DECODED: usize = 2 * MANY;

impl KindEntry {
    /// Reads the body of a request with an object of the kind as an API server does.
    ///
    /// A server reads more than [`decode`](Self::decode) in some places and less in others: it reads only its own form of times; a JSON
    /// list is rejected where an object is expected; `null` is an empty object; the case of the names `kind` and `apiVersion` does not
    /// count; bytes that are not UTF-8, and halves of surrogate pairs, are U+FFFD; and only the form is checked below 400 levels.
    ///
    /// Programs call the validation of a group, which calls this.
    ///
    /// # Errors
    ///
    /// All errors for which a server refuses the body with the status 400. They do not depend on its store.
    #[doc(hidden)]
    pub fn receive<'a>(&self, body: impl Into<Body<'a>>) -> Result<Received, Vec<DecodeError>> {
        let alone = |error: LocatedError| vec![self.error(error)];
        let json = match body.into() {
            Body::Json(text) => server::read(text, Target::Type).map_err(|reason| {
                alone(LocatedError::new("", format_args!("not JSON: {reason}")))
            })?,
            Body::Value(value) => of_value(value.into_owned()),
            #[cfg(feature = "protobuf")]
            Body::Protobuf(body) => return self.receive_protobuf(body).map_err(alone),
        };
        let ServerJson { mut value, mut duplicates, replaced, type_meta, .. } = json;
        if value.is_null() {
            value = Value::Object(serde_json::Map::new());
        }
        self.check_type(&type_meta).map_err(|error| alone(error.into()))?;
        if let Some(members) = value.as_object_mut() {
            // `apiVersion` and `kind` have been checked.
            members.remove("apiVersion");
            members.remove("kind");
        }
        let mut errors = self.earlier_errors(&mut value, replaced);
        let mut budget = MOST_DECODED;
        let received = match self.decode_all(value, true, &mut budget) {
            Ok(received) if errors.is_empty() => received,
            last => {
                errors.extend(last.err().into_iter().flatten());
                let mut seen = HashSet::new();
                errors.retain(|error| seen.insert(error.to_string()));
                return Err(errors);
            }
        };
        let unknown = &received.unknown;
        duplicates.retain(|path| !unknown.iter().any(|unknown| is_in(path, unknown)));
        Ok(Received { duplicates, ..received })
    }

    /// Reads protobuf, in which servers find neither unknown nor duplicate fields, and end at the first error.
    #[cfg(feature = "protobuf")]
    fn receive_protobuf(&self, body: &[u8]) -> Result<Received, LocatedError> {
        let no_codec = || LocatedError::new("", "no protobuf of this kind");
        let codec = self.protobuf().ok_or_else(no_codec)?;
        let envelope = crate::protobuf::Envelope::read(body)?;
        let said = [
            ("apiVersion", Value::from(envelope.api_version)),
            ("kind", Value::from(envelope.kind)),
        ];
        self.check_type(&said)?;
        let object = codec.decode(body)?;
        Ok(Received { object, unknown: Vec::new(), more_unknown: 0, duplicates: Vec::new() })
    }

    /// The errors of a value with each of the members that were replaced. A server reads all members of one name.
    fn earlier_errors(
        &self,
        value: &mut Value,
        replaced: Vec<(String, Value)>,
    ) -> Vec<DecodeError> {
        let (mut errors, mut budget) = (Vec::new(), MOST_DECODED);
        for (pointer, mut other) in replaced {
            let mut swap = |value: &mut Value| {
                value.pointer_mut(&pointer).map(|member| mem::swap(member, &mut other))
            };
            if budget > 0 && swap(value).is_some() {
                let found = self.decode_all(value.clone(), true, &mut budget).err();
                errors.extend(found.into_iter().flatten());
                swap(value);
            }
        }
        errors
    }

    /// Checks that `apiVersion` and `kind` are absent or name the kind.
    fn check_type(&self, type_meta: &[(&'static str, Value)]) -> Result<(), TypeMetaError> {
        let (mut api_version, mut kind) = ("", "");
        for (field, value) in type_meta {
            let text = if *field == "kind" { &mut kind } else { &mut api_version };
            match value {
                Value::String(found) => *text = found,
                Value::Null => {}
                other => return Err(TypeMetaError::wrong(field, "a string", other)),
            }
        }
        let unexpected = |field, found: &str, expected: &str| {
            let (found, expected) = (found.to_owned(), vec![expected.to_owned()]);
            Err(TypeMetaError::Unexpected { field, found, expected })
        };
        if !is_version(api_version, self.group(), self.version()) {
            return unexpected("apiVersion", api_version, &self.api_version());
        }
        if !kind.is_empty() && kind != self.kind() {
            return unexpected("kind", kind, self.kind());
        }
        Ok(())
    }

    /// All errors of [`decode_value`](Self::decode_value), which stops at the first.
    pub fn decode_errors(&self, value: &Value) -> Vec<DecodeError> {
        let mut budget = MOST_DECODED;
        let decoded = self.decode_all(value.clone(), false, &mut budget);
        decoded.err().unwrap_or_default()
    }

    /// The fields that the kind has in the object of an unknown field such as `spec.holder`. `None` if the kind has the field.
    ///
    /// ```
    /// # use k8s_versioned::meta::v1::Status;
    /// use k8s_versioned::KindEntry;
    ///
    /// let status = KindEntry::object::<Status>();
    /// assert!(status.fields_beside("details.nam").is_some_and(|fields| fields.contains(&"name")));
    /// assert!(status.fields_beside("details.name").is_none());
    /// ```
    pub fn fields_beside(&self, path: &str) -> Option<&'static [&'static str]> {
        // The name of a field can be any text.
        const DEEPEST: usize = 64;
        let mut probe = Value::Null;
        for (depth, part) in path.rsplit('.').enumerate() {
            let (name, indexes) = part.split_at(part.find('[').unwrap_or(part.len()));
            let lists = indexes.matches('[').count();
            if depth.max(lists) > DEEPEST {
                return None;
            }
            for _ in 0..lists {
                probe = Value::Array(vec![probe]);
            }
            probe = Value::Object([(name.to_owned(), probe)].into_iter().collect());
        }
        let mut noted = Noted::default();
        let _ = self.try_decode(&probe, &mut noted);
        (!noted.unknown.is_empty()).then_some(noted.known)
    }

    /// Decodes a value with its unknown fields, or returns all errors that this number of decodings finds.
    fn decode_all(
        &self,
        mut value: Value,
        as_server: bool,
        budget: &mut usize,
    ) -> Result<Received, Vec<DecodeError>> {
        let mut errors = Vec::new();
        loop {
            *budget = budget.saturating_sub(1);
            let mut noted = Noted { as_server, ..Noted::default() };
            let reason = match self.try_decode(&value, &mut noted) {
                Ok(object) if errors.is_empty() => {
                    let unknown = noted.unknown.into_iter();
                    return Ok(Received {
                        object,
                        more_unknown: noted.room.left_out(),
                        unknown: unknown.map(|(path, _)| path).collect(),
                        duplicates: Vec::new(),
                    });
                }
                Ok(_) => return Err(errors),
                Err(reason) => reason,
            };
            errors.push(self.error(noted.located(reason)));
            // Decoding ends at the first error. With null in that place it reaches the next.
            let more = errors.len() < MANY && *budget > 0;
            let wrong = noted.wrong.filter(|wrong| !wrong.pointer.is_empty() && more);
            let wrong = wrong.and_then(|wrong| value.pointer_mut(&wrong.pointer));
            match wrong.filter(|wrong| !wrong.is_null()) {
                Some(wrong) => *wrong = Value::Null,
                None => return Err(errors),
            }
        }
    }
}

fn of_value(value: Value) -> ServerJson {
    let members = value.as_object().into_iter().flatten();
    let said = members.filter_map(|(name, value)| Some((type_field(name)?, value.clone())));
    ServerJson { type_meta: said.collect(), value, ..ServerJson::default() }
}

/// Returns `true` if an `apiVersion` names the group and version. Servers fill in an empty one, and an empty version.
fn is_version(found: &str, group: &str, version: &str) -> bool {
    match found.split_once('/') {
        None => found.is_empty() || (group.is_empty() && found == version),
        Some(("", "")) => true,
        Some((of, found)) => of == group && (found.is_empty() || found == version),
    }
}
