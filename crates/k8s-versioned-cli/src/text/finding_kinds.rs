//! The kinds of findings of the command itself, other than the changes of `diff` and the problems of the generator. Each has an identifier,
//! its meaning, and what to do. `explain` shows them.

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FindingKind {
    /// The identifier, which never changes its meaning.
    pub id: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What to do.
    pub hint: &'static str,
}

/// Defines kinds of findings, and the list of them.
macro_rules! kinds {
    ($(#[doc = $about:literal])+ $list:ident { $($name:ident = $id:literal: $meaning:literal, $hint:literal;)+ }) => {
        $(pub(crate) const $name: FindingKind = FindingKind { id: $id, meaning: $meaning, hint: $hint };)+

        $(#[doc = $about])+
        pub const $list: &[FindingKind] = &[$($name),+];
    };
}

kinds! {
    /// The findings of `validate` and `diff --objects`, other than the reasons of servers in [`REFUSALS`].
    OF_VALIDATE {
        SKIPPED = "skipped": "`--skip-unknown` skips an object of a kind that nothing here defines.",
            "`--crds` names the definition of the kind";
        NOT_JUDGED = "not-judged": "An object, or a rule about it, has no verdict. The message says why.",
            "correct the definition if servers reject it; a server decides what remains";
        UNKNOWN_KIND = "unknown-kind": "No definition and no document has the kind and version of an object.",
            "correct `apiVersion` or `kind`, or name the definition with `--crds`; `--skip-unknown` skips kinds of others";
        NO_OBJECT = "no-object": "A file has no object that can be judged.",
            "name the files with the objects";
        NOT_RENDERED = "not-rendered": "A folder is a Helm chart or a kustomization: its templates or patches are not objects until they are rendered.",
            "render it with `helm template --include-crds` or `kubectl kustomize`, and judge the output";
        NOT_TEXT = "not-text": "A file is not text in UTF-8 or UTF-16.",
            "name a file in YAML or JSON";
        DEPRECATED = "deprecated": "Servers warn of the kind in this version, and a later release may remove it.",
            "write the object in a version that stays";
        UNKNOWN_FIELD = "unknown-field": "The schema lacks a field: servers drop it, or refuse the object if they are strict.",
            "correct the name, or remove the field";
        DUPLICATE_FIELD = "duplicate-field": "An object has a field twice, and servers use the last one.",
            "remove one of the two";
        WARNING = "warning": "Servers accept the object and warn in the header `Warning`.",
            "do what the message says";
        RULE_COST = "rule-cost": "The estimated cost of a rule in CEL. Servers refuse a definition with a rule above their limit.",
            "limit the lists, maps and texts that the rule reads: `maxItems`, `maxProperties`, `maxLength`";
        VERSION_COST = "version-cost": "The estimated costs of all rules of a version together, for which servers have another limit.",
            "make the most expensive rules of the version cheaper, or remove some";
        NO_CONVERSION = "no-conversion": "Versions have different fields, and no webhook converts between them: servers drop what a version lacks.",
            "serve a conversion webhook, or give all versions the same fields";
        SET_OF_OBJECTS = "set-of-objects": "A list of the type `set` has items that are not scalars, which server-side apply cannot merge.",
            "make the list a `map` with keys, or `atomic`";
        TOO_LARGE_TO_APPLY = "too-large-to-apply": "`kubectl apply` keeps a copy of the definition in an annotation, which has no room for it.",
            "apply it with `kubectl apply --server-side`";
        LATER_DEFINITION = "later-definition": "The input has another definition of the same kind further on, and that one judges the objects.",
            "leave one of them in the input";
        ADVICE = "advice": "Servers accept the definition, and there is a reason to change it all the same.",
            "do what the message says";
        NOT_OF_SCHEMA = "not-of-schema": "A value is not one that the schema of its built-in kind allows.",
            "change the value; the message has the rule";
        UNUSABLE_SCHEMA = "unusable-schema": "The schema of a built-in kind cannot be compared with objects.",
            "import the document again";
        STORED_OBJECT = "stored-object": "`diff --objects`: servers with the newer definition do not take a stored object as it is.",
            "change the object before the definition, or the definition";
    }
}

kinds! {
    /// The reasons for which servers reject an object, in the identifiers of `validate`: `FieldValueInvalid` is `field-value-invalid`.
    REFUSALS {
        FIELD_VALUE_REQUIRED = "field-value-required": "A required field is absent or empty.",
            "add the field";
        FIELD_VALUE_INVALID = "field-value-invalid": "A value breaks a limit, a pattern, a format or a rule in CEL.",
            "change the value; the message has the rule";
        FIELD_VALUE_TYPE_INVALID = "field-value-type-invalid": "A value has another type than its schema.",
            "write a value of the type; a text that looks like a number or boolean needs quotes in YAML";
        FIELD_VALUE_NOT_SUPPORTED = "field-value-not-supported": "A value is not one of those that the schema lists.",
            "write one of the values in the message";
        FIELD_VALUE_DUPLICATE = "field-value-duplicate": "A list has two items that are equal, or have equal keys.",
            "remove one of the two";
        FIELD_VALUE_FORBIDDEN = "field-value-forbidden": "A value, or this change of it, is not allowed here.",
            "remove the value, or keep the one that is stored";
        FIELD_VALUE_TOO_LONG = "field-value-too-long": "A text or an object has too many bytes.",
            "shorten it to the number in the message";
        FIELD_VALUE_TOO_MANY = "field-value-too-many": "A list or map has too many items.",
            "remove items until the number in the message is left";
        INTERNAL_ERROR = "internal-error": "A server cannot judge a rule, or fails with 500.",
            "correct the rule or the value that the message names";
        BAD_REQUEST = "bad-request": "A server cannot decode the object (400).",
            "write values of the types that the definition has";
        NOT_FOUND = "not-found": "A server has no such resource or subresource in the version (404).",
            "write the object in a version that the definition serves";
        CONFLICT = "conflict": "The object has another `resourceVersion` or `uid` than the stored one (409).",
            "read the object again, and apply the change to it";
        INVALID = "invalid": "A server refuses the object as a whole (422).",
            "do what the message says";
    }
}

kinds! {
    /// What stops a command: the errors of `--format json`, `github` and `gitlab`.
    ERRORS {
        IO = "io": "The operating system refuses to read or write a file or folder.",
            "check that it exists and who may access it";
        ARGUMENT = "argument": "A file or folder that an argument names cannot be read.",
            "correct the argument";
        PROJECT = "project": "A file has another form than the command expects.",
            "correct the file as the message says";
        NO_PROJECT = "no-project": "The folder is not a package with `specs`, and no argument names another source.",
            "name the package with `--root`, or make one with `k8s-versioned new`";
        USAGE = "usage": "Arguments do not fit together, or name what does not exist.",
            "`--help` after the subcommand lists its arguments";
        REFUSAL = "refusal": "The command cannot do what the arguments ask for.",
            "the message says what stands against it";
        FILE_NAME_NOT_UTF8 = "file-name-not-utf8": "The name of a file is not text in UTF-8.",
            "rename or remove the file";
        NOT_A_FILE = "not-a-file": "A link, a folder or a device is where a file is expected.",
            "put a file there: links are never followed";
        NOT_A_FOLDER = "not-a-folder": "A link or a file is where a folder is expected.",
            "put a folder there: links are never followed";
        NO_DOCUMENTS = "no-documents-in-folder": "A folder has no OpenAPI documents of API groups.",
            "name the folder `api/openapi-spec/v3` of a checkout of Kubernetes, or the checkout";
        NOTHING_TO_COMPARE = "nothing-to-compare": "A release is not in `specs`, or does not serve the version.",
            "name one of those in the message, or fetch the release";
        RECORDED = "recorded": "A release has neither recordings nor a reason why not, or it has both.",
            "record its servers, or state the reason";
        RECORDINGS = "recordings": "The folder of the recordings cannot be read.",
            "correct the file that the message names";
        ONE_RELEASE = "one-release": "`specs` has only one release, and there is nothing to compare it with.",
            "import the release before it";
        GIT = "git": "The command `git` failed.",
            "the message is that of `git`";
        REFUSED = "problems": "The generator finds problems in its input.",
            "each problem has its own identifier";
        DIFFERS = "differs": "A change has an effect that `--fail-on` names.",
            "the report lists the changes";
        NOT_VALID = "not-valid": "An object is not valid, there is none, or a finding is as grave as `--fail-on` says.",
            "the report lists the reasons";
        OUTPUT = "output": "The output cannot be written.",
            "check the disk, or the program that reads the output";
        STALE = "stale": "A generated file is not what the specs yield.",
            "run the command in the hint, and commit what it writes";
    }
}

/// Every kind of finding that the command makes itself.
pub(crate) fn all() -> impl Iterator<Item = &'static FindingKind> {
    [OF_VALIDATE, REFUSALS, ERRORS].into_iter().flatten()
}
