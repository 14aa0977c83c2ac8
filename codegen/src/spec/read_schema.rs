//! Schemas. The first of `$ref`, `allOf` and `type` decides the form of a schema.
//!
//! The schemas of custom resources are written inline. Each inline object is a type of its own here, named by its kind and
//! its path: `com.example.v1.Widget#spec.parts[]`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::read::{one_of, read_kind, word};
use super::{
    Dialect, Facts, Field, GroupVersionKind, Merge, Releases, Source, Type, TypeBody, Value, Width,
};
use crate::Place;
use crate::json::{Cursor, Fields, Value as Json};
use crate::problem::DocumentCause;

/// What stands before the name of a schema in a reference.
pub(crate) const REFERENCE: &str = "#/components/schemas/";

/// The types of values that schemas have.
pub(crate) const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// The keyword that keeps the members of an object that its schema does not name.
pub(super) const KEEPS_UNKNOWN: &str = "x-kubernetes-preserve-unknown-fields";

/// The keywords that cannot change a Rust type, apart from [`KEEPS_UNKNOWN`]. They are facts of the model.
const FACTS: [&str; 25] = [
    // Servers check them. A value that breaks them still has its type, and a later release may relax them.
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "uniqueItems",
    "x-kubernetes-validations",
    // They combine checks. Structural schemas state every field and type outside of them.
    "anyOf",
    "not",
    "oneOf",
    // It says which fields exclude each other. Each of them is a field still.
    "x-kubernetes-unions",
    // Known words make an open enum, which holds any other word, too.
    "enum",
    // Texts for readers.
    "example",
    "externalDocs",
    "title",
    // It says which fields a list can select by.
    "x-kubernetes-selectable-fields",
    // The fields of the objects are among the properties.
    "x-kubernetes-embedded-resource",
    KEEPS_UNKNOWN,
];

/// Keywords that some types of custom resources have, although they are about values of other types.
const WITHOUT_MEANING: [&str; 9] = [
    "additionalItems",
    "additionalProperties",
    "format",
    "items",
    "patternProperties",
    "properties",
    "required",
    "type",
    "x-kubernetes-int-or-string",
];

/// A schema, of a type or of a field.
struct Schema {
    body: TypeBody,
    default: Option<serde_json::Value>,
    items: Items,
    merge: Merge,
    kinds: Vec<GroupVersionKind>,
    description: Option<String>,
    facts: Facts,
    nullable: bool,
}

impl Schema {
    fn take_body(&mut self) -> TypeBody {
        std::mem::replace(&mut self.body, TypeBody::Value(Value::Any))
    }
}

/// The types of a document by name. One that cannot be read is `None`: a reference to it is not a second problem.
pub(super) type Types = BTreeMap<String, Option<Type>>;

/// What the schemas inside of a type depend on.
#[derive(Clone, Copy)]
struct Context<'a> {
    source: Source,
    /// Whether the descriptions of the document count.
    described: bool,
    /// The name of the type.
    name: &'a str,
    /// The JSON pointer of the type.
    pointer: &'a str,
    /// The inline objects that were read.
    inline: &'a RefCell<Types>,
}

/// Reads the schema of a type and of the objects in it into `types`; a type is `None` if it has problems, which are then
/// reported.
pub(super) fn read_schema(name: &str, cursor: &Cursor<'_>, source: Source, types: &mut Types) {
    // The types that groups share are built in, whatever document has them.
    let dialect = if is_meta(name) { Dialect::BuiltIn } else { source.dialect };
    // Definitions do not describe them: the documents of servers give the same package.
    let described = dialect == source.dialect;
    let source = Source { dialect, ..source };
    let inline = RefCell::new(Types::new());
    let pointer = cursor.place().pointer;
    let context = Context { source, described, name, pointer: &pointer, inline: &inline };
    let found = read_type_of_name(cursor, context);
    types.insert(name.to_owned(), found);
    types.append(&mut inline.into_inner());
}

