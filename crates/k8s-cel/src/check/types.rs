//! The static types of CEL expressions, and when one fits another, as the type checker of servers decides it.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::check::schema::{ObjectShape, Shape, ShapeKind};

/// The type of an expression.
///
/// Two objects have the same type if their schemas have the same place: servers name object types by their place, so two
/// fields with equal schemas have different types.
#[derive(Clone, Debug)]
#[allow(clippy::enum_variant_names, reason = "a type is also a type")]
pub(crate) enum Type {
    /// Known only at run time, such as an int-or-string.
    Dyn,
    /// The type of an expression that is already reported.
    Error,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Timestamp,
    Duration,
    List(Arc<Type>),
    Map(Arc<(Type, Type)>),
    Object(Arc<ObjectShape>),
    Optional(Arc<Type>),
    /// A type as a value: `int` or `type(self)`.
    Type(Arc<Type>),
    /// A type of Kubernetes' libraries.
    Opaque(Opaque),
    /// A variable of the type checker, or a parameter of a function's declaration.
    Parameter(u32),
}

impl Shape {
    /// The type of the data, or `None` if CEL has no type for it.
    pub(crate) fn as_type(&self) -> Option<Type> {
        Some(match &self.kind {
            ShapeKind::IntOrString | ShapeKind::Any => Type::Dyn,
            ShapeKind::Object(object) => Type::Object(object.clone()),
            ShapeKind::Map(values) => Type::map(Type::String, values.as_type()?),
            ShapeKind::List(list) => Type::list(list.items.as_type()?),
            ShapeKind::String => Type::String,
            ShapeKind::Bytes => Type::Bytes,
            ShapeKind::Duration => Type::Duration,
            ShapeKind::Date | ShapeKind::DateTime => Type::Timestamp,
            ShapeKind::Bool => Type::Bool,
            ShapeKind::Int => Type::Int,
            ShapeKind::Double => Type::Double,
            ShapeKind::Untyped => return None,
        })
    }
}

/// The types of Kubernetes' libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opaque {
    Url,
    Ip,
    Cidr,
    Quantity,
    Format,
    Semver,
    Authorizer,
    PathCheck,
    GroupCheck,
    ResourceCheck,
    Decision,
}

impl Opaque {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Url => "kubernetes.URL",
            Self::Ip => "net.IP",
            Self::Cidr => "net.CIDR",
            Self::Quantity => "kubernetes.Quantity",
            Self::Format => "kubernetes.NamedFormat",
            Self::Semver => "kubernetes.Semver",
            Self::Authorizer => "kubernetes.authorization.Authorizer",
            Self::PathCheck => "kubernetes.authorization.PathCheck",
            Self::GroupCheck => "kubernetes.authorization.GroupCheck",
            Self::ResourceCheck => "kubernetes.authorization.ResourceCheck",
            Self::Decision => "kubernetes.authorization.Decision",
        }
    }
}

impl Type {
    pub(crate) fn list(item: Self) -> Self {
        Self::List(Arc::new(item))
    }

    pub(crate) fn map(key: Self, value: Self) -> Self {
        Self::Map(Arc::new((key, value)))
    }

    pub(crate) fn optional(value: Self) -> Self {
        Self::Optional(Arc::new(value))
    }

    pub(crate) fn type_of(value: Self) -> Self {
        Self::Type(Arc::new(value))
    }

    pub(crate) const fn is_dyn_or_error(&self) -> bool {
        matches!(self, Self::Dyn | Self::Error)
    }

    /// The name of the type of such values at run time, without its parameters.
    pub(crate) fn runtime_name(&self) -> String {
        let name = match self {
            Self::Null => "null_type",
            Self::Timestamp => "google.protobuf.Timestamp",
            Self::Duration => "google.protobuf.Duration",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Optional(_) => "optional_type",
            Self::Type(_) => "type",
            other => return other.to_string(),
        };
        name.to_owned()
    }

