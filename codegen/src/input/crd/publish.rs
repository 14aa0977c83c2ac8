//! The schema of a kind as a server publishes it: the schema of the definition with changes, and each part at its place.

use std::borrow::Cow;

use k8s_versioned_core::json::LARGEST_EXACT;
use k8s_versioned_core::pointer::Pointer;
use k8s_versioned_source::{Member, NodeId, Tree, TreeValue, ValueKind};

use super::definition::{DefinedVersion, Definition, is_true};
use crate::spec::{FACTS, KEEPS_UNKNOWN, Nested, REFERENCE};

/// The beginning of the names of the schemas that all groups share.
pub(super) const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// The keywords that a server publishes of a schema, besides [`FACTS`]. It drops all others, or refuses them.
pub(super) const STRUCTURE: [&str; 17] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "default",
    "description",
    "format",
    "items",
    "nullable",
    "patternProperties",
    "properties",
    "required",
    "type",
    "x-kubernetes-group-version-kind",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];

/// Returns `true` if a server publishes a keyword of a schema.
fn is_published(keyword: &str) -> bool {
    STRUCTURE.contains(&keyword) || FACTS.contains(&keyword)
}

/// Turns the schema of a version into the schema that a server stores and publishes, with the fields of every object.
pub(super) fn publish(
    tree: &mut Tree<'_>,
    definition: &Definition,
    version: &DefinedVersion,
) -> NodeId {
    let schema = version.schema.unwrap_or_else(|| schema_of_any(tree, version));
    walk(tree, schema, None, &mut |tree, id, _| {
        // Servers treat `null` as absent.
        tree.retain_members(id, |key, value| is_published(key) && !value.is_null());
        remove_faults(tree, id);
        let value = tree.value(id);
        let is_any = is_true(value, "x-kubernetes-int-or-string");
        let is_embedded = is_true(value, "x-kubernetes-embedded-resource");
        if is_any {
            add_alternatives(tree, id);
        }
        if is_embedded {
            embed(tree, id);
        }
        if definition.keeps_unknown && tree.value(id).get("properties").is_some() {
            let keeps = Adding::at(tree, id).keeps();
            tree.set_member(id, KEEPS_UNKNOWN, keeps);
        }
    });
    add_fields(tree, schema);
    let mut add = Adding::at(tree, schema);
    let kind =
        [("group", &definition.group), ("kind", &definition.kind), ("version", &version.name)];
    let kind = kind.map(|(key, text)| (key, add.text(text)));
    let kinds = [add.object(kind)];
    let kinds = add.array(kinds);
    add.set(schema, "x-kubernetes-group-version-kind", kinds);
    if !version.selectable.is_empty() {
        let fields = version.selectable.iter().map(|path| {
            let path = add.text(path);
            add.object([("fieldPath", path)])
        });
        let fields: Vec<NodeId> = fields.collect();
        let fields = add.array(fields);
        add.set(schema, "x-kubernetes-selectable-fields", fields);
    }
    schema
}

/// The schema of any object, for a version that states none.
fn schema_of_any(tree: &mut Tree<'_>, version: &DefinedVersion) -> NodeId {
    let mut add = Adding::at(tree, version.origin.object.node);
    let (of_type, keeps) = (add.text("object"), add.keeps());
    add.object([("type", of_type), (KEEPS_UNKNOWN, keeps)])
}

