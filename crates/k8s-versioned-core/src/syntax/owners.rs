//! Owners of objects.

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

#[cfg(test)]
mod tests {
    use super::{Owner, OwnerFault};

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
}