    /// Returns `true` if the two are the same type, with the same parameters.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(a), Self::List(b))
            | (Self::Optional(a), Self::Optional(b))
            | (Self::Type(a), Self::Type(b)) => a.same(b),
            (Self::Map(a), Self::Map(b)) => a.0.same(&b.0) && a.1.same(&b.1),
            (Self::Object(a), Self::Object(b)) => a.name == b.name,
            (Self::Opaque(a), Self::Opaque(b)) => a == b,
            (Self::Parameter(a), Self::Parameter(b)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other) && !self.has_parts(),
        }
    }

    const fn has_parts(&self) -> bool {
        matches!(
            self,
            Self::List(_)
                | Self::Map(_)
                | Self::Object(_)
                | Self::Optional(_)
                | Self::Type(_)
                | Self::Opaque(_)
                | Self::Parameter(_)
        )
    }

    fn is_nullable(&self) -> bool {
        matches!(
            self,
            Self::Null
                | Self::Object(_)
                | Self::Optional(_)
                | Self::Opaque(_)
                | Self::Timestamp
                | Self::Duration
        )
    }

    fn mentions(&self, parameter: u32) -> bool {
        match self {
            Self::Parameter(own) => *own == parameter,
            Self::List(part) | Self::Optional(part) | Self::Type(part) => part.mentions(parameter),
            Self::Map(parts) => parts.0.mentions(parameter) || parts.1.mentions(parameter),
            _ => false,
        }
    }

    /// Returns `true` if `self` is at least as general as the other type.
    fn is_as_general_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dyn | Self::Error | Self::Parameter(_), _) | (Self::Type(_), Self::Type(_)) => {
                true
            }
            (_, Self::Dyn | Self::Error | Self::Parameter(_)) => false,
            (Self::List(a), Self::List(b)) | (Self::Optional(a), Self::Optional(b)) => {
                a.is_as_general_as(b)
            }
            (Self::Map(a), Self::Map(b)) => {
                a.0.is_as_general_as(&b.0) && a.1.is_as_general_as(&b.1)
            }
            // `null` fits a message, so the message is the more general of the two.
            (_, Self::Null) if self.is_nullable() => true,
            _ => self.same(other),
        }
    }

    /// The more general of two types that fit each other.
    pub(crate) fn most_general(self, other: Self) -> Self {
        if self.is_as_general_as(&other) { self } else { other }
    }

    /// Replaces each parameter of a declaration by another type.
    pub(crate) fn instantiate(&self, fresh: &mut impl FnMut(u32) -> u32) -> Self {
        match self {
            Self::Parameter(own) => Self::Parameter(fresh(*own)),
            other => {
                let changed = other.with_parts(|part| Some(part.instantiate(fresh)));
                changed.unwrap_or_else(|| other.clone())
            }
        }
    }

    /// The same type of other parts, or `None` if no part is another. Parts that stay are shared: a type may mention one part
    /// so often that no copy of all would ever end.
    fn with_parts(&self, mut other: impl FnMut(&Self) -> Option<Self>) -> Option<Self> {
        match self {
            Self::List(part) => other(part).map(Self::list),
            Self::Optional(part) => other(part).map(Self::optional),
            Self::Type(part) => other(part).map(Self::type_of),
            Self::Map(parts) => {
                let (key, value) = (other(&parts.0), other(&parts.1));
                if key.is_none() && value.is_none() {
                    return None;
                }
                let key = key.unwrap_or_else(|| parts.0.clone());
                Some(Self::map(key, value.unwrap_or_else(|| parts.1.clone())))
            }
            _ => None,
        }
    }

    /// Returns `true` if the type has no more parts than these, counted as often as they are mentioned.
    fn has_at_most(&self, left: &mut usize) -> bool {
        let Some(less) = left.checked_sub(1) else { return false };
        *left = less;
        match self {
            Self::List(part) | Self::Optional(part) | Self::Type(part) => part.has_at_most(left),
            Self::Map(parts) => parts.0.has_at_most(left) && parts.1.has_at_most(left),
            _ => true,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dyn | Self::Parameter(_) => f.write_str("dyn"),
            Self::Error => f.write_str("!error!"),
            Self::Null => f.write_str("null"),
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Uint => f.write_str("uint"),
            Self::Double => f.write_str("double"),
            Self::String => f.write_str("string"),
            Self::Bytes => f.write_str("bytes"),
            Self::Timestamp => f.write_str("timestamp"),
            Self::Duration => f.write_str("duration"),
            Self::List(item) => write!(f, "list({item})"),
            Self::Map(parts) => write!(f, "map({}, {})", parts.0, parts.1),
            Self::Object(object) => f.write_str(&object.name),
            Self::Optional(value) => write!(f, "optional_type({value})"),
            Self::Type(value) => write!(f, "type({value})"),
            Self::Opaque(opaque) => f.write_str(opaque.name()),
        }
    }
}

/// The most parts that a type may have, counted as often as it mentions them: types are compared and shown as trees.
pub(crate) const MOST_PARTS: usize = 1_000;

/// The most steps that the types of an expression may take: an expression of 100,000 characters takes some millions.
pub(crate) const MOST_STEPS: u64 = 10_000_000;

