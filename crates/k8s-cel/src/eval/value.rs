//! Values at run time, with the equality and the order that servers give them.

use std::cmp::Ordering;
use std::net::IpAddr;
use std::ops::Deref;
use std::rc::Rc;

use semver::Version;
use serde_json::{Map as JsonMap, Value as Json};

use crate::check::schema::{ListOrder, ListShape, ObjectShape, Shape};
use crate::functions::network::Cidr;
use crate::functions::quantity::Quantity;
use crate::functions::time::Time;
use crate::values::url::Url;

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// An error of CEL, in the server's words. The other operand of `&&` or `||` may make it irrelevant.
    Error(String),
    /// What a server makes of it is not known here.
    NotJudged(String),
}

impl Fault {
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }

    pub(crate) fn no_overload() -> Self {
        Self::Error("no such overload".to_owned())
    }

    pub(crate) fn not_judged(reason: impl Into<String>) -> Self {
        Self::NotJudged(reason.into())
    }
}

pub(crate) type Evaluated<T> = Result<T, Fault>;

/// A value. Data of the object is borrowed and becomes values as it is read.
#[derive(Clone, Debug)]
pub(crate) enum Value<'v> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    Text(Text<'v>),
    Bytes(Rc<[u8]>),
    /// In UTC.
    Timestamp(Time),
    /// In nanoseconds.
    Duration(i64),
    List(List<'v>),
    Map(Rc<Entries<'v>>),
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
    Quantity(Quantity),
    /// The name of a format.
    Format(&'static str),
    Semver(Rc<Version>),
}

pub(crate) type Entries<'v> = Vec<(Value<'v>, Value<'v>)>;

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
    fn shape_of(&self, name: &str) -> Option<&'v Shape> {
        match self.shape {
            Members::Properties(object) => object.properties.get(name),
            Members::Additional(values) => Some(values),
        }
    }

    /// A member by its name in rules. Null in an object with properties is like an absent member.
    pub(crate) fn find(&self, identifier: &str) -> Evaluated<Option<Value<'v>>> {
        match self.shape {
            Members::Properties(object) => {
                object.field(identifier).map_or(Ok(None), |(name, _)| self.find_by_name(name))
            }
            Members::Additional(_) => self.find_by_name(identifier),
        }
    }

    /// A member by its name in data.
    fn find_by_name(&self, name: &str) -> Evaluated<Option<Value<'v>>> {
        let hides_null = matches!(self.shape, Members::Properties(_));
        let (Some(value), Some(shape)) = (self.members.get(name), self.shape_of(name)) else {
            return Ok(None);
        };
        if hides_null && value.is_null() {
            Ok(None)
        } else {
            Value::from_json(value, shape).map(Some)
        }
    }

    /// The names of the members, as rules name them.
    pub(crate) fn keys(&self) -> Vec<Value<'v>> {
        let name = |name: &'v String| match self.shape {
            Members::Properties(object) => {
                object.properties.get(name)?;
                Some(crate::syntax::escape::escape(name).map_or(Value::borrowed(name), Value::text))
            }
            Members::Additional(_) => Some(Value::borrowed(name)),
        };
        self.members.keys().filter_map(name).collect()
    }
}

/// A list: items of the object, or made by the rule. One that comes from the object keeps its `x-kubernetes-list-type`.
#[derive(Clone, Debug)]
pub(crate) struct List<'v> {
    items: Items<'v>,
    shape: Option<&'v ListShape>,
}

#[derive(Clone, Debug)]
enum Items<'v> {
    Json(&'v [Json], &'v ListShape),
    Values(Rc<Vec<Value<'v>>>),
}

impl<'v> List<'v> {
    pub(crate) fn from_values(values: Vec<Value<'v>>) -> Self {
        Self { items: Items::Values(Rc::new(values)), shape: None }
    }

    pub(crate) const fn of_data(items: &'v [Json], shape: &'v ListShape) -> Self {
        Self { items: Items::Json(items, shape), shape: Some(shape) }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.items {
            Items::Json(items, _) => items.len(),
            Items::Values(items) => items.len(),
        }
    }

    pub(crate) const fn is_data(&self) -> bool {
        self.shape.is_some()
    }

