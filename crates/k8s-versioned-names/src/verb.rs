//! All verbs as a table, with their requests and answers.
//!
//! All kinds have the same verbs, with the same parameters and bodies. The generator compares them with the documents
//! of a group and stops at a difference; the conformance kit builds requests from them.

use crate::Release;

/// A verb, with its request and answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verb {
    /// The name of the function that builds the request, such as `get`.
    pub name: &'static str,
    /// The HTTP method.
    pub method: &'static str,
    /// The target of the path.
    pub target: Target,
    /// The parameters in the query, by name.
    pub parameters: &'static [Parameter],
    /// The content of the request.
    pub sends: Content,
    /// The content of a successful answer, as the documents state it.
    pub answers: Content,
    /// The status codes of success.
    pub successes: &'static [u16],
}

/// The target of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target {
    /// One object.
    Object,
    /// The status of one object.
    Status,
    /// The objects of a namespace, or all objects of a resource without namespaces.
    Collection,
}

/// The content of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// There is no body.
    Nothing,
    /// An object of the resource.
    Object,
    /// A list of objects of the resource.
    List,
    /// A patch of an object.
    Patch,
    /// `DeleteOptions`, optional.
    DeleteOptions,
    /// A `Status`. Servers also answer a deletion with the deleted objects.
    Status,
}

/// A parameter in the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub of_type: ParameterType,
    /// The first release that has it; `None` if all known releases have it.
    pub since: Option<Release>,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParameterType {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// Text.
    String,
}

impl Parameter {
    const fn new(name: &'static str, of_type: ParameterType) -> Self {
        Self { name, of_type, since: None }
    }

    const fn since(self, major: u16, minor: u16) -> Self {
        Self { since: Some(Release::new(major, minor)), ..self }
    }
}

const fn boolean(name: &'static str) -> Parameter {
    Parameter::new(name, ParameterType::Boolean)
}

const fn integer(name: &'static str) -> Parameter {
    Parameter::new(name, ParameterType::Integer)
}

const fn string(name: &'static str) -> Parameter {
    Parameter::new(name, ParameterType::String)
}

const IGNORE_STORE_READ_ERROR: Parameter =
    boolean("ignoreStoreReadErrorWithClusterBreakingPotential").since(1, 32);
const SHARD_SELECTOR: Parameter = string("shardSelector").since(1, 36);

const WRITE: &[Parameter] = &[string("dryRun"), string("fieldManager"), string("fieldValidation")];

const PATCH: &[Parameter] =
    &[string("dryRun"), string("fieldManager"), string("fieldValidation"), boolean("force")];

const LIST: &[Parameter] = &[
    boolean("allowWatchBookmarks"),
    string("continue"),
    string("fieldSelector"),
    string("labelSelector"),
    integer("limit"),
    string("resourceVersion"),
    string("resourceVersionMatch"),
    boolean("sendInitialEvents"),
    SHARD_SELECTOR,
    integer("timeoutSeconds"),
    boolean("watch"),
];

const DELETE: &[Parameter] = &[
    string("dryRun"),
    integer("gracePeriodSeconds"),
    IGNORE_STORE_READ_ERROR,
    boolean("orphanDependents"),
    string("propagationPolicy"),
];

const DELETE_COLLECTION: &[Parameter] = &[
    string("continue"),
    string("dryRun"),
    string("fieldSelector"),
    integer("gracePeriodSeconds"),
    IGNORE_STORE_READ_ERROR,
    string("labelSelector"),
    integer("limit"),
    boolean("orphanDependents"),
    string("propagationPolicy"),
    string("resourceVersion"),
    string("resourceVersionMatch"),
    boolean("sendInitialEvents"),
    SHARD_SELECTOR,
    integer("timeoutSeconds"),
];

impl Verb {
    /// Reads an object.
    pub const GET: Self = Self {
        name: "get",
        method: "GET",
        target: Target::Object,
        parameters: &[],
        sends: Content::Nothing,
        answers: Content::Object,
        successes: &[200],
    };

    /// Lists objects, or watches them: with `watch` the answer is a stream of events.
    pub const LIST: Self = Self {
        name: "list",
        target: Target::Collection,
        parameters: LIST,
        answers: Content::List,
        ..Self::GET
    };

    /// Creates an object.
    pub const CREATE: Self = Self {
        name: "create",
        method: "POST",
        target: Target::Collection,
        parameters: WRITE,
        sends: Content::Object,
        answers: Content::Object,
        successes: &[200, 201, 202],
    };

    /// Replaces an object.
    pub const REPLACE: Self = Self {
        name: "replace",
        method: "PUT",
        target: Target::Object,
        successes: &[200, 201],
        ..Self::CREATE
    };

    /// Changes an object with a patch.
    pub const PATCH: Self = Self {
        name: "patch",
        method: "PATCH",
        parameters: PATCH,
        sends: Content::Patch,
        ..Self::REPLACE
    };

    /// Deletes an object.
    pub const DELETE: Self = Self {
        name: "delete",
        method: "DELETE",
        target: Target::Object,
        parameters: DELETE,
        sends: Content::DeleteOptions,
        answers: Content::Status,
        successes: &[200, 202],
    };

    /// Deletes the objects that are selected.
    pub const DELETE_COLLECTION: Self = Self {
        name: "delete_collection",
        target: Target::Collection,
        parameters: DELETE_COLLECTION,
        successes: &[200],
        ..Self::DELETE
    };

    /// Reads the status of an object.
    pub const GET_STATUS: Self = Self { name: "get_status", target: Target::Status, ..Self::GET };

    /// Replaces the status of an object.
    pub const REPLACE_STATUS: Self =
        Self { name: "replace_status", target: Target::Status, ..Self::REPLACE };

    /// Changes the status of an object with a patch.
    pub const PATCH_STATUS: Self =
        Self { name: "patch_status", target: Target::Status, ..Self::PATCH };

    /// The verbs of most resources. A watch is a list with `watch`.
    pub const OF_RESOURCES: [Self; 7] = [
        Self::GET,
        Self::LIST,
        Self::CREATE,
        Self::REPLACE,
        Self::PATCH,
        Self::DELETE,
        Self::DELETE_COLLECTION,
    ];

    /// All verbs.
    pub const ALL: [Self; 10] = [
        Self::GET,
        Self::LIST,
        Self::CREATE,
        Self::REPLACE,
        Self::PATCH,
        Self::DELETE,
        Self::DELETE_COLLECTION,
        Self::GET_STATUS,
        Self::REPLACE_STATUS,
        Self::PATCH_STATUS,
    ];

    /// True if the verb is one of `verbs`, by name.
    pub const fn is_among(&self, verbs: &[Self]) -> bool {
        let mut rest = verbs;
        while let [verb, after @ ..] = rest {
            if same(self.name.as_bytes(), verb.name.as_bytes()) {
                return true;
            }
            rest = after;
        }
        false
    }
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    match (one, other) {
        ([], []) => true,
        ([a, one @ ..], [b, other @ ..]) => *a == *b && same(one, other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Verb;

    #[test]
    fn each_verb_equals_only_itself() {
        for (index, verb) in Verb::ALL.iter().enumerate() {
            let is_among = |other: &Verb| verb.is_among(&[*other]);
            assert_eq!(Verb::ALL.iter().position(is_among), Some(index));
            assert_eq!(Verb::ALL.iter().rposition(is_among), Some(index));
        }
    }
}
