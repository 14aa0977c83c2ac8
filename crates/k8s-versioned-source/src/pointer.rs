//! JSON pointers to values that are being walked through.

use std::fmt::Display;

use k8s_versioned_names::pointer::child;

/// A JSON pointer that becomes text when it is shown. Most of them never are.
pub struct Pointer<'a> {
    /// The pointer of the value around this one; `None` for the whole.
    pub parent: Option<&'a Pointer<'a>>,
    /// The name of the member, or the number of the item.
    pub token: &'a dyn Display,
}

impl std::fmt::Debug for Pointer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Self::text(Some(self)))
    }
}

impl Pointer<'_> {
    /// The text of a pointer, empty for the whole.
    pub fn text(pointer: Option<&Self>) -> String {
        pointer.map_or_else(String::new, |own| child(&Self::text(own.parent), own.token))
    }
}
