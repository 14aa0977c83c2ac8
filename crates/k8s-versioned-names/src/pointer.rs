//! JSON pointers (RFC 6901).

use std::fmt::{Display, Write as _};

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
    // Most steps are short: the text is made at once.
    let mut pointer = String::with_capacity(parent.len() + 32);
    pointer.push_str(parent);
    push(&mut pointer, step);
    pointer
}

/// Adds a step to a pointer: to a member or an item of the value to which it points.
///
/// ```
/// let mut pointer = "/a".to_owned();
/// k8s_versioned_names::pointer::push(&mut pointer, "b/c");
/// assert_eq!(pointer, "/a/b~1c");
/// ```
pub fn push(pointer: &mut String, step: impl Display) {
    pointer.push('/');
    let start = pointer.len();
    // Writing to a string cannot fail.
    let _ = write!(pointer, "{step}");
    if pointer.get(start..).is_some_and(|step| step.contains(['~', '/'])) {
        let step = pointer.split_off(start);
        pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
    }
}
