//! The syntax of names, keys and values that API servers require of every kind.
//!
//! [`AnnotationKey`] is the key of an annotation that a program writes.
//!
//! Each function but the last returns all rules of the syntax that a text breaks, none if it is valid. Servers report one error for
//! each rule, so their number matters.
//!
//! | function | texts |
//! |---|---|
//! | `dns1123_label` | namespaces |
//! | `dns1123_subdomain` | names of most kinds |
//! | `dns1123_subdomain_prefix` | `generateName` of these kinds |
//! | `config_map_key` | names and `generateName` of some kinds |
//! | `path_segment` | names of all kinds, which stand in URLs |
//! | `path_segment_prefix` | `generateName` of all kinds |
//! | `qualified_name` | finalizers and label keys |
//! | `annotation_key`, `label_value` | annotations and labels |
//! | `first_unprintable` | field managers |
//!
//! [`ObjectIdentity`] checks the names, the namespace and the generation in metadata, and [`MetadataLists`] its lists and maps. Each
//! fault is an [`IdentityFault`] or a [`ListFault`]; callers have the words.
//!
//! Lengths are counted in bytes, letters and digits are ASCII.
//!
//! ```
//! use k8s_versioned_core::syntax;
//!
//! assert_eq!(syntax::qualified_name("example.com/by-load"), []);
//!
//! let broken: Vec<String> = syntax::qualified_name("Example.com/")
//!     .iter()
//!     .map(ToString::to_string)
//!     .collect();
//! assert_eq!(
//!     broken,
//!     [
//!         "the part before `/` must consist of words of lower-case letters, digits and `-`, \
//!          joined by `.`, each with a letter or digit at both ends, such as `example.com`",
//!         "the part after `/` must not be empty",
//!         "the part after `/` must consist of letters, digits, `-`, `_` and `.`, \
//!          with a letter or digit at both ends, such as `MyName`",
//!     ]
//! );
//! ```

mod conversion_annotation;
mod identity;
mod labels;
mod lists;
mod managed_fields;
mod object_names;
mod owners;
#[cfg(test)]
mod tests;
mod violation;

pub use crate::printable::{first_unprintable, is_display_control};
pub use conversion_annotation::AnnotationKey;
pub use identity::{IdentityFault, NameSyntax, ObjectIdentity, SyntaxCheck};
pub use labels::{ANNOTATIONS_LIMIT, annotation_key, label_value, qualified_name};
pub use lists::{ListFault, MetadataLists, OPPOSITE_FINALIZERS, added_finalizers};
pub use managed_fields::{ManagedFields, ManagedFieldsFault};
pub use object_names::{
    config_map_key, dns1123_label, dns1123_subdomain, dns1123_subdomain_prefix, generated_name,
    path_segment, path_segment_prefix,
};
pub use owners::{Owner, OwnerFault, group_version};
pub use violation::{SyntaxRule, SyntaxViolation, TextPart};
