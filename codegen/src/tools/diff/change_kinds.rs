//! The rules that give each change its identifier, its classes in requests and in responses, and the reason.

use super::Class::{self, BreaksApply, BreaksPrograms, BreaksReaders, BreaksWriters, Compatible, NoEffect, Unknown, Wider};
use super::ChangeKind;

const BREAKS: &[Class] = &[BreaksReaders, BreaksWriters, BreaksApply];
const WRITES: &[Class] = &[BreaksWriters, BreaksApply];
const WRITERS: &[Class] = &[BreaksWriters];
const READERS: &[Class] = &[BreaksReaders];
const APPLY: &[Class] = &[BreaksApply];
const PROGRAMS: &[Class] = &[BreaksPrograms];
const WIDER: &[Class] = &[Wider];
const FINE: &[Class] = &[Compatible];
const NOTHING: &[Class] = &[NoEffect];
const UNKNOWN: &[Class] = &[Unknown];

impl ChangeKind {
    /// All kinds of changes.
    pub fn all() -> &'static [Self] {
        ALL
    }
}

/// Declares the rules, and the list of them.
macro_rules! rules {
    ($($name:ident = $id:literal, $in_requests:ident, $in_responses:ident, $reason:literal;)*) => {
        $(pub(super) const $name: ChangeKind =
            ChangeKind { id: $id, in_requests: $in_requests, in_responses: $in_responses, reason: $reason };)*

        /// All rules.
        pub(super) const ALL: &[ChangeKind] = &[$($name),*];
    };
}

