//! Places of problems.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A place in an input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, relative to `specs/`; empty for the folder itself.
    pub file: Arc<str>,
    /// The place in the file's value, empty for the whole file.
    pub pointer: Pointer,
    /// The bytes of the file's text, where they are known.
    pub span: Option<Range<usize>>,
}

impl Place {
    /// A whole file.
    pub fn file(file: impl Into<Arc<str>>) -> Self {
        Self { file: file.into(), pointer: Pointer::default(), span: None }
    }

    /// Places are sorted by text order where it is known, so that messages follow the file.
    pub(super) fn order(&self) -> (&str, usize, &str) {
        (&self.file, self.span.as_ref().map_or(0, |span| span.start), &self.pointer.0)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.file.is_empty() { "the folder itself" } else { &self.file })?;
        if !self.pointer.0.is_empty() {
            write!(f, "#{}", self.pointer)?;
        }
        Ok(())
    }
}

impl serde::Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A JSON pointer (RFC 6901).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// The pointer to the member or item `step` of what this one points to.
    #[must_use]
    pub fn child(&self, step: impl fmt::Display) -> Self {
        let step = step.to_string().replace('~', "~0").replace('/', "~1");
        Self(format!("{}/{step}", self.0))
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
