//! Names and namespaces.

use k8s_versioned::field::FieldError;
use k8s_versioned::names::{self, Violation};

use super::{METADATA, text};
use crate::meta::v1::ObjectMeta;
use crate::validation::advice;

type Rule = fn(&str) -> Vec<Violation>;

/// The form of a kind's names.
#[derive(Clone, Copy, Debug)]
pub(in crate::validation) enum NameRule {
    /// A DNS-1123 subdomain.
    Subdomain,
    /// A key of a config map.
    ConfigMapKey,
}

impl NameRule {
    fn name(self) -> Rule {
        match self {
            Self::Subdomain => names::dns1123_subdomain,
            Self::ConfigMapKey => names::config_map_key,
        }
    }

    /// The rule for `generateName`.
    fn prefix(self) -> Rule {
        match self {
            Self::Subdomain => names::dns1123_subdomain_prefix,
            Self::ConfigMapKey => names::config_map_key,
        }
    }
}

/// Checks `generateName` and the name, which a server makes from it when it is empty.
pub(in crate::validation) fn check_name(
    metadata: &ObjectMeta,
    rule: NameRule,
    errors: &mut Vec<FieldError>,
) {
    let (name, prefix) = (text(metadata.name.as_ref()), text(metadata.generate_name.as_ref()));
    if !prefix.is_empty() {
        check_field("generateName", prefix, rule.prefix(), errors);
    }
    if !name.is_empty() {
        check_field("name", name, rule.name(), errors);
    } else if prefix.is_empty() {
        let message = "write a name, or a `generateName` from which the server makes one";
        errors.push(FieldError::required(METADATA.child("name"), message));
    } else {
        let generated = generated(prefix);
        let violations = rule.name()(&generated).into_iter();
        errors.extend(violations.map(|violation| {
            let message = violation.about("a name made from this `generateName`");
            FieldError::invalid(METADATA.child("name"), generated.as_str(), message)
        }));
    }
}

pub(super) fn check_namespace(metadata: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let namespace = text(metadata.namespace.as_ref());
    if namespace.is_empty() {
        let message = "write the namespace of the object";
        errors.push(FieldError::required(METADATA.child("namespace"), message));
    } else {
        check_field("namespace", namespace, names::dns1123_label, errors);
    }
}

/// Checks that a URL can hold a prefix. An update has no other rule for it.
pub(super) fn check_path(metadata: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let prefix = text(metadata.generate_name.as_ref());
    check_field("generateName", prefix, names::path_segment_prefix, errors);
}

fn check_field(field: &'static str, value: &str, rule: Rule, errors: &mut Vec<FieldError>) {
    advice::check_name(METADATA.child(field), &"it", value, rule, errors);
}

/// A name that a server could make: the prefix, cut so that the whole has 63 bytes, and five letters or
/// digits.
fn generated(prefix: &str) -> String {
    const START: usize = 58;
    // A server cuts between bytes, here a character stays whole: both break the same rules.
    let start = (START..prefix.len()).find_map(|end| prefix.get(..end)).unwrap_or(prefix);
    format!("{start}xxxxx")
}
