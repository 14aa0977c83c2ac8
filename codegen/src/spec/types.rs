//! Schemas as types, and their properties: of one document, or merged over all releases.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::Arc;

use k8s_versioned_core::Release;
use litemap::LiteMap;
use serde::Serialize;
use serde_json::{Map, Value};
use smallvec::SmallVec;

use super::keywords::KEEPS_UNKNOWN;
use super::name::{own_name, split_inline};
use crate::Place;
use crate::gather::Gather;
use crate::text::join;

/// A schema with a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Type {
    /// The place in the documents of the newest release.
    pub(crate) place: Place,
    /// The releases that have it.
    pub(crate) releases: Releases,
    /// The properties of an object, or the value that has the name.
    pub(crate) body: TypeBody,
    /// The kinds that an object of this type can be, over all releases.
    pub(crate) kinds: BTreeSet<GroupVersionKind>,
    /// The keywords about merging.
    pub(crate) merge: Facts,
    /// The rules by which its values are written.
    pub(crate) dialect: Dialect,
    /// The description in the newest document that has one.
    pub(crate) description: Option<String>,
    /// What the newest documents state about its values, and no Rust type expresses.
    pub(crate) facts: Facts,
    /// The releases whose servers keep members that are not fields.
    pub(crate) keeps_unknown_in: Releases,
    /// The whole schema in the newest document. The kind of a custom resource has it, because its parts are inline. An inline type has it
    /// if the schemas of its objects differ: what all of them state. For a comparison all types have it.
    pub(crate) published: Option<Arc<Value>>,
    /// The JSON pointer inside the schema of the kind, of an object without a name in a custom resource.
    pub(crate) inside: String,
}

/// Keywords that cannot change a type, with their values.
pub(crate) type Facts = LiteMap<&'static str, Value>;

/// Adds the known words that are not among `words`.
pub(crate) fn unite_words(words: &mut Vec<Value>, others: &[Value]) {
    let mut known: HashSet<&Value> = words.iter().collect();
    let new: Vec<Value> = others.iter().filter(|word| known.insert(word)).cloned().collect();
    words.extend(new);
}

/// The rules by which servers write objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// The types of built-in kinds: Go's encoder leaves out what is empty.
    #[default]
    BuiltIn,
    /// The types of custom resources: a server writes what it was sent.
    Custom,
}

/// The values of a type.
#[derive(Clone, Debug)]
pub(crate) enum TypeBody {
    /// An object with known properties, by their names in JSON.
    Struct(LiteMap<String, Property>),
    /// A name for a value.
    Value(ValueType),
}

impl Default for TypeBody {
    fn default() -> Self {
        Self::Struct(LiteMap::new())
    }
}

impl fmt::Display for TypeBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Struct(_) => f.write_str("an object with fields"),
            Self::Value(value) => value.fmt(f),
        }
    }
}

impl Type {
    /// The properties; none if the type is not a struct.
    pub(crate) fn properties(&self) -> impl Iterator<Item = (&str, &Property)> {
        static NONE: LiteMap<String, Property> = LiteMap::new();
        let properties = match &self.body {
            TypeBody::Struct(properties) => properties,
            TypeBody::Value(_) => &NONE,
        };
        properties.iter().map(|(name, property)| (name.as_str(), property))
    }

    /// The properties in the order of docs, arguments and pages: see [`Property::order`].
    pub(crate) fn in_order(&self) -> Vec<(&str, &Property)> {
        self.properties().sorted_by_key(|(name, property)| property.order(name))
    }

    /// The values of the properties with their names, or the value that the name is for; each with its place.
    pub(crate) fn values(&self) -> impl Iterator<Item = (Option<&str>, &Place, &ValueType)> {
        let own = match &self.body {
            TypeBody::Struct(_) => None,
            TypeBody::Value(value) => Some((None, &self.place, value)),
        };
        self.properties()
            .map(|(name, property)| (Some(name), &property.place, &property.value))
            .chain(own)
    }

