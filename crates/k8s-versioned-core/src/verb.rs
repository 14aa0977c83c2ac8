//! All verbs and subresources as tables, with their requests and answers.
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
    /// The `x-kubernetes-action` in documents.
    pub action: &'static str,
    /// The HTTP method.
    pub method: &'static str,
    /// Whether the path names one object instead of all objects.
    pub named: bool,
    /// The parameters in the query, in parts.
    pub parameters: &'static [&'static [Parameter]],
    /// The content of the request.
    pub sends: BodyContent,
    /// The media types of the request that the documents state.
    pub media_types: &'static [&'static str],
    /// The content of a successful answer, as the documents state it.
    pub answers: BodyContent,
    /// The status codes of success.
    pub successes: &'static [u16],
}

/// The content of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BodyContent {
    /// There is no body.
    Nothing,
    /// An object of the resource, or of a subresource.
    Object,
    /// A list of objects of the resource.
    List,
    /// A patch of an object.
    Patch,
    /// `DeleteOptions`, optional.
    DeleteOptions,
    /// A `Status` or the deleted object: servers send either, whichever of them the documents state.
    Status,
    /// Text, or what the other end of a connection sends.
    Text,
}

/// A parameter in the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Parameter {
    /// The name in the query.
    pub name: &'static str,
    /// The type of the value.
    pub of_type: ParameterType,
    /// The first release that has it; `None` if all known releases have it.
    pub since: Option<Release>,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParameterType {
    /// `true` or `false`. Servers also read other values: see [`is_true`].
    Boolean,
    /// A whole number.
    Integer,
    /// Text.
    String,
}

/// Returns `true` if servers read the value of a boolean parameter as true: every value but `false` and `0`.
pub fn is_true(value: &str) -> bool {
    !value.eq_ignore_ascii_case("false") && value != "0"
}

impl Parameter {
    const fn new(name: &'static str, of_type: ParameterType) -> Self {
        Self { name, of_type, since: None }
    }

    const fn since(self, major: u16, minor: u16) -> Self {
        Self { since: Some(Release::new(major, minor)), ..self }
    }
}

macro_rules! table {
    ($(
        $(#[$doc:meta])*
        $field:ident, $set:ident, $name:literal, $of_type:ident, $rust:ty $(, $major:literal, $minor:literal)?;
    )*) => {
        [$(Parameter::new($name, ParameterType::$of_type)$(.since($major, $minor))?),*]
    };
}

const LIST: &[Parameter] = &crate::list_parameters!(table);
const WRITE: &[Parameter] = &crate::write_parameters!(table);
const LOG: &[Parameter] = &crate::log_parameters!(table);
const EXEC: &[Parameter] = &crate::exec_parameters!(table);
const WATCH: &[Parameter] = &[Parameter::new("watch", ParameterType::Boolean)];
const PORTS: &[Parameter] = &[Parameter::new("ports", ParameterType::Integer)];
const PATH: &[Parameter] = &[Parameter::new("path", ParameterType::String)];
const RESOURCE_VERSION: &[Parameter] = &[Parameter::new("resourceVersion", ParameterType::String)];

/// All but `allowWatchBookmarks`.
const SELECTION: &[Parameter] = after_first(LIST);

/// All but `force`.
const WRITE_WITHOUT_FORCE: &[Parameter] = match WRITE {
    [parameters @ .., _] => parameters,
    [] => &[],
};

/// The options of a deletion that a query can hold.
const DELETE: &[Parameter] = &[
    Parameter::new("dryRun", ParameterType::String),
    Parameter::new("gracePeriodSeconds", ParameterType::Integer),
    Parameter::new("ignoreStoreReadErrorWithClusterBreakingPotential", ParameterType::Boolean)
        .since(1, 32),
    Parameter::new("orphanDependents", ParameterType::Boolean),
    Parameter::new("propagationPolicy", ParameterType::String),
];

const fn after_first(parameters: &'static [Parameter]) -> &'static [Parameter] {
    match parameters {
        [_, rest @ ..] => rest,
        [] => &[],
    }
}

const ANY: &[&str] = &["*/*"];
const JSON_YAML: &[&str] = &["application/json", "application/yaml"];
const PATCHES: &[&str] = &[
    "application/json-patch+json",
    "application/merge-patch+json",
    STRATEGIC_MERGE_PATCH,
    "application/apply-patch+yaml",
];
const STRATEGIC_MERGE_PATCH: &str = "application/strategic-merge-patch+json";

impl Verb {
    /// Reads an object.
    pub const GET: Self = Self {
        name: "get",
        action: "get",
        method: "GET",
        named: true,
        parameters: &[],
        sends: BodyContent::Nothing,
        media_types: &[],
        answers: BodyContent::Object,
        successes: &[200],
    };

    /// Lists objects, or watches them: with `watch` the answer is a stream of events.
    pub const LIST: Self = Self {
        name: "list",
        action: "list",
        named: false,
        parameters: &[LIST, WATCH],
        answers: BodyContent::List,
        ..Self::GET
    };

    /// Creates an object.
    pub const CREATE: Self = Self {
        name: "create",
        action: "post",
        method: "POST",
        named: false,
        parameters: &[WRITE_WITHOUT_FORCE],
        sends: BodyContent::Object,
        media_types: ANY,
        successes: &[200, 201, 202],
        ..Self::GET
    };

    /// Replaces an object.
    pub const REPLACE: Self = Self {
        name: "replace",
        action: "put",
        method: "PUT",
        named: true,
        successes: &[200, 201],
        ..Self::CREATE
    };

    /// Changes an object with a patch.
    pub const PATCH: Self = Self {
        name: "patch",
        action: "patch",
        method: "PATCH",
        parameters: &[WRITE],
        sends: BodyContent::Patch,
        media_types: PATCHES,
        ..Self::REPLACE
    };

    /// Deletes an object.
    pub const DELETE: Self = Self {
        name: "delete",
        action: "delete",
        method: "DELETE",
        named: true,
        parameters: &[DELETE],
        sends: BodyContent::DeleteOptions,
        media_types: ANY,
        answers: BodyContent::Status,
        successes: &[200, 202],
    };

    /// Deletes the selected objects.
    pub const DELETE_COLLECTION: Self = Self {
        name: "delete_collection",
        action: "deletecollection",
        named: false,
        parameters: &[DELETE, SELECTION],
        successes: &[200],
        ..Self::DELETE
    };

    /// Sends a command such as an eviction, which servers answer with a `Status`, although the documents state an
    /// object.
    pub const ORDER: Self = Self { answers: BodyContent::Status, ..Self::CREATE };

    /// Reads the log of a container.
    pub const LOG: Self =
        Self { name: "log", parameters: &[LOG], answers: BodyContent::Text, ..Self::GET };

    /// Runs a program in a container.
    pub const EXEC: Self =
        Self { name: "exec", action: "connect", parameters: &[EXEC], ..Self::LOG };

    /// Connects to the running program of a container.
    pub const ATTACH: Self =
        Self { name: "attach", parameters: &[after_first(EXEC)], ..Self::EXEC };

    /// Connects to ports.
    pub const PORT_FORWARD: Self =
        Self { name: "port_forward", parameters: &[PORTS], ..Self::EXEC };

    /// Sends a request of any method to an HTTP server behind the API server.
    pub const PROXY: Self = Self { name: "proxy", parameters: &[PATH], ..Self::EXEC };

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

    /// The same verbs as the documents of custom resources state them. Servers take no strategic merge patch of a custom
    /// resource. In the other differences the documents are wrong: servers also take the body of a deletion of a
    /// collection and answer an apply that creates with 201, as for other resources.
    pub const OF_CUSTOM_RESOURCES: [Self; 7] = [
        Self { parameters: &[RESOURCE_VERSION], ..Self::GET },
        Self::LIST,
        Self { media_types: JSON_YAML, ..Self::CREATE },
        Self { media_types: JSON_YAML, ..Self::REPLACE },
        Self {
            media_types: &[
                "application/json-patch+json",
                "application/merge-patch+json",
                "application/apply-patch+yaml",
            ],
            successes: &[200],
            ..Self::PATCH
        },
        Self { media_types: JSON_YAML, ..Self::DELETE },
        Self {
            parameters: &[LIST, WATCH],
            sends: BodyContent::Nothing,
            media_types: &[],
            ..Self::DELETE_COLLECTION
        },
    ];

    /// The verb as the documents of custom resources state it, of an object or of its subresource.
    #[must_use]
    pub fn of_custom_resources(self) -> Self {
        let mut stated = Self::OF_CUSTOM_RESOURCES.into_iter();
        let stated = stated.find(|verb| verb.name == self.name).unwrap_or(self);
        Self { named: self.named, ..stated }
    }

    /// The parameters in the query.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        self.parameters.iter().copied().flatten()
    }

    /// Returns `true` if servers accept a patch of this media type.
    pub fn takes(&self, media_type: &str) -> bool {
        self.media_types.contains(&media_type)
    }
}

/// A subresource: a part or an action of an object that has its own path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownSubresource {
    /// Its name in paths, such as `status`.
    pub name: &'static str,
    /// The name of its type in Rust.
    pub rust_name: &'static str,
    /// The verbs of the subresource.
    pub verbs: &'static [Verb],
}