rules! {
    VERSION_ADDED = "version-added", FINE, FINE,
        "A new version of the API has new paths.";
    VERSION_REMOVED = "version-removed", BREAKS, BREAKS,
        "Servers answer requests to the version's paths with 404.";
    VERSION_REPLACED = "version-replaced", BREAKS, BREAKS,
        "Servers answer requests to the version's paths with 404. Another version serves the same kinds.";
    KIND_DEPRECATED = "kind-deprecated", FINE, FINE,
        "Servers warn in the header `Warning` of each answer. A later release removes the kind from the version.";
    KIND_ENDS = "kind-ends", FINE, FINE,
        "It is the last release that serves the kind in this version. Programs must move to another version before the next upgrade.";
    KIND_ADDED = "kind-added", FINE, FINE,
        "A new kind has new paths.";
    KIND_REMOVED = "kind-removed", BREAKS, BREAKS,
        "Servers answer requests to the kind's paths with 404.";
    KIND_MOVED = "kind-moved", BREAKS, BREAKS,
        "The kind has another name in paths, or another scope.";
    SCOPE = "scope-changed", BREAKS, BREAKS,
        "Servers reject another scope in an update of a definition. Deleting the definition and creating it again deletes all of its objects.";
    STORED_VERSION_REMOVED = "stored-version-removed", BREAKS, BREAKS,
        "Servers reject the definition while `status.storedVersions` has the version: first write all objects in another version, and remove it there.";
    TYPE_ADDED = "type-added", NOTHING, NOTHING,
        "Names of types are not sent. The fields that hold the type are separate findings.";
    TYPE_REMOVED = "type-removed", NOTHING, NOTHING,
        "Names of types are not sent. The fields that held the type are separate findings.";
    TYPE_KINDS = "type-kinds-changed", NOTHING, NOTHING,
        "The document lists other group-version-kinds for a type that many groups share.";
    TYPE_CHANGED = "type-changed", WRITES, READERS,
        "No value is valid before and after.";
    FIELD_ADDED = "field-added", FINE, FINE,
        "Programs that do not know the field ignore it. They drop it when they replace a whole object.";
    FIELD_ADDED_REQUIRED = "required-field-added", WRITERS, FINE,
        "A request without the field is not valid any more.";
    FIELD_ADDED_JUDGED = "field-with-judged-default-added", WRITERS, FINE,
        "Servers write the default into objects, and a check around the field judges them with it.";
    FIELD_REMOVED = "field-removed", WRITES, READERS,
        "Readers do not find the field. Servers drop it from a request, or refuse it in strict validation and in server-side apply.";
    FIELD_REQUIRED = "field-became-required", WRITERS, FINE,
        "A request without the field is not valid any more.";
    FIELD_REQUIRED_STATED = "field-stated-as-required", NOTHING, NOTHING,
        "The document now says so. Servers check built-in kinds in code, and rejected such requests before.";
    FIELD_REQUIRED_FILLED = "field-with-default-became-required", FINE, FINE,
        "Servers write the default before they ask for the field.";
    FIELD_OPTIONAL = "field-became-optional", FINE, READERS,
        "A response may leave the field out.";
    FIELD_TYPE = "field-type-changed", WRITES, READERS,
        "A value of the old type is not one of the new type.";
    FIELD_WIDER = "field-type-widened", FINE, READERS,
        "The field can hold values that the old type cannot.";
    FIELD_WIDER_IN_RULE = "field-type-widened-in-cel-rule", WRITES, READERS,
        "The field can hold values that the old type cannot, and a CEL rule around it reads it by its type.";
    FIELD_NARROWER = "field-type-narrowed", WRITES, FINE,
        "Servers reject values of the old type that the new one lacks. An update may keep such a value.";
    DEFAULT_CHANGED = "default-changed", UNKNOWN, UNKNOWN,
        "The document does not say whether servers write the default into stored objects.";
    CUSTOM_DEFAULT = "custom-default-changed", WRITERS, FINE,
        "Servers write the default into a custom resource without the field, so a request without it has another effect.";
    CUSTOM_DEFAULT_REMOVED = "custom-default-removed", WRITERS, READERS,
        "Servers no longer write the default into a custom resource without the field. Readers may not find the field.";
    OBJECT_DEFAULT = "object-default-changed", NOTHING, NOTHING,
        "An absent object and an empty one mean the same.";
    ITEM_DEFAULT = "item-default-changed", NOTHING, NOTHING,
        "Items are never absent, so the default of an item never applies.";
    WORDS_ADDED = "words-added", FINE, READERS,
        "A response may have a value that a program does not know. Generated types keep it.";
    WORDS_REMOVED = "words-removed", WRITES, FINE,
        "Servers reject other values. Stored objects can still have them, and an update may keep them.";
    NULLABLE = "field-became-nullable", FINE, READERS,
        "A response may have `null`.";
    NULL_REFUSED = "field-lost-nullable", WRITES, FINE,
        "Servers drop `null`, or reject it if the field is required.";
    FORMAT_ADDED = "format-added", WRITES, FINE,
        "Servers reject values that do not have the format. An update may keep such a value.";
    FORMAT_REMOVED = "format-removed", FINE, WIDER,
        "Servers no longer check the format, so a response may have other values.";
    FORMAT_CHANGED = "format-changed", WRITES, WIDER,
        "Values of the old format may not have the new one.";
    FORMAT_UNKNOWN = "unchecked-format-changed", NOTHING, NOTHING,
        "Servers do not check the format.";
    PATTERN_ADDED = "pattern-added", WRITES, FINE,
        "Servers reject values that do not match. An update may keep such a value.";
    PATTERN_REMOVED = "pattern-removed", FINE, WIDER,
        "Servers no longer compare values with the pattern, so a response may have others.";
    PATTERN_CHANGED = "pattern-changed", WRITES, WIDER,
        "Values that match the old pattern may not match the new one: which texts two patterns share is not decided.";
    LIMIT_NARROWER = "limit-narrowed", WRITES, FINE,
        "Servers reject values beyond the limit. An update may keep such a value.";
    LIMIT_WIDER = "limit-widened", FINE, WIDER,
        "A response may have values that were beyond the old limit.";
    LIMIT_CHANGED = "limit-changed", WRITES, WIDER,
        "Multiples of the old number may not be multiples of the new one.";
    UNIQUE_ITEMS = "unique-items-required", WRITES, FINE,
        "Servers reject lists with equal items. An update may keep such a list.";
    ITEMS_REPEAT = "unique-items-not-required", FINE, WIDER,
        "A list may have equal items.";
    ALTERNATIVES_NARROWER = "alternatives-narrowed", WRITES, FINE,
        "Servers reject values for which no alternative is left, or that break the new one. An update may keep such a value.";
    ALTERNATIVES_WIDER = "alternatives-widened", FINE, WIDER,
        "A response may have values that no old alternative allowed.";
    ALTERNATIVES_CHANGED = "alternatives-changed", WRITES, WIDER,
        "Values of the old alternatives may break the new ones: which values two alternatives share is not decided.";
    RULE_ADDED = "cel-rule-added", WRITES, FINE,
        "Servers reject objects that break the rule. An update may keep such a value, unless the rule compares it with the old one.";
    RULE_REMOVED = "cel-rule-removed", FINE, WIDER,
        "Servers no longer check the rule, so a response may have other values.";
    RULE_OLD_SELF = "cel-rule-old-self-changed", WRITES, WIDER,
        "Servers check the rule also where there is no old value, or no longer.";
    RULE_ANSWER = "cel-rule-answer-changed", NOTHING, NOTHING,
        "Servers check the same, and reject in other words or for another field.";
    EMBEDDED = "field-became-embedded-object", WRITES, WIDER,
        "Servers reject objects without `apiVersion`, `kind` and valid `metadata`. They keep these fields.";
    NOT_EMBEDDED = "field-stopped-being-embedded-object", WRITES, READERS,
        "Servers drop `apiVersion`, `kind` and `metadata`, unless the schema has them.";
    UNKNOWN_KEPT = "unknown-fields-kept", FINE, WIDER,
        "A response may have members that the schema does not name.";
    UNKNOWN_DROPPED = "unknown-fields-dropped", WRITES, READERS,
        "Servers drop the members that the schema does not name, or refuse them in strict validation and in server-side apply.";
    LIST_TYPE = "list-type-changed", APPLY, NOTHING,
        "Server-side apply merges the items by another rule, so they get other owners.";
    LIST_KEYS = "list-map-keys-changed", APPLY, NOTHING,
        "Server-side apply distinguishes the items by other keys.";
    LIST_TYPE_NARROWER = "list-type-narrowed", WRITES, NOTHING,
        "Servers reject lists with equal items or keys. An update may keep them. Server-side apply merges by another rule.";
    LIST_KEYS_NARROWER = "list-map-keys-narrowed", WRITES, NOTHING,
        "Items with different keys can have equal ones now, which servers reject. An update may keep them.";
    LIST_TYPE_OF_NO_LIST = "list-type-of-no-list-changed", NOTHING, NOTHING,
        "The field is not a list, so the list type never applies.";
    MAP_TYPE = "map-type-changed", APPLY, NOTHING,
        "Server-side apply gives the fields of the map other owners.";
    PATCH_STRATEGY = "patch-strategy-changed", WRITERS, NOTHING,
        "A strategic merge patch changes the list in another way.";
    PATCH_KEY = "patch-merge-key-changed", WRITERS, NOTHING,
        "A strategic merge patch distinguishes the items by another key.";
    SHORT_NAMES_ADDED = "short-names-added", FINE, FINE,
        "Discovery has another name of the kind.";
    SHORT_NAMES_REMOVED = "short-names-removed", FINE, READERS,
        "`kubectl`, and programs that look up the name in discovery, do not find the kind by it.";
    SINGULAR = "singular-changed", FINE, READERS,
        "`kubectl`, and programs that look up the name in discovery, do not find the kind by the old one.";
    LIST_KIND = "list-kind-changed", FINE, READERS,
        "Lists state another kind.";
    CATEGORIES_ADDED = "categories-added", FINE, WIDER,
        "`kubectl get` of the category also lists the kind.";
    CATEGORIES_REMOVED = "categories-removed", FINE, READERS,
        "`kubectl get` of the category does not list the kind.";
    STORAGE = "storage-version-changed", FINE, FINE,
        "Servers write objects in this version from now on. Stored objects stay as they are until they are written again.";
    UNDEPRECATED = "kind-not-deprecated", NOTHING, NOTHING,
        "Servers no longer warn.";
    WARNING = "deprecation-warning-changed", NOTHING, NOTHING,
        "Servers warn in other words.";
    CONVERSION_WEBHOOK = "conversion-by-webhook", UNKNOWN, UNKNOWN,
        "A webhook converts objects, where servers changed only the version. The definition does not say what it does.";
    CONVERSION_NONE = "conversion-by-nothing", WRITES, READERS,
        "Servers change only the version of objects, and drop the fields that the other version lacks.";
    CONVERSION_CLIENT = "conversion-webhook-changed", UNKNOWN, UNKNOWN,
        "Another webhook converts objects, or in other versions of its reviews. The definition does not say what it does.";
    STATUS_ADDED = "status-added", WRITES, NOTHING,
        "Servers ignore `status` in requests to the object, and all else in requests to its status.";
    STATUS_REMOVED = "status-removed", WRITES, READERS,
        "Servers answer requests to the status with 404, and write `status` with the object.";
    SCALE_ADDED = "scale-added", FINE, FINE,
        "The kind has another path.";
    SCALE_REMOVED = "scale-removed", WRITES, READERS,
        "Servers answer requests to the scale with 404. Autoscalers cannot scale the kind.";
    SCALE_PATH = "scale-path-changed", WRITERS, READERS,
        "The scale has the value of another field, and requests to it write another field.";
    SCALE_SELECTOR_ADDED = "scale-selector-added", FINE, FINE,
        "The scale also has the selector of the pods.";
    SCALE_SELECTOR_REMOVED = "scale-selector-removed", FINE, READERS,
        "The scale no longer has the selector of the pods, by which autoscalers find them.";
    COLUMNS = "printer-columns-changed", NOTHING, FINE,
        "Tables have other columns. Only `kubectl get` and programs that ask for tables show them.";
    SELECTABLE_ADDED = "selectable-field-added", FINE, FINE,
        "Lists and watches can be selected by the field.";
    SELECTABLE_REMOVED = "selectable-field-removed", READERS, READERS,
        "Servers refuse lists and watches that are selected by the field.";
    RUST_MODULE_ADDED = "rust-module-added", FINE, FINE,
        "The generated package has another module.";
    RUST_MODULE_REMOVED = "rust-module-removed", PROGRAMS, PROGRAMS,
        "Programs that import from the module do not compile.";
    RUST_TYPE_REMOVED = "rust-type-removed", PROGRAMS, PROGRAMS,
        "Programs that name the type do not compile.";
    RUST_CONSTRUCTOR = "rust-constructor-changed", PROGRAMS, PROGRAMS,
        "Programs that call the constructor do not compile.";
    RUST_FIELD_TYPE = "rust-field-type-changed", PROGRAMS, PROGRAMS,
        "Programs that read or write the field do not compile.";
    RUST_FIELD_REMOVED = "rust-field-removed", PROGRAMS, PROGRAMS,
        "Programs that name the field do not compile.";
    RUST_TRAIT_REMOVED = "rust-trait-removed", PROGRAMS, PROGRAMS,
        "Programs that need the trait do not compile.";
    RUST_VARIANT_ADDED = "rust-variant-added", FINE, FINE,
        "The enum has another word as a variant. Programs have an arm for other words anyway.";
    RUST_VARIANT_REMOVED = "rust-variant-removed", PROGRAMS, PROGRAMS,
        "Programs that name the variant do not compile.";
    RUST_NOT_GENERATED = "rust-not-generated", PROGRAMS, PROGRAMS,
        "No package has the types of both sides: `generate` refuses them together. Keep only one of them in `specs`, or make two packages.";
    OPERATION_ADDED = "operation-added", FINE, FINE,
        "A new operation changes nothing for the others.";
    OPERATION_REMOVED = "operation-removed", WRITERS, READERS,
        "Servers answer the request with 404 or 405.";
    OPERATION_RENAMED = "operation-renamed", NOTHING, NOTHING,
        "Operation ids are not sent. Generated clients may name their functions after them.";
    OPERATION_CHANGED = "operation-changed", UNKNOWN, UNKNOWN,
        "The document gives the operation another action or kind, and does not say what it does.";
    PARAMETER_ADDED = "parameter-added", FINE, FINE,
        "A request without the parameter means the same as before.";
    PARAMETER_REMOVED = "parameter-removed", WRITERS, READERS,
        "Servers ignore parameters that they do not know, so the request has another effect.";
    PARAMETER_TYPE = "parameter-type-changed", WRITERS, READERS,
        "Servers refuse a value of another type with 400.";
    BODY_TYPE = "request-body-changed", WRITES, NOTHING,
        "The request takes a body of another type.";
    BODY_REQUIRED = "request-body-became-required", WRITERS, NOTHING,
        "A request without a body is not valid any more.";
    BODY_OPTIONAL = "request-body-became-optional", FINE, NOTHING,
        "A request with a body means the same as before.";
    REQUEST_MEDIA_ADDED = "request-media-type-added", FINE, NOTHING,
        "Requests in the other formats mean the same as before.";
    REQUEST_MEDIA_REMOVED = "request-media-type-removed", WRITES, NOTHING,
        "Servers refuse the format with 415.";
    RESPONSE_ADDED = "response-added", UNKNOWN, UNKNOWN,
        "A program may know only the status codes that the old document lists.";
    RESPONSE_REMOVED = "response-removed", FINE, FINE,
        "Programs no longer need to handle the status code.";
    RESPONSE_TYPE = "response-body-changed", NOTHING, READERS,
        "The response holds a body of another type.";
    RESPONSE_MEDIA_ADDED = "response-media-type-added", NOTHING, FINE,
        "Servers send the format only to clients that ask for it.";
    RESPONSE_MEDIA_REMOVED = "response-media-type-removed", NOTHING, READERS,
        "Servers answer with 406, or in another format.";
}
