//! The rules that give each change its identifier, its classes in requests and in responses, and the reason.

use super::Class::{self, BreaksApply, BreaksReaders, BreaksWriters, Compatible, NoEffect, Unknown};
use super::Rule;

const BREAKS: &[Class] = &[BreaksReaders, BreaksWriters, BreaksApply];
const WRITES: &[Class] = &[BreaksWriters, BreaksApply];
const WRITERS: &[Class] = &[BreaksWriters];
const READERS: &[Class] = &[BreaksReaders];
const APPLY: &[Class] = &[BreaksApply];
const FINE: &[Class] = &[Compatible];
const NOTHING: &[Class] = &[NoEffect];
const UNKNOWN: &[Class] = &[Unknown];

/// Declares the rules, and the list of them.
macro_rules! rules {
    ($($name:ident = $id:literal, $in_requests:ident, $in_responses:ident, $reason:literal;)*) => {
        $(pub(super) const $name: Rule =
            Rule { id: $id, in_requests: $in_requests, in_responses: $in_responses, reason: $reason };)*

        /// All rules.
        pub(super) const ALL: &[Rule] = &[$($name),*];
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
    FIELD_REMOVED = "field-removed", WRITES, READERS,
        "Readers do not find the field. Servers drop it from a request, or refuse it in strict validation and in server-side apply.";
    FIELD_REQUIRED = "field-became-required", WRITERS, FINE,
        "A request without the field is not valid any more.";
    FIELD_OPTIONAL = "field-became-optional", FINE, READERS,
        "A response may leave the field out.";
    FIELD_TYPE = "field-type-changed", WRITES, READERS,
        "A value of the old type is not one of the new type.";
    FIELD_WIDER = "field-type-widened", FINE, READERS,
        "The field can hold numbers that the old type cannot.";
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
        "Servers reject other values. Stored objects can still have them.";
    NULLABLE = "field-became-nullable", FINE, READERS,
        "A response may have `null`.";
    NULL_REFUSED = "field-lost-nullable", WRITES, FINE,
        "Servers drop `null`, or refuse it if the field is required.";
    CHECKS = "checks-changed", UNKNOWN, NOTHING,
        "Servers accept other values than before. Compare the checks to see if they are more or fewer.";
    LIST_TYPE = "list-type-changed", APPLY, NOTHING,
        "Server-side apply merges the items by another rule, so they get other owners.";
    LIST_KEYS = "list-map-keys-changed", APPLY, NOTHING,
        "Server-side apply distinguishes the items by other keys.";
    LIST_TYPE_OF_NO_LIST = "list-type-of-no-list-changed", NOTHING, NOTHING,
        "The field is not a list, so the list type never applies.";
    MAP_TYPE = "map-type-changed", APPLY, NOTHING,
        "Server-side apply gives the fields of the map other owners.";
    PATCH_STRATEGY = "patch-strategy-changed", WRITERS, NOTHING,
        "A strategic merge patch changes the list in another way.";
    PATCH_KEY = "patch-merge-key-changed", WRITERS, NOTHING,
        "A strategic merge patch distinguishes the items by another key.";
    OPERATION_ADDED = "operation-added", FINE, FINE,
        "A new operation changes nothing for the others.";
    OPERATION_REMOVED = "operation-removed", WRITERS, READERS,
        "Servers answer the request with 404 or 405.";
    OPERATION_RENAMED = "operation-renamed", NOTHING, NOTHING,
        "Operation ids are not sent. Generated clients may name their functions after them.";
    OPERATION_CHANGED = "operation-changed", UNKNOWN, UNKNOWN,
        "The document gives the operation another action or kind.";
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
