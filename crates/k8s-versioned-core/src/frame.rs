//! The frames of a watch in protobuf: a length of 4 bytes, the highest first, and that many bytes.

/// The first frame, and the bytes after it; `None` if it is not complete.
///
/// ```
/// use k8s_versioned_core::frame::split;
///
/// assert_eq!(split(b"\0\0\0\x01ab"), Some((&b"a"[..], &b"b"[..])));
/// assert_eq!(split(b"\0\0\0\x02a"), None);
/// ```
pub fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)
}
