//! The type of an object, as its `apiVersion` and `kind` name it, and the objects of a JSON document.

use std::borrow::Cow;
use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::quoted::alternatives;
use crate::{GroupVersion, Kind, LocatedError, Quoted};

/// The `apiVersion` and the `kind` of an object.
///
/// ```
/// use k8s_versioned::TypeMeta;
/// use serde_json::json;
///
/// let lease = json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease"});
/// let found = TypeMeta::of(&lease)?;
/// assert_eq!((found.group(), &*found.kind), (Some("coordination.k8s.io"), "Lease"));
///
/// let error = TypeMeta::of(&json!({"kind": "Lease"})).unwrap_err();
/// assert_eq!(error.to_string(), "apiVersion: absent");
/// # Ok::<(), k8s_versioned::TypeMetaError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeMeta<'a> {
    /// The group and the version.
    pub api_version: Cow<'a, str>,
    /// The member `kind`, such as `Lease`.
    pub kind: Cow<'a, str>,
}

impl Serialize for TypeMeta<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut to = serializer.serialize_struct("TypeMeta", 2)?;
        to.serialize_field("apiVersion", &self.api_version)?;
        to.serialize_field("kind", &self.kind)?;
        to.end()
    }
}

impl<'a> TypeMeta<'a> {
    /// The type of lists with objects of any types. Each item states its type.
    pub const LIST: TypeMeta<'static> = TypeMeta::new("v1", "List");

    /// A type by its names.
    pub const fn new(api_version: &'a str, kind: &'a str) -> Self {
        Self { api_version: Cow::Borrowed(api_version), kind: Cow::Borrowed(kind) }
    }

    /// The type of the objects of a kind.
    pub const fn of_kind<K: Kind>() -> TypeMeta<'static> {
        TypeMeta::new(K::API_VERSION, K::KIND)
    }

    /// The type of an object. As for API servers, `null` and the empty string count as absent.
    ///
    /// # Errors
    ///
    /// The value is not an object, or does not name its type.
    pub fn of(value: &'a Value) -> Result<Self, TypeMetaError> {
        let text = |field| match value.get(field) {
            Some(Value::String(text)) if !text.is_empty() => Ok(text.as_str()),
            None | Some(Value::Null | Value::String(_)) => {
                Err(TypeMetaError::Absent { field, expected: Vec::new() })
            }
            Some(other) => Err(TypeMetaError::wrong(field, "a string", other)),
        };
        if !value.is_object() {
            return Err(TypeMetaError::wrong("", "an object", value));
        }
        let kind = text("kind")?;
        Ok(Self::new(text("apiVersion")?, kind))
    }

    /// The choice for the type of an object.
    ///
    /// # Errors
    ///
    /// The errors of [`of`](Self::of), or there is no choice for the type.
    pub fn among<'e, T>(
        value: &Value,
        choices: impl Iterator<Item = (TypeMeta<'e>, T)> + Clone,
    ) -> Result<T, TypeMetaError> {
        let found = TypeMeta::of(value);
        let mut same = choices.clone().filter(|(one, _)| found.as_ref() == Ok(one));
        if let Some((_, choice)) = same.next() {
            return Ok(choice);
        }
        let mut kinds: Vec<_> = choices.clone().map(|(one, _)| one.kind.into_owned()).collect();
        kinds.dedup();
        let kind = found.as_ref().ok().map(|found| &found.kind);
        let of_kind = choices.filter(|(one, _)| kind.is_none_or(|kind| *kind == one.kind));
        let versions: Vec<_> = of_kind.map(|(one, _)| one.api_version.into_owned()).collect();
        Err(match found {
            Ok(found) => {
                let (field, found, expected) = if versions.is_empty() {
                    ("kind", found.kind, kinds)
                } else {
                    ("apiVersion", found.api_version, versions)
                };
                TypeMetaError::Unexpected { field, found: found.into_owned(), expected }
            }
            Err(TypeMetaError::Absent { field, .. }) => {
                let expected = if field == "kind" { kinds } else { versions };
                TypeMetaError::Absent { field, expected }
            }
            Err(other) => other,
        })
    }

    /// The API group, empty for the core group; `None` if `apiVersion` is malformed.
    pub fn group(&self) -> Option<&str> {
        GroupVersion::parse(&self.api_version).ok().map(|parsed| parsed.group)
    }

    /// The type of the items that the name of a list's type states: `Lease` of `LeaseList`.
    pub fn of_items(&self) -> Option<TypeMeta<'_>> {
        let kind = self.kind.strip_suffix("List").filter(|_| *self != TypeMeta::LIST)?;
        Some(TypeMeta::new(&self.api_version, kind))
    }

    /// The same type, with its own texts.
    pub fn into_owned(self) -> TypeMeta<'static> {
        let Self { api_version, kind } = self;
        TypeMeta { api_version: api_version.into_owned().into(), kind: kind.into_owned().into() }
    }
}

