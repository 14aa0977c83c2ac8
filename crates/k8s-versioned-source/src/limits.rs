//! The limits of a file.

/// The limits of a file. Whoever wrote it chose the text: its size is bounded, also with its aliases replaced.
#[derive(Clone, Copy, Debug)]
pub struct ReadLimits {
    /// The most bytes of the file.
    pub bytes: usize,
    /// The most levels of arrays and objects.
    pub depth: usize,
    /// The most values of the file. A value takes up to fifty times the memory of its text.
    pub values: usize,
    /// The most documents of the file.
    pub documents: usize,
    /// The most values that all aliases of a document repeat.
    pub aliases: usize,
}

impl ReadLimits {
    /// The most bytes of the texts and names that all aliases of a document repeat: a hundred times its text, or 1 MiB if that is
    /// more, and never more than the largest file.
    pub(crate) fn alias_bytes(&self, text: &str) -> usize {
        text.len().saturating_mul(100).clamp(1 << 20, self.bytes.max(1 << 20))
    }

    /// The limits of an OpenAPI document. Documents of servers have up to 10 million bytes and 30,000 values. The
    /// documents of built-in groups nest 14 deep, of custom resources up to 100.
    pub const DOCUMENT: Self =
        Self { bytes: 64 << 20, depth: 128, values: 1_000_000, documents: 1, aliases: 0 };

    /// The limits of files with objects, such as CustomResourceDefinitions, of which the public ones nest up to 41 deep.
    pub const MANIFESTS: Self = Self {
        bytes: 64 << 20,
        depth: 64,
        values: 10_000_000,
        documents: 20_000,
        aliases: 100_000,
    };

    /// The limits of objects that a command reads, for each document. The number of documents is not limited: each is freed
    /// before the next. Servers take bodies that nest deeper than any file that a person wrote.
    pub const OBJECTS: Self = Self {
        bytes: 256 << 20,
        depth: 400,
        values: 10_000_000,
        documents: usize::MAX,
        aliases: 100_000,
    };
}
