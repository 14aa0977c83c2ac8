//! Causes in the plan of the Rust items.

use thiserror::Error;

use super::table::causes;

/// Why an operation is not a verb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Error)]
pub(crate) enum VerbFault {
    #[default]
    #[error("its path is not the path of a resource")]
    NoPath,
    #[error("no kind can be read by name or created under its path")]
    NoKind,
    #[error("its path has a namespace, and the path of the object has none")]
    InNamespace,
    #[error("its path does not fit its action")]
    OtherAction,
    #[error("only lists and watches are for all namespaces")]
    AllNamespaces,
    #[error("its subresource is not known")]
    NoSuchSubresource,
    #[error("the resource or the subresource has no such verb")]
    NoSuchVerb,
    #[error("only the path of a `proxy` goes on after the subresource")]
    LongPath,
    #[error("without an action, it has to read the group or a version of it")]
    NoDiscovery,
    #[error(
        "the response 200 describes a group by an `APIGroup`, a version by an `APIResourceList`"
    )]
    OtherResponse,
}

causes! {
    /// A cause in the plan of the Rust items.
    pub(crate) enum PlanCause {
        /// The name of a schema does not show its version, so it has no Rust module.
        #[error("no rule says which module the schema `{0}` goes into")]
        #[id = "no-module"]
        #[hint = "add a `[[module]]` to `specs/group.toml`"]
        NoModule(String),
        /// A schema has neither fields nor a known meaning.
        #[error("`{0}` has no named fields for a Rust type")]
        #[id = "no-shape"]
        #[hint = "name its Rust type in an `[[intrinsic]]` of `specs/intrinsics.toml`"]
        NoShape(String),
        /// No Rust name can be made of a name in the documents.
        #[error("`{0}` cannot be the name of a Rust item")]
        #[id = "not-an-identifier"]
        #[hint = "if a rule states it: choose a name of ASCII letters and digits, of a type with a capital first, and leave a \
            word out of its `[[open_enum]]`, which also holds any other word. If a document states it: give the kind of \
            a definition a name in `specs/names.toml`; else name a type of your own for the schema in an `[[intrinsic]]` \
            of `specs/intrinsics.toml`, and report it with the document"]
        NotAnIdentifier(String),
        /// A type has the name of an item that each package has.
        #[error("the Rust name `{0}` is the name of the registry of all kinds")]
        #[id = "reserved-name"]
        #[hint = "choose another name for the `[[open-enum]]`"]
        ReservedName(String),
        /// Two names of the documents become the same Rust name.
        #[error("`{first}` and `{second}` would both be `{rust}` in Rust")]
        #[id = "name-clash"]
        #[hint = "schemas: give one another module by a `[[module]]` in `specs/group.toml`; words: give the field a \
            `[[open_enum]]` of its own; names in `specs/names.toml`: change one"]
        NameClash { first: String, second: String, rust: String },
        /// Two names of a custom resource become the same Rust name, and one of them may have had it.
        #[error(
            "`{first}` and `{second}` would both be `{rust}` in Rust, and one of them may have had this name before"
        )]
        #[id = "name-moves"]
        #[hint = "programs use the name: say in `specs/names.toml` which of the two keeps it; the other one gets another"]
        NameMoves { first: String, second: String, rust: String, table: String, key: String },
        /// `names.toml` names an object that its kind does not have, and lacks an object that the kind has.
        #[error("there is no object `{object}`; did you mean `{near}`?")]
        #[id = "name-of-nothing"]
        #[hint = "correct the path and the name: `generate` writes the file anew, with a name of its own for the object"]
        #[warning]
        NameOfNothing { object: String, near: String },
        /// A type contains itself in a field that is always there.
        #[error("`{0}` would contain itself")]
        #[id = "endless"]
        #[hint = "no value of it would end. If servers leave the field out, say so in `specs/fields.toml`: `empty = \"kept\"` \
            makes it an `Option`; else report it with the document"]
        Endless(String),
        /// A type is listed for several kinds, and could not know which it is.
        #[error("the type is listed for several kinds, so its `kind` is ambiguous")]
        #[id = "many-kinds"]
        #[hint = "a type writes one `apiVersion` and one `kind`: name a type of your own for the schema in an `[[intrinsic]]` \
            of `specs/intrinsics.toml`, and report it with the document"]
        ManyKinds(Vec<String>),
        /// A resource has no type for its objects or lists.
        #[error("the resource `{resource}` has no type for {role}")]
        #[id = "no-type"]
        #[hint = "a resource has an object with `metadata`, and a list with `metadata` and `items`, each with its own \
            group-version-kind; the metadata is a type of `io.k8s.apimachinery.pkg.apis.meta.v1`. If the API is so, \
            report it with the document; the other versions can be generated meanwhile: leave out this document"]
        NoType { resource: String, role: &'static str },
        /// The objects of a resource have no metadata, or of another type.
        #[error("the object has no required `metadata` of type `ObjectMeta`")]
        #[id = "no-metadata"]
        #[hint = "a resource has an object with `metadata`, and a list with `metadata` and `items`, each with its own \
            group-version-kind; the metadata is a type of `io.k8s.apimachinery.pkg.apis.meta.v1`. If the API is so, \
            report it with the document; the other versions can be generated meanwhile: leave out this document"]
        NoMetadata,
        /// The list of a resource is unlike the lists of Kubernetes.
        #[error(
            "a list must have `items`, required `metadata` of type `ListMeta`, and no other fields"
        )]
        #[id = "unusual-list"]
        #[hint = "a resource has an object with `metadata`, and a list with `metadata` and `items`, each with its own \
            group-version-kind; the metadata is a type of `io.k8s.apimachinery.pkg.apis.meta.v1`. If the API is so, \
            report it with the document; the other versions can be generated meanwhile: leave out this document"]
        UnusualList,
        /// Packages have functions for some verbs, and the verb of an operation is another one.
        #[error("the operation `{id}` is not a verb: {fault}")]
        #[id = "no-verb"]
        #[hint = "a subresource or a verb that no API of Kubernetes has so far: `verbs = false` in `specs/group.toml` \
            generates the types without their requests; report it with the document"]
        NoVerb { id: String, fault: VerbFault },
        /// An operation differs from the same verb of all other kinds.
        #[error("the operation `{id}` differs from the verb `{verb}`: {what}")]
        #[id = "unlike-verb"]
        #[hint = "all kinds have the same verbs: a new parameter can go into `specs/left-out.toml`, with the reason why \
            programs cannot give it; `verbs = false` in `specs/group.toml` generates the types without their requests. \
            If Kubernetes changed the verb, report it: it belongs into k8s-versioned-core"]
        UnlikeVerb { id: String, verb: &'static str, what: String },
        /// A resource lacks a verb that others like it have.
        #[error("the resource `{resource}` has no {what}, which others like it have")]
        #[id = "verb-missing"]
        #[hint = "`verbs = false` in `specs/group.toml` generates the types without their requests; if Kubernetes has such \
            resources now, report it: their verbs belong into k8s-versioned-core"]
        VerbMissing { resource: String, what: String },
        /// The module of the generated code is not a valid Rust path.
        #[error("`{0}` is not a valid path of a Rust module")]
        #[id = "not-a-module"]
        #[hint = "name the module that includes the generated files, for example `crate` or `crate::api`"]
        NotAModule(String),
        /// The generator wrote text that is not Rust.
        #[error("the text made for `{file}` is not Rust: {message}")]
        #[id = "not-rust"]
        #[hint = "this is a mistake in the generator, not in its input: report it with the documents"]
        NotRust { file: String, message: String },
    }
}

impl PlanCause {
    pub(super) fn understood(&self) -> Option<String> {
        match self {
            Self::ManyKinds(kinds) => {
                let kinds = kinds.join(", ");
                Some(format!("one kind, or one of the core group among others; found {kinds}"))
            }
            Self::NameMoves { table, rust, key, .. } => {
                Some(format!("in the table [{table:?}], for example `{rust} = [{key:?}]`"))
            }
            _ => None,
        }
    }
}
