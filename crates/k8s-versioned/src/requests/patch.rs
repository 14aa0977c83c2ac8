//! Patches: the four kinds that the API takes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Query, RequestError};
use crate::Resource;
use crate::verb::Verb;

/// A change of an object.
///
/// ```
/// use k8s_versioned::requests::{JsonPatch, Patch};
/// use serde_json::json;
///
/// let patch = Patch::Merge(json!({"metadata": {"labels": {"team": null}}}));
/// assert_eq!(patch.content_type(), "application/merge-patch+json");
///
/// let patch = Patch::Json(vec![
///     JsonPatch::test("/spec/holderIdentity", "a"),
///     JsonPatch::remove("/spec/holderIdentity"),
/// ]);
/// let body = serde_json::to_value(&patch)?;
/// assert_eq!(body[1], json!({"op": "remove", "path": "/spec/holderIdentity"}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Patch {
    /// Operations that the server applies in order, all or none (RFC 6902).
    Json(Vec<JsonPatch>),
    /// An object whose fields replace the fields of the stored one; `null` removes a field, and lists are replaced as
    /// a whole (RFC 7396).
    Merge(Value),
    /// The same, but lists are merged as their types say.
    StrategicMerge(Value),
    /// Server-side apply: an object that holds the fields that the caller manages, and no others.
    ///
    /// The apply types of a generated crate write only the fields that were set.
    Apply(Value),
}

/// An operation of a JSON patch.
///
/// Places are JSON pointers (RFC 6901), such as `/metadata/labels/example.com~1team`: in a name, `~1` means `/` and
/// `~0` means `~`. `-` is the place after the last item of a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "op")]
#[non_exhaustive]
pub enum JsonPatch {
    /// Sets the value at a path, or inserts it into a list before the item there.
    Add {
        /// The place, as a JSON pointer.
        path: String,
        /// The new value.
        value: Value,
    },
    /// Removes the value at a path.
    Remove {
        /// The place, as a JSON pointer.
        path: String,
    },
    /// Replaces the value at a path.
    Replace {
        /// The place, as a JSON pointer.
        path: String,
        /// The new value.
        value: Value,
    },
    /// Moves a value.
    Move {
        /// The place that the value has.
        from: String,
        /// The place that it gets.
        path: String,
    },
    /// Copies a value.
    Copy {
        /// The place that the value has.
        from: String,
        /// The place that it gets.
        path: String,
    },
    /// Fails the whole patch unless the path has this value.
    Test {
        /// The place, as a JSON pointer.
        path: String,
        /// The expected value.
        value: Value,
    },
}

impl JsonPatch {
    /// Sets the value at a path, or inserts it into a list before the item there.
    pub fn add(path: impl Into<String>, value: impl Into<Value>) -> Self {
        let (path, value) = (path.into(), value.into());
        Self::Add { path, value }
    }

    /// Replaces the value at a path.
    pub fn replace(path: impl Into<String>, value: impl Into<Value>) -> Self {
        let (path, value) = (path.into(), value.into());
        Self::Replace { path, value }
    }

    /// Fails the whole patch unless the path has this value.
    pub fn test(path: impl Into<String>, value: impl Into<Value>) -> Self {
        let (path, value) = (path.into(), value.into());
        Self::Test { path, value }
    }

    /// Removes the value at a path.
    pub fn remove(path: impl Into<String>) -> Self {
        let path = path.into();
        Self::Remove { path }
    }

    /// Moves the value at `from` to `path`.
    pub fn move_value(from: impl Into<String>, path: impl Into<String>) -> Self {
        let (from, path) = (from.into(), path.into());
        Self::Move { from, path }
    }

    /// Copies the value at `from` to `path`.
    pub fn copy_value(from: impl Into<String>, path: impl Into<String>) -> Self {
        let (from, path) = (from.into(), path.into());
        Self::Copy { from, path }
    }
}

impl Patch {
    const JSON: &'static str = "application/json-patch+json";
    const MERGE: &'static str = "application/merge-patch+json";
    const STRATEGIC_MERGE: &'static str = "application/strategic-merge-patch+json";
    pub(crate) const APPLY: &'static str = "application/apply-patch+yaml";

    /// An apply of this value.
    ///
    /// # Errors
    ///
    /// The value cannot be written as JSON.
    pub fn apply(value: &impl Serialize) -> Result<Self, RequestError> {
        let value = serde_json::to_value(value).map_err(RequestError::Body)?;
        Ok(Self::Apply(value))
    }

