//! The parts of a plan.

use std::sync::Arc;

use k8s_versioned_core::Lifecycle;

use crate::Place;
use crate::gather::Gather;
use crate::model::Scope;
use crate::rules::FieldNumber;
use crate::spec::{GroupVersionKind, Property, Type};
use crate::text::join;

/// A module and its content.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    /// Its path below the root, such as `meta::v1`.
    pub(crate) path: String,
    /// The rustdoc of the module.
    pub(crate) docs: String,
    /// Its structs, by name.
    pub(crate) structs: Vec<Struct>,
    /// Hand-written types that replace schemas of this module.
    pub(crate) reexports: Vec<ItemPath>,
    /// The package that has the module.
    pub(crate) package: Package,
}

/// The path of a type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ItemPath {
    /// The package that has the type.
    pub(crate) package: Package,
    /// The module; empty for the root.
    pub(crate) module: String,
    /// The name of the type.
    pub(crate) name: String,
}

/// The package that has an item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Package {
    /// The generated one.
    Generated,
    /// The crate of this name, which has the generated modules that all groups share.
    Shared(String),
    /// Another crate, whose name is the first part of the module.
    External,
}

/// A struct.
#[derive(Clone, Debug)]
pub(crate) struct Struct {
    /// The Rust path of the struct.
    pub(crate) path: ItemPath,
    /// The full name of its schema.
    pub(crate) schema: String,
    /// The type in the model.
    pub(crate) schema_type: Arc<Type>,
    /// A description in one line.
    pub(crate) summary: String,
    /// The rustdoc of the struct.
    pub(crate) docs: String,
    /// Its fields, by their names in JSON.
    pub(crate) fields: Vec<Field>,
    /// The traits that its fields allow.
    pub(crate) traits: Traits,
    /// Whether it is a message of protobuf.
    pub(crate) is_message: bool,
    /// Its lifecycle; `None` if no limit is known.
    pub(crate) lifecycle: Option<Lifecycle>,
    /// Its kind and role as an object; `None` if it is only a part of others.
    pub(crate) object: Option<Object>,
}

/// Traits that not every struct can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Traits {
    /// `Eq` and `Hash`: no field is a number with a fraction.
    pub(crate) eq: bool,
    /// `Default`: no required text would be empty.
    pub(crate) default: bool,
}

impl Default for Traits {
    fn default() -> Self {
        Self { eq: true, default: true }
    }
}

/// A struct that carries `apiVersion` and `kind`.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// Its group, version and kind.
    pub(crate) gvk: GroupVersionKind,
    /// Every `apiVersion` that is accepted; the first one is written.
    pub(crate) accepted: Vec<String>,
    /// Whether it is a resource, a list, or another object.
    pub(crate) role: ObjectRole,
}

/// The role of an object.
#[derive(Clone, Debug)]
pub(crate) enum ObjectRole {
    /// An object with a path.
    Resource {
        /// The name in paths.
        plural: String,
        /// The scope of objects.
        scope: Scope,
        /// The alias for lists of it; `None` if servers do not store its objects.
        list: Option<ItemPath>,
        /// The kind of these lists; empty if there are none.
        list_kind: String,
    },
    /// A list of a resource's objects: an alias for the generic list.
    List {
        /// The type of its items.
        item: ItemPath,
    },
    /// An object that is neither stored nor a list, such as the body of a request.
    Other,
}

/// A field.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Its name in Rust.
    pub(crate) ident: String,
    /// Its name in JSON.
    pub(crate) wire: String,
    /// Its type, with `Option` around it if its presence is optional.
    pub(crate) rust_type: RustType,
    /// The cases in which it is written.
    pub(crate) presence: Presence,
    /// Whether it is a field of a custom resource, which servers read in another way than a field of a built-in kind.
    pub(crate) is_custom: bool,
    /// Whether a constructor takes it: it is required, or its type has no `Default`.
    pub(crate) needed: bool,
    /// A description in one line.
    pub(crate) summary: String,
    /// The rustdoc of the field.
    pub(crate) docs: String,
    /// Its number in protobuf, and how it is written there; `None` without code for protobuf, and if the number is not known.
    pub(crate) protobuf: Option<(FieldNumber, FieldForm)>,
    /// The property in the model.
    pub(crate) property: Arc<Property>,
}

/// The cases in which a field is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// Always.
    Always,
    /// Unless it is empty or zero.
    UnlessEmpty,
    /// Always; as `null` if it is empty.
    NullIfEmpty,
    /// Unless it is absent.
    Optional,
    /// Its members are the members of the object that are not fields.
    Rest,
}

/// A type in Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RustType {
    /// `bool`
    Bool,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `f64`
    F64,
    /// `String`
    String,
    /// An open enum.
    OpenEnum(ItemPath),
    /// A type of another crate, and whether it has a default.
    External(ItemPath, bool),
    /// A generated struct.
    Struct(ItemPath),
    /// A generated struct in a type of a library.
    Wrapped(Wrapper, ItemPath),
    /// `Vec`
    List(Box<RustType>),
    /// `BTreeMap<String, _>`
    Map(Box<RustType>),
    /// `Option`
    Option(Box<RustType>),
}

