//! The rules for the lists and maps in metadata: labels, annotations, owners, finalizers, managed fields.

use std::collections::HashSet;

use super::labels::ANNOTATIONS_LIMIT;
use super::labels::{annotation_key, label_value, qualified_name};
use super::managed_fields::{ManagedFields, ManagedFieldsFault};
use super::owners::{Owner, OwnerFault};
use super::violation::SyntaxViolation;

/// The two finalizers that an object cannot have together: the garbage collector keeps the dependents or deletes them.
pub const OPPOSITE_FINALIZERS: [&str; 2] = ["orphan", "foregroundDeletion"];

/// What is wrong with a list or map in metadata. Indices count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are the parts of metadata that the rule is about")]
#[non_exhaustive]
pub enum ListFault<'a> {
    /// The key of a label is malformed.
    LabelKey { key: &'a str, violations: Vec<SyntaxViolation> },
    /// The value of a label is malformed.
    LabelValue { key: &'a str, value: &'a str, violations: Vec<SyntaxViolation> },
    /// The key of an annotation is malformed.
    AnnotationKey { key: &'a str, violations: Vec<SyntaxViolation> },
    /// The annotations have more bytes than [`ANNOTATIONS_LIMIT`] together.
    Annotations { bytes: usize },
    /// An owner is incomplete, or cannot own anything.
    Owner { index: usize, owner: Owner<'a>, fault: OwnerFault },
    /// A second owner, or a further one, is a controller.
    Controller { first: (usize, Owner<'a>), index: usize, owner: Owner<'a> },
    /// A finalizer is malformed.
    Finalizer { name: &'a str, violations: Vec<SyntaxViolation> },
    /// Both [`OPPOSITE_FINALIZERS`] are there.
    OppositeFinalizers,
    /// An entry of `managedFields` is malformed.
    ManagedFields { index: usize, entry: ManagedFields<'a>, fault: ManagedFieldsFault },
}

/// The lists and maps in metadata, for any type that holds them. Absent ones are empty.
pub trait MetadataLists {
    /// Keys and values of the labels.
    fn labels(&self) -> impl Iterator<Item = (&str, &str)>;
    /// Keys and values of the annotations.
    fn annotations(&self) -> impl Iterator<Item = (&str, &str)>;
    /// The owners.
    fn owners(&self) -> impl Iterator<Item = Owner<'_>>;
    /// The finalizers.
    fn finalizers(&self) -> impl Iterator<Item = &str>;
    /// The entries of `managedFields`.
    fn managed_fields(&self) -> impl Iterator<Item = ManagedFields<'_>>;

    /// Reports all faults, in the order of servers.
    fn each_fault<'a>(&'a self, mut report: impl FnMut(ListFault<'a>)) {
        labels_and_annotations(self, &mut report);
        owners(self, &mut report);
        finalizers(self, &mut report);
        for (index, entry) in self.managed_fields().enumerate() {
            for fault in entry.faults() {
                report(ListFault::ManagedFields { index, entry, fault });
            }
        }
    }
}

fn labels_and_annotations<'a>(
    lists: &'a (impl MetadataLists + ?Sized),
    report: &mut impl FnMut(ListFault<'a>),
) {
    for (key, value) in lists.labels() {
        if let Some(violations) = some(qualified_name(key)) {
            report(ListFault::LabelKey { key, violations });
        }
        if let Some(violations) = some(label_value(value)) {
            report(ListFault::LabelValue { key, value, violations });
        }
    }
    let mut bytes = 0_usize;
    for (key, value) in lists.annotations() {
        bytes = bytes.saturating_add(key.len()).saturating_add(value.len());
        if let Some(violations) = some(annotation_key(key)) {
            report(ListFault::AnnotationKey { key, violations });
        }
    }
    if bytes > ANNOTATIONS_LIMIT {
        report(ListFault::Annotations { bytes });
    }
}

fn owners<'a>(lists: &'a (impl MetadataLists + ?Sized), report: &mut impl FnMut(ListFault<'a>)) {
    let mut controller = None;
    for (index, owner) in lists.owners().enumerate() {
        for fault in owner.faults() {
            report(ListFault::Owner { index, owner, fault });
        }
        if !owner.controller {
            continue;
        }
        match controller {
            None => controller = Some((index, owner)),
            Some(first) => report(ListFault::Controller { first, index, owner }),
        }
    }
}

fn finalizers<'a>(
    lists: &'a (impl MetadataLists + ?Sized),
    report: &mut impl FnMut(ListFault<'a>),
) {
    for name in lists.finalizers() {
        if let Some(violations) = some(qualified_name(name)) {
            report(ListFault::Finalizer { name, violations });
        }
    }
    let has = |opposite: &str| lists.finalizers().any(|name| name == opposite);
    if OPPOSITE_FINALIZERS.into_iter().all(has) {
        report(ListFault::OppositeFinalizers);
    }
}

fn some(violations: Vec<SyntaxViolation>) -> Option<Vec<SyntaxViolation>> {
    (!violations.is_empty()).then_some(violations)
}

/// The finalizers that a stored object does not have, in their order. An object that is being deleted gets none.
///
/// ```
/// let added = k8s_versioned_core::syntax::added_finalizers(["a", "b", "c"], ["b"]);
/// assert_eq!(added, ["a", "c"]);
/// ```
pub fn added_finalizers<'a>(
    new: impl IntoIterator<Item = &'a str>,
    stored: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let stored: HashSet<&str> = stored.into_iter().collect();
    new.into_iter().filter(|name| !stored.contains(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::{ListFault, MetadataLists, OPPOSITE_FINALIZERS};
    use crate::syntax::{ANNOTATIONS_LIMIT, ManagedFields, Owner};

    #[derive(Default)]
    struct Lists {
        labels: Vec<(&'static str, &'static str)>,
        annotations: Vec<(&'static str, String)>,
        owners: Vec<Owner<'static>>,
        finalizers: Vec<&'static str>,
        managed_fields: Vec<ManagedFields<'static>>,
    }

    impl MetadataLists for Lists {
        fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
            self.labels.iter().copied()
        }

        fn annotations(&self) -> impl Iterator<Item = (&str, &str)> {
            self.annotations.iter().map(|(key, value)| (*key, value.as_str()))
        }

        fn owners(&self) -> impl Iterator<Item = Owner<'_>> {
            self.owners.iter().copied()
        }

        fn finalizers(&self) -> impl Iterator<Item = &str> {
            self.finalizers.iter().copied()
        }

        fn managed_fields(&self) -> impl Iterator<Item = ManagedFields<'_>> {
            self.managed_fields.iter().copied()
        }
    }

    /// The name of each fault, with what tells it from others of its kind.
    fn faults(lists: &Lists) -> Vec<String> {
        let mut faults = Vec::new();
        lists.each_fault(|fault| {
            faults.push(match fault {
                ListFault::LabelKey { key, .. } => format!("label {key}"),
                ListFault::LabelValue { key, value, .. } => format!("label {key}={value}"),
                ListFault::AnnotationKey { key, .. } => format!("annotation {key}"),
                ListFault::Annotations { bytes } => format!("{bytes} bytes"),
                ListFault::Owner { index, fault, .. } => format!("owner {index} {fault:?}"),
                ListFault::Controller { first, index, .. } => format!("both {} {index}", first.0),
                ListFault::Finalizer { name, .. } => format!("finalizer {name}"),
                ListFault::OppositeFinalizers => "opposite".to_owned(),
                ListFault::ManagedFields { index, fault, .. } => format!("entry {index} {fault:?}"),
            });
        });
        faults
    }

    #[test]
    fn faults_are_in_the_order_of_servers() {
        let owner =
            Owner { api_version: "v1", kind: "Node", name: "n", uid: "u", controller: true };
        let [orphan, foreground] = OPPOSITE_FINALIZERS;
        let entry = ManagedFields { operation: "Apply", ..ManagedFields::default() };
        let lists = Lists {
            labels: vec![("a", "b"), ("a/b/c", "-")],
            annotations: vec![("-", "x".repeat(ANNOTATIONS_LIMIT))],
            owners: vec![owner, Owner { uid: "", ..owner }, owner],
            finalizers: vec![orphan, "-", foreground],
            managed_fields: vec![entry, ManagedFields { operation: "x", ..entry }],
        };
        let expected = [
            "label a/b/c",
            "label a/b/c=-",
            "annotation -",
            "262145 bytes",
            "owner 1 Empty(\"uid\")",
            "both 0 1",
            "both 0 2",
            "finalizer -",
            "opposite",
            "entry 1 Operation",
        ];
        assert_eq!(faults(&lists), expected);
        assert_eq!(faults(&Lists::default()), [""; 0]);
    }
}
