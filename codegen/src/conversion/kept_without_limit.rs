//! The kept fields of custom resources whose values can have any size. Annotations have 256 KiB together.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_admission::formats::Format;
use serde_json::Value;

use super::plan::{Pair, Step};
use super::structs::{Structs, name_of};
use crate::plan::{Field, ItemPath, Presence, RustType};
use crate::rules::paths::{child, without_items};
use crate::spec::{Dialect, Facts};

/// The most fields in a message.
const MOST_SHOWN: usize = 8;

/// The fields without a limit, each with its version and the keyword that would state one.
pub(super) fn unbounded(pairs: &[Pair], structs: &Structs<'_>) -> Vec<String> {
    let mut limits = Limits { structs, known: BTreeMap::new() };
    let mut found = BTreeSet::new();
    for pair in pairs {
        for from in pair.object.leaves().into_iter().flat_map(Step::kept_fields) {
            let is_custom = |of: &&_| {
                structs
                    .get(of)
                    .is_some_and(|planned| planned.schema_type.dialect == Dialect::Custom)
            };
            let field = Some(&from.parent).filter(is_custom).and_then(|_| structs.field(from));
            let lacking = field.and_then(|field| limits.of_field(field));
            found.extend(lacking.map(|Lacking { inside, keyword }| {
                let path = child_of(without_items(&from.path), &inside);
                format!("`{path}` of {} ({keyword})", pair.from)
            }));
        }
    }
    let more = found.len().saturating_sub(MOST_SHOWN);
    let shown = found.into_iter().take(MOST_SHOWN);
    shown.chain((more > 0).then(|| format!("{more} more"))).collect()
}

/// A value of any size in a field.
#[derive(Clone)]
struct Lacking {
    /// The path inside the field: empty, or such as `[].name`.
    inside: String,
    /// The keyword that would limit it, or what has no such keyword.
    keyword: &'static str,
}

impl Lacking {
    fn here(keyword: &'static str) -> Self {
        Self { inside: String::new(), keyword }
    }
}

/// A path and the rest of it inside.
fn child_of(path: &str, inside: &str) -> String {
    if inside.is_empty() || inside.starts_with("[]") {
        format!("{path}{inside}")
    } else {
        child(path, inside)
    }
}

/// Finds the first value of any size in a field. Each struct is looked at once.
struct Limits<'s, 'a> {
    structs: &'s Structs<'a>,
    /// The structs that have been looked at. A struct that is met again while it is looked at holds itself.
    known: BTreeMap<ItemPath, Option<Lacking>>,
}

impl Limits<'_, '_> {
    fn of_field(&mut self, field: &Field) -> Option<Lacking> {
        if field.presence == Presence::Rest {
            return Some(Lacking::here("any JSON"));
        }
        let facts = [&field.property.facts, &field.property.items.facts];
        self.of_value(field.rust_type.present(), &facts)
    }

    /// `facts` has the facts of the value, then those of the values in it. The model has no facts of values further inside.
    fn of_value(&mut self, of: &RustType, facts: &[&Facts]) -> Option<Lacking> {
        let (own, inner) =
            facts.split_first().map_or((None, facts), |(own, inner)| (Some(*own), inner));
        let has = |keyword: &str| own.is_some_and(|facts| facts.get(keyword).is_some());
        match of {
            RustType::List(item) | RustType::Map(item) => {
                let keyword = if of.is_map() { "maxProperties" } else { "maxItems" };
                if !has(keyword) && !has("enum") {
                    return Some(Lacking::here(keyword));
                }
                let lacking = self.of_value(item.present(), inner)?;
                Some(Lacking { inside: child_of("[]", &lacking.inside), ..lacking })
            }
            RustType::Struct(path) | RustType::Wrapped(_, path) => self.of_struct(path),
            RustType::External(path, _) if matches!(&*path.name, "Json" | "RawExtension") => {
                Some(Lacking::here("any JSON"))
            }
            RustType::String | RustType::External(..)
                if !has("maxLength") && !has("enum") && !has_limit(of, own) =>
            {
                Some(Lacking::here("maxLength"))
            }
            _ => None,
        }
    }

    fn of_struct(&mut self, path: &ItemPath) -> Option<Lacking> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let found = self.structs.get(path).filter(|of| !of.path.is_shared())?;
        self.known.insert(path.clone(), Some(Lacking::here("it holds values of its own type")));
        let lacking = found.fields.iter().find_map(|field| {
            let lacking = self.of_field(field)?;
            Some(Lacking { inside: child_of(&name_of(field), &lacking.inside), ..lacking })
        });
        self.known.insert(path.clone(), lacking.clone());
        lacking
    }
}

/// Returns `true` if the format limits the length of a text. Times, durations and amounts are short, as servers assume in their estimates.
fn has_limit(of: &RustType, facts: Option<&Facts>) -> bool {
    let format = facts.and_then(|facts| facts.get("format")).and_then(Value::as_str);
    if let RustType::External(path, _) = of {
        return path.name != "Bytes";
    }
    format.and_then(Format::named).is_some_and(|format| {
        matches!(
            format,
            Format::BsonObjectId
                | Format::Date
                | Format::DateTime
                | Format::Duration
                | Format::HexColor
                | Format::Ipv4
                | Format::Ipv6
                | Format::LongName
                | Format::Mac
                | Format::ShortName
                | Format::Ssn
                | Format::Uuid
                | Format::Uuid3
                | Format::Uuid4
                | Format::Uuid5
        )
    })
}