/// A type of a library around a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrapper {
    /// `Box`: the struct would contain itself.
    Box,
    /// `Embedded`: an object inside another, which remembers whether it had `apiVersion` and `kind`.
    Embedded,
    /// `Box<Embedded>`: both.
    BoxEmbedded,
}

impl Struct {
    /// Its kind, if its objects have a path.
    pub(crate) fn resource(&self) -> Option<&Object> {
        self.object.as_ref().filter(|object| matches!(object.role, ObjectRole::Resource { .. }))
    }

    /// Its fields in the order of docs, arguments and pages.
    pub(crate) fn in_order(&self) -> Vec<&Field> {
        self.fields.iter().sorted_by_key(|field| field.property.order(&field.wire))
    }

    /// The type of the items, if it is an alias of the generic list. Other structs have a file each.
    pub(crate) fn list_item(&self) -> Option<&ItemPath> {
        match &self.object.as_ref()?.role {
            ObjectRole::List { item } => Some(item),
            _ => None,
        }
    }
}

impl ItemPath {
    pub(crate) fn new(
        package: Package,
        module: impl Into<String>,
        name: impl Into<String>,
    ) -> Self {
        Self { package, module: module.into(), name: name.into() }
    }

    /// The path in Rust, without the root of the generated modules.
    pub(crate) fn full(&self) -> String {
        let package = match &self.package {
            Package::Shared(name) => name,
            Package::Generated | Package::External => "",
        };
        let parts = [package, self.module.as_str(), self.name.as_str()];
        join(parts.into_iter().filter(|part| !part.is_empty()), "::")
    }

    /// The first part of the module: in a package of several groups the module of the group.
    pub(crate) fn folder(&self) -> &str {
        self.module.split("::").next().unwrap_or_default()
    }

    /// Returns `true` for the type of this name in `meta::v1`, which all groups share.
    pub(crate) fn is_meta(&self, name: &str) -> bool {
        self.full() == format!("k8s_versioned::meta::v1::{name}")
    }

    /// Returns `true` if it is one of the types that all groups share.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self.package, Package::Shared(_))
    }
}

impl RustType {
    /// The type without `Option` around it.
    pub(crate) fn present(&self) -> &Self {
        match self {
            Self::Option(value) => value,
            plain => plain,
        }
    }

    /// Returns `true` if a value can be absent.
    pub(crate) fn is_option(&self) -> bool {
        matches!(self, Self::Option(_))
    }

    /// Returns `true` for a list, perhaps an optional one.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.present(), Self::List(_))
    }

    /// Returns `true` for a map, perhaps an optional one.
    pub(crate) fn is_map(&self) -> bool {
        matches!(self.present(), Self::Map(_))
    }

    /// Returns `true` for a text, and for a word, which can be any text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Self::String | Self::OpenEnum(_))
    }

    /// Returns `true` for any JSON.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self, Self::External(path, _) if path.name == "Json")
    }

    /// The number of lists and maps around each other.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Self::List(inner) | Self::Map(inner) => 1 + inner.depth(),
            Self::Option(inner) => inner.depth(),
            _ => 0,
        }
    }

    /// Returns `true` if Clippy calls the type complex (`clippy::type_complexity`): each name counts for more the deeper it is.
    pub(crate) fn is_complex(&self) -> bool {
        self.complexity(1) > 25
    }

    fn complexity(&self, nest: usize) -> usize {
        match self {
            Self::List(inner) | Self::Option(inner) => nest + inner.complexity(nest + 1),
            Self::Map(inner) => nest + (nest + 1) + inner.complexity(nest + 1),
            Self::Wrapped(Wrapper::BoxEmbedded, _) => 3 * nest + 3,
            Self::Wrapped(..) => 2 * nest + 1,
            _ => nest,
        }
    }

    /// The type of the values inside of lists, maps and options.
    pub(crate) fn innermost(&self) -> &Self {
        match self {
            Self::Option(inner) | Self::List(inner) | Self::Map(inner) => inner.innermost(),
            other => other,
        }
    }

    /// The type of a value, or of each of its items, if that type has a path.
    pub(crate) fn held(&self) -> Option<&ItemPath> {
        match self.innermost() {
            Self::Struct(path) | Self::Wrapped(_, path) | Self::OpenEnum(path) => Some(path),
            _ => None,
        }
    }
}

/// A set of known words, open for others.
#[derive(Clone, Debug)]
pub(crate) struct OpenEnum {
    /// The Rust path of the enum.
    pub(crate) path: ItemPath,
    /// The place that states the words.
    pub(crate) place: Place,
    /// A description in one line.
    pub(crate) summary: String,
    /// The rustdoc of the enum.
    pub(crate) docs: String,
    /// The words that the enum has as variants.
    pub(crate) variants: Vec<Variant>,
}

/// A known word.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// Its name in Rust.
    pub(crate) ident: String,
    /// The word in JSON.
    pub(crate) word: String,
    /// The rustdoc of the variant.
    pub(crate) docs: String,
}

/// How Go writes a field of a message. Each item of a list, and each entry of a map, is a field of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldForm {
    /// Always written: an absent `Option` as the zero value.
    Value,
    /// Written if it is set.
    Pointer,
    /// A list in a message of its own.
    ListMessage,
}