/// The types of parameters that are known while an expression is checked.
#[derive(Debug, Default)]
pub(crate) struct Substitution {
    known: HashMap<u32, Type>,
    /// The parts of types that were looked at.
    steps: Cell<u64>,
    /// A type has too many parts.
    is_too_large: Cell<bool>,
    /// What a parameter was before it was noted, so that a failed attempt costs no more than its own notes.
    changes: Vec<(u32, Option<Type>)>,
    next: u32,
}

impl Substitution {
    pub(crate) fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// Returns `true` if types are too large or take too many steps. What they are is not known then.
    pub(crate) const fn is_spent(&self) -> bool {
        self.is_too_large.get() || self.steps.get() > MOST_STEPS
    }

    /// Returns `true` if a type is not too large. If it is, all is spent.
    pub(crate) fn admits(&self, of: &Type) -> bool {
        let mut left = MOST_PARTS;
        let fits = of.has_at_most(&mut left);
        self.steps.set(self.steps.get() + (MOST_PARTS - left) as u64);
        self.is_too_large.set(self.is_too_large.get() || !fits);
        fits
    }

    /// Counts a step; returns `false` if no more are left.
    fn step(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        !self.is_spent()
    }

    /// Replaces each parameter by its type, if it is known.
    pub(crate) fn apply(&self, of: &Type) -> Type {
        self.applied(of, &mut { MOST_PARTS }).unwrap_or_else(|| of.clone())
    }

    /// The type with the types of its parameters, or `None` if it stays as it is.
    fn applied(&self, of: &Type, left: &mut usize) -> Option<Type> {
        match left.checked_sub(1) {
            Some(less) => *left = less,
            None => self.is_too_large.set(true),
        }
        if !self.step() {
            return None;
        }
        match of {
            Type::Parameter(own) => {
                let known = self.known.get(own)?;
                Some(self.applied(known, left).unwrap_or_else(|| known.clone()))
            }
            other => other.with_parts(|part| self.applied(part, left)),
        }
    }

    /// Returns `true` if all types on the left fit the types on the right. If so, the types of parameters that follow are kept.
    pub(crate) fn all_fit(&mut self, left: &[Type], right: &[Type]) -> bool {
        if left.len() != right.len() {
            return false;
        }
        let fits = left.iter().zip(right).all(|(left, right)| self.unify(left, right));
        let changes = self.changes.drain(..).rev().filter(|_| !fits);
        for (parameter, before) in changes {
            match before {
                Some(before) => self.known.insert(parameter, before),
                None => self.known.remove(&parameter),
            };
        }
        fits
    }

    /// Returns `true` if the left type fits the right one, as [`Self::all_fit`] does for lists.
    pub(crate) fn fits(&mut self, left: &Type, right: &Type) -> bool {
        self.all_fit(std::slice::from_ref(left), std::slice::from_ref(right))
    }

    fn unify(&mut self, left: &Type, right: &Type) -> bool {
        if !self.step() {
            return false;
        }
        if let Type::Parameter(parameter) = right {
            let is_known = self.known.contains_key(parameter);
            if self.bind(*parameter, left) {
                return true;
            }
            if is_known {
                return false;
            }
        }
        if let Type::Parameter(parameter) = left {
            return self.bind(*parameter, right);
        }
        match (left, right) {
            _ if left.is_dyn_or_error() || right.is_dyn_or_error() => true,
            (Type::Null, other) | (other, Type::Null) => other.is_nullable(),
            (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => {
                self.unify(a, b)
            }
            (Type::Map(a), Type::Map(b)) => self.unify(&a.0, &b.0) && self.unify(&a.1, &b.1),
            // Any type is a type: `type(self) == int` fits for any `self`.
            (Type::Type(_), Type::Type(_)) => true,
            _ => left.same(right),
        }
    }

    /// Binds a type parameter; `false` if it is bound to another type.
    fn bind(&mut self, parameter: u32, to: &Type) -> bool {
        if matches!(to, Type::Parameter(own) if *own == parameter) {
            return true;
        }
        if let Some(known) = self.known.get(&parameter).cloned() {
            if known.same(to) {
                return true;
            }
            if !self.unify(to, &known) {
                return false;
            }
            let general = to.clone().most_general(known);
            if !self.apply(&general).mentions(parameter) {
                self.note(parameter, general);
            }
            return true;
        }
        if self.apply(to).mentions(parameter) {
            return false;
        }
        self.note(parameter, to.clone());
        true
    }

    fn note(&mut self, parameter: u32, to: Type) {
        let before = self.known.insert(parameter, to);
        self.changes.push((parameter, before));
    }
}