    /// How many items the list holds itself, and does not borrow from data.
    pub(crate) fn held(&self) -> usize {
        match &self.items {
            Items::Json(..) => 0,
            Items::Values(items) => items.len(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> Option<Evaluated<Value<'v>>> {
        match &self.items {
            Items::Json(items, shape) => {
                items.get(index).map(|item| Value::from_json(item, &shape.items))
            }
            Items::Values(items) => items.get(index).cloned().map(Ok),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Evaluated<Value<'v>>> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    pub(crate) fn to_vec(&self) -> Evaluated<Vec<Value<'v>>> {
        self.iter().collect()
    }

    /// `self + other`: a set takes only new items, and a map list replaces items with equal keys.
    pub(crate) fn concat(&self, other: &Self) -> Evaluated<Self> {
        let mut items = self.to_vec()?;
        for item in other.iter() {
            let item = item?;
            match self.shape.map(|shape| &shape.order) {
                Some(ListOrder::Set) if items.iter().any(|own| same_scalar(own, &item)) => {}
                Some(ListOrder::Map(keys)) => {
                    let key = map_key(&item, keys);
                    let same =
                        items.iter_mut().find(|own| key.is_some() && map_key(own, keys) == key);
                    match same {
                        Some(own) => *own = item,
                        None => items.push(item),
                    }
                }
                _ => items.push(item),
            }
        }
        Ok(Self { items: Items::Values(Rc::new(items)), shape: self.shape })
    }

    fn equals(&self, other: &Self) -> Evaluated<bool> {
        if self.len() != other.len() {
            return Ok(false);
        }
        match self.shape.map(|shape| &shape.order) {
            Some(ListOrder::Set) => self.equals_as_set(other),
            Some(ListOrder::Map(keys)) => self.equals_by_keys(other, keys),
            Some(ListOrder::Atomic) => {
                for (own, other) in self.iter().zip(other.iter()) {
                    if !own?.equals_directly(&other?)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            None => self.equals_in_order(other),
        }
    }

    /// A pair that differs counts more than a pair that cannot be compared.
    fn equals_in_order(&self, other: &Self) -> Evaluated<bool> {
        let mut fault = None;
        for (own, other) in self.iter().zip(other.iter()) {
            match own?.equals(&other?) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        fault.map_or(Ok(true), Err)
    }

    fn equals_as_set(&self, other: &Self) -> Evaluated<bool> {
        let own = self.to_vec()?;
        for item in other.iter() {
            let item = item?;
            if !own.iter().any(|own| same_scalar(own, &item)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn equals_by_keys(&self, other: &Self, keys: &[String]) -> Evaluated<bool> {
        let own = self.to_vec()?;
        for item in other.iter() {
            let item = item?;
            let key = map_key(&item, keys);
            // Of several items with the same keys, the last counts.
            let same = own.iter().rev().find(|own| key.is_some() && map_key(own, keys) == key);
            match same {
                Some(own) if own.equals_directly(&item)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// The keys of an item of a map list, as data. An item that the rule made has none.
fn map_key<'v>(item: &Value<'v>, keys: &[String]) -> Option<Vec<Option<&'v Json>>> {
    let Value::Data(data) = item else { return None };
    Some(keys.iter().map(|key| data.members.get(key)).collect())
}

/// Items of sets are compared as Go compares two interface values: the types must be the same.
fn same_scalar(a: &Value<'_>, b: &Value<'_>) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b) && a.equals(b) == Ok(true)
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

    /// Reads data as its schema says.
    pub(crate) fn from_json(json: &'v Json, shape: &'v Shape) -> Evaluated<Self> {
        crate::eval::data::value_of(json, shape)
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
        }
    }

    /// Returns the answer of `==`: null is only equal to null.
    pub(crate) fn equals(&self, other: &Self) -> Evaluated<bool> {
        match (self, other) {
            (Self::Null, Self::Null) => Ok(true),
            (Self::Null, _) | (_, Self::Null) => Ok(false),
            _ => self.equals_directly(other),
        }
    }

    fn equals_directly(&self, other: &Self) -> Evaluated<bool> {
        Ok(match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
            ) => self.compare_numbers(other) == Some(Ordering::Equal),
            (Self::Text(a), Self::Text(b)) => **a == **b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::Timestamp(a), Self::Timestamp(b)) => a.order(*b).is_eq(),
            (Self::Duration(a), Self::Duration(b)) => a == b,
            (Self::List(a), Self::List(b)) => return a.equals(b),
            (Self::List(list), _) if list.is_data() => return Err(Fault::no_overload()),
            (Self::Map(_) | Self::Data(_), Self::Map(_) | Self::Data(_)) => {
                return self.equals_as_map(other);
            }
            (Self::Data(_), _) => return Err(Fault::no_overload()),
            (Self::Untyped(a), Self::Untyped(b)) => a == b,
            (Self::Optional(a), Self::Optional(b)) => match (a, b) {
                (None, None) => true,
                (Some(a), Some(b)) => return a.equals(b),
                _ => false,
            },
            (Self::Type(a), Self::Type(b)) | (Self::Format(a), Self::Format(b)) => a == b,
            (Self::Url(a), Self::Url(b)) => a.text() == b.text(),
            (Self::Ip(a), Self::Ip(b)) => a == b,
            (Self::Cidr(a), Self::Cidr(b)) => a == b,
            (Self::Quantity(a), Self::Quantity(b)) => a == b,
            (Self::Semver(a), Self::Semver(b)) => a.cmp_precedence(b) == Ordering::Equal,
            _ => false,
        })
    }

    fn equals_as_map(&self, other: &Self) -> Evaluated<bool> {
        if self.size() != other.size() {
            return Ok(false);
        }
        if let Self::Data(own) = self {
            return own.equals(other);
        }
        let Self::Map(own) = self else { return Ok(false) };
        for (key, value) in own.iter() {
            match other.find(key)? {
                Some(other) if value.equals(&other)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The number of items, entries, characters or bytes.
    pub(crate) fn size(&self) -> Option<usize> {
        Some(match self {
            Self::Text(text) => text.chars().count(),
            Self::Bytes(bytes) => bytes.len(),
            Self::List(list) => list.len(),
            Self::Map(map) => map.len(),
            Self::Data(data) => data.members.len(),
            _ => return None,
        })
    }

    /// The value of a key of a map. The other values have no keys.
    pub(crate) fn find(&self, key: &Self) -> Evaluated<Option<Self>> {
        match (self, key) {
            (Self::Data(data), Self::Text(name)) => data.find(name),
            (Self::Data(_), _) => Err(Fault::no_overload()),
            (Self::Map(entries), _) => {
                // Of several entries with equal keys, the last counts.
                let entry = entries.iter().rev().find(|(own, _)| own.equals(key) == Ok(true));
                Ok(entry.map(|(_, value)| value.clone()))
            }
            _ => Ok(None),
        }
    }

    /// Compares numbers of any types by their value. Not a number is in no order with another.
    #[allow(clippy::cast_precision_loss, reason = "the limits are powers of two")]
    fn compare_numbers(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(b)),
            (Self::Uint(a), Self::Uint(b)) => Some(a.cmp(b)),
            (Self::Double(a), Self::Double(b)) => a.partial_cmp(b),
            (Self::Int(a), Self::Uint(b)) => {
                Some(u64::try_from(*a).map_or(Ordering::Less, |a| a.cmp(b)))
            }
            (Self::Int(a), Self::Double(b)) => {
                compare_with_double(i128::from(*a), *b, i64::MIN as f64, i64::MAX as f64)
            }
            (Self::Uint(a), Self::Double(b)) => {
                compare_with_double(i128::from(*a), *b, 0.0, u64::MAX as f64)
            }
            (Self::Uint(_) | Self::Double(_), Self::Int(_)) | (Self::Double(_), Self::Uint(_)) => {
                other.compare_numbers(self).map(Ordering::reverse)
            }
            _ => None,
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

    /// The order of two values, as `<` sees it.
    pub(crate) fn compare(&self, other: &Self) -> Evaluated<Ordering> {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => Ok(a.cmp(b)),
            (Self::Text(a), Self::Text(b)) => Ok((**a).cmp(&**b)),
            (Self::Bytes(a), Self::Bytes(b)) => Ok(a.cmp(b)),
            (Self::Timestamp(a), Self::Timestamp(b)) => Ok(a.order(*b)),
            (Self::Duration(a), Self::Duration(b)) => Ok(a.cmp(b)),
            (
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
            ) => self
                .compare_numbers(other)
                .ok_or_else(|| Fault::error("NaN values cannot be ordered")),
            _ => Err(Fault::no_overload()),
        }
    }

    /// The answer of `self in container`.
    pub(crate) fn is_in(&self, container: &Self) -> Evaluated<bool> {
        match container {
            Self::List(list) => {
                let mut fault = None;
                for item in list.iter() {
                    match item?.equals_directly(self) {
                        Ok(true) => return Ok(true),
                        Ok(false) => {}
                        Err(error) => fault = fault.or(Some(error)),
                    }
                }
                fault.map_or(Ok(false), Err)
            }
            Self::Map(_) | Self::Data(_) => Ok(container.find(self)?.is_some()),
            _ => Err(Fault::no_overload()),
        }
    }

    /// Returns `true` for the values that `optional.ofNonZeroValue` takes for none. Data of the object never is one.
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
            Self::Map(map) => map.is_empty(),
            Self::Optional(value) => value.is_none(),
            Self::Timestamp(time) => time.is_zero(),
            _ => false,
        }
    }
}

impl<'v> Data<'v> {
    fn equals(&self, other: &Value<'v>) -> Evaluated<bool> {
        for (name, value) in self.members {
            let Some(shape) = self.shape_of(name) else {
                // Both are objects of the same type. Unknown members count only if both have them.
                let Value::Data(other) = other else { return Err(Fault::no_overload()) };
                if other.members.get(name).is_some_and(|other| other != value) {
                    return Ok(false);
                }
                continue;
            };
            let counterpart = match other {
                Value::Data(other) => other.find_by_name(name)?,
                other => other.find(&Value::borrowed(name))?,
            };
            // A null in an object with properties is not found, so two such objects differ even if both have it.
            let Some(counterpart) = counterpart else { return Ok(false) };
            if !Value::from_json(value, shape)?.equals_directly(&counterpart)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn compare_with_double(integer: i128, double: f64, least: f64, greatest: f64) -> Option<Ordering> {
    if double.is_nan() {
        return None;
    }
    if double < least {
        return Some(Ordering::Greater);
    }
    if double > greatest {
        return Some(Ordering::Less);
    }
    #[allow(clippy::cast_precision_loss, reason = "servers compare as doubles, too")]
    let integer = integer as f64;
    integer.partial_cmp(&double)
}
