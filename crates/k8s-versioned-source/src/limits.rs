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
    /// The most bytes of the names of the objects around a value, and of its own.
    pub path: usize,
}

impl ReadLimits {
    /// The most bytes of the texts and names that all aliases of a document repeat: a hundred times its text, or 1 MiB if that is
    /// more, and never more than the largest file.
    pub(crate) fn alias_bytes(&self, text: &str) -> usize {
        text.len().saturating_mul(100).clamp(1 << 20, self.bytes.max(1 << 20))
    }

    /// The most bytes in the names of the fields of a document, each with the names of the fields around it: eight times the bytes of
    /// the document, and at least 64 KiB. Of public definitions without descriptions and blanks it is up to 2.3 times.
    pub(crate) fn field_names(bytes: usize) -> usize {
        bytes.saturating_mul(8).max(64 << 10)
    }

    /// The limits of an OpenAPI document. Documents of servers have up to 10 million bytes and 30,000 values. The
    /// documents of built-in groups nest 14 deep, of custom resources up to 100.
    pub const DOCUMENT: Self = Self {
        bytes: 64 << 20,
        depth: 128,
        values: 1_000_000,
        documents: 1,
        aliases: 0,
        path: 1_024,
    };

    /// The limits of files with objects, such as CustomResourceDefinitions, of which the public ones nest up to 41 deep,
    /// with names of up to 401 bytes around a value.
    pub const MANIFESTS: Self = Self {
        bytes: 64 << 20,
        depth: 64,
        values: 10_000_000,
        documents: 20_000,
        aliases: 100_000,
        path: 1_024,
    };

    /// The limits of objects that a command reads, for each document. The number of documents is not limited: each is freed
    /// before the next. Servers take bodies that nest deeper than any file that a person wrote, with names of any length.
    pub const OBJECTS: Self = Self {
        bytes: 256 << 20,
        depth: 400,
        values: 10_000_000,
        documents: usize::MAX,
        aliases: 100_000,
        path: usize::MAX,
    };
}

#[cfg(test)]
mod tests {
    use super::ReadLimits;
    use crate::documents;

    /// Few bytes that stand for many: a long text, many values, values of values.
    #[test]
    fn aliases_repeat_a_bounded_number_of_values_and_bytes() {
        let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(50_000), "*a, ".repeat(1_000));
        let many = format!("a: &a [{}]\nb: [{}]\n", "1, ".repeat(1_000), "*a, ".repeat(1_000));
        let levels =
            (1..9).map(|at| format!("a{at}: &a{at} [{}]\n", format!("*a{}, ", at - 1).repeat(10)));
        let levels = format!("a0: &a0 [x]\n{}", levels.collect::<String>());
        for (text, id) in [(long, "alias-bytes"), (many, "aliases"), (levels, "aliases")] {
            let read = documents("a.yaml", text.as_bytes(), &ReadLimits::OBJECTS).next().unwrap();
            let errors = read.unwrap_err().0;
            assert_eq!(errors.iter().map(|error| error.cause.id()).collect::<Vec<_>>(), [id]);
        }
    }
}