impl fmt::Display for TypeMeta<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", Quoted(&self.kind), Quoted(&self.api_version))
    }
}

/// The reason why the type of an object is not known, or not an expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypeMetaError {
    /// A value has another JSON type.
    WrongType {
        /// The member; empty for the value itself.
        field: &'static str,
        /// The JSON type that is expected.
        expected: &'static str,
        /// The JSON type of the value.
        found: &'static str,
    },
    /// The object does not have the member.
    Absent {
        /// The name of the member: `apiVersion` or `kind`.
        field: &'static str,
        /// The texts that are expected; empty if any text is.
        expected: Vec<String>,
    },
    /// The member has another text.
    Unexpected {
        /// The name of the member: `apiVersion` or `kind`.
        field: &'static str,
        /// The text that the object has.
        found: String,
        /// The texts that are expected.
        expected: Vec<String>,
    },
}

impl TypeMetaError {
    pub(crate) fn wrong(field: &'static str, expected: &'static str, found: &Value) -> Self {
        let found = match found {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        Self::WrongType { field, expected, found }
    }

    /// The member; empty for the value itself.
    pub const fn field(&self) -> &'static str {
        match self {
            Self::WrongType { field, .. }
            | Self::Absent { field, .. }
            | Self::Unexpected { field, .. } => field,
        }
    }

    /// The message without the member.
    pub fn message(&self) -> String {
        match self {
            Self::WrongType { expected, found, .. } => {
                format!("expected {expected}, found {found}")
            }
            Self::Absent { expected, .. } if expected.is_empty() => "absent".to_owned(),
            Self::Absent { expected, .. } => format!("absent, expected {}", alternatives(expected)),
            Self::Unexpected { found, expected, .. } => {
                format!("expected {}, found {}", alternatives(expected), Quoted(found))
            }
        }
    }
}

impl fmt::Display for TypeMetaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field().is_empty() {
            write!(f, "{}: ", self.field())?;
        }
        f.write_str(&self.message())
    }
}

impl std::error::Error for TypeMetaError {}

impl From<TypeMetaError> for LocatedError {
    fn from(error: TypeMetaError) -> Self {
        Self::new(error.field(), error.message())
    }
}

/// An object of a JSON document, or a list without its items.
#[derive(Debug)]
#[non_exhaustive]
pub struct DocumentPart<'a> {
    /// The indices of the item in its list and of the lists around it, the outermost first; empty for the document.
    pub position: &'a [usize],
    /// The type that the object names, or its list for it.
    pub type_meta: Result<TypeMeta<'static>, TypeMetaError>,
    /// The object, with `apiVersion` and `kind` even if it left them out.
    pub value: &'a mut Value,
    /// `true` for a list, whose items follow.
    pub is_list: bool,
}

