//! Values at run time, with the equality and the order that servers give them.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::net::IpAddr;
use std::ops::Deref;
use std::rc::Rc;

use semver::Version;
use serde_json::{Map as JsonMap, Value as Json};

use super::index::{Index, Items as SetItems};
use super::meter::{BYTES_PER_STEP, Meter};
use super::plan::Constant;
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
    /// The call costs more than a server allows.
    Cancelled,
}

impl Fault {
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }

    /// Returns `true` if nothing can make the fault irrelevant.
    pub(crate) const fn is_final(&self) -> bool {
        matches!(self, Self::NotJudged(_) | Self::Cancelled)
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
}

pub(crate) type Entries<'v> = Vec<(Value<'v>, Value<'v>)>;

/// A map that the rule made. Of several entries with equal keys, the last is there.
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
            meter.work(self.entries.len())?;
        }
        let index = self.index.get_or_init(|| {
            let mut index = Index::default();
            for (position, (key, _)) in self.entries.iter().enumerate() {
                index.add(key, position);
            }
            index
        });
        for position in index.candidates(key) {
            meter.work(1)?;
            let Some((own, value)) = self.entries.get(position) else { continue };
            match own.equals(key, meter) {
                Ok(true) => return Ok(Some(value)),
                Err(fault) if fault.is_final() => return Err(fault),
                _ => {}
            }
        }
        Ok(None)
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
    fn shape_of(&self, name: &str) -> Option<&'v Shape> {
        match self.shape {
            Members::Properties(object) => object.property(name),
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

    /// A member by the number of its property, if the object has the type that the checker saw.
    pub(crate) fn find_property(
        &self,
        object: &ObjectShape,
        position: usize,
    ) -> Option<Evaluated<Option<Value<'v>>>> {
        let Members::Properties(own) = self.shape else { return None };
        if !std::ptr::eq(own, object) && own.name != object.name {
            return None;
        }
        let property = own.properties.get(position)?;
        Some(match self.members.get(&property.name) {
            None | Some(Json::Null) => Ok(None),
            Some(value) => Value::from_json(value, &property.shape).map(Some),
        })
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
    items: Items<'v>,
    shape: Option<&'v ListShape>,
}