/// Removes keywords that servers reject and no type can show: an older server can have stored such a definition. The rest of the schema is
/// read. If nothing is left, values are any JSON. `warnings` warns of each keyword.
fn remove_faults(tree: &mut Tree<'_>, schema: NodeId) {
    let value = tree.value(schema);
    let is = |key: &str, kind: ValueKind| value.get(key).is_some_and(|value| value.kind() == kind);
    let is_foreign = |key: &str, known: &[&str]| {
        value.get(key).is_some_and(|value| value.string().is_none_or(|word| !known.contains(&word)))
    };
    let properties = value.get("properties").and_then(TreeValue::members);
    let is_struct = properties.is_some_and(|mut properties| properties.next().is_some());
    let is_struct_and_map = is_struct && is("additionalProperties", ValueKind::Object);
    let faults = [
        ("type", is("type", ValueKind::Array)),
        ("items", is("items", ValueKind::Array)),
        ("x-kubernetes-list-type", is_foreign("x-kubernetes-list-type", &["atomic", "map", "set"])),
        ("x-kubernetes-map-type", is_foreign("x-kubernetes-map-type", &["atomic", "granular"])),
        ("additionalProperties", is_struct_and_map),
    ];
    let is_fault = |key: &str| faults.iter().any(|(name, is_fault)| *is_fault && *name == key);
    tree.retain_members(schema, |key, _| !is_fault(key));
    if is_struct_and_map {
        let keeps = Adding::at(tree, schema).keeps();
        tree.set_member(schema, KEEPS_UNKNOWN, keeps);
    }
}

/// Writes the numbers of a definition as a server stores them: Go writes a whole number without a fraction.
pub(super) fn make_whole(tree: &mut Tree<'_>) {
    tree.change_numbers(|text| {
        let number: f64 = text.contains(['.', 'e', 'E']).then(|| text.parse().ok())??;
        let is_whole = number.fract() == 0.0 && number.abs() <= LARGEST_EXACT + 1.0;
        #[allow(clippy::cast_possible_truncation, reason = "the number is whole and small")]
        is_whole.then(|| (number as i64).to_string())
    });
}

/// Values that are added to a tree, all at the place of one value.
struct Adding<'a, 't> {
    tree: &'a mut Tree<'t>,
    span: std::ops::Range<usize>,
}

impl<'a, 't> Adding<'a, 't> {
    fn at(tree: &'a mut Tree<'t>, id: NodeId) -> Self {
        let start = tree.value(id).span().start;
        Self { tree, span: start..start }
    }

    fn text(&mut self, text: &str) -> NodeId {
        self.tree.add_string(&self.span, text.to_owned())
    }

    fn array(&mut self, items: impl IntoIterator<Item = NodeId>) -> NodeId {
        self.tree.add_array(&self.span, items)
    }

    fn object(&mut self, members: impl IntoIterator<Item = (&'static str, NodeId)>) -> NodeId {
        let key_start = u32::try_from(self.span.start).unwrap_or(u32::MAX);
        let members = members.into_iter();
        let members =
            members.map(|(key, node)| Member { key: Cow::Borrowed(key), key_start, node });
        self.tree.add_object(&self.span, members)
    }

    fn set(&mut self, object: NodeId, key: &'static str, value: NodeId) {
        self.tree.set_member(object, key, value);
    }

    fn keeps(&mut self) -> NodeId {
        self.tree.add_bool(&self.span, true)
    }

    fn of_type(&mut self, of_type: &str) -> NodeId {
        let of_type = self.text(of_type);
        self.object([("type", of_type)])
    }
}

/// Adds the fields that every object has to the object at `properties`.
fn add_fields(tree: &mut Tree<'_>, schema: NodeId) {
    let properties = tree.value(schema).get("properties").map(|value| (value.id(), value.kind()));
    let mut add = Adding::at(tree, schema);
    let properties = match properties {
        Some((properties, ValueKind::Object)) => properties,
        // The reader reports it.
        Some(_) => return,
        None => {
            let properties = add.object([]);
            add.set(schema, "properties", properties);
            properties
        }
    };
    for name in ["apiVersion", "kind"] {
        let of_type = add.of_type("string");
        add.set(properties, name, of_type);
    }
    let reference = add.text(&format!("{REFERENCE}{META}.ObjectMeta"));
    let reference = add.object([("$ref", reference)]);
    let all_of = add.array([reference]);
    let metadata = add.object([("allOf", all_of)]);
    add.set(properties, "metadata", metadata);
}

/// States that a value is an integer or a string, unless the definition does. If the schema has other alternatives, the statement is the
/// first one in `allOf`.
fn add_alternatives(tree: &mut Tree<'_>, schema: NodeId) {
    let value = tree.value(schema);
    let all_of = value.get("allOf");
    let first = all_of.and_then(|all| all.items()?.next()?.get("anyOf"));
    if [value.get("anyOf"), first].into_iter().flatten().any(is_int_or_string) {
        return;
    }
    let has_others = value.get("anyOf").is_some();
    let others = all_of.map(|all| {
        (
            all.kind(),
            all.id(),
            all.items().into_iter().flatten().map(TreeValue::id).collect::<Vec<_>>(),
        )
    });
    let mut add = Adding::at(tree, schema);
    let alternatives = ["integer", "string"].map(|of_type| add.of_type(of_type));
    let alternatives = add.array(alternatives);
    if !has_others {
        add.set(schema, "anyOf", alternatives);
        return;
    }
    let alternatives = add.object([("anyOf", alternatives)]);
    match others {
        None => {
            let all = add.array([alternatives]);
            add.set(schema, "allOf", all);
        }
        Some((ValueKind::Array, all, items)) => {
            tree.set_items(all, [alternatives].into_iter().chain(items));
        }
        Some(_) => {}
    }
}

/// Returns `true` for the alternatives that servers require of an int-or-string.
fn is_int_or_string(alternatives: TreeValue<'_>) -> bool {
    let of_type = |schema: TreeValue<'_>| {
        let mut members = schema.members()?;
        let only = members.next().filter(|(key, _)| *key == "type")?.1.string()?.to_owned();
        members.next().is_none().then_some(only)
    };
    let types: Option<Vec<String>> =
        alternatives.items().map(|items| items.filter_map(of_type).collect());
    types.is_some_and(|types| types == ["integer", "string"])
        && alternatives.items().is_some_and(|items| items.count() == 2)
}

