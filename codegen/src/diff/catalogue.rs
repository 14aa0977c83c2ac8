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

pub(super) const VERSION_ADDED: Rule = rule("version-added", FINE, FINE,
    "A new version of the API has new paths.");
pub(super) const VERSION_REMOVED: Rule = rule("version-removed", BREAKS, BREAKS,
    "Servers answer requests to the version's paths with 404.");
pub(super) const VERSION_REPLACED: Rule = rule("version-replaced", BREAKS, BREAKS,
    "Servers answer requests to the version's paths with 404. Another version serves the same kinds.");
pub(super) const KIND_DEPRECATED: Rule = rule("kind-deprecated", FINE, FINE,
    "Servers warn in the header `Warning` of each answer. A later release removes the kind from the version.");
pub(super) const KIND_ADDED: Rule = rule("kind-added", FINE, FINE,
    "A new kind has new paths.");
pub(super) const KIND_REMOVED: Rule = rule("kind-removed", BREAKS, BREAKS,
    "Servers answer requests to the kind's paths with 404.");
pub(super) const KIND_MOVED: Rule = rule("kind-moved", BREAKS, BREAKS,
    "The kind has another name in paths, or another scope.");
pub(super) const TYPE_ADDED: Rule = rule("type-added", NOTHING, NOTHING,
    "Names of types are not sent. The fields that hold the type are separate findings.");
pub(super) const TYPE_REMOVED: Rule = rule("type-removed", NOTHING, NOTHING,
    "Names of types are not sent. The fields that held the type are separate findings.");
pub(super) const TYPE_KINDS: Rule = rule("type-kinds-changed", NOTHING, NOTHING,
    "The document lists other group-version-kinds for a type that many groups share.");
pub(super) const TYPE_CHANGED: Rule = rule("type-changed", WRITES, READERS,
    "No value is valid before and after.");
pub(super) const FIELD_ADDED: Rule = rule("field-added", FINE, FINE,
    "Programs that do not know the field ignore it. They drop it when they replace a whole object.");
pub(super) const FIELD_ADDED_REQUIRED: Rule = rule("required-field-added", WRITERS, FINE,
    "A request without the field is not valid any more.");
pub(super) const FIELD_REMOVED: Rule = rule("field-removed", WRITES, READERS,
    "Readers do not find the field. Servers drop it from a request, or refuse it in strict validation and in server-side apply.");
pub(super) const FIELD_REQUIRED: Rule = rule("field-became-required", WRITERS, FINE,
    "A request without the field is not valid any more.");
pub(super) const FIELD_OPTIONAL: Rule = rule("field-became-optional", FINE, READERS,
    "A response may leave the field out.");
pub(super) const FIELD_TYPE: Rule = rule("field-type-changed", WRITES, READERS,
    "A value of the old type is not one of the new type.");
pub(super) const FIELD_WIDER: Rule = rule("field-type-widened", FINE, READERS,
    "The field can hold numbers that the old type cannot.");
pub(super) const DEFAULT_CHANGED: Rule = rule("default-changed", UNKNOWN, UNKNOWN,
    "The document does not say whether servers write the default into stored objects.");
pub(super) const OBJECT_DEFAULT: Rule = rule("object-default-changed", NOTHING, NOTHING,
    "An absent object and an empty one mean the same.");
pub(super) const ITEM_DEFAULT: Rule = rule("item-default-changed", NOTHING, NOTHING,
    "Items are never absent, so the default of an item never applies.");
pub(super) const LIST_TYPE: Rule = rule("list-type-changed", APPLY, NOTHING,
    "Server-side apply merges the items by another rule, so they get other owners.");
pub(super) const LIST_KEYS: Rule = rule("list-map-keys-changed", APPLY, NOTHING,
    "Server-side apply distinguishes the items by other keys.");
pub(super) const LIST_TYPE_OF_NO_LIST: Rule = rule("list-type-of-no-list-changed", NOTHING, NOTHING,
    "The field is not a list, so the list type never applies.");
pub(super) const MAP_TYPE: Rule = rule("map-type-changed", APPLY, NOTHING,
    "Server-side apply gives the fields of the map other owners.");
pub(super) const PATCH_STRATEGY: Rule = rule("patch-strategy-changed", WRITERS, NOTHING,
    "A strategic merge patch changes the list in another way.");
pub(super) const PATCH_KEY: Rule = rule("patch-merge-key-changed", WRITERS, NOTHING,
    "A strategic merge patch distinguishes the items by another key.");
