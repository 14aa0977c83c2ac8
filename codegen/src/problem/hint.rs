//! For each problem, the words that would have been understood, and the advice.

use super::{Cause, Remedy};
use crate::text::join;

impl Cause {
    /// The words that would have been understood in this place.
    pub fn understood(&self) -> Option<String> {
        let words = |words: &[&str]| join(words.iter().map(|word| format!("`{word}`")), ", ");
        Some(match self {
            Self::UnknownKeyword { understood, .. } if understood.is_empty() => {
                "nothing".to_owned()
            }
            Self::UnknownKeyword { understood, .. } | Self::UnknownValue { understood, .. } => {
                words(understood)
            }
            Self::AllOf { .. } => "exactly one reference".to_owned(),
            Self::FieldsAndMap => "either of the two".to_owned(),
            Self::Default { .. } => "`{}`, `\"\"`, `false`, `0`, each for its own type".to_owned(),
            Self::ForeignReference(_) => "`#/components/schemas/<name>`".to_owned(),
            Self::ForeignPath { expected, .. } => format!("paths that begin with `{expected}`"),
            Self::ForeignGroup { expected, .. } => format!("documents of `{expected}`"),
            Self::RequiredParameter { .. } => {
                "`required: true` in the path, and nothing of the kind elsewhere".to_owned()
            }
            Self::NotAPath(_) => "`<crate>::<module>::<Type>`, with or without modules".to_owned(),
            Self::TwoBodies { .. } => "one schema for all media types of a body".to_owned(),
            Self::TypeChanged { earlier, .. }
            | Self::DefaultChanged { earlier, .. }
            | Self::OperationChanged { earlier, .. } => format!("what it was before, at {earlier}"),
            Self::DocumentsDisagree { other, .. } => format!("what `{other}` says"),
            Self::ManyKinds(kinds) => {
                format!(
                    "one kind, or one of the core group among others; found {}",
                    kinds.join(", ")
                )
            }
            _ => return None,
        })
    }