/// Calls `work` with each object of a JSON document, which may change it: with the document; or with its list and each
/// item.
///
/// Lists are an array as the document, a `v1` `List`, and the types for which `opens` returns `true`. It is asked about every
/// type, and must return `false` for the types of items: an object for which it returns `true` counts as a list. Any other list
/// counts as one object. An item of a typed list may leave out `apiVersion` and `kind`. It is seen with the names of its
/// type, and leaves them out again afterwards.
///
/// ```
/// use k8s_versioned::for_each_object;
/// use serde_json::json;
///
/// let mut document = json!({"apiVersion": "v1", "kind": "List", "items": [
///     {"apiVersion": "apps/v1", "kind": "Deployment"},
///     {"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {"name": "a"}}]},
/// ]});
/// let mut seen = Vec::new();
/// for_each_object(&mut document, &|list| list.kind == "PodList", &mut |part| {
///     if let (Ok(found), false) = (part.type_meta, part.is_list) {
///         seen.push((part.position.to_vec(), found.kind.into_owned()));
///     }
/// });
/// assert_eq!(seen, [(vec![0], "Deployment".to_owned()), (vec![1, 0], "Pod".to_owned())]);
/// ```
pub fn for_each_object(
    document: &mut Value,
    opens: &dyn Fn(&TypeMeta<'_>) -> bool,
    work: &mut dyn FnMut(DocumentPart<'_>),
) {
    Walk { opens, work }.part(document, None, &mut Vec::new());
}

struct Walk<'a> {
    opens: &'a dyn Fn(&TypeMeta<'_>) -> bool,
    work: &'a mut dyn FnMut(DocumentPart<'_>),
}

impl Walk<'_> {
    /// A part of the document, with the type that its list states.
    fn part(
        &mut self,
        value: &mut Value,
        stated: Option<&TypeMeta<'static>>,
        position: &mut Vec<usize>,
    ) {
        if let (Value::Array(items), true) = (&mut *value, position.is_empty()) {
            return self.items(items, None, position);
        }
        let left_out = stated.map(|stated| name(value, stated)).unwrap_or_default();
        let type_meta = match stated {
            Some(stated) => {
                TypeMeta::among(value, std::iter::once((stated.clone(), stated.clone())))
            }
            None => TypeMeta::of(value).map(TypeMeta::into_owned),
        };
        let list = type_meta.as_ref().ok().filter(|of| **of == TypeMeta::LIST || (self.opens)(of));
        match list.cloned() {
            Some(list) => self.list(value, &list, position),
            None => (self.work)(DocumentPart { position, type_meta, value, is_list: false }),
        }
        if let Some(members) = value.as_object_mut() {
            for name in left_out {
                members.remove(name);
            }
        }
    }

    /// A list: itself, then its items.
    fn list(&mut self, value: &mut Value, list: &TypeMeta<'static>, position: &mut Vec<usize>) {
        // Go writes an empty list as `null`.
        let other = value.get("items").filter(|items| !items.is_array() && !items.is_null());
        if let Some(other) = other {
            let type_meta = Err(TypeMetaError::wrong("items", "a list", other));
            return (self.work)(DocumentPart { position, type_meta, value, is_list: true });
        }
        let mut items = match value.as_object_mut().and_then(|members| members.remove("items")) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        };
        let stated = list.of_items().map(TypeMeta::into_owned);
        (self.work)(DocumentPart { position, type_meta: Ok(list.clone()), value, is_list: true });
        self.items(&mut items, stated.as_ref(), position);
        if let Some(members) = value.as_object_mut() {
            members.insert("items".to_owned(), items.into());
        }
    }

    fn items(
        &mut self,
        items: &mut [Value],
        stated: Option<&TypeMeta<'static>>,
        position: &mut Vec<usize>,
    ) {
        for (index, item) in items.iter_mut().enumerate() {
            position.push(index);
            self.part(item, stated, position);
            position.pop();
        }
    }
}

