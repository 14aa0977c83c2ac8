//! Texts of open enums that are not known words.

use std::fmt;
use std::marker::PhantomData;

/// A text that is not a known word of the open enum `E`; it may be empty.
///
/// A later release can know the word. Compare it as text, with `==` or `as_str` of the enum. Only the enum can make
/// one, so it never holds a known word.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Other<E> {
    text: Box<str>,
    of: PhantomData<E>,
}

impl<E> Other<E> {
    /// For [`open_enum!`](crate::open_enum), which has compared the text with the known words.
    #[doc(hidden)]
    pub fn unknown(text: impl Into<Box<str>>) -> Self {
        Self { text: text.into(), of: PhantomData }
    }

    /// The word, which no variant has.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl<E> fmt::Debug for Other<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}
