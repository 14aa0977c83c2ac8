//! Entries of `managedFields`.

use crate::printable::first_unprintable;

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
    use super::{ManagedFields, ManagedFieldsFault};

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
}