fn read_type_of_name(cursor: &Cursor<'_>, context: Context<'_>) -> Option<Type> {
    let source = context.source;
    let mut found = read_any(cursor, context)?;
    let body = match found.take_body() {
        // A name for an object that has no fields so far.
        TypeBody::Value(Value::Opaque) => TypeBody::Struct(BTreeMap::new()),
        body => body,
    };
    Some(type_of(&found, body, cursor.place(), source))
}

/// The type of a schema that was found at a place.
fn type_of(found: &Schema, body: TypeBody, place: Place, source: Source) -> Type {
    Type {
        published: None,
        inside: String::new(),
        place,
        releases: source.release.into(),
        body,
        kinds: found.kinds.iter().cloned().collect(),
        merge: found.merge.clone(),
        dialect: source.dialect,
        keeps_unknown_in: keeps_unknown_in(&found.facts, source),
        description: found.description.clone(),
        facts: found.facts.clone(),
    }
}

/// The beginnings of the names of types that are built in.
const SHARED: [&str; 2] = ["io.k8s.apimachinery.pkg.", "io.k8s.api.autoscaling.v1.Scale"];

/// Returns `true` for the types that all groups share. They are built in, whatever document has them.
pub(crate) fn is_meta(schema: &str) -> bool {
    SHARED.iter().any(|prefix| schema.starts_with(prefix))
}

fn read_any(cursor: &Cursor<'_>, context: Context<'_>) -> Option<Schema> {
    let mut fields = cursor.fields("a schema")?;
    let description = fields.description().filter(|_| context.described);
    let all_of = fields.take("allOf");
    // Structural schemas state every field and type outside of `allOf`.
    let (checks, all_of) = match all_of {
        Some(all_of) if context.is_custom() && !is_reference(&all_of) => (Some(all_of), None),
        all_of => (None, all_of),
    };
    let body = read_body(&mut fields, all_of, context);
    let default = fields.take("default");
    let merge = read_merge(&mut fields);
    let kinds = fields.take("x-kubernetes-group-version-kind").and_then(|kinds| kinds.items());
    let kinds = kinds.iter().flatten().filter_map(read_kind).collect();
    if context.is_custom() {
        // What has no meaning for values of this type.
        for keyword in WITHOUT_MEANING {
            fields.take(keyword);
        }
    }
    let facts = FACTS.into_iter().filter_map(|key| {
        let fact = fields.take(key)?;
        if let ("enum", Some((TypeBody::Value(of), _))) = (key, &body) {
            check_words(&fact, of);
        }
        Some((key, fact.to_json()))
    });
    let facts = facts.chain(checks.map(|checks| ("allOf", checks.to_json()))).collect();
    let nullable = fields.flag("nullable");
    fields.finish();
    let (body, items) = body?;
    let default = default.and_then(|default| read_default(&default, &body, context));
    Some(Schema { body, default, items, merge, kinds, description, facts, nullable })
}

/// Reports words of `enum` that no value of the type can be, such as `y` without quotes, which YAML makes a boolean.
fn check_words(cursor: &Cursor<'_>, of: &Value) {
    for word in cursor.items().into_iter().flatten() {
        let found = word.value();
        let expected = match (of, found) {
            (_, Json::Null)
            | (Value::String | Value::DateTime | Value::Bytes, Json::String(_))
            | (Value::Integer(_) | Value::Number, Json::Number(_))
            | (Value::Boolean, Json::Bool(_)) => continue,
            (Value::String | Value::DateTime | Value::Bytes, _) => "string",
            (Value::Integer(_) | Value::Number, _) => "number",
            (Value::Boolean, _) => "boolean",
            _ => continue,
        };
        let value = word.to_json().to_string();
        word.report(DocumentCause::EnumValue { value, found: found.kind(), expected });
    }
}

/// The value that the schema of a field or an item describes. An object with fields is a type of its own, which only
/// custom resources may have without a name.
fn value(found: &mut Schema, cursor: &Cursor<'_>, context: Context<'_>) -> Option<Value> {
    let fields = match found.take_body() {
        TypeBody::Value(value) => return Some(value),
        TypeBody::Struct(fields) => fields,
    };
    if !context.is_custom() {
        return cursor.refuse(DocumentCause::InlineStruct);
    }
    let place = cursor.place();
    let inside = place.pointer.strip_prefix(context.pointer).unwrap_or(&place.pointer);
    let name = format!("{}#{}", context.name, inline_path(inside));
    let inside = inside.to_owned();
    let of_type = type_of(found, TypeBody::Struct(fields), place, context.source);
    let of_type = Type { inside, kinds: BTreeSet::new(), ..of_type };
    context.inline.borrow_mut().insert(name.clone(), Some(of_type));
    Some(Value::Reference(name))
}