    /// The properties that the newest release requires, in its order.
    pub(crate) fn required_now(&self) -> Vec<&str> {
        let required = self.properties().filter(|(_, property)| self.requires(property));
        let required = required.sorted_by_key(|(_, property)| property.rank);
        required.into_iter().map(|(name, _)| name).collect()
    }

    /// Returns `true` if the newest release requires this property.
    pub(crate) fn requires_now(&self, name: &str) -> bool {
        self.property(name).is_some_and(|property| self.requires(property))
    }

    fn requires(&self, property: &Property) -> bool {
        self.releases.last().is_some_and(|newest| property.required_in.contains(newest))
    }

    /// Returns `true` if its objects keep members that are not fields.
    pub(crate) fn keeps_unknown(&self) -> bool {
        self.facts.get(KEEPS_UNKNOWN).is_some_and(|keeps| *keeps == true)
    }

    /// The property of this name.
    pub(crate) fn property(&self, name: &str) -> Option<&Property> {
        match &self.body {
            TypeBody::Struct(properties) => properties.get(name),
            TypeBody::Value(_) => None,
        }
    }
}

/// A property of an object: in Rust it becomes a field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Property {
    /// The place in the documents of the newest release.
    pub(crate) place: Place,
    /// The releases that have it.
    pub(crate) releases: Releases,
    /// The releases that require it.
    pub(crate) required_in: Releases,
    /// Its position among the required properties, by the first release that requires it.
    pub(crate) rank: usize,
    /// The type of the value.
    pub(crate) value: ValueType,
    /// The value that a server fills in for an absent property.
    pub(crate) default: Option<Value>,
    /// The releases that state the default.
    pub(crate) default_in: Releases,
    /// The keywords about merging in the newest release.
    pub(crate) merge: Facts,
    /// The description in the newest document that has one.
    pub(crate) description: Option<String>,
    /// What the newest documents state about its values, and no Rust type expresses.
    pub(crate) facts: Facts,
    /// What they state about the items of a list or map, other than their type.
    pub(crate) items: Items,
    /// The words of all releases in their order, if the newest documents lack some of them: programs name them.
    pub(crate) named_words: Vec<Value>,
    /// Whether `null` is one of its values.
    pub(crate) nullable: bool,
    /// `true` if objects with one Rust type differ in their facts, their default or how they merge.
    pub(crate) differs: bool,
}

/// What schemas state about the items of a list or a map, other than their type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Items {
    /// The default in the newest release. It has no effect: items are never absent.
    pub(crate) default: Option<Value>,
    /// What the newest documents state, and no Rust type expresses.
    pub(crate) facts: Facts,
}

impl Property {
    /// Its place among the properties of an object: `metadata`, then the required ones as the API orders them, then the others,
    /// by their names. An API begins with what matters most, such as the name.
    pub(crate) fn order(&self, name: &str) -> (bool, usize) {
        (name != "metadata", if self.required() { self.rank } else { usize::MAX })
    }

    /// Returns `true` if any release requires it.
    pub(crate) fn required(&self) -> bool {
        self.required_in.first().is_some()
    }

    /// Returns `true` if an absent value is the zero value since the first release of the property. A default that comes or
    /// goes later changes no Rust type.
    pub(crate) fn zero_by_default(&self) -> bool {
        match &self.default {
            // A reference means the same with and without it.
            Some(default) if is_empty_object(default) => true,
            Some(default) if is_zero(default) => {
                self.releases.first().is_some_and(|first| self.default_in.contains(first))
            }
            _ => false,
        }
    }

    /// The words of a text that programs can name: those of any release, if the documents state them.
    pub(crate) fn words(&self) -> Vec<&str> {
        self.all_words().iter().filter_map(|word| word.as_str()).collect()
    }

    /// The words of a text that servers of the newest release take, if its documents state them.
    pub(crate) fn words_now(&self) -> Vec<&str> {
        self.newest_words().iter().filter_map(|word| word.as_str()).collect()
    }

    /// Adds the words of another property, or of an earlier state of this one, which come first.
    pub(crate) fn unite_named_words(&mut self, mut others: Vec<Value>) {
        unite_words(&mut others, self.all_words());
        self.named_words = if others == self.newest_words() { Vec::new() } else { others };
    }