pub(super) const OPERATION_ADDED: Rule = rule("operation-added", FINE, FINE,
    "A new operation changes nothing for the others.");
pub(super) const OPERATION_REMOVED: Rule = rule("operation-removed", WRITERS, READERS,
    "Servers answer the request with 404 or 405.");
pub(super) const OPERATION_RENAMED: Rule = rule("operation-renamed", NOTHING, NOTHING,
    "Operation ids are not sent. Generated clients may name their functions after them.");
pub(super) const OPERATION_CHANGED: Rule = rule("operation-changed", UNKNOWN, UNKNOWN,
    "The document gives the operation another action or kind.");
pub(super) const PARAMETER_ADDED: Rule = rule("parameter-added", FINE, FINE,
    "A request without the parameter means the same as before.");
pub(super) const PARAMETER_REMOVED: Rule = rule("parameter-removed", WRITERS, READERS,
    "Servers ignore parameters that they do not know, so the request has another effect.");
pub(super) const PARAMETER_TYPE: Rule = rule("parameter-type-changed", WRITERS, READERS,
    "Servers refuse a value of another type with 400.");
pub(super) const BODY_TYPE: Rule = rule("request-body-changed", WRITES, NOTHING,
    "The request takes a body of another type.");
pub(super) const BODY_REQUIRED: Rule = rule("request-body-became-required", WRITERS, NOTHING,
    "A request without a body is not valid any more.");
pub(super) const BODY_OPTIONAL: Rule = rule("request-body-became-optional", FINE, NOTHING,
    "A request with a body means the same as before.");
pub(super) const REQUEST_MEDIA_ADDED: Rule = rule("request-media-type-added", FINE, NOTHING,
    "Requests in the other formats mean the same as before.");
pub(super) const REQUEST_MEDIA_REMOVED: Rule = rule("request-media-type-removed", WRITES, NOTHING,
    "Servers refuse the format with 415.");
pub(super) const RESPONSE_ADDED: Rule = rule("response-added", UNKNOWN, UNKNOWN,
    "A program may know only the status codes that the old document lists.");
pub(super) const RESPONSE_REMOVED: Rule = rule("response-removed", FINE, FINE,
    "Programs no longer need to handle the status code.");
pub(super) const RESPONSE_TYPE: Rule = rule("response-body-changed", NOTHING, READERS,
    "The response holds a body of another type.");
pub(super) const RESPONSE_MEDIA_ADDED: Rule = rule("response-media-type-added", NOTHING, FINE,
    "Servers send the format only to clients that ask for it.");
pub(super) const RESPONSE_MEDIA_REMOVED: Rule = rule("response-media-type-removed", NOTHING, READERS,
    "Servers answer with 406, or in another format.");

/// All rules.
pub(super) const ALL: &[Rule] = &[
    VERSION_ADDED,
    VERSION_REMOVED,
    VERSION_REPLACED,
    KIND_DEPRECATED,
    KIND_ADDED,
    KIND_REMOVED,
    KIND_MOVED,
    TYPE_ADDED,
    TYPE_REMOVED,
    TYPE_KINDS,
    TYPE_CHANGED,
    FIELD_ADDED,
    FIELD_ADDED_REQUIRED,
    FIELD_REMOVED,
    FIELD_REQUIRED,
    FIELD_OPTIONAL,
    FIELD_TYPE,
    FIELD_WIDER,
    DEFAULT_CHANGED,
    OBJECT_DEFAULT,
    ITEM_DEFAULT,
    LIST_TYPE,
    LIST_KEYS,
    LIST_TYPE_OF_NO_LIST,
    MAP_TYPE,
    PATCH_STRATEGY,
    PATCH_KEY,
    OPERATION_ADDED,
    OPERATION_REMOVED,
    OPERATION_RENAMED,
    OPERATION_CHANGED,
    PARAMETER_ADDED,
    PARAMETER_REMOVED,
    PARAMETER_TYPE,
    BODY_TYPE,
    BODY_REQUIRED,
    BODY_OPTIONAL,
    REQUEST_MEDIA_ADDED,
    REQUEST_MEDIA_REMOVED,
    RESPONSE_ADDED,
    RESPONSE_REMOVED,
    RESPONSE_TYPE,
    RESPONSE_MEDIA_ADDED,
    RESPONSE_MEDIA_REMOVED,
];

const fn rule(
    id: &'static str,
    in_requests: &'static [Class],
    in_responses: &'static [Class],
    reason: &'static str,
) -> Rule {
    Rule {
        id,
        in_requests,
        in_responses,
        reason,
    }
}
