//! The rules for the fields in metadata that say which object it is: names, namespace and generation.

use super::object_names::dns1123_label;
use super::object_names::generated_name;
use super::violation::SyntaxViolation;

/// A rule for a text: all that the text breaks.
pub type SyntaxCheck = fn(&str) -> Vec<SyntaxViolation>;

/// The syntax of the names of a kind.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names of the fields in metadata")]
pub struct NameSyntax {
    pub name: SyntaxCheck,
    pub generate_name: SyntaxCheck,
}

/// The fields in metadata that say which object it is. Absent texts are empty.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names of the fields in metadata")]
pub struct ObjectIdentity<'a> {
    pub generate_name: &'a str,
    pub name: &'a str,
    pub namespace: &'a str,
    pub generation: i64,
    /// Whether objects of the kind are in namespaces.
    pub is_namespaced: bool,
    /// Whether a server still makes the name from `generateName`. Servers do that before they check the name.
    pub is_name_made: bool,
}

/// What is wrong with the fields that say which object it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are the parts of metadata that the rule is about")]
pub enum IdentityFault<'a> {
    /// `generateName` is malformed.
    GenerateName { prefix: &'a str, violations: Vec<SyntaxViolation> },
    /// There is no name, and none is made.
    NoName,
    /// The name is malformed.
    Name { name: &'a str, violations: Vec<SyntaxViolation> },
    /// A name that a server makes from `generateName` is malformed.
    MadeName { name: String, violations: Vec<SyntaxViolation> },
    /// There is no namespace, and the kind has one.
    NoNamespace,
    /// The namespace is malformed.
    Namespace { namespace: &'a str, violations: Vec<SyntaxViolation> },
    /// There is a namespace, and the kind has none.
    NamespaceOfCluster,
    /// The generation is below zero.
    Generation(i64),
}

impl<'a> ObjectIdentity<'a> {
    /// Reports all faults, in the order of servers.
    pub fn each_fault(&self, syntax: NameSyntax, mut report: impl FnMut(IdentityFault<'a>)) {
        self.each_name_fault(syntax, &mut report);
        self.namespace_fault().into_iter().chain(self.generation_fault()).for_each(report);
    }

    /// Reports the faults of `generateName` and of the name.
    pub fn each_name_fault(&self, syntax: NameSyntax, mut report: impl FnMut(IdentityFault<'a>)) {
        let (prefix, name) = (self.generate_name, self.name);
        if !prefix.is_empty() {
            let violations = (syntax.generate_name)(prefix);
            if !violations.is_empty() {
                report(IdentityFault::GenerateName { prefix, violations });
            }
        }
        if !name.is_empty() {
            let violations = (syntax.name)(name);
            if !violations.is_empty() {
                report(IdentityFault::Name { name, violations });
            }
        } else if prefix.is_empty() || !self.is_name_made {
            report(IdentityFault::NoName);
        } else {
            let name = generated_name(prefix);
            let violations = (syntax.name)(&name);
            if !violations.is_empty() {
                report(IdentityFault::MadeName { name, violations });
            }
        }
    }

    fn namespace_fault(&self) -> Option<IdentityFault<'a>> {
        let namespace = self.namespace;
        match (self.is_namespaced, namespace.is_empty()) {
            (true, true) => Some(IdentityFault::NoNamespace),
            (true, false) => {
                let violations = dns1123_label(namespace);
                let is_broken = !violations.is_empty();
                is_broken.then_some(IdentityFault::Namespace { namespace, violations })
            }
            (false, true) => None,
            (false, false) => Some(IdentityFault::NamespaceOfCluster),
        }
    }

    /// The fault of the generation.
    pub fn generation_fault(&self) -> Option<IdentityFault<'a>> {
        (self.generation < 0).then_some(IdentityFault::Generation(self.generation))
    }
}

#[cfg(test)]
mod tests {
    use super::{IdentityFault, NameSyntax, ObjectIdentity};
    use crate::syntax::{dns1123_subdomain, dns1123_subdomain_prefix};

    const RULES: NameSyntax =
        NameSyntax { name: dns1123_subdomain, generate_name: dns1123_subdomain_prefix };

    #[test]
    fn faults_are_in_the_order_of_servers() {
        let good = ObjectIdentity {
            generate_name: "",
            name: "a",
            namespace: "b",
            generation: 0,
            is_namespaced: true,
            is_name_made: true,
        };
        let bad = ObjectIdentity {
            generate_name: "AB-",
            name: "A",
            namespace: "B",
            generation: -1,
            ..good
        };
        let without_name = ObjectIdentity { generate_name: "a-", name: "", ..good };
        let table: [(ObjectIdentity<'_>, &[&str]); 9] = [
            (good, &[]),
            (bad, &["generateName AB-", "name A", "namespace B", "generation -1"]),
            (without_name, &[]),
            (ObjectIdentity { is_name_made: false, ..without_name }, &["no name"]),
            (ObjectIdentity { name: "", ..good }, &["no name"]),
            (
                ObjectIdentity { name: "", ..bad },
                &["generateName AB-", "made AB-xxxxx", "namespace B", "generation -1"],
            ),
            (ObjectIdentity { namespace: "", ..good }, &["no namespace"]),
            (
                ObjectIdentity { is_namespaced: false, ..bad },
                &["generateName AB-", "name A", "not in a namespace", "generation -1"],
            ),
            (ObjectIdentity { is_namespaced: false, namespace: "", ..good }, &[]),
        ];
        for (identity, expected) in table {
            let mut faults = Vec::new();
            identity.each_fault(RULES, |fault| {
                faults.push(match fault {
                    IdentityFault::GenerateName { prefix, .. } => format!("generateName {prefix}"),
                    IdentityFault::NoName => "no name".to_owned(),
                    IdentityFault::Name { name, .. } => format!("name {name}"),
                    IdentityFault::MadeName { name, .. } => format!("made {name}"),
                    IdentityFault::NoNamespace => "no namespace".to_owned(),
                    IdentityFault::Namespace { namespace, .. } => format!("namespace {namespace}"),
                    IdentityFault::NamespaceOfCluster => "not in a namespace".to_owned(),
                    IdentityFault::Generation(generation) => format!("generation {generation}"),
                });
            });
            assert_eq!(faults, expected, "{identity:?}");
        }
    }
}