    /// The words of any release.
    pub(crate) fn all_words(&self) -> &[Value] {
        if self.named_words.is_empty() { self.newest_words() } else { &self.named_words }
    }

    fn newest_words(&self) -> &[Value] {
        let words = self.facts.get("enum").or_else(|| self.items.facts.get("enum"));
        words.and_then(|words| words.as_array()).map_or(&[], Vec::as_slice)
    }
}

/// The type of the values of a property.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ValueType {
    /// Text.
    String,
    /// A point in time as text (`format: date-time`).
    DateTime,
    /// Bytes as text in Base64 (`format: byte`).
    Bytes,
    /// A whole number or a text (`format: int-or-string`).
    IntOrString,
    /// Any JSON value: the schema states no type.
    #[default]
    Any,
    /// A whole number.
    Integer(Width),
    /// A number with a fraction.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An object whose members the documents do not state.
    Opaque,
    /// A list.
    List(Box<ValueType>),
    /// A map from strings.
    Map(Box<ValueType>),
    /// An item of a list or a map that may be `null`.
    Nullable(Box<ValueType>),
    /// The schema of this full name.
    Reference(String),
}

impl ValueType {
    /// The schema that the value, or its items, are of.
    pub(crate) fn reference(&self) -> Option<&str> {
        match self {
            Self::Reference(name) => Some(name),
            Self::List(inner) | Self::Map(inner) | Self::Nullable(inner) => inner.reference(),
            _ => None,
        }
    }

    /// The items of a list or a map.
    pub(crate) fn item(&self) -> Option<&Self> {
        match self {
            Self::List(item) | Self::Map(item) => match &**item {
                Self::Nullable(item) => Some(item),
                item => Some(item),
            },
            _ => None,
        }
    }

    /// The same value, whose own schema, or that of its items, is replaced.
    pub(crate) fn with_reference(&self, change: &impl Fn(&str) -> String) -> Self {
        let inner = |value: &Self| Box::new(value.with_reference(change));
        match self {
            Self::Reference(name) => Self::Reference(change(name)),
            Self::List(item) => Self::List(inner(item)),
            Self::Map(value) => Self::Map(inner(value)),
            Self::Nullable(value) => Self::Nullable(inner(value)),
            other => other.clone(),
        }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String => f.write_str("string"),
            Self::DateTime => f.write_str("date-time"),
            Self::Bytes => f.write_str("bytes"),
            Self::IntOrString => f.write_str("integer or string"),
            Self::Any => f.write_str("any value"),
            Self::Integer(width) => f.write_str(width.name()),
            Self::Number => f.write_str("double"),
            Self::Boolean => f.write_str("boolean"),
            Self::Opaque => f.write_str("object"),
            Self::List(item) => write!(f, "list of {item}"),
            Self::Map(value) => write!(f, "map of {value}"),
            Self::Nullable(value) => write!(f, "{value} or null"),
            Self::Reference(name) if split_inline(name).is_some() => {
                f.write_str("object with fields")
            }
            Self::Reference(name) => f.write_str(own_name(name)),
        }
    }
}

/// The size of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    /// 32 bits.
    I32,
    /// 64 bits.
    I64,
}

impl Width {
    /// Both sizes.
    pub(crate) const ALL: [Self; 2] = [Self::I32, Self::I64];

    /// The `format` of documents.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::I32 => "int32",
            Self::I64 => "int64",
        }
    }
}

/// Returns `true` for the default `{}`: an absent object and an empty one mean the same.
pub(crate) fn is_empty_object(default: &Value) -> bool {
    default.as_object().is_some_and(Map::is_empty)
}

/// Returns `true` for the zero value of a text, a boolean or a number in Go: an absent field decodes as its zero value.
pub(crate) fn is_zero(default: &Value) -> bool {
    *default == "" || *default == false || *default == 0
}

/// A kind of object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct GroupVersionKind {
    /// The group, empty for the core group.
    pub group: String,
    /// The API version, such as `v1`.
    pub version: String,
    /// The name of the kind, such as `Lease`.
    pub kind: String,
}

