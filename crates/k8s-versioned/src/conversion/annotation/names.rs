//! The names of annotations. A name depends only on the version and the path of a field: a server that merges the fields of several owners
//! compares the names, and never looks into the texts.

use super::parts::MEMBER;
use crate::conversion::item_names::long_digest;

/// The name of the annotation that marks the fields without room.
pub(super) const MARK: &str = "NotShown";

/// The most bytes of the name of a key, without its domain.
const MOST_BYTES: usize = 63;

/// The name of the annotation of a field or of a part, after the key and `.`. Names that no key can have, and long ones, become a
/// digest.
pub(super) fn name(key: &str, version: &str, path: &str) -> String {
    let unit = unit(path);
    let named = format!("{version}.{}", unit.replace(MEMBER, "."));
    let own = key.rsplit_once('/').map_or(key, |(_, name)| name);
    let is_sign = |sign: u8| sign.is_ascii_alphanumeric() || b"-_.".contains(&sign);
    let fits = own.len() + 1 + named.len() <= MOST_BYTES
        && named.bytes().all(is_sign)
        && named.ends_with(|sign: char| sign.is_ascii_alphanumeric());
    if fits { named } else { format!("{:016x}", digest(version, unit)) }
}

/// What has one annotation: a list whose items have no keys has one for all its items, as it has one owner.
fn unit(path: &str) -> &str {
    let (mut quoted, mut escaped, mut before) = (false, false, ' ');
    for (at, sign) in path.char_indices() {
        if sign == '#' && before == '[' && !quoted {
            return path.get(..at - 1).unwrap_or(path);
        }
        quoted ^= sign == '"' && !escaped;
        escaped = sign == '\\' && !escaped;
        before = sign;
    }
    path
}

/// Returns `true` for a field that shares its annotation with no other.
pub(super) fn is_alone(path: &str) -> bool {
    unit(path).len() == path.len()
}

/// FNV-1a with 64 bits of the version, `.`, and the path.
fn digest(version: &str, path: &str) -> u64 {
    long_digest(version.bytes().chain([b'.']).chain(path.bytes()))
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_are_those_of_annotations() {
        let long = format!("spec.{}", "a".repeat(60));
        for (path, expected) in [
            ("spec.tags", "v1.spec.tags"),
            ("spec.tags/f:a", "v1.spec.tags.a"),
            ("spec.tags/f:a~1b", "b01b5c0a03ffe3ca"),
            ("spec.tags/f:a-", "b1b9cf3f5a4ee3a5"),
            (r#"spec.ports["http"].weight"#, "0"),
            ("spec.parts[#1:5bcd9d7b].weight", "v1.spec.parts"),
            (r#"spec.ports["[#1"].weight"#, "0"),
            ("/spec/colour", "0"),
            (&long, "0"),
        ] {
            let found = name("example.com/kept", "v1", path);
            if expected.len() < 10 || expected.len() == 16 {
                assert!(found.len() == 16 && u64::from_str_radix(&found, 16).is_ok(), "{found}");
            } else {
                assert_eq!(found, expected, "{path}");
            }
        }
        // The digest does not depend on the key.
        assert_eq!(name("example.com/kept", "v1", &long), name("other.com/key", "v1", &long));
    }
}