/// Writes the names of the type into an object that leaves them out, and returns those that it left out.
fn name(value: &mut Value, stated: &TypeMeta<'_>) -> Vec<&'static str> {
    let Some(members) = value.as_object_mut() else {
        return Vec::new();
    };
    let names = [("apiVersion", &stated.api_version), ("kind", &stated.kind)];
    let absent = |members: &Map<String, Value>, name: &str| {
        members.get(name).is_none_or(|value| value.is_null() || value == "")
    };
    let left_out = names.into_iter().filter_map(|(name, text)| {
        absent(members, name).then(|| members.insert(name.to_owned(), (**text).into()))?;
        Some(name)
    });
    left_out.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{TypeMeta, for_each_object};

    #[test]
    fn the_type_of_an_object() {
        let expected = [TypeMeta::new("a/v1", "A"), TypeMeta::new("a/v2", "A")];
        let expected = expected.iter().cloned().map(|one| (one.clone(), one));
        let table = [
            (json!({"apiVersion": "a/v2", "kind": "A"}), "`A` of `a/v2`", "`A` of `a/v2`"),
            (
                json!({"apiVersion": "a/v3", "kind": "A"}),
                "`A` of `a/v3`",
                "apiVersion: expected `a/v1` or `a/v2`, found `a/v3`",
            ),
            (
                json!({"apiVersion": "v1", "kind": "B"}),
                "`B` of `v1`",
                "kind: expected `A`, found `B`",
            ),
            (json!({"apiVersion": "v1"}), "kind: absent", "kind: absent, expected `A`"),
            (
                json!({"kind": "A", "apiVersion": ""}),
                "apiVersion: absent",
                "apiVersion: absent, expected `a/v1` or `a/v2`",
            ),
            (
                json!({"kind": 1}),
                "kind: expected a string, found a number",
                "kind: expected a string, found a number",
            ),
            (json!([]), "expected an object, found a list", "expected an object, found a list"),
        ];
        for (value, any, among) in table {
            let shown = |found: Result<TypeMeta<'_>, super::TypeMetaError>| match found {
                Ok(found) => found.to_string(),
                Err(error) => error.to_string(),
            };
            assert_eq!(shown(TypeMeta::of(&value)), any, "{value}");
            assert_eq!(shown(TypeMeta::among(&value, expected.clone())), among, "{value}");
        }
    }

    #[test]
    fn only_the_versions_of_the_kind_are_expected() {
        let choices = [TypeMeta::new("a/v1", "A"), TypeMeta::new("b/v1", "B")];
        let choices = choices.iter().cloned().map(|one| (one, ()));
        let value = json!({"apiVersion": "b/v1", "kind": "A"});
        let error = TypeMeta::among(&value, choices).unwrap_err();
        assert_eq!(error.to_string(), "apiVersion: expected `a/v1`, found `b/v1`");
    }

    #[test]
    fn items_take_the_type_of_their_list_and_stay_as_they_were() {
        let before = json!([
            {"apiVersion": "a/v1", "kind": "AList", "more": 1, "items": [
                {}, {"kind": "A"}, {"apiVersion": "a/v2"}, 7,
                {"apiVersion": "a/v1", "kind": "A", "items": 1},
            ]},
            {"apiVersion": "v1", "kind": "List", "items": 1},
            {"apiVersion": "b/v1", "kind": "BList", "items": [{}]},
            [{}],
        ]);
        let mut document = before.clone();
        let mut seen = Vec::new();
        for_each_object(&mut document, &|list| list.kind == "AList", &mut |part| {
            let found = part.type_meta.map(|found| found.to_string());
            let found = found.unwrap_or_else(|error| error.to_string());
            seen.push(format!("{:?} {} {found}", part.position, part.is_list));
        });
        assert_eq!(
            seen,
            [
                "[0] true `AList` of `a/v1`",
                "[0, 0] false `A` of `a/v1`",
                "[0, 1] false `A` of `a/v1`",
                "[0, 2] false apiVersion: expected `a/v1`, found `a/v2`",
                "[0, 3] false expected an object, found a number",
                "[0, 4] false `A` of `a/v1`",
                "[1] true items: expected a list, found a number",
                "[2] false `BList` of `b/v1`",
                "[3] false expected an object, found a list",
            ]
        );
        assert_eq!(document, before);
    }
}