#[derive(Clone, Debug)]
enum Items<'v> {
    Json(&'v [Json], &'v ListShape),
    Constants(&'v [Constant]),
    Values(Rc<Vec<Value<'v>>>),
}

impl<'v> List<'v> {
    pub(crate) fn from_values(values: Vec<Value<'v>>) -> Self {
        Self { items: Items::Values(Rc::new(values)), shape: None }
    }

    pub(crate) const fn of_constants(constants: &'v [Constant]) -> Self {
        Self { items: Items::Constants(constants), shape: None }
    }

    pub(crate) const fn of_data(items: &'v [Json], shape: &'v ListShape) -> Self {
        Self { items: Items::Json(items, shape), shape: Some(shape) }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.items {
            Items::Json(items, _) => items.len(),
            Items::Constants(items) => items.len(),
            Items::Values(items) => items.len(),
        }
    }

    pub(crate) const fn is_data(&self) -> bool {
        self.shape.is_some()
    }

    pub(crate) fn get(&self, index: usize) -> Option<Evaluated<Value<'v>>> {
        match &self.items {
            Items::Json(items, shape) => {
                items.get(index).map(|item| Value::from_json(item, &shape.items))
            }
            Items::Constants(items) => items.get(index).map(|item| Ok(item.value())),
            Items::Values(items) => items.get(index).cloned().map(Ok),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Evaluated<Value<'v>>> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    pub(crate) fn to_vec(&self, meter: &Meter) -> Evaluated<Vec<Value<'v>>> {
        meter.work(self.len())?;
        self.iter().collect()
    }

    /// `self + other`: a set takes only new items, and a map list replaces items with equal keys.
    pub(crate) fn concat(&self, other: &Self, meter: &Meter) -> Evaluated<Self> {
        meter.work(other.len())?;
        let items = self.to_vec(meter)?;
        let items = match self.shape.map(|shape| &shape.order) {
            Some(ListOrder::Set) => {
                let mut items = SetItems::new(items, meter)?;
                for item in other.iter() {
                    let item = item?;
                    if !items.has_same(&item, meter)? {
                        items.push(item);
                    }
                }
                items.values
            }
            Some(ListOrder::Map(keys)) => {
                replace_by_keys(items, other, keys, self.sees_duplicates())?
            }
            _ => {
                let mut items = items;
                for item in other.iter() {
                    items.push(item?);
                }
                items
            }
        };
        Ok(Self { items: Items::Values(Rc::new(items)), shape: self.shape })
    }

    fn sees_duplicates(&self) -> bool {
        self.shape.is_some_and(|shape| shape.sees_duplicates)
    }

    fn equals(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        if self.len() != other.len() {
            return Ok(false);
        }
        match self.shape.map(|shape| &shape.order) {
            Some(ListOrder::Set) => self.equals_as_set(other, meter),
            Some(ListOrder::Map(keys)) => self.equals_by_keys(other, keys, meter),
            Some(ListOrder::Atomic) => {
                for (own, other) in self.iter().zip(other.iter()) {
                    if !own?.equals_directly(&other?, meter)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            None => self.equals_in_order(other, meter),
        }
    }

    /// A pair that differs counts more than a pair that cannot be compared.
    fn equals_in_order(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        let mut fault = None;
        for (own, other) in self.iter().zip(other.iter()) {
            match own?.equals(&other?, meter) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(error) if error.is_final() => return Err(error),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        fault.map_or(Ok(true), Err)
    }

    fn equals_as_set(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        let own = SetItems::new(self.to_vec(meter)?, meter)?;
        let mut seen = self.sees_duplicates().then(SetItems::default);
        for item in other.iter() {
            let item = item?;
            if !own.has_same(&item, meter)? {
                return Ok(false);
            }
            if let Some(seen) = &mut seen {
                if seen.has_same(&item, meter)? {
                    return Ok(false);
                }
                seen.push(item);
            }
        }
        Ok(true)
    }

    fn equals_by_keys(&self, other: &Self, keys: &[String], meter: &Meter) -> Evaluated<bool> {
        let own = self.to_vec(meter)?;
        // Of several items with the same keys, the last counts.
        let mut by_keys: HashMap<MapKey<'v>, &Value<'v>> =
            own.iter().filter_map(|item| Some((map_key(item, keys)?, item))).collect();
        for item in other.iter() {
            let item = item?;
            let key = map_key(&item, keys);
            let same = key.and_then(|key| {
                // Taken out, an item is not found for a second one with the same keys.
                if self.sees_duplicates() {
                    by_keys.remove(&key)
                } else {
                    by_keys.get(&key).copied()
                }
            });
            match same {
                Some(own) if own.equals_directly(&item, meter)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// The values of the keys of an item of a map list.
type MapKey<'v> = Vec<Option<&'v Json>>;

/// The keys of an item of a map list, as data. An item that the rule made has none.
fn map_key<'v>(item: &Value<'v>, keys: &[String]) -> Option<MapKey<'v>> {
    let Value::Data(data) = item else { return None };
    Some(keys.iter().map(|key| data.members.get(key)).collect())
}

/// The items of a map list with those of another list, which replace items with the same keys.
fn replace_by_keys<'v>(
    mut items: Vec<Value<'v>>,
    other: &List<'v>,
    keys: &[String],
    sees_duplicates: bool,
) -> Evaluated<Vec<Value<'v>>> {
    let mut positions: HashMap<MapKey<'v>, usize> = HashMap::new();
    for (position, item) in items.iter().enumerate() {
        if let Some(key) = map_key(item, keys) {
            positions.entry(key).or_insert(position);
        }
    }
    for item in other.iter() {
        let item = item?;
        let key = map_key(&item, keys);
        let same = key.as_ref().and_then(|key| positions.get(key));
        if let Some(own) = same.and_then(|at| items.get_mut(*at)) {
            *own = item;
        } else {
            // An item that was added is replaced only by servers that see duplicates.
            positions.extend(key.filter(|_| sees_duplicates).map(|key| (key, items.len())));
            items.push(item);
        }
    }
    Ok(items)
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
    pub(crate) fn equals(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        match (self, other) {
            (Self::Null, Self::Null) => Ok(true),
            (Self::Null, _) | (_, Self::Null) => Ok(false),
            _ => self.equals_directly(other, meter),
        }
    }

    fn equals_directly(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        meter.work(1)?;
        Ok(match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
                Self::Int(_) | Self::Uint(_) | Self::Double(_),
            ) => self.compare_numbers(other) == Some(Ordering::Equal),
            (Self::Text(a), Self::Text(b)) => {
                meter.read(a.len().min(b.len()))?;
                **a == **b
            }
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::Timestamp(a), Self::Timestamp(b)) => a.order(*b).is_eq(),
            (Self::Duration(a), Self::Duration(b)) => a == b,
            (Self::List(a), Self::List(b)) => return a.equals(b, meter),
            (Self::List(list), _) if list.is_data() => return Err(Fault::no_overload()),
            (Self::Map(_) | Self::Data(_), Self::Map(_) | Self::Data(_)) => {
                return self.equals_as_map(other, meter);
            }
            (Self::Data(_), _) => return Err(Fault::no_overload()),
            (Self::Untyped(a), Self::Untyped(b)) => {
                meter.work(json_weight(a))?;
                a == b
            }
            (Self::Optional(a), Self::Optional(b)) => match (a, b) {
                (None, None) => true,
                (Some(a), Some(b)) => return a.equals(b, meter),
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

    fn equals_as_map(&self, other: &Self, meter: &Meter) -> Evaluated<bool> {
        if self.size() != other.size() {
            return Ok(false);
        }
        if let Self::Data(own) = self {
            return own.equals(other, meter);
        }
        let Self::Map(own) = self else { return Ok(false) };
        for (key, value) in &own.entries {
            match other.find(key, meter)? {
                Some(other) if value.equals(&other, meter)? => {}
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
            Self::Map(map) => map.entries.len(),
            Self::Data(data) => data.members.len(),
            _ => return None,
        })
    }

    /// The value of a key of a map. The other values have no keys.
    pub(crate) fn find(&self, key: &Self, meter: &Meter) -> Evaluated<Option<Self>> {
        match (self, key) {
            (Self::Data(data), Self::Text(name)) => data.find(name),
            (Self::Data(_), _) => Err(Fault::no_overload()),
            (Self::Map(map), _) => Ok(map.find(key, meter)?.cloned()),
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
    pub(crate) fn is_in(&self, container: &Self, meter: &Meter) -> Evaluated<bool> {
        match container {
            Self::List(list) => {
                let mut fault = None;
                for item in list.iter() {
                    match item?.equals_directly(self, meter) {
                        Ok(true) => return Ok(true),
                        Ok(false) => {}
                        Err(error) if error.is_final() => return Err(error),
                        Err(error) => fault = fault.or(Some(error)),
                    }
                }
                fault.map_or(Ok(false), Err)
            }
            Self::Map(_) | Self::Data(_) => Ok(container.find(self, meter)?.is_some()),
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
            Self::Map(map) => map.entries.is_empty(),
            Self::Optional(value) => value.is_none(),
            Self::Timestamp(time) => time.is_zero(),
            _ => false,
        }
    }
}

impl<'v> Data<'v> {
    fn equals(&self, other: &Value<'v>, meter: &Meter) -> Evaluated<bool> {
        for (name, value) in self.members {
            meter.read(name.len())?;
            let Some(shape) = self.shape_of(name) else {
                // Both are objects of the same type. Unknown members count only if both have them.
                let Value::Data(other) = other else { return Err(Fault::no_overload()) };
                meter.work(json_weight(value))?;
                if other.members.get(name).is_some_and(|other| other != value) {
                    return Ok(false);
                }
                continue;
            };
            let counterpart = match other {
                Value::Data(other) => other.find_by_name(name)?,
                other => other.find(&Value::borrowed(name), meter)?,
            };
            // A null in an object with properties is not found, so two such objects differ even if both have it.
            let Some(counterpart) = counterpart else { return Ok(false) };
            if !Value::from_json(value, shape)?.equals_directly(&counterpart, meter)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The size of data with all its parts, in steps.
fn json_weight(value: &Json) -> usize {
    let mut total = 0_usize;
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        total += 1;
        match value {
            Json::String(text) => total += text.len() / BYTES_PER_STEP,
            Json::Array(items) => rest.extend(items),
            Json::Object(members) => rest.extend(members.values()),
            _ => {}
        }
    }
    total
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