    /// The value of the header `Content-Type`. An apply is JSON, which is also YAML: all releases know only the name
    /// with `yaml`.
    pub const fn content_type(&self) -> &'static str {
        match self {
            Self::Json(_) => Self::JSON,
            Self::Merge(_) => Self::MERGE,
            Self::StrategicMerge(_) => Self::STRATEGIC_MERGE,
            Self::Apply(_) => Self::APPLY,
        }
    }

    /// Checks the patch against the rules of servers for any object.
    pub(crate) fn check(&self, query: &Query) -> Result<(), RequestError> {
        match self {
            Self::Json(_) => Ok(()),
            Self::Merge(value) => object("a merge patch", value),
            Self::StrategicMerge(value) => object("a strategic merge patch", value),
            Self::Apply(value) => {
                object("an apply", value)?;
                let manager = query.get("fieldManager").unwrap_or_default();
                if manager.is_empty() { Err(RequestError::FieldManager) } else { Ok(()) }
            }
        }
    }

    /// Checks that servers take the patch for objects of `R`: the documents of custom resources state no strategic merge.
    pub(crate) fn check_taken_by<R: Resource>(&self) -> Result<(), RequestError> {
        let verb = R::VERBS.iter().find(|verb| verb.name == Verb::PATCH.name);
        if verb.is_none_or(|verb| verb.takes(self.content_type())) {
            Ok(())
        } else {
            Err(RequestError::StrategicMerge)
        }
    }
}

fn object(what: &'static str, value: &Value) -> Result<(), RequestError> {
    if value.is_object() { Ok(()) } else { Err(RequestError::PatchForm(what)) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::TypeMeta;
    use crate::resource_path::ResourcePath;
    use crate::verb::Verb;

    use super::{JsonPatch, Patch, Query};
    use crate::requests::RawBody;
    use crate::requests::WriteParameters;
    use crate::requests::request::Parts;

    fn message(patch: &Patch, parameters: &WriteParameters) -> String {
        let parts = Parts {
            about: TypeMeta::new("v1", "Widget"),
            custom: false,
            verb: &Verb::PATCH,
            path: ResourcePath::default(),
            query: Query::default(),
            body: None,
        };
        let built = parts.with(parameters).and_then(|parts| parts.patch(patch)?.build::<RawBody>());
        built.map_or_else(|error| error.to_string(), |_| "fine".to_owned())
    }

    #[test]
    fn wrong_patches_are_refused() {
        const FORCE: &str = "`force` is only for apply";
        const MANAGER: &str = "apply needs a `fieldManager`: the name under which the server records who owns which field";
        let apply = Patch::Apply(json!({}));
        let merge = Patch::Merge(json!({}));
        let none = WriteParameters::default;
        let me = none().with_field_manager("me");
        let table = [
            (&apply, none(), MANAGER),
            (&apply, none().with_field_manager(""), MANAGER),
            (&apply, me.clone(), "fine"),
            (&apply, me.clone().with_force(true), "fine"),
            (&merge, none(), "fine"),
            (&merge, none().with_force(false), FORCE),
            (&Patch::Json(Vec::new()), none().with_force(true), FORCE),
            (&Patch::Merge(Value::Null), none(), "a merge patch must be a JSON object"),
            (
                &Patch::StrategicMerge(json!([])),
                none(),
                "a strategic merge patch must be a JSON object",
            ),
            (&Patch::Apply(json!("")), me, "an apply must be a JSON object"),
        ];
        for (patch, parameters, expected) in table {
            assert_eq!(message(patch, &parameters), expected, "{patch:?} {parameters:?}");
        }
    }

    #[test]
    fn operations_of_a_json_patch() {
        let steps = Patch::Json(vec![
            JsonPatch::add("/a", 1),
            JsonPatch::replace("/b~1c", json!({"d": null})),
            JsonPatch::test("/e", "f"),
            JsonPatch::remove("/g/-"),
            JsonPatch::move_value("/h", "/i"),
            JsonPatch::copy_value("/j", "/k"),
        ]);
        let expected = json!([
            {"op": "add", "path": "/a", "value": 1},
            {"op": "replace", "path": "/b~1c", "value": {"d": null}},
            {"op": "test", "path": "/e", "value": "f"},
            {"op": "remove", "path": "/g/-"},
            {"op": "move", "from": "/h", "path": "/i"},
            {"op": "copy", "from": "/j", "path": "/k"},
        ]);
        assert_eq!(serde_json::to_value(&steps).unwrap(), expected);
    }
}
