//! Paths to fields, as links on the stack: a path becomes a text only when a cause needs one.

use std::fmt;

use k8s_versioned_names::pointer::child;

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

/// The most bytes of the paths of unknown fields. A long name around many fields is in the path of each.
pub(crate) const MOST_BYTES_OF_PATHS: usize = 4 << 20;

/// The paths of unknown fields, if they are asked for.
#[derive(Debug)]
pub(crate) enum UnknownFields {
    Ignored,
    Noted {
        paths: Vec<String>,
        /// The bytes of the paths.
        bytes: usize,
        /// Whether paths were left out.
        is_cut: bool,
    },
}

impl UnknownFields {
    pub(crate) const fn noted() -> Self {
        Self::Noted { paths: Vec::new(), bytes: 0, is_cut: false }
    }

    /// Notes the path of an unknown field, if there is room for it.
    pub(crate) fn note(&mut self, path: &Path<'_>) {
        let Self::Noted { paths, bytes, is_cut } = self else { return };
        if *bytes >= MOST_BYTES_OF_PATHS {
            *is_cut = true;
            return;
        }
        let path = path.to_string();
        *bytes += path.len();
        paths.push(path);
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

    /// Sorts the paths after the first ones.
    pub(crate) fn sort_after(&mut self, first: usize) {
        if let Self::Noted { paths, .. } = self
            && let Some(paths) = paths.get_mut(first..)
        {
            paths.sort();
        }
    }

    /// Returns `true` if there were more fields than fit.
    pub(crate) const fn is_cut(&self) -> bool {
        matches!(self, Self::Noted { is_cut: true, .. })
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
