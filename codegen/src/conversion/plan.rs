//! The plan of conversions.

use crate::Place;
use crate::plan::{ItemPath, RustType};
use crate::text::join;

/// The conversions of a kind.
#[derive(Clone, Debug)]
pub struct KindConversion {
    /// The API group.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The kind of lists of it.
    pub list_kind: String,
    /// The annotation that keeps the values that a version cannot hold; `None` if every version holds all values.
    pub annotation: Option<String>,
    /// `true` if the objects have a `spec`.
    pub has_spec: bool,
    /// The versions, lowest first.
    pub versions: Vec<KindVersion>,
    /// The choices about absent fields.
    pub policies: Vec<Policy>,
    /// The fields that all versions share.
    pub accessors: Vec<Accessor>,
    /// One plan for each directed pair of versions.
    pub pairs: Vec<Pair>,
    /// The types of source and target that the rules declare to be the same.
    pub lossless: Vec<(ItemPath, ItemPath)>,
}

impl KindConversion {
    /// The version of this name.
    pub fn version(&self, name: &str) -> Option<&KindVersion> {
        self.versions.iter().find(|version| version.name == name)
    }

    /// The pairs of versions whose conversion applies a policy.
    pub fn asking(&self, policy: &Policy) -> Vec<&Pair> {
        let asks = |step: &&Step| matches!(&step.how, How::AbsentToZero { policy: name, .. } if *name == policy.name);
        let pairs = self.pairs.iter();
        pairs.filter(|pair| pair.object.leaves().iter().any(asks)).collect()
    }
}

/// A version of a kind.
#[derive(Clone, Debug)]
pub struct KindVersion {
    /// Its name.
    pub name: String,
    /// The full name of the schema of its objects.
    pub schema: String,
    /// The type of its objects.
    pub object: ItemPath,
    /// The fields that its servers reject when they are empty.
    pub required: Vec<FieldRef>,
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRef {
    /// Its path in JSON, such as `spec.strategy`.
    pub path: String,
    /// The names in Rust that lead to it, such as `spec` and `strategy`.
    pub idents: Vec<String>,
    /// The type that the last of these names is a field of.
    pub of: ItemPath,
    /// Its type.
    pub rust_type: RustType,
    /// Its place in the documents of the newest release.
    pub place: Place,
}

impl FieldRef {
    /// Its own name in Rust.
    pub fn ident(&self) -> &str {
        self.idents.last().map_or("", String::as_str)
    }

    /// The names of its path as one, such as `spec_strategy`. Never raw: it is for longer names.
    pub fn joined(&self) -> String {
        join(self.idents.iter().map(|ident| unraw(ident)), "_")
    }
}

/// A name without the prefix of a raw one.
fn unraw(ident: &str) -> &str {
    ident.strip_prefix("r#").unwrap_or(ident)
}

/// A choice about an absent field.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Its name in Rust.
    pub name: String,
    /// The path of the field.
    pub path: String,
    /// The type of its value.
    pub value: RustType,
    /// The path of the field whose value can replace an absent one.
    pub other: Option<String>,
}

/// A field that all versions have, in the same form or as a list and its first item.
#[derive(Clone, Debug)]
pub struct Accessor {
    /// The name of the function.
    pub name: String,
    /// The field in each version, in their order.
    pub fields: Vec<FieldRef>,
}

/// The conversion from one version to another.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The version of the source.
    pub from: String,
    /// The version of the target.
    pub to: String,
    /// The plan for the object.
    pub object: StructPair,
}

/// The plan for a struct.
#[derive(Clone, Debug)]
pub struct StructPair {
    /// The type of the source.
    pub from: ItemPath,
    /// The type of the target.
    pub to: ItemPath,
    /// `true` if the target is an object, which has `apiVersion` and `kind`.
    pub is_object: bool,
    /// A step for each field, in the order of their paths.
    pub steps: Vec<Step>,
}

impl StructPair {
    /// Tells if both structs have the same fields with the same types, at any depth.
    pub fn is_equal_shape(&self) -> bool {
        self.steps.iter().all(|step| match (&step.from, &step.to) {
            (Some(from), Some(to)) => {
                let equal = matches!(step.how, How::Move | How::Into(_) | How::Recursive { .. });
                from.ident() == to.ident() && equal
            }
            _ => false,
        })
    }

    /// Tells if a step can keep a value aside.
    pub fn can_keep(&self) -> bool {
        self.leaves().iter().any(|step| step.how.keeps())
    }

    /// Tells if a step can restore a kept value.
    pub fn can_restore(&self) -> bool {
        self.leaves().iter().any(|step| step.how.restores())
    }

    /// The steps of all fields; a part is replaced by its steps.
    pub fn leaves(&self) -> Vec<&Step> {
        let mut leaves = Vec::new();
        for step in &self.steps {
            match &step.how {
                How::Part(part) => leaves.extend(part.leaves()),
                _ => leaves.push(step),
            }
        }
        leaves
    }

    /// The pairs inside this one, outer ones first, each with its field in the source.
    pub fn inner(&self) -> Vec<(&FieldRef, &StructPair)> {
        let mut inner = Vec::new();
        for step in &self.steps {
            if let (How::Into(part) | How::Part(part), Some(from)) = (&step.how, &step.from) {
                inner.push((from, part));
                inner.extend(part.inner());
            }
        }
        inner
    }

    /// The types of the source and the target.
    pub fn types(&self) -> (ItemPath, ItemPath) {
        (self.from.clone(), self.to.clone())
    }
}

/// The step for a field.
#[derive(Clone, Debug)]
pub struct Step {
    /// The field of the source, if it has a counterpart there.
    pub from: Option<FieldRef>,
    /// The field of the target, if it has a counterpart there.
    pub to: Option<FieldRef>,
    /// The conversion of the value.
    pub how: How,
    /// The versions that have the field in the form that is kept, lowest first, and its path in each.
    pub places: Vec<(String, String)>,
}

/// The conversion of a field to its counterpart.
#[derive(Clone, Debug)]
pub enum How {
    /// It has the same type.
    Move,
    /// It has another type with equal fields, or holds such values.
    Into(StructPair),
    /// It holds values of the type around it, which are converted like that type.
    Recursive {
        /// That type in the source.
        from: ItemPath,
        /// Its counterpart in the target.
        to: ItemPath,
    },
    /// It is a struct, and some of its fields differ.
    Part(StructPair),
    /// A list becomes its first item.
    FirstOfList,
    /// A value becomes a list.
    ListOfFirst,
    /// An absent value becomes the zero value, or the value of a policy.
    AbsentToZero {
        /// The name of the policy.
        policy: String,
        /// The field whose value the policy can use for an absent one.
        other: Option<FieldRef>,
    },
    /// The zero value becomes an absent one.
    ZeroToAbsent,
    /// It has no counterpart and is kept aside.
    KeepAside,
    /// It has no counterpart and is restored from the annotation.
    TakeBack,
}

impl How {
    /// Tells if it can keep the value of a field aside.
    fn keeps(&self) -> bool {
        matches!(self, Self::FirstOfList | Self::AbsentToZero { .. } | Self::KeepAside)
    }

    /// Tells if it can restore the kept value of a field.
    fn restores(&self) -> bool {
        matches!(self, Self::ListOfFirst | Self::ZeroToAbsent | Self::TakeBack)
    }
}
