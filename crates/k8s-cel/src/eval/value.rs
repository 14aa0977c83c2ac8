//! Values at run time, with the equality and the order that servers give them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::net::IpAddr;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use semver::Version;
use serde_json::{Map as JsonMap, Value as Json};

use super::budget::Meter;
use super::constant::Constant;
pub(crate) use super::fault::{Evaluated, Fault};
use super::index::{Index, Key};
use crate::check::schema::{ANY, ListShape, ObjectShape, Property, Shape, ShapeKind};
use crate::check::types::Opaque;
use crate::steps::BYTES_PER_STEP;
use crate::syntax::ast::Literal;
use crate::values::instant::Time;
use crate::values::network::Cidr;
use crate::values::quantity::Quantity;
use crate::values::url::Url;

/// A value. Data of the object is borrowed and becomes values as it is read.
#[derive(Clone, Debug)]
pub(crate) enum Value<'v> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    Text(Text<'v>),
    Bytes(Arc<[u8]>),
    /// In UTC.
    Timestamp(Time),
    /// In nanoseconds.
    Duration(i64),
    List(List<'v>),
    Map(Rc<Dictionary<'v>>),
    /// A JSON object.
    Data(Data<'v>),
    /// Data without a type.
    Untyped(&'v Json),
    Optional(Option<Rc<Value<'v>>>),
    /// The name of a type.
    Type(&'static str),
    Url(Rc<Url>),
    Ip(IpAddr),
    Cidr(Cidr),
    Quantity(Rc<Quantity>),
    /// The name of a format.
    Format(&'static str),
    Semver(Rc<Version>),
    /// What the authorizer of a cluster would be asked. It is not asked here.
    Question(Opaque),
}

pub(crate) type Entries<'v> = Vec<(Value<'v>, Value<'v>)>;

/// A map that the rule made. Of several entries with equal keys of one type, the last is there.
#[derive(Debug)]
pub(crate) struct Dictionary<'v> {
    pub(crate) entries: Entries<'v>,
    index: OnceCell<Index<'v>>,
}

impl<'v> Dictionary<'v> {
    pub(crate) const fn new(entries: Entries<'v>) -> Self {
        Self { entries, index: OnceCell::new() }
    }

    fn find(&self, key: &Value<'v>, meter: &Meter) -> Evaluated<Option<&Value<'v>>> {
        if self.index.get().is_none() {
            let bytes: usize = self.entries.iter().map(|(key, _)| key.bytes()).sum();
            meter.work(self.entries.len() + bytes / BYTES_PER_STEP)?;
        }
        meter.work(key.bytes() / BYTES_PER_STEP)?;
        let index = self.index.get_or_init(|| {
            let mut index = Index::default();
            for (position, (key, _)) in self.entries.iter().enumerate() {
                index.add(key.key(), position);
            }
            index
        });
        let mut found = None;
        for position in index.candidates(key.key()) {
            meter.work(1)?;
            let Some((own, value)) = self.entries.get(position) else { continue };
            match own.equals(key, meter) {
                Ok(true) if own.has_type_of(key) => return Ok(Some(value)),
                Ok(true) => found = found.or(Some(value)),
                Err(fault) if fault.is_final() => return Err(fault),
                _ => {}
            }
        }
        Ok(found)
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Text<'v> {
    Borrowed(&'v str),
    Shared(Rc<str>),
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

/// A JSON object and what its schema says of its members.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Data<'v> {
    pub(crate) members: &'v JsonMap<String, Json>,
    pub(crate) shape: Members<'v>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Members<'v> {
    Properties(&'v ObjectShape),
    Additional(&'v Shape),
}

impl<'v> Data<'v> {
    /// An object with properties.
    #[inline]
    pub(super) fn read(json: &'v Json, shape: &'v Shape) -> Option<Self> {
        match (json, &shape.kind) {
            (Json::Object(members), ShapeKind::Object(object)) => {
                Some(Self { members, shape: Members::Properties(object) })
            }
            _ => None,
        }
    }

    pub(super) fn shape_of(&self, name: &str) -> Option<&'v Shape> {
        match self.shape {
            Members::Properties(object) => object.property(name),
            Members::Additional(values) => Some(values),
        }
    }

    /// A member by its name in rules. Null in an object with properties is like an absent member.
    pub(crate) fn find(&self, identifier: &str, meter: &Meter) -> Evaluated<Option<Value<'v>>> {
        match self.shape {
            Members::Properties(object) => object
                .field(identifier)
                .map_or(Ok(None), |(name, _)| self.find_by_name(name, meter)),
            Members::Additional(_) => self.find_by_name(identifier, meter),
        }
    }

    /// A property by its number, if the object has the type that the checker saw.
    #[inline]
    pub(super) fn property(&self, object: &ObjectShape, position: usize) -> Option<&'v Property> {
        match self.shape {
            Members::Properties(own) if std::ptr::eq(own, object) => own.properties.get(position),
            _ => None,
        }
    }

    /// A member by its name in data.
    pub(super) fn find_by_name(&self, name: &str, meter: &Meter) -> Evaluated<Option<Value<'v>>> {
        meter.work(name.len() / BYTES_PER_STEP)?;
        let hides_null = matches!(self.shape, Members::Properties(_));
        let (Some(value), Some(shape)) = (self.members.get(name), self.shape_of(name)) else {
            return Ok(None);
        };
        if hides_null && value.is_null() {
            Ok(None)
        } else {
            Value::from_json(value, shape, meter).map(Some)
        }
    }

    /// The names of the members, as rules name them.
    pub(crate) fn keys(&self) -> Vec<Value<'v>> {
        let name = |name: &'v String| match self.shape {
            Members::Properties(object) => {
                let property = object.properties.get(object.position(name)?)?;
                Some(Value::borrowed(property.identifier.as_deref().unwrap_or(name)))
            }
            Members::Additional(_) => Some(Value::borrowed(name)),
        };
        self.members.keys().filter_map(name).collect()
    }
}

/// A list: items of the object, or made by the rule. One that comes from the object keeps its `x-kubernetes-list-type`.
#[derive(Clone, Debug)]
pub(crate) struct List<'v> {
    items: ListItems<'v>,
    pub(super) shape: Option<&'v ListShape>,
}

#[derive(Clone, Debug)]
enum ListItems<'v> {
    Json(&'v [Json]),
    Constants(&'v [Constant]),
    Values(Rc<Vec<Value<'v>>>),
}

impl<'v> List<'v> {
    pub(crate) fn from_values(values: Vec<Value<'v>>) -> Self {
        Self { items: ListItems::Values(Rc::new(values)), shape: None }
    }

    /// Other items, made by the rule, in a list of the same type.
    pub(super) fn with_values(&self, values: Vec<Value<'v>>) -> Self {
        Self { shape: self.shape, ..Self::from_values(values) }
    }

    pub(crate) const fn of_constants(constants: &'v [Constant]) -> Self {
        Self { items: ListItems::Constants(constants), shape: None }
    }

    pub(crate) const fn of_data(items: &'v [Json], shape: &'v ListShape) -> Self {
        Self { items: ListItems::Json(items), shape: Some(shape) }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.items {
            ListItems::Json(items) => items.len(),
            ListItems::Constants(items) => items.len(),
            ListItems::Values(items) => items.len(),
        }
    }

    pub(crate) const fn is_data(&self) -> bool {
        self.shape.is_some()
    }

    #[inline]
    pub(crate) fn get(&self, index: usize, meter: &Meter) -> Option<Evaluated<Value<'v>>> {
        match &self.items {
            ListItems::Json(items) => {
                let shape = self.shape.map_or(&ANY, |shape| &shape.items);
                items.get(index).map(|item| Value::from_json(item, shape, meter))
            }
            ListItems::Constants(items) => items.get(index).map(|item| Ok(item.value())),
            ListItems::Values(items) => items.get(index).cloned().map(Ok),
        }
    }

    pub(crate) fn iter<'a>(
        &'a self,
        meter: &'a Meter,
    ) -> impl Iterator<Item = Evaluated<Value<'v>>> + 'a {
        (0..self.len()).filter_map(|index| self.get(index, meter))
    }

    pub(crate) fn to_vec(&self, meter: &Meter) -> Evaluated<Vec<Value<'v>>> {
        meter.work(self.len())?;
        self.iter(meter).collect()
    }

    pub(super) fn sees_duplicates(&self) -> bool {
        self.shape.is_some_and(|shape| shape.sees_duplicates)
    }
}

impl<'v> Value<'v> {
    pub(crate) fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(Text::Shared(text.into()))
    }

    pub(crate) const fn borrowed(text: &'v str) -> Self {
        Self::Text(Text::Borrowed(text))
    }

    pub(crate) fn list(values: Vec<Self>) -> Self {
        Self::List(List::from_values(values))
    }

    pub(crate) fn some(value: Self) -> Self {
        Self::Optional(Some(Rc::new(value)))
    }

    /// The name of the type in messages and for `type()`.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::Text(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::List(_) => "list",
            Self::Map(_) | Self::Data(_) => "map",
            Self::Untyped(_) => "unknown",
            Self::Optional(_) => "optional_type",
            Self::Type(_) => "type",
            Self::Url(_) => "kubernetes.URL",
            Self::Ip(_) => "net.IP",
            Self::Cidr(_) => "net.CIDR",
            Self::Quantity(_) => "kubernetes.Quantity",
            Self::Format(_) => "kubernetes.NamedFormat",
            Self::Semver(_) => "kubernetes.Semver",
            Self::Question(question) => question.name(),
        }
    }

    /// The name of the type in Go, which some messages show.
    pub(super) fn go_type(&self) -> &'static str {
        match self {
            Self::Null => "types.Null",
            Self::Bool(_) => "types.Bool",
            Self::Int(_) => "types.Int",
            Self::Uint(_) => "types.Uint",
            Self::Double(_) => "types.Double",
            Self::Text(_) => "types.String",
            Self::Bytes(_) => "types.Bytes",
            Self::Timestamp(_) => "types.Timestamp",
            Self::Duration(_) => "types.Duration",
            Self::Optional(_) => "*types.Optional",
            Self::Type(_) => "*types.Type",
            Self::List(_) => "*types.baseList",
            Self::Map(_) => "*types.baseMap",
            other => other.type_name(),
        }
    }

    /// The key, if the value is a scalar. Other values and NaN have none.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        reason = "compared with the original"
    )]
    #[allow(clippy::cast_precision_loss, reason = "compared with the original")]
    pub(super) fn key(&self) -> Option<Key<'v>> {
        Some(match self {
            Self::Bool(value) => Key::Bool(*value),
            Self::Int(value) => Key::Integer((*value).into()),
            Self::Uint(value) => Key::Integer((*value).into()),
            Self::Double(value) if value.is_nan() => return None,
            Self::Double(value) => {
                let whole = *value as i128;
                if whole as f64 == *value {
                    Key::Integer(whole)
                } else {
                    Key::Double(value.to_bits())
                }
            }
            Self::Text(Text::Borrowed(text)) => Key::Text(Cow::Borrowed(text)),
            Self::Text(text) => Key::Text(Cow::Owned((**text).to_owned())),
            Self::Bytes(bytes) => Key::Bytes(Cow::Owned(bytes.to_vec())),
            Self::Duration(value) => Key::Duration(*value),
            _ => return None,
        })
    }

    /// Returns `true` if both are of one type: 1 and 1u are equal, and two keys.
    pub(super) fn has_type_of(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// The bytes of a text or of bytes, and of the text from which a value of a library was read. Other values have none.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Url(url) => url.text().len(),
            Self::Semver(version) => version.pre.len() + version.build.len(),
            _ => 0,
        }
    }

    /// The number of items, entries, characters or bytes.
    pub(crate) fn size(&self) -> Option<usize> {
        Some(match self {
            Self::Text(text) => text.chars().count(),
            Self::Bytes(bytes) => bytes.len(),
            Self::List(list) => list.len(),
            Self::Map(map) => map.entries.len(),
            Self::Data(data) => data.members.len(),
            _ => return None,
        })
    }

    /// The value of a key of a map. The other values have no keys.
    pub(crate) fn find(&self, key: &Self, meter: &Meter) -> Evaluated<Option<Self>> {
        match (self, key) {
            (Self::Data(data), Self::Text(name)) => data.find(name, meter),
            (Self::Data(_), _) => Err(Fault::no_overload()),
            (Self::Map(map), _) => Ok(map.find(key, meter)?.cloned()),
            _ => Ok(None),
        }
    }

    /// Returns `true` if values of this type have an order.
    pub(crate) const fn is_ordered(&self) -> bool {
        matches!(
            self,
            Self::Bool(_)
                | Self::Int(_)
                | Self::Uint(_)
                | Self::Double(_)
                | Self::Text(_)
                | Self::Bytes(_)
                | Self::Timestamp(_)
                | Self::Duration(_)
        )
    }

    /// Returns `true` for the values of which `optional.ofNonZeroValue` makes none. Data of the object never counts as such.
    pub(crate) fn is_zero(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Bool(value) => !value,
            Self::Int(value) | Self::Duration(value) => *value == 0,
            Self::Uint(value) => *value == 0,
            Self::Double(value) => *value == 0.0,
            Self::Text(value) => value.is_empty(),
            Self::Bytes(value) => value.is_empty(),
            Self::List(list) => list.len() == 0 && !list.is_data(),
            Self::Map(map) => map.entries.is_empty(),
            Self::Optional(value) => value.is_none(),
            Self::Timestamp(time) => time.is_zero(),
            _ => false,
        }
    }
}

