//! Paths to fields, as links on the stack: a path becomes a text only when a cause needs one.

use std::fmt;

use k8s_versioned_core::path_room::PathRoom;
use k8s_versioned_core::pointer::child;

/// A path to a value inside an object.
///
/// As text it is a field path (`spec.labels[a.b]`). The alternate form (`{:#}`) is that of the schema checker, whose messages
/// write the keys of maps as fields (`spec.labels.a.b`).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path<'a> {
    /// The object itself.
    Root,
    /// A declared field.
    Field(&'a Path<'a>, &'a str),
    /// A key of a map.
    Key(&'a Path<'a>, &'a str),
    /// An item of a list.
    Index(&'a Path<'a>, usize),
}

/// The paths of unknown fields, if they are asked for.
#[derive(Debug)]
pub(crate) enum UnknownFields {
    Ignored,
    Noted { paths: Vec<String>, room: PathRoom },
}

impl UnknownFields {
    /// The paths of an object of so many bytes.
    pub(crate) const fn noted(bytes: usize) -> Self {
        Self::Noted { paths: Vec::new(), room: PathRoom::of(bytes) }
    }

    /// Notes the path of an unknown field, if there is room for it.
    pub(crate) fn note(&mut self, path: &impl fmt::Display) {
        if let Self::Noted { paths, room } = self {
            paths.extend(room.write(path));
        }
    }

    /// The number of paths.
    pub(crate) fn count(&self) -> usize {
        self.paths().len()
    }

    /// The paths.
    pub(crate) fn paths(&self) -> &[String] {
        match self {
            Self::Ignored => &[],
            Self::Noted { paths, .. } => paths,
        }
    }

    /// The paths themselves.
    pub(crate) fn into_paths(self) -> Vec<String> {
        match self {
            Self::Ignored => Vec::new(),
            Self::Noted { paths, .. } => paths,
        }
    }

    /// Sorts the paths after the first ones.
    pub(crate) fn sort_after(&mut self, first: usize) {
        if let Self::Noted { paths, .. } = self
            && let Some(paths) = paths.get_mut(first..)
        {
            paths.sort();
        }
    }

    /// What there was no room for.
    pub(crate) fn left_out(&self) -> Option<String> {
        match self {
            Self::Noted { room, .. } if room.left_out() > 0 => Some(format!(
                "{} unknown fields more, whose paths are too long together",
                room.left_out()
            )),
            _ => None,
        }
    }
}

impl<'a> Path<'a> {
    pub(crate) const fn field(&'a self, name: &'a str) -> Self {
        Self::Field(self, name)
    }

    pub(crate) const fn key(&'a self, key: &'a str) -> Self {
        Self::Key(self, key)
    }

    pub(crate) const fn index(&'a self, index: usize) -> Self {
        Self::Index(self, index)
    }

    pub(crate) const fn is_root(&self) -> bool {
        matches!(self, Self::Root)
    }

    /// The path as a JSON pointer.
    pub(crate) fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Field(around, name) | Self::Key(around, name) => child(&around.pointer(), name),
            Self::Index(around, index) => child(&around.pointer(), index),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |f: &mut fmt::Formatter<'_>, parent: &Self| {
            if f.alternate() { write!(f, "{parent:#}") } else { write!(f, "{parent}") }
        };
        match self {
            Self::Root => Ok(()),
            Self::Field(Self::Root, name) => f.write_str(name),
            Self::Field(parent, name) => {
                write(f, parent)?;
                write!(f, ".{name}")
            }
            Self::Key(parent, key) => {
                write(f, parent)?;
                if f.alternate() { write!(f, ".{key}") } else { write!(f, "[{key}]") }
            }
            Self::Index(parent, index) => {
                write(f, parent)?;
                write!(f, "[{index}]")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn both_forms() {
        let spec = Path::Root.field("spec");
        let key = spec.key("a.b");
        let item = key.index(3);
        assert_eq!(item.field("x").to_string(), "spec[a.b][3].x");
        assert_eq!(format!("{:#}", item.field("x")), "spec.a.b[3].x");
        assert_eq!(format!("{:#}", Path::Root.key("a")), ".a");
        assert_eq!(Path::Root.to_string(), "");
        assert_eq!(item.field("x/y").pointer(), "/spec/a.b/3/x~1y");
    }
}
