//! Places of problems.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A place in an input file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The file, relative to `specs/`; empty for the folder itself.
    pub file: Arc<str>,
    /// The JSON pointer to the place in the file's value, empty for the whole file.
    pub pointer: String,
    /// The bytes of the file's text, where they are known.
    pub span: Option<Range<usize>>,
}

impl Place {
    /// Returns `true` if a place is this one, or inside of it.
    pub(super) fn is_around(&self, place: &Self) -> bool {
        let inside = place.pointer.strip_prefix(&self.pointer);
        self.file == place.file
            && inside.is_some_and(|inside| inside.is_empty() || inside.starts_with('/'))
    }

    /// A whole file.
    pub(crate) fn file(file: impl Into<Arc<str>>) -> Self {
        Self { file: file.into(), pointer: String::new(), span: None }
    }

    /// A text in a file of TOML.
    pub(crate) fn of_text<T>(file: impl Into<Arc<str>>, text: &toml::Spanned<T>) -> Self {
        Self { span: Some(text.span()), ..Self::file(file) }
    }

    /// The key to sort by: the position in the text where it is known, so that messages follow the file.
    pub(crate) fn order(&self) -> (&str, usize, &str) {
        (&self.file, self.span.as_ref().map_or(0, |span| span.start), &self.pointer)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.file.is_empty() { "the folder itself" } else { &self.file })?;
        if !self.pointer.is_empty() {
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