impl Constant {
    #[inline]
    pub(crate) fn value(&self) -> Value<'_> {
        match self {
            Self::Literal(literal) => literal_value(literal),
            Self::Timestamp(time) => Value::Timestamp(*time),
            Self::Duration(nanoseconds) => Value::Duration(*nanoseconds),
            Self::Type(name) => Value::Type(name),
            Self::List(items) => Value::List(List::of_constants(items)),
        }
    }

    /// The constant of a value, if values of this type are kept.
    pub(super) fn of(value: &Value<'_>, meter: &Meter) -> Option<Self> {
        Some(Self::Literal(match value {
            Value::Null => Literal::Null,
            Value::Bool(value) => Literal::Bool(*value),
            Value::Int(value) => Literal::Int(*value),
            Value::Uint(value) => Literal::Uint(*value),
            Value::Double(value) => Literal::Double(*value),
            Value::Text(text) => Literal::String(Arc::from(&**text)),
            Value::Bytes(bytes) => Literal::Bytes(bytes.clone()),
            Value::Timestamp(time) => return Some(Self::Timestamp(*time)),
            Value::Duration(value) => return Some(Self::Duration(*value)),
            Value::Type(name) => return Some(Self::Type(name)),
            Value::List(list) => {
                let items = list.iter(meter).map(|item| Self::of(&item.ok()?, meter));
                return items.collect::<Option<_>>().map(Self::List);
            }
            _ => return None,
        }))
    }
}

#[inline]
pub(crate) fn literal_value(literal: &Literal) -> Value<'_> {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(value) => Value::Int(*value),
        Literal::Uint(value) => Value::Uint(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::String(text) => Value::borrowed(text),
        Literal::Bytes(bytes) => Value::Bytes(bytes.clone()),
    }
}
