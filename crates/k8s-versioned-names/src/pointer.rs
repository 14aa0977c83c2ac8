//! JSON pointers (RFC 6901).

use std::fmt::Display;

/// The pointer to a member or an item of the value at `parent`.
///
/// ```
/// use k8s_versioned_names::pointer::child;
///
/// assert_eq!(child("", ""), "/");
/// assert_eq!(child("/a", 0), "/a/0");
/// assert_eq!(child("/a", "example.com/~x"), "/a/example.com~1~0x");
/// ```
pub fn child(parent: &str, step: impl Display) -> String {
    let step = step.to_string().replace('~', "~0").replace('/', "~1");
    format!("{parent}/{step}")
}