/// The release of the source, if these facts keep members that are not fields.
fn keeps_unknown_in(facts: &Facts, source: Source) -> Releases {
    let keeps = facts.get(KEEPS_UNKNOWN).is_some_and(|keeps| *keeps == true);
    if keeps { source.release.into() } else { Releases::default() }
}

/// The path of an object in the objects of its type, from the pointer of its schema: `spec.parts[]` for
/// `/properties/spec/properties/parts/items`. A name that could be mistaken for several is in quotes.
fn inline_path(pointer: &str) -> String {
    let mut path = String::new();
    let mut steps = pointer.split('/').skip(1);
    while let Some(step) = steps.next() {
        match step {
            "items" => path.push_str("[]"),
            "additionalProperties" => path.push_str("{}"),
            _ => {
                let name = steps.next().unwrap_or_default();
                let dot = if path.is_empty() { "" } else { "." };
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_$".contains(&byte);
                if !name.is_empty() && name.bytes().all(plain) {
                    path.extend([dot, name]);
                } else {
                    let name = name.replace("~1", "/").replace("~0", "~");
                    path.extend([dot, &format!("{name:?}")]);
                }
            }
        }
    }
    path
}

impl Context<'_> {
    fn is_custom(self) -> bool {
        self.source.dialect == Dialect::Custom
    }
}

/// What a schema states about the items of a list or a map, beside their type.
#[derive(Default)]
struct Items {
    default: Option<serde_json::Value>,
    facts: Facts,
}

/// The values that a schema describes.
type Body = (TypeBody, Items);

/// A list or a map; `cursor` is the schema of its items.
fn read_many(
    cursor: &Cursor<'_>,
    of: fn(Box<Value>) -> Value,
    context: Context<'_>,
) -> Option<Body> {
    let mut found = read_any(cursor, context)?;
    let mut value = value(&mut found, cursor, context)?;
    if found.nullable {
        value = Value::Nullable(Box::new(value));
    }
    let Schema { default, facts, .. } = found;
    Some((TypeBody::Value(of(Box::new(value))), Items { default, facts }))
}

fn read_body(
    fields: &mut Fields<'_>,
    all_of: Option<Cursor<'_>>,
    context: Context<'_>,
) -> Option<Body> {
    let reference = fields.take("$ref");
    let of_type = fields.take("type");
    let body = match (reference, all_of, of_type) {
        (Some(reference), ..) => read_reference(&reference).map(reference_to),
        (None, Some(all_of), _) => read_all_of(&all_of),
        (None, None, Some(of_type)) => read_type(&of_type, fields, context),
        (None, None, None) => match read_untyped(fields) {
            Some(Value::Any) if context.is_custom() => read_object(fields, Value::Any, context),
            value => value.map(|value| (TypeBody::Value(value), Items::default())),
        },
    };
    if body.is_none() {
        // The problem is reported already: the rest of this schema needs no message.
        for keyword in ["format", "items", "properties", "required", "additionalProperties"] {
            fields.take(keyword);
        }
    }
    body
}

/// The name of the schema that a reference leads to.
fn read_reference(cursor: &Cursor<'_>) -> Option<String> {
    let target = cursor.string()?;
    let name = target
        .strip_prefix(REFERENCE)
        .filter(|name| !name.is_empty() && !name.contains(['/', '#']));
    if name.is_none() {
        cursor.report(DocumentCause::ForeignReference(target.to_owned()));
    }
    name.map(str::to_owned)
}

/// Returns `true` if `allOf` has nothing but a reference.
fn is_reference(all_of: &Cursor<'_>) -> bool {
    matches!(all_of.to_json().as_array().map(Vec::as_slice), Some([only]) if only.get("$ref").is_some())
}

