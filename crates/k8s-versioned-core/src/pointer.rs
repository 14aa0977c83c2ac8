//! JSON pointers (RFC 6901).

use std::borrow::Cow;
use std::fmt::{Debug, Display, Formatter, Write as _};

/// A JSON pointer that becomes text when it is shown. Most of them never are.
///
/// ```
/// use k8s_versioned_core::pointer::Pointer;
///
/// let around = Pointer { parent: None, token: &"properties" };
/// assert_eq!(Pointer::text(Some(&around.inside(&"a/b"))), "/properties/a~1b");
/// ```
#[derive(Clone, Copy)]
pub struct Pointer<'a> {
    /// The pointer of the value around this one; `None` for the whole.
    pub parent: Option<&'a Pointer<'a>>,
    /// The name of the member, or the number of the item.
    pub token: &'a dyn Display,
}

impl Debug for Pointer<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for Pointer<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Self::text(Some(self)))
    }
}

impl Pointer<'_> {
    /// The pointer to a member or an item of the value at this one.
    pub const fn inside<'a>(&'a self, token: &'a dyn Display) -> Pointer<'a> {
        Pointer { parent: Some(self), token }
    }

    /// The text of a pointer, empty for the whole.
    pub fn text(pointer: Option<&Self>) -> String {
        let mut text = String::new();
        if let Some(pointer) = pointer {
            pointer.push_to(&mut text);
        }
        text
    }

    /// Appends this pointer to the pointer of the value in which it starts.
    pub fn push_to(&self, text: &mut String) {
        if let Some(parent) = self.parent {
            parent.push_to(text);
        }
        push(text, self.token);
    }
}

/// The pointer to a member or an item of the value at `parent`.
///
/// ```
/// use k8s_versioned_core::pointer::child;
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
/// k8s_versioned_core::pointer::push(&mut pointer, "b/c");
/// assert_eq!(pointer, "/a/b~1c");
/// ```
pub fn push(pointer: &mut String, step: impl Display) {
    pointer.push('/');
    let start = pointer.len();
    // Writing to a string cannot fail.
    let _ = write!(pointer, "{step}");
    if pointer.get(start..).is_some_and(|step| step.contains(['~', '/'])) {
        let step = pointer.split_off(start);
        pointer.push_str(&escaped(&step));
    }
}

/// A step of a pointer: the name of a member with `~` and `/` escaped.
pub fn escaped(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) {
        name.replace('~', "~0").replace('/', "~1").into()
    } else {
        name.into()
    }
}

/// The name of the member, or the number of the item, that a step of a pointer means.
///
/// ```
/// assert_eq!(k8s_versioned_core::pointer::unescaped("example.com~1~0x"), "example.com/~x");
/// ```
pub fn unescaped(step: &str) -> Cow<'_, str> {
    if step.contains('~') { step.replace("~1", "/").replace("~0", "~").into() } else { step.into() }
}
