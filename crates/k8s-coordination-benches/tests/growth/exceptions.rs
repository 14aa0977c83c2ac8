//! What grows faster than its input, and why it is bounded nevertheless.

/// A row that grows faster than its input.
pub(crate) struct Exception {
    pub(crate) row: &'static str,
    /// The most that it may grow.
    pub(crate) exponent: f64,
    /// Why, and what bounds the input.
    #[allow(dead_code, reason = "it is for readers")]
    pub(crate) reason: &'static str,
}

pub(crate) const GROWS_FASTER: &[Exception] = &[
    Exception {
        row: "k8s-versioned generate, equal versions",
        exponent: 2.1,
        reason: "There is a conversion between each two versions. More than 24 versions are refused.",
    },
    Exception {
        row: "k8s-versioned generate, versions with a field more each",
        exponent: 3.2,
        reason: "The definition itself grows with the square of the number. As above, 24 versions are the most.",
    },
    Exception {
        row: "k8s-versioned draft, versions with a field more each",
        exponent: 3.2,
        reason: "As above: the draft plans the conversions between each two versions.",
    },
    Exception {
        row: "k8s-versioned draft, depth",
        exponent: 1.8,
        reason: "The path of a field names all objects around it. Values nest 64 levels at most, which are 28 objects.",
    },
    Exception {
        row: "k8s-versioned generate, depth of two versions",
        exponent: 1.5,
        reason: "As above.",
    },
    Exception {
        row: "rule embedded, objects in objects",
        exponent: 2.0,
        reason: "Each object is converted with those in it. More than 16 objects in each other stay as they are.",
    },
];

/// Commands without a row, and the reason.
pub(crate) const WITHOUT_ROW: &[(&str, &str)] = &[
    ("coordination completions", "it has no input"),
    ("coordination lead", "it reads one Lease"),
    ("coordination man", "it has no input"),
    ("k8s-versioned completions", "it has no input"),
    ("k8s-versioned explain", "it has no input"),
    ("k8s-versioned man", "it has no input"),
];
