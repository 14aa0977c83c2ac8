//! The structure of the model as text: what a change of a document means, before any Rust is read.

use std::fmt::{self, Display, Write};

use k8s_versioned::Release;

use super::{Field, Model, Operation, Releases, Type, TypeBody};
use crate::spec::{ListType, Location, MapType, Merge};

/// A line per type and per field, then a line per operation with one for its parameters, of the types and
/// operations that `select` takes by name or path.
pub fn outline(model: &Model, select: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let newest = model.releases.last().copied();
    for (name, found) in model.types.iter().filter(|(name, _)| select(name)) {
        push(&mut text, format_args!("{}", TypeLine(name, found, newest)));
        for (name, field) in found.fields() {
            push(&mut text, format_args!("  {}", FieldLine(name, field, &found.releases, newest)));
        }
    }
    for (id, operation) in model.operations.iter().filter(|(_, operation)| select(&operation.path))
    {
        push(&mut text, format_args!("{}", OperationLine(id, operation, newest)));
        let query =
            operation.parameters.iter().filter(|((location, _), _)| *location == Location::Query);
        let query = query.map(|((_, name), parameter)| {
            format!("{name}{}", Since(&parameter.releases, &operation.releases, newest))
        });
        let query: Vec<String> = query.collect();
        if !query.is_empty() {
            push(&mut text, format_args!("  query {}", query.join(", ")));
        }
    }
    text
}

/// Writing to a string cannot fail.
fn push(text: &mut String, line: fmt::Arguments<'_>) {
    let _ = writeln!(text, "{line}");
}

struct TypeLine<'a>(&'a str, &'a Type, Option<Release>);

impl Display for TypeLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, found, newest) = self;
        match &found.body {
            TypeBody::Struct(_) => write!(f, "{name}")?,
            TypeBody::Value(value) => write!(f, "{name} = {value}")?,
        }
        let releases = found.releases.shown(*newest);
        write!(f, " [{releases}]{}", MergeNote(&found.merge))
    }
}

struct FieldLine<'a>(&'a str, &'a Field, &'a Releases, Option<Release>);

impl Display for FieldLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, field, of, newest) = self;
        write!(f, "{name}: {}", field.value)?;
        if field.required_in == field.releases {
            f.write_str(", required")?;
        } else if field.required() {
            write!(f, ", required [{}]", field.required_in.shown(*newest))?;
        }
        if let Some(default) = field.default {
            write!(f, ", default {default}")?;
        }
        write!(f, "{}{}", MergeNote(&field.merge), Since(&field.releases, of, *newest))
    }
}

struct OperationLine<'a>(&'a str, &'a Operation, Option<Release>);

impl Display for OperationLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(id, operation, newest) = self;
        let method = format!("{:?}", operation.method).to_uppercase();
        write!(f, "{id}: {method} {} [{}]", operation.path, operation.releases.shown(*newest))?;
        if let Some(action) = operation.action {
            write!(f, ", {action}")?;
        }
        let codes: Vec<String> = operation.responses.keys().map(u16::to_string).collect();
        write!(f, ", {}", codes.join(" "))
    }
}

struct MergeNote<'a>(&'a Merge);

impl Display for MergeNote<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.list_type {
            Some(ListType::Atomic) => f.write_str(", atomic")?,
            Some(ListType::Set) => f.write_str(", set")?,
            Some(ListType::Map) => write!(f, ", map by {}", self.0.list_map_keys.join(", "))?,
            None => {}
        }
        match self.0.map_type {
            Some(MapType::Atomic) => f.write_str(", atomic"),
            Some(MapType::Granular) => f.write_str(", granular"),
            None => Ok(()),
        }
    }
}

/// The releases of a part, if they are not those of the whole.
struct Since<'a>(&'a Releases, &'a Releases, Option<Release>);

impl Display for Since<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == self.1 { Ok(()) } else { write!(f, " [{}]", self.0.shown(self.2)) }
    }
}
