//! The body of a request as JSON, and Go's words for what is wrong with it.

use k8s_versioned::json::server::{self, ServerJson, ServerJsonError, Target};
use k8s_versioned_core::json::utf8;
use serde_json::Error;

/// Why a body cannot be read, in Go's words where there are words for it.
#[derive(Debug, PartialEq)]
pub(crate) enum ReadError {
    /// It is not JSON.
    Json(String),
    /// It is JSON, but a number is too large.
    Number(String),
}

/// Reads a body.
///
/// # Errors
/// The text is not JSON, a number is too large, or it nests too deep.
pub(crate) fn read(bytes: &[u8]) -> Result<ServerJson, ReadError> {
    server::read(bytes, Target::Maps).map_err(|error| match error {
        ServerJsonError::Json(error) => read_error(&error, &utf8(bytes)),
        ServerJsonError::TooDeep => ReadError::Json("exceeded max depth".to_owned()),
    })
}

fn read_error(error: &Error, text: &str) -> ReadError {
    let message = error.to_string();
    if error.is_eof() {
        return ReadError::Json("unexpected end of JSON input".to_owned());
    }
    if !message.starts_with("number out of range") {
        return ReadError::Json(message);
    }
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    let is_part = |byte: char| byte.is_ascii_digit() || "+-.eE".contains(byte);
    let before = line.get(..error.column()).unwrap_or(line);
    let start = before.trim_end_matches(is_part).len();
    let digits = line.get(start..).unwrap_or_default();
    let end = digits.find(|byte| !is_part(byte)).unwrap_or(digits.len());
    let digits = digits.get(..end).unwrap_or_default();
    let target = "Go value of type float64";
    ReadError::Number(format!("json: cannot unmarshal number {digits} into {target}"))
}

#[cfg(test)]
mod tests {
    use super::{ReadError, read};

    #[test]
    fn depth_is_limited() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(!read(nested(400).as_bytes()).unwrap().is_cut);
        assert!(read(nested(10_000).as_bytes()).unwrap().is_cut);
        let error = ReadError::Json("exceeded max depth".to_owned());
        assert_eq!(read(nested(10_001).as_bytes()).unwrap_err(), error);
    }

    #[test]
    fn errors_are_in_the_words_of_go() {
        let number = "json: cannot unmarshal number 1e999 into Go value of type float64".to_owned();
        assert_eq!(read(b"{\"a\":\n [1e999, 2]}").unwrap_err(), ReadError::Number(number));
        let end = "unexpected end of JSON input".to_owned();
        assert_eq!(read(b"{\"a\"").unwrap_err(), ReadError::Json(end));
    }
}
