//! The operations whose bodies hold a type, and the fields that lead to it.

use std::collections::BTreeMap;

use super::Tree;
use crate::model::Model;
use crate::spec::{Operation, Type, TypeBody, Value};

/// The operations that hold a type or one of its fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    pub(super) in_requests: bool,
    pub(super) in_responses: bool,
    /// A tree for each operation: its bodies, and the fields that lead from there.
    pub(super) trees: Vec<Tree>,
}

/// Finds the operations whose bodies hold the type `target`; the paths end with `field`, if there is one.
pub(super) fn reach(model: &Model, target: &str, field: Option<&str>) -> Reach {
    let mut reach = Reach::default();
    let mut operations: Vec<&Operation> = model.operations.values().collect();
    operations.sort_by(|a, b| (&a.path, a.method).cmp(&(&b.path, b.method)));
    for operation in operations {
        let mut bodies = Vec::new();
        if let Some((body, _)) = &operation.body {
            let paths = paths(model, &body.schema, target, field);
            reach.in_requests |= !paths.is_empty();
            bodies.extend(body_tree("request".to_owned(), paths));
        }
        for (statuses, schema) in responses(operation) {
            let paths = paths(model, schema, target, field);
            reach.in_responses |= !paths.is_empty();
            bodies.extend(body_tree(format!("response {statuses}"), paths));
        }
        if !bodies.is_empty() {
            reach.trees.push(Tree { text: title(operation), children: bodies });
        }
    }
    reach
}

/// The method and the path.
pub(super) fn title(operation: &Operation) -> String {
    format!("{} {}", operation.method, operation.path)
}

/// The types of the responses, each with its status codes.
fn responses(operation: &Operation) -> Vec<(String, &str)> {
    let mut by_schema: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (status, body) in &operation.responses {
        if let Some(body) = body {
            let statuses = by_schema.entry(&body.schema).or_default();
            statuses.push(status.to_string());
        }
    }
    let joined = |(schema, statuses): (_, Vec<String>)| (statuses.join(", "), schema);
    by_schema.into_iter().map(joined).collect()
}

/// The lines of a body: a single path is in the line of the body, several are below it.
fn body_tree(body: String, mut paths: Vec<String>) -> Option<Tree> {
    match paths.len() {
        0 => None,
        1 => Some(Tree::leaf(format!("{body}: {}", paths.remove(0)))),
        _ => Some(Tree { text: body, children: paths.into_iter().map(Tree::leaf).collect() }),
    }
}

/// The paths from the type `from` to the type `target`, such as `LeaseList.items[].metadata`.
fn paths(model: &Model, from: &str, target: &str, field: Option<&str>) -> Vec<String> {
    let mut walk = Walk { model, target, field, found: Vec::new(), on_the_way: Vec::new() };
    walk.enter(from, from.rsplit('.').next().unwrap_or(from));
    walk.found
}

struct Walk<'a> {
    model: &'a Model,
    target: &'a str,
    field: Option<&'a str>,
    found: Vec<String>,
    /// The types around the current one: a type that holds itself is entered once.
    on_the_way: Vec<&'a str>,
}

impl<'a> Walk<'a> {
    fn enter(&mut self, name: &'a str, path: &str) {
        if name == self.target {
            let field = self.field.map(|field| format!(".{field}"));
            let path = path.to_owned() + field.as_deref().unwrap_or_default();
            self.found.push(path);
        }
        if self.on_the_way.contains(&name) {
            return;
        }
        let Some(entered) = self.model.types.get_key_value(name) else {
            return;
        };
        self.on_the_way.push(entered.0);
        self.leave_through_fields(entered.1, path);
        self.on_the_way.pop();
    }

    fn leave_through_fields(&mut self, entered: &'a Type, path: &str) {
        match &entered.body {
            TypeBody::Struct(fields) => {
                for (name, field) in fields {
                    self.value(&field.value, &format!("{path}.{name}"));
                }
            }
            TypeBody::Value(value) => self.value(value, path),
        }
    }

    fn value(&mut self, value: &'a Value, path: &str) {
        match value {
            Value::Reference(name) => self.enter(name, path),
            Value::List(item) => self.value(item, &format!("{path}[]")),
            Value::Map(value) => self.value(value, &format!("{path}{{}}")),
            Value::Nullable(value) => self.value(value, path),
            _ => {}
        }
    }
}
