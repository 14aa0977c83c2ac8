//! Schemas. The first of `$ref`, `allOf` and `type` decides the form of a schema.
//!
//! The schemas of custom resources are written inline. Each inline object is a type of its own here, named by its kind and
//! its path: `com.example.v1.Widget#spec.parts[]`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_source::{TreeValue, ValueKind};
use litemap::LiteMap;

use super::cursor::{Cursor, Keywords};
use super::words::{one_of, read_kind, word};
use crate::Place;
use crate::gather::Gather;
use crate::problem::DocumentCause;
use crate::spec::{
    Dialect, FACTS, Facts, GroupVersionKind, Items, KEEPS_UNKNOWN, LIST_MAP_KEYS, Property,
    REFERENCE, Releases, Source, TYPES, Type, TypeBody, ValueType, Width, is_shared, quoted_key,
};

/// A fact that definitions of custom resources cannot state. It says which fields exclude each other. All of them are fields.
const UNIONS: &str = "x-kubernetes-unions";

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

/// A schema, of a type or of a property.
struct Schema {
    body: TypeBody,
    default: Option<serde_json::Value>,
    items: Items,
    merge: Facts,
    kinds: Vec<GroupVersionKind>,
    description: Option<String>,
    facts: Facts,
    nullable: bool,
}

impl Schema {
    fn take_body(&mut self) -> TypeBody {
        std::mem::replace(&mut self.body, TypeBody::Value(ValueType::Any))
    }
}

/// The types of a document.
#[derive(Default)]
pub(super) struct Types {
    /// The types by name.
    pub(super) read: BTreeMap<String, Type>,
    /// The names of those that cannot be read: a reference to one is not a second problem.
    pub(super) unreadable: BTreeSet<String>,
}

/// What the schemas inside of a type depend on.
#[derive(Clone, Copy)]
struct Context<'a> {
    source: Source,
    /// Whether the descriptions of the document count.
    described: bool,
    /// The name of the type.
    name: &'a str,
    /// The schema of the type.
    schema: &'a Cursor<'a>,
    /// The types that were read, with the inline objects.
    types: &'a RefCell<Types>,
}

/// Reads the schema of a type and of the objects in it into `types`, and reports its problems.
pub(super) fn read_schema(name: &str, cursor: &Cursor<'_>, source: Source, types: &RefCell<Types>) {
    // The types that groups share are built in, in every document.
    let dialect = if is_shared(name) { Dialect::BuiltIn } else { source.dialect };
    // Definitions do not describe them: the documents of servers give the same package.
    let described = dialect == source.dialect;
    let source = Source { dialect, ..source };
    let context = Context { source, described, name, schema: cursor, types };
    let ty = read_type_of_name(cursor, context);
    let (name, mut types) = (name.to_owned(), types.borrow_mut());
    match ty {
        Some(ty) => drop(types.read.insert(name, ty)),
        None => drop(types.unreadable.insert(name)),
    }
}

fn read_type_of_name(cursor: &Cursor<'_>, context: Context<'_>) -> Option<Type> {
    let source = context.source;
    let mut schema = read_any(cursor, context)?;
    let body = match schema.take_body() {
        // A name for an object that has no fields so far.
        TypeBody::Value(ValueType::Opaque) => TypeBody::Struct(LiteMap::new()),
        body => body,
    };
    Some(type_of(&schema, body, cursor.place(), source))
}

/// The type of a schema at a place.
fn type_of(schema: &Schema, body: TypeBody, place: Place, source: Source) -> Type {
    Type {
        published: None,
        inside: String::new(),
        place,
        releases: source.release.into(),
        body,
        kinds: schema.kinds.iter().cloned().collect(),
        merge: schema.merge.clone(),
        dialect: source.dialect,
        keeps_unknown_in: keeps_unknown_in(&schema.facts, source),
        description: schema.description.clone(),
        facts: schema.facts.clone(),
    }
}