    /// The advice.
    #[allow(clippy::too_many_lines, reason = "a line or two for each cause")]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::EmptyFile
            | Self::Syntax(_)
            | Self::DuplicateKey(_)
            | Self::TooDeep { .. }
            | Self::WrongType { .. }
            | Self::MissingKeyword { .. } => "import the release again from upstream's documents",
            Self::Toml(_) => {
                "correct the file: those of this project begin with what they may hold"
            }
            Self::NotAPath(_) => "write the whole path, such as `k8s_versioned::MicroTime`",
            Self::More(_) => "is this the file that it should be?",
            Self::NotUtf8 => {
                "save the file in UTF-8, or import the release again if it is a document"
            }
            Self::DocumentTwice(_) => {
                "the manifest is written by `cargo xtask import`: import the release again"
            }
            Self::NoDocuments => {
                "import a release: `cargo xtask import --release v1.NN --from DIR`"
            }
            Self::DocumentMissing | Self::DocumentEdited => {
                "documents are not edited by hand: undo the change, or import the release again"
            }
            Self::DocumentUnlisted => {
                "remove the file, or import its release with `cargo xtask import`, which lists it"
            }
            Self::ReleaseGap { .. } => {
                "import the releases between, too: what a release added can only be told from the one before it"
            }
            Self::NoGroupDocument(_) | Self::NoVersionDocument(_) => {
                "import the release from a folder that has the group's document and those of its versions"
            }
            Self::NothingToImport(_) => {
                "the folder to import from is `api/openapi-spec/v3` of Kubernetes' source tree"
            }
            Self::SourceTreeThere { .. } => {
                "a cluster's documents lack what its feature gates switch off, so they only stand in for a \
                 release that has no others"
            }
            Self::UnknownKeyword { keyword, .. } if keyword == "description" => {
                "vendored documents hold no prose: `cargo xtask import` removes it"
            }
            Self::UnknownKeyword { .. }
            | Self::UnknownValue { .. }
            | Self::ForeignReference(_)
            | Self::TwoBodies { .. }
            | Self::RequiredParameter { .. } => {
                "if upstream began to use this, teach the reader (codegen/src/spec) what it means"
            }
            Self::AllOf { .. }
            | Self::FieldsAndMap
            | Self::InlineStruct
            | Self::NamelessValue { .. } => {
                "no document of Kubernetes did this so far: decide what it means in Rust, then teach the reader"
            }
            Self::Default { .. } => {
                "other groups have such defaults, but an absent value is read as the zero value of its type so far: \
                 teach `spec/read_schema` to read the default and `emit/fields` to use it for absent values"
            }
            Self::TypeChanged { .. } | Self::DefaultChanged { .. } => {
                "within one API version this must not happen, and no Rust type can hold both: check that the \
                 documents are genuine"
            }
            Self::OperationRenamed { .. }
            | Self::OperationChanged { .. }
            | Self::OperationTwice(_)
            | Self::NoResponses => {
                "an operation keeps its id, path and bodies in all releases: check that the documents are genuine"
            }
            Self::TwoResources { .. } => {
                "a kind has one name in paths and one scope: check that the documents are genuine"
            }
            Self::DuplicateParameter(_) => {
                "a parameter of the path holds for all of its operations"
            }
            Self::DocumentsDisagree { .. } => {
                "import all documents of a release from the same source"
            }
            Self::ForeignGroup { .. } => {
                "`specs/group.toml` names the one group of a project: remove the document"
            }
            Self::ForeignPath { .. } => "the file was saved under the name of another document",
            Self::DanglingReference(_) | Self::RequiredUnknown(_) => {
                "the document is incomplete: import the release again"
            }
            Self::NoPlaceholder { .. } | Self::NoPathParameter { .. } => {
                "placeholders are whole segments of the path, such as `/{name}`, each with one path parameter"
            }
            Self::NoGroup => "`specs/group.toml` begins with `group = \"<name>\"`",
            Self::NoVersionInModule(_) => {
                "write the prefix and then `{version}`, such as `meta::{version}`"
            }
            Self::LifecycleOrder(_) => "look up when each happened, and correct the rule",
            Self::NoLifecycle(_) => {
                "add a `[[version]]` to `specs/lifecycle.toml` with `name` and `introduced`, and `deprecated` and \
                 `removed` where they are known"
            }
            Self::LifecycleDisagrees { .. } => {
                "the documents show what was served: correct the rule"
            }
            Self::NoReason => "say in `reason` what the rule is based on",
            Self::NoDescription(_) => {
                "write one, short and in the project's own words; those of a module, its types and their fields are \
                 in `specs/descriptions/<module>.toml`"
            }
            Self::RuleMatchesNothing(_) => {
                "correct the name, or remove the rule if its time has passed"
            }
            Self::RuleTwice(_) => "remove one of the two",
            Self::RuleWithoutEffect { .. } => "remove the rule",
            Self::NoModule(_) => "add a `[[module]]` to `specs/group.toml`",
            Self::NoShape(_) => {
                "name the Rust type it stands for in an `[[intrinsic]]` of `specs/intrinsics.toml`"
            }
            Self::NotAnIdentifier(_) | Self::ReservedName(_) | Self::NameClash { .. } => {
                "teach codegen/src/plan/names.rs another name for it"
            }
            Self::NoVerb { .. } => {
                "Kubernetes' APIs have no such operation so far: decide what it is in Rust, then teach \
                 codegen/src/plan/operations"
            }
            Self::UnlikeVerb { .. } => {
                "all kinds have the same verbs: if Kubernetes changed the verb, change it in \
                 crates/versioned/src/verb and in crates/versioned/src/operation; a new parameter goes into both, with \
                 `since`, or into specs/left-out.toml with the reason why programs cannot give it"
            }
            Self::VerbMissing { .. } => {
                "if such a resource is meant, give what is there a verb of its own in crates/versioned/src/verb"
            }
            Self::Endless(_) => "a type can contain itself only through a list or a map",
            Self::NoDefault(_) => {
                "if the type implements `Default`, say so with `default = true`; a time does not, as none of its values \
                 means that there is none: for a required time, teach `plan/field` to use an `Option`"
            }
            Self::ManyKinds(_) => "a type writes one `apiVersion` and one `kind`",
            Self::NoObjectType(_) | Self::NoListType(_) | Self::NoMetadata | Self::UnusualList => {
                "a resource has an object with `metadata`, and a list with `metadata` and `items`, each with its \
                 own group-version-kind; the metadata is that of `io.k8s.apimachinery.pkg.apis.meta.v1`"
            }
            Self::NotRust { .. } => "this is a mistake in the generator, not in its input",
            Self::PairsMissing { .. } => {
                "list the version in `versions` in `specs/conversions.toml`, and the fields that its servers \
                 require in `required`"
            }
            Self::NoCounterpart { remedy, .. } | Self::FieldTypesDiffer { remedy, .. } => {
                remedy.hint()
            }
            Self::NotConvertible { .. } => {
                "the lists of all versions must be of one kind, or a list cannot be read whatever its version"
            }
            Self::RuleDoesNotFit { .. } => {
                "the head of `specs/conversions.toml` says what each rule is for"
            }
            Self::NotLossless { .. } => {
                "take one of the versions out of the `[[kind.lossless]]` of `specs/conversions.toml`; programs then have \
                 no `into()` between these types any more, so CHANGELOG.md has to name the change"
            }
            Self::NoAnnotationKey(_) | Self::AnnotationKey { .. } => {
                "in `annotation`, name a key under a domain of your own, such as \
                 `conversion.example.com/my-kind`"
            }
            Self::NoAnnotations => {
                "only objects with Kubernetes' own metadata can be converted when something has to be kept aside"
            }
        }
    }
}

impl Remedy {
    fn hint(self) -> &'static str {
        match self {
            Self::AnyRule => {
                "add a `[[kind.field]]` to `specs/conversions.toml`: with `rule = \"keep-aside\"` and the versions \
                 that have the field in `names`, or `\"rename\"` or `\"first-of-list\"` if another field stands for it; \
                 each rule has a `reason`"
            }
            Self::AbsentToZero => {
                "add a `[[kind.field]]` to `specs/conversions.toml` with `rule = \"absent-to-zero\"` that names the \
                 field in all versions"
            }
            Self::FirstOfList => {
                "add a `[[kind.field]]` to `specs/conversions.toml` with `rule = \"first-of-list\"` that names the \
                 field in all versions"
            }
            Self::NoRule => {
                "no rule turns one of these types into another: decide what becomes of such a value, then teach \
                 codegen/src/conversion"
            }
            Self::OutOfReach => {
                "no rule reaches into lists, maps and optional values: decide what becomes of the field there, then \
                 teach codegen/src/conversion"
            }
        }
    }
}
