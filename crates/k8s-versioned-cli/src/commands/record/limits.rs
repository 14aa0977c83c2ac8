//! How many bytes of a body pass, or are kept.

/// The most bytes of an answer that are kept. An answer of so many bytes is not recorded.
pub(super) const RECORDED_ANSWER: usize = 16 * 1024 * 1024;

/// The largest body of a request that passes. API servers accept less.
pub(super) const REQUEST: usize = 4 * 1024 * 1024;

/// The most bytes of an answer with the reason why a server refuses a request without TLS.
pub(super) const REFUSAL: usize = 1 << 16;