impl GroupVersionKind {
    /// The group and the version, as objects state them.
    pub fn api_version(&self) -> String {
        match self.group.as_str() {
            "" => self.version.clone(),
            group => format!("{group}/{}", self.version),
        }
    }
}

// The ways in which server-side apply and patches merge values.

/// The keywords that say how server-side apply and strategic merge patches treat a list or map.
pub(crate) const MERGE: [&str; 5] = [
    "x-kubernetes-list-type",
    LIST_MAP_KEYS,
    "x-kubernetes-map-type",
    "x-kubernetes-patch-strategy",
    "x-kubernetes-patch-merge-key",
];

/// The keyword with the fields that distinguish the items of a list.
pub(crate) const LIST_MAP_KEYS: &str = "x-kubernetes-list-map-keys";

/// The fields that distinguish the items of a list.
pub(crate) fn list_map_keys(merge: &Facts) -> impl Iterator<Item = &str> {
    let keys = merge.get(LIST_MAP_KEYS).and_then(Value::as_array);
    keys.into_iter().flatten().filter_map(Value::as_str)
}

/// What a keyword of [`MERGE`] says, if it is stated.
pub(crate) fn merge_text(merge: &Facts, keyword: &str) -> Option<String> {
    match merge.get(keyword)? {
        Value::String(text) => Some(text.clone()),
        _ => Some(join(list_map_keys(merge), ", ")),
    }
}

// Sets of releases.

/// A set of releases, in their order. In the model it is never empty; most have one or two.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Releases(SmallVec<[Release; 2]>);

impl Releases {
    /// Adds a release.
    pub(crate) fn insert(&mut self, release: Release) {
        if let Err(at) = self.0.binary_search(&release) {
            self.0.insert(at, release);
        }
    }

    /// Adds the releases of another set.
    pub(crate) fn unite(&mut self, others: &Self) {
        others.iter().for_each(|release| self.insert(release));
    }

    /// The releases that are not in another set.
    #[must_use]
    pub(crate) fn without(&self, others: &Self) -> Self {
        self.iter().filter(|release| !others.contains(*release)).collect()
    }

    /// The releases from `first` on; all if there is no `first`.
    #[must_use]
    pub(crate) fn from(&self, first: Option<Release>) -> Self {
        self.iter().filter(|release| first.is_none_or(|first| first <= *release)).collect()
    }

    /// Returns `true` if `release` is among them.
    pub(crate) fn contains(&self, release: Release) -> bool {
        self.0.binary_search(&release).is_ok()
    }

    /// The oldest of the releases.
    pub(crate) fn first(&self) -> Option<Release> {
        self.0.first().copied()
    }

    /// The newest of the releases.
    pub(crate) fn last(&self) -> Option<Release> {
        self.0.last().copied()
    }

    /// The releases as text, among `all`: `since 1.33` if they have no gaps and the newest is among them, else the runs of
    /// releases. So the text stays the same when a new release changes nothing.
    pub(crate) fn shown(&self, all: &Self) -> String {
        match self.first() {
            Some(first) if all.from(Some(first)).iter().all(|release| self.contains(release)) => {
                format!("since {first:#}")
            }
            _ => self.to_string(),
        }
    }

    /// All, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Release> + Clone {
        self.0.iter().copied()
    }
}

impl From<Release> for Releases {
    fn from(release: Release) -> Self {
        Self::from_iter([release])
    }
}

impl FromIterator<Release> for Releases {
    fn from_iter<I: IntoIterator<Item = Release>>(releases: I) -> Self {
        let mut all = Self::default();
        releases.into_iter().for_each(|release| all.insert(release));
        all
    }
}

/// `1.31`, `1.31–1.33`, or each run of releases, separated by commas.
impl fmt::Display for Releases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.iter().peekable();
        let mut separator = "";
        while let Some(first) = rest.next() {
            let mut last = first;
            while let Some(next) = rest.next_if(|next| last.next() == *next) {
                last = next;
            }
            write!(f, "{separator}{first:#}")?;
            if last != first {
                write!(f, "\u{2013}{last:#}")?;
            }
            separator = ", ";
        }
        Ok(())
    }
}