/// Reads `allOf` with one reference: in this form the documents give a reference a default.
fn read_all_of(cursor: &Cursor<'_>) -> Option<Body> {
    let items = cursor.items()?;
    let [only] = items.as_slice() else {
        return cursor.refuse(DocumentCause::AllOf { schemas: items.len() });
    };
    read_bare_reference(only, "the schema in `allOf`").map(reference_to)
}

fn reference_to(name: String) -> Body {
    (TypeBody::Value(Value::Reference(name)), Items::default())
}

/// The name of the schema that a schema of nothing but a reference leads to.
pub(super) fn read_bare_reference(cursor: &Cursor<'_>, what: &'static str) -> Option<String> {
    let mut fields = cursor.fields(what)?;
    // Without it, the other keywords need no message.
    let reference = fields.require("$ref")?;
    fields.finish();
    read_reference(&reference)
}

/// Reads a schema that states no type: any value, unless a format limits it.
fn read_untyped(fields: &mut Fields<'_>) -> Option<Value> {
    let format = fields.take("format");
    if fields.flag("x-kubernetes-int-or-string") {
        return Some(Value::IntOrString);
    }
    match format {
        None => Some(Value::Any),
        Some(format) => word("format of a value without a type", &format, &["int-or-string"])
            .map(|_| Value::IntOrString),
    }
}

fn read_type(of_type: &Cursor<'_>, fields: &mut Fields<'_>, context: Context<'_>) -> Option<Body> {
    let custom = context.is_custom();
    let name = of_type.string()?;
    if custom && (!TYPES.contains(&name) || fields.flag("x-kubernetes-int-or-string")) {
        let value = if TYPES.contains(&name) { Value::IntOrString } else { Value::Any };
        return Some((TypeBody::Value(value), Items::default()));
    }
    let value = match word("type", of_type, &TYPES)? {
        "string" => read_text(fields, custom)?,
        "integer" => read_integer(fields, custom)?,
        "number" => {
            let format = fields.take("format").filter(|_| !custom);
            if let Some(format) = format {
                word("format of a number", &format, &["double"])?;
            }
            Value::Number
        }
        "boolean" => Value::Boolean,
        "array" => {
            return match fields.take("items") {
                Some(items) => read_many(&items, Value::List, context),
                None if custom => {
                    let list = Value::List(Box::new(Value::Any));
                    Some((TypeBody::Value(list), Items::default()))
                }
                None => fields.require_of("an array", "items").and(None),
            };
        }
        _ => return read_object(fields, Value::Opaque, context),
    };
    Some((TypeBody::Value(value), Items::default()))
}

/// Reads a text. The authors of custom resources may write any format: it is a hint for people then.
fn read_text(fields: &mut Fields<'_>, custom: bool) -> Option<Value> {
    let Some(format) = fields.take("format") else {
        return Some(Value::String);
    };
    Some(match format.string()? {
        "date-time" => Value::DateTime,
        "byte" => Value::Bytes,
        _ if custom => Value::String,
        _ => word("format of a string", &format, &["byte", "date-time"]).map(|_| Value::String)?,
    })
}

/// Reads an integer. JSON has no size of integers: without a format, it is the largest that servers keep.
fn read_integer(fields: &mut Fields<'_>, custom: bool) -> Option<Value> {
    let width = match fields.take("format") {
        Some(format) if !custom => one_of("format of an integer", Some(format))?,
        Some(format) if format.string()? == "int32" => Width::I32,
        _ => Width::I64,
    };
    Some(Value::Integer(width))
}

/// Reads an object: with named fields, with values under any name, or with neither, which is `otherwise`.
fn read_object(fields: &mut Fields<'_>, otherwise: Value, context: Context<'_>) -> Option<Body> {
    let properties = fields.take("properties");
    let required = fields.take("required");
    // `true` and `false` say nothing about the values.
    let values = fields.take("additionalProperties");
    let values = values.filter(|it| !(context.is_custom() && matches!(it.value(), Json::Bool(_))));
    let body = match (properties, values) {
        (Some(properties), None) => {
            TypeBody::Struct(read_properties(&properties, required, context))
        }
        (None, Some(values)) => return read_many(&values, Value::Map, context),
        (None, None) => TypeBody::Value(otherwise),
        (Some(_), Some(values)) => {
            return values.refuse(DocumentCause::FieldsAndMap);
        }
    };
    Some((body, Items::default()))
}

