//! Reading files of limited size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

/// The most bytes that a file may have. Answers of API servers are much smaller.
pub const SIZE_LIMIT: u64 = 16 << 20;

/// The reason why a file cannot be read as text.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system refuses.
    #[error("cannot be read: {0}")]
    Io(#[source] io::Error),
    /// It is larger than [`SIZE_LIMIT`].
    #[error("too large: more than {SIZE_LIMIT} bytes")]
    TooLarge,
    /// It is not UTF-8.
    #[error("not UTF-8: invalid at byte {valid_up_to}")]
    NotUtf8 {
        /// The number of valid bytes.
        valid_up_to: usize,
    },
}

/// Reads a file as text of limited size.
///
/// # Errors
/// [`ReadError`].
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    let bytes = bytes(path).map_err(ReadError::Io)?;
    let bytes = bytes.ok_or(ReadError::TooLarge)?;
    String::from_utf8(bytes)
        .map_err(|error| ReadError::NotUtf8 { valid_up_to: error.utf8_error().valid_up_to() })
}

/// `None` if the file is too large.
fn bytes(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    if size > SIZE_LIMIT {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    // The file may grow meanwhile, or report no size.
    file.take(SIZE_LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= SIZE_LIMIT))
}