macro_rules! subresource_table {
    ($(
        $(#[$doc:meta])*
        $rust_name:ident, $name:literal $(-> $answer:ident)?: $($verb_type:ident $verb:ident),*;
    )*) => {
        &[$(KnownSubresource {
            name: $name,
            rust_name: stringify!($rust_name),
            verbs: &[$(Verb { named: true, ..Verb::$verb }),*],
        }),*]
    };
}

impl KnownSubresource {
    /// All subresources.
    pub const ALL: &'static [Self] = crate::subresources!(subresource_table);

    /// The subresource of this name in paths.
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|known| known.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::{KnownSubresource, Verb, is_true};

    #[test]
    fn servers_read_any_text_as_a_boolean() {
        assert!(["true", "1", "t", "", "no"].into_iter().all(is_true));
        assert!(!["false", "False", "0"].into_iter().any(is_true));
    }

    #[test]
    fn parameters_of_verbs() {
        let names = |verb: Verb| {
            let names: Vec<&str> = verb.parameters().map(|parameter| parameter.name).collect();
            names.join(" ")
        };
        assert_eq!(names(Verb::CREATE), "dryRun fieldManager fieldValidation");
        assert_eq!(names(Verb::PATCH), "dryRun fieldManager fieldValidation force");
        assert_eq!(names(Verb::ATTACH), "container stderr stdin stdout tty");
        assert!(names(Verb::EXEC).starts_with("command container "));
        assert!(names(Verb::LIST).ends_with("shardSelector timeoutSeconds watch"));
        let collection = names(Verb::DELETE_COLLECTION);
        assert!(collection.contains("propagationPolicy continue fieldSelector"), "{collection}");
        assert!(!collection.contains("watch"), "{collection}");
    }

    #[test]
    fn subresources_have_verbs_of_objects() {
        let all = KnownSubresource::ALL.iter();
        assert!(all.flat_map(|subresource| subresource.verbs).all(|verb| verb.named));
        assert_eq!(KnownSubresource::find("eviction").map(|found| found.verbs.len()), Some(1));
        assert!(KnownSubresource::find("evictions").is_none());
    }
}