fn read_any(cursor: &Cursor<'_>, context: Context<'_>) -> Option<Schema> {
    let mut keywords = cursor.keywords("a schema")?;
    let description = keywords.description().filter(|_| context.described);
    let all_of = keywords.take("allOf");
    // Structural schemas state every field and type outside of `allOf`.
    let (checks, all_of) = match all_of {
        Some(all_of) if context.is_custom() && !is_reference(&all_of) => (Some(all_of), None),
        all_of => (None, all_of),
    };
    let format = Some(&keywords).filter(|_| context.is_custom()).and_then(Keywords::text_format);
    let body = read_body(&mut keywords, all_of, context);
    let default = keywords.take("default");
    let merge = read_merge(&mut keywords);
    let kinds = keywords.take("x-kubernetes-group-version-kind");
    let kinds = kinds.iter().filter_map(Cursor::items).flatten();
    let kinds = kinds.filter_map(|kind| read_kind(&kind)).collect();
    if context.is_custom() {
        // Keywords that have no meaning for values of this type.
        keywords.take_each(&WITHOUT_MEANING).for_each(drop);
    }
    let unions = keywords.take(UNIONS).map(|unions| (UNIONS, unions));
    let facts =
        keywords.take_each(&FACTS).chain(unions).chain(checks.map(|checks| ("allOf", checks)));
    let facts = facts.map(|(key, fact)| (key, fact.to_json()));
    let facts = facts.chain(format.map(|format| ("format", format.into()))).gather();
    let nullable = keywords.flag("nullable");
    keywords.finish();
    let (body, items) = body?;
    let default = default.and_then(|default| read_default(&default, &body, context));
    Some(Schema { body, default, items, merge, kinds, description, facts, nullable })
}

/// The type of the value that the schema of a property or an item describes. An object with properties is a type of its own, which only
/// custom resources may have without a name.
fn value(schema: &mut Schema, cursor: &Cursor<'_>, context: Context<'_>) -> Option<ValueType> {
    let properties = match schema.take_body() {
        TypeBody::Value(value) => return Some(value),
        TypeBody::Struct(properties) => properties,
    };
    if !context.is_custom() {
        return cursor.refuse(DocumentCause::InlineStruct);
    }
    let place = cursor.place();
    let inside = place.pointer.strip_prefix(context.schema.pointer()).unwrap_or(&place.pointer);
    let name = inline_name(context.name, cursor.keys_from(context.schema).into_iter());
    let inside = inside.to_owned();
    let of_type = type_of(schema, TypeBody::Struct(properties), place, context.source);
    let of_type = Type { inside, kinds: BTreeSet::new(), ..of_type };
    context.types.borrow_mut().read.insert(name.clone(), of_type);
    Some(ValueType::Reference(name))
}

/// The release of the source, if these facts keep members that are not fields.
fn keeps_unknown_in(facts: &Facts, source: Source) -> Releases {
    let keeps = facts.get(KEEPS_UNKNOWN).is_some_and(|keeps| *keeps == true);
    if keeps { source.release.into() } else { Releases::default() }
}

/// The name of an object in the objects of a type, from the keys to its schema: `Widget#spec.parts[]` for `properties`, `spec`,
/// `properties`, `parts` and `items`.
fn inline_name<'a>(of_type: &str, mut keys: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::with_capacity(of_type.len() + 64);
    text.extend([of_type, "#"]);
    let mut dot = "";
    while let Some(key) = keys.next() {
        match key {
            "items" => text.push_str("[]"),
            "additionalProperties" => text.push_str("{}"),
            _ => {
                text.extend([dot, &quoted_key(keys.next().unwrap_or_default())]);
            }
        }
        dot = ".";
    }
    text
}

impl Context<'_> {
    fn is_custom(self) -> bool {
        self.source.dialect == Dialect::Custom
    }
}

/// The values that a schema describes.
type SchemaBody = (TypeBody, Items);

/// A list or a map; `cursor` is the schema of its items.
fn read_many(
    cursor: &Cursor<'_>,
    of: fn(Box<ValueType>) -> ValueType,
    context: Context<'_>,
) -> Option<SchemaBody> {
    let mut schema = read_any(cursor, context)?;
    let mut value = value(&mut schema, cursor, context)?;
    if schema.nullable {
        value = ValueType::Nullable(Box::new(value));
    }
    let Schema { default, facts, .. } = schema;
    Some((TypeBody::Value(of(Box::new(value))), Items { default, facts }))
}