/// An object inside another one has the fields of every object.
fn embed(tree: &mut Tree<'_>, schema: NodeId) {
    add_fields(tree, schema);
    let required = tree.value(schema).get("required");
    let known = required.map(|required| {
        let names = required.items().into_iter().flatten();
        let names: Vec<_> =
            names.map(|name| (name.id(), name.string().map(str::to_owned))).collect();
        (required.kind(), required.id(), names)
    });
    let mut add = Adding::at(tree, schema);
    let (id, names) = match known {
        None => {
            let required = add.array([]);
            add.set(schema, "required", required);
            (required, Vec::new())
        }
        Some((ValueKind::Array, id, names)) => (id, names),
        // The reader reports it.
        Some(_) => return,
    };
    let missing = ["kind", "apiVersion"];
    let missing = missing
        .into_iter()
        .filter(|name| !names.iter().any(|(_, known)| known.as_deref() == Some(name)));
    let missing: Vec<NodeId> = missing.map(|name| add.text(name)).collect();
    tree.set_items(id, names.into_iter().map(|(id, _)| id).chain(missing));
}

/// Calls `visit` with the schemas in a schema, which is at `pointer` in another, and then with the schema itself.
pub(super) fn walk<'t>(
    tree: &mut Tree<'t>,
    schema: NodeId,
    pointer: Option<&Pointer<'_>>,
    visit: &mut impl FnMut(&mut Tree<'t>, NodeId, Option<&Pointer<'_>>),
) {
    if tree.value(schema).kind() != ValueKind::Object {
        return;
    }
    // A visit changes only its own schema, so members keep their places while their siblings are visited.
    for index in 0..tree.members_of(schema).len() {
        let Some(Member { key, node, .. }) = tree.members_of(schema).get(index).cloned() else {
            continue;
        };
        let inside = &Pointer { parent: pointer, token: &key };
        let Some(nested) = Nested::for_keyword(&key) else { continue };
        let kind = tree.value(node).kind();
        match (nested, kind) {
            (Nested::Members, ValueKind::Object) | (Nested::Itself, ValueKind::Array) => {
                for index in 0..tree.members_of(node).len() {
                    let Some(member) = tree.members_of(node).get(index).cloned() else { continue };
                    let token: &dyn std::fmt::Display =
                        if nested == Nested::Members { &member.key } else { &index };
                    walk(tree, member.node, Some(&Pointer { parent: Some(inside), token }), visit);
                }
            }
            (Nested::Itself, _) => walk(tree, node, Some(inside), visit),
            _ => {}
        }
    }
    visit(tree, schema, pointer);
}