fn read_properties(
    cursor: &Cursor<'_>,
    required: Option<Cursor<'_>>,
    context: Context<'_>,
) -> BTreeMap<String, Field> {
    let names = required.as_ref().map(Cursor::strings).unwrap_or_default();
    let members = cursor.members().unwrap_or_default();
    // A custom resource may have to have a field that its schema does not describe.
    if let Some(required) = required.filter(|_| !context.is_custom()) {
        for name in names.iter().filter(|name| !members.iter().any(|(member, _)| member == name)) {
            required.report(DocumentCause::RequiredUnknown(name.clone()));
        }
    }
    let members = members.into_iter();
    let fields = members.filter_map(|(name, cursor)| {
        let rank = names.iter().position(|required| required == name);
        Some((name.to_owned(), read_field(&cursor, rank, context)?))
    });
    fields.collect()
}

/// Reads a field; `rank` is its place among the required ones.
fn read_field(cursor: &Cursor<'_>, rank: Option<usize>, context: Context<'_>) -> Option<Field> {
    let release = context.source.release;
    let mut found = read_any(cursor, context)?;
    let value = value(&mut found, cursor, context)?;
    let Schema { default, items, merge, description, facts, nullable, .. } = found;
    Some(Field {
        place: cursor.place(),
        releases: release.into(),
        required_in: rank.map(|_| release.into()).unwrap_or_default(),
        rank: rank.unwrap_or(usize::MAX),
        value,
        default_in: default.as_ref().map_or_else(Releases::default, |_| release.into()),
        default,
        item_default: items.default,
        item_facts: items.facts,
        merge,
        description,
        facts,
        nullable,
        differs: false,
    })
}

fn read_default(
    cursor: &Cursor<'_>,
    body: &TypeBody,
    context: Context<'_>,
) -> Option<serde_json::Value> {
    use TypeBody::{Struct, Value as Of};
    let found = cursor.value();
    let fits = match (found, body) {
        (Json::Null, _) => false,
        (_, Of(Value::Any))
        | (Json::Object(_), Struct(_) | Of(Value::Reference(_) | Value::Opaque | Value::Map(_)))
        | (Json::Array(_), Of(Value::List(_) | Value::Reference(_)))
        | (Json::Bool(_), Of(Value::Boolean))
        | (
            Json::Number(_),
            Of(Value::Integer(_) | Value::Number | Value::IntOrString | Value::Reference(_)),
        ) => true,
        (Json::String(_), Of(value)) => !matches!(
            value,
            Value::List(_) | Value::Map(_) | Value::Integer(_) | Value::Number | Value::Boolean
        ),
        _ => false,
    };
    // Servers check the defaults of custom resources, with rules that the type does not show.
    if !fits && !context.is_custom() {
        return cursor.refuse(DocumentCause::Default { found: found.kind() });
    }
    Some(cursor.to_json())
}

fn read_merge(fields: &mut Fields<'_>) -> Merge {
    const STRATEGIES: [&str; 4] = ["merge", "replace", "merge,retainKeys", "retainKeys"];
    let list_type = one_of("list type", fields.take("x-kubernetes-list-type"));
    let list_map_keys = fields.take("x-kubernetes-list-map-keys").map(|keys| keys.strings());
    let map_type = one_of("map type", fields.take("x-kubernetes-map-type"));
    let strategy = fields.take("x-kubernetes-patch-strategy");
    let strategy = strategy.and_then(|it| word("patch strategy", &it, &STRATEGIES));
    let merge_key = fields.take("x-kubernetes-patch-merge-key").and_then(|key| key.string());
    Merge {
        list_type,
        list_map_keys: list_map_keys.unwrap_or_default(),
        map_type,
        patch_strategy: strategy.map(str::to_owned),
        patch_merge_key: merge_key.map(str::to_owned),
    }
}