fn read_body(
    keywords: &mut Keywords<'_>,
    all_of: Option<Cursor<'_>>,
    context: Context<'_>,
) -> Option<SchemaBody> {
    let reference = keywords.take("$ref");
    let of_type = keywords.take("type");
    let body = match (reference, all_of, of_type) {
        (Some(reference), ..) => read_reference(&reference).map(ValueType::Reference).map(plain),
        (None, Some(all_of), _) => read_all_of(&all_of),
        (None, None, Some(of_type)) => read_type(&of_type, keywords, context),
        (None, None, None) => match read_untyped(keywords) {
            Some(ValueType::Any) if context.is_custom() => {
                read_object(keywords, ValueType::Any, context)
            }
            value => value.map(plain),
        },
    };
    if body.is_none() {
        // The problem is reported already: the rest of this schema needs no message.
        for keyword in ["format", "items", "properties", "required", "additionalProperties"] {
            keywords.take(keyword);
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
    let mut items = all_of.value().items().into_iter().flatten();
    let refers =
        |value: TreeValue<'_>| value.members().into_iter().flatten().any(|(key, _)| key == "$ref");
    items.next().is_some_and(refers) && items.next().is_none()
}

/// Reads `allOf` with one reference: in this form the documents give a reference a default.
fn read_all_of(cursor: &Cursor<'_>) -> Option<SchemaBody> {
    let items: Vec<_> = cursor.items()?.collect();
    let [only] = &items[..] else {
        return cursor.refuse(DocumentCause::AllOf { schemas: items.len() });
    };
    read_bare_reference(only, "the schema in `allOf`").map(ValueType::Reference).map(plain)
}

/// The body of a schema without items.
fn plain(value: ValueType) -> SchemaBody {
    (TypeBody::Value(value), Items::default())
}

/// The name of the schema that a schema of nothing but a reference leads to.
pub(super) fn read_bare_reference(cursor: &Cursor<'_>, what: &'static str) -> Option<String> {
    let mut keywords = cursor.keywords(what)?;
    // If it is missing, the other keywords need no message.
    let reference = keywords.require("$ref")?;
    keywords.finish();
    read_reference(&reference)
}

/// Reads a schema that states no type: any value, unless a format limits it.
fn read_untyped(keywords: &mut Keywords<'_>) -> Option<ValueType> {
    let format = keywords.take("format");
    if keywords.flag("x-kubernetes-int-or-string") {
        return Some(ValueType::IntOrString);
    }
    match format {
        None => Some(ValueType::Any),
        Some(format) => word("format of a value without a type", &format, &["int-or-string"])
            .map(|_| ValueType::IntOrString),
    }
}

fn read_type(
    of_type: &Cursor<'_>,
    keywords: &mut Keywords<'_>,
    context: Context<'_>,
) -> Option<SchemaBody> {
    let custom = context.is_custom();
    let name = of_type.string()?;
    if custom && (!TYPES.contains(&name) || keywords.flag("x-kubernetes-int-or-string")) {
        let value = if TYPES.contains(&name) { ValueType::IntOrString } else { ValueType::Any };
        return Some(plain(value));
    }
    let value = match word("type", of_type, &TYPES)? {
        "string" => read_text(keywords, custom)?,
        "integer" => read_integer(keywords, custom)?,
        "number" => {
            let format = keywords.take("format").filter(|_| !custom);
            if let Some(format) = format {
                word("format of a number", &format, &["double"])?;
            }
            ValueType::Number
        }
        "boolean" => ValueType::Boolean,
        "array" => {
            return match keywords.take("items") {
                Some(items) => read_many(&items, ValueType::List, context),
                None if custom => Some(plain(ValueType::List(Box::new(ValueType::Any)))),
                None => keywords.require_of("an array", "items").and(None),
            };
        }
        _ => return read_object(keywords, ValueType::Opaque, context),
    };
    Some(plain(value))
}

/// Reads a text. The authors of custom resources may write any format: it is a fact about the text then, as a pattern is.
fn read_text(keywords: &mut Keywords<'_>, custom: bool) -> Option<ValueType> {
    let is_of_type = |format: &str| ["byte", "date-time"].contains(&format);
    if custom && keywords.text("format").is_some_and(|format| !is_of_type(format)) {
        return Some(ValueType::String);
    }
    let Some(format) = keywords.take("format") else {
        return Some(ValueType::String);
    };
    Some(match format.string()? {
        "date-time" => ValueType::DateTime,
        "byte" => ValueType::Bytes,
        _ => word("format of a string", &format, &["byte", "date-time"])
            .map(|_| ValueType::String)?,
    })
}

/// Reads an integer. JSON has no size of integers: without a format, it is the largest that servers keep.
fn read_integer(keywords: &mut Keywords<'_>, custom: bool) -> Option<ValueType> {
    let width = match keywords.take("format") {
        Some(format) if !custom => {
            one_of("format of an integer", Some(format), Width::ALL, Width::name)?
        }
        Some(format) if format.string()? == "int32" => Width::I32,
        _ => Width::I64,
    };
    Some(ValueType::Integer(width))
}

/// Reads an object: with named fields, with values under any name, or with neither, which is `otherwise`.
fn read_object(
    keywords: &mut Keywords<'_>,
    otherwise: ValueType,
    context: Context<'_>,
) -> Option<SchemaBody> {
    let properties = keywords.take("properties");
    let required = keywords.take("required");
    // `true` and `false` do not describe the values.
    let values = keywords.take("additionalProperties");
    let values =
        values.filter(|value| !(context.is_custom() && value.value().kind() == ValueKind::Bool));
    match (properties, values) {
        (Some(properties), None) => {
            let properties = read_properties(&properties, required.as_ref(), context);
            Some((TypeBody::Struct(properties), Items::default()))
        }
        (None, Some(values)) => read_many(&values, ValueType::Map, context),
        (None, None) => Some(plain(otherwise)),
        (Some(_), Some(values)) => values.refuse(DocumentCause::FieldsAndMap),
    }
}

fn read_properties(
    cursor: &Cursor<'_>,
    required: Option<&Cursor<'_>>,
    context: Context<'_>,
) -> LiteMap<String, Property> {
    let mut ranks: BTreeMap<&str, usize> = BTreeMap::new();
    for (rank, name) in required.into_iter().flat_map(Cursor::strings).enumerate() {
        // If a name occurs twice, the first counts.
        ranks.entry(name).or_insert(rank);
    }
    // Each insertion of a name that is not the last moves all properties behind it, and a file can have 100,000 in any order.
    let mut members: Vec<_> = cursor.members().into_iter().flatten().collect();
    members.sort_by_key(|(name, _)| *name);
    let mut properties = LiteMap::new();
    for (name, cursor) in members {
        let property = read_property(&cursor, ranks.remove(name), context);
        if let Some(property) = property {
            properties.insert(name.to_owned(), property);
        }
    }
    // A custom resource can require a field that its schema does not describe.
    if let Some(required) = required.filter(|_| !context.is_custom()) {
        for name in ranks.keys() {
            required.report(DocumentCause::RequiredUnknown((*name).to_owned()));
        }
    }
    properties
}

/// Reads a property; `rank` is its place among the required ones.
fn read_property(
    cursor: &Cursor<'_>,
    rank: Option<usize>,
    context: Context<'_>,
) -> Option<Property> {
    let release = context.source.release;
    let mut schema = read_any(cursor, context)?;
    let value = value(&mut schema, cursor, context)?;
    let Schema { default, items, merge, description, facts, nullable, .. } = schema;
    Some(Property {
        place: cursor.place(),
        releases: release.into(),
        required_in: rank.map(|_| release.into()).unwrap_or_default(),
        rank: rank.unwrap_or(usize::MAX),
        value,
        default_in: default.as_ref().map_or_else(Releases::default, |_| release.into()),
        default,
        merge,
        description,
        facts,
        items,
        named_words: Vec::new(),
        nullable,
        differs: false,
    })
}

fn read_default(
    cursor: &Cursor<'_>,
    body: &TypeBody,
    context: Context<'_>,
) -> Option<serde_json::Value> {
    let kind = cursor.value().kind();
    let fits = match body {
        TypeBody::Struct(_) => kind == ValueKind::Object,
        TypeBody::Value(of) => can_be(kind, of),
    };
    // Servers check the defaults of custom resources, with rules that the type does not show.
    if !fits && !context.is_custom() {
        return cursor.refuse(DocumentCause::Default { found: kind.in_words() });
    }
    Some(cursor.to_json())
}

/// Returns `true` if the JSON type of a value fits this type.
fn can_be(kind: ValueKind, of: &ValueType) -> bool {
    use ValueType::{Any, Boolean, IntOrString, Integer, List, Map, Number, Opaque, Reference};
    match kind {
        ValueKind::Null => false,
        ValueKind::Bool => matches!(of, Any | Boolean),
        ValueKind::Number => {
            matches!(of, Any | Integer(_) | Number | IntOrString | Reference(_))
        }
        ValueKind::String => !matches!(of, List(_) | Map(_) | Integer(_) | Number | Boolean),
        ValueKind::Array => matches!(of, Any | List(_) | Reference(_)),
        ValueKind::Object => matches!(of, Any | Map(_) | Opaque | Reference(_)),
    }
}

/// The keywords of [`MERGE`](crate::spec::MERGE).
fn read_merge(keywords: &mut Keywords<'_>) -> Facts {
    let words: [(_, _, &[_]); 3] = [
        ("x-kubernetes-list-type", "list type", &["atomic", "map", "set"]),
        ("x-kubernetes-map-type", "map type", &["atomic", "granular"]),
        (
            "x-kubernetes-patch-strategy",
            "patch strategy",
            &["merge", "replace", "merge,retainKeys", "retainKeys"],
        ),
    ];
    let mut merge = Facts::new();
    for (keyword, what, known) in words {
        if let Some(word) = keywords.take(keyword).and_then(|keyword| word(what, &keyword, known)) {
            merge.insert(keyword, word.into());
        }
    }
    let keys = keywords.take(LIST_MAP_KEYS);
    let keys: Vec<&str> = keys.iter().flat_map(Cursor::strings).collect();
    if !keys.is_empty() {
        merge.insert(LIST_MAP_KEYS, keys.into());
    }
    let key = "x-kubernetes-patch-merge-key";
    if let Some(name) = keywords.take(key).and_then(|keyword| keyword.string()) {
        merge.insert(key, name.into());
    }
    merge
}
