//! The errors that are found in a document.

use std::ops::Range;
use std::sync::Arc;

use k8s_versioned_core::path_room::PathRoom;
use k8s_versioned_core::pointer::Pointer;

use crate::error::{Error, Errors, ReadCause};
use crate::tree::Tree;

/// The errors of a document. A long name around many errors would be in the pointer of each: their room is bounded.
#[derive(Debug)]
pub(crate) struct Found {
    errors: Vec<Error>,
    room: PathRoom,
}

impl Found {
    /// No errors of a text of so many bytes.
    pub(crate) const fn none(bytes: usize) -> Self {
        Self { errors: Vec::new(), room: PathRoom::of(bytes) }
    }

    /// Adds an error of a value, if there is room for its pointer.
    pub(crate) fn add(
        &mut self,
        file: &Arc<str>,
        span: Range<usize>,
        pointer: Option<&Pointer<'_>>,
        cause: ReadCause,
    ) {
        let pointer = pointer.map_or(Some(String::new()), |pointer| self.room.write(pointer));
        let Some(pointer) = pointer else { return };
        self.errors.push(Error { file: Arc::clone(file), span, pointer, cause });
    }

    /// Returns `true` if there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The tree, or else all errors.
    pub(crate) fn check(mut self, tree: Tree<'_>) -> Result<Tree<'_>, Errors> {
        if self.room.left_out() > 0 {
            self.add(tree.file(), 0..0, None, ReadCause::MoreErrors);
        }
        if self.errors.is_empty() { Ok(tree) } else { Err(Errors(self.errors)) }
    }
}

#[cfg(test)]
mod tests {
    use crate::{ReadLimits, documents};

    /// A name of 100 kB around members with one name.
    #[test]
    fn the_pointers_of_errors_are_bounded() {
        let members = "a: 1, ".repeat(10_000);
        let name = "n".repeat(100_000);
        let yaml = format!("? {name}\n: {{{members}}}");
        let json = format!(r#"{{"{name}": {{{}"b": 1}}}}"#, members.replace('a', "\"a\""));
        for text in [yaml, json] {
            let read = documents("a.yaml", text.as_bytes(), &ReadLimits::OBJECTS).next().unwrap();
            let errors = read.err().unwrap().0;
            let bytes: usize = errors.iter().map(|error| error.pointer.len()).sum();
            assert!(bytes < 5 << 20, "{bytes}");
            assert_eq!(errors.last().map(|error| error.cause.id()), Some("more-errors"));
        }
    }
}
