//! Owners, entries of `managedFields`, and generated names.

use crate::printable::first_unprintable;

/// The most bytes of the keys and values of all annotations of an object together.
pub const ANNOTATIONS_LIMIT: usize = 256 * 1024;

/// The name that a server could make of a `generateName`: its first 58 bytes, and five letters or digits.
///
/// A server cuts between bytes, here a character that is cut stays whole: both break the same rules.
///
/// ```
/// assert_eq!(k8s_versioned_core::syntax::generated_name("backup-"), "backup-xxxxx");
/// ```
pub fn generated_name(prefix: &str) -> String {
    const START: usize = 58;
    let start = (START..prefix.len()).find_map(|end| prefix.get(..end)).unwrap_or(prefix);
    format!("{start}xxxxx")
}

/// The group and the version in an `apiVersion`, as servers read them: each may be empty. `None` if there are more parts.
pub fn group_version(api_version: &str) -> Option<(&str, &str)> {
    match api_version.split_once('/') {
        Some((_, rest)) if rest.contains('/') => None,
        Some(parts) => Some(parts),
        None => Some(("", api_version)),
    }
}

/// An owner reference. Absent texts are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of an owner reference")]
pub struct Owner<'a> {
    pub api_version: &'a str,
    pub kind: &'a str,
    pub name: &'a str,
    pub uid: &'a str,
    pub controller: bool,
}

/// What is wrong with an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OwnerFault {
    /// `apiVersion` has no version.
    NoVersion,
    /// This field is empty.
    Empty(&'static str),
    /// An `Event` of the core group cannot own anything.
    Event,
}

impl Owner<'_> {
    /// All faults, in the order of servers.
    pub fn faults(self) -> Vec<OwnerFault> {
        let (group, version) = group_version(self.api_version).unwrap_or_default();
        let fields = [("kind", self.kind), ("name", self.name), ("uid", self.uid)];
        let empty = fields.into_iter().filter(|(_, text)| text.is_empty());
        let empty = empty.map(|(field, _)| OwnerFault::Empty(field));
        let no_version = version.is_empty().then_some(OwnerFault::NoVersion);
        let is_event = (group, version, self.kind) == ("", "v1", "Event");
        no_version.into_iter().chain(empty).chain(is_event.then_some(OwnerFault::Event)).collect()
    }
}

/// The texts of an entry of `managedFields`; empty if they are absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of an entry")]
pub struct ManagedFields<'a> {
    pub operation: &'a str,
    pub fields_type: &'a str,
    pub manager: &'a str,
    pub subresource: &'a str,
}

/// What is wrong with an entry of `managedFields`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManagedFieldsFault {
    /// `operation` is neither `Apply` nor `Update`.
    Operation,
    /// `fieldsType` is another one than `FieldsV1`.
    FieldsType,
    /// `manager` or `subresource` has more bytes than this.
    TooLong(&'static str, usize),
    /// `manager` has a character that cannot be shown.
    Unprintable(char),
}

impl ManagedFields<'_> {
    /// All faults, in the order of servers.
    pub fn faults(self) -> Vec<ManagedFieldsFault> {
        use ManagedFieldsFault::{FieldsType, Operation, TooLong, Unprintable};
        let too_long =
            |field, text: &str, most| (text.len() > most).then_some(TooLong(field, most));
        let faults = [
            (!["Apply", "Update"].contains(&self.operation)).then_some(Operation),
            (!["", "FieldsV1"].contains(&self.fields_type)).then_some(FieldsType),
            too_long("manager", self.manager, 128),
            first_unprintable(self.manager).map(Unprintable),
            too_long("subresource", self.subresource, 256),
        ];
        faults.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{ManagedFields, ManagedFieldsFault, Owner, OwnerFault, generated_name};

    #[test]
    fn owners() {
        let owner = Owner {
            api_version: "apps/v1",
            kind: "Deployment",
            name: "a",
            uid: "u",
            controller: false,
        };
        assert_eq!(owner.faults(), []);
        let event = Owner { kind: "Event", ..owner };
        assert_eq!(event.faults(), []);
        for api_version in ["v1", "/v1"] {
            assert_eq!(Owner { api_version, ..event }.faults(), [OwnerFault::Event]);
        }
        for api_version in ["", "a/", "a/b/c"] {
            assert_eq!(Owner { api_version, ..owner }.faults(), [OwnerFault::NoVersion]);
        }
        let fields = ["kind", "name", "uid"].map(OwnerFault::Empty);
        assert_eq!(Owner::default().faults(), [&[OwnerFault::NoVersion], &fields[..]].concat());
    }

    #[test]
    fn managed_fields() {
        use ManagedFieldsFault::{FieldsType, Operation, TooLong, Unprintable};
        let entry =
            ManagedFields { operation: "Apply", fields_type: "FieldsV1", ..Default::default() };
        assert_eq!(entry.faults(), []);
        let (manager, subresource) = ("\u{7}".repeat(129), "s".repeat(257));
        let long = ManagedFields { manager: &manager, subresource: &subresource, ..entry };
        let expected = [TooLong("manager", 128), Unprintable('\u{7}'), TooLong("subresource", 256)];
        assert_eq!(long.faults(), expected);
        let other = ManagedFields { operation: "", fields_type: "V2", ..entry };
        assert_eq!(other.faults(), [Operation, FieldsType]);
    }

    #[test]
    fn generated_names() {
        assert_eq!(generated_name(""), "xxxxx");
        assert_eq!(generated_name(&"a".repeat(60)), format!("{}xxxxx", "a".repeat(58)));
        let cut = format!("{}é", "a".repeat(57));
        assert_eq!(generated_name(&format!("{cut}-")), format!("{cut}xxxxx"));
    }
}
