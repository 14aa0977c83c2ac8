//! Files that are compressed by gzip, whose texts are bounded.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::encoding::GZIP;

/// The most bytes of a text for each byte of the file, as for the aliases of YAML. Files of objects have up to fifty; gzip can make a
/// thousand.
const MOST_TIMES: u64 = 100;

/// The bytes that every text can have.
const ALWAYS: u64 = 1 << 20;

/// The text of a compressed file. Reading fails after a multiple of the file's size.
pub(super) struct Unpacked<R> {
    text: MultiGzDecoder<Counted<R>>,
    bytes: u64,
}

/// A reader that counts its bytes.
struct Counted<R> {
    inner: R,
    bytes: u64,
}

/// Writes a new text of a file: compressed by gzip, if the file is.
///
/// # Errors
/// The file cannot be read, or the text cannot be written.
pub fn write_like(
    file: &Path,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut head = Vec::new();
    File::open(file)?.take(GZIP.len() as u64).read_to_end(&mut head)?;
    if head != GZIP {
        return write(out);
    }
    let mut packed = GzEncoder::new(out, Compression::default());
    write(&mut packed)?;
    packed.finish().map(drop)
}

impl<R: Read> Unpacked<R> {
    pub(super) fn new(file: R) -> Self {
        Self { text: MultiGzDecoder::new(Counted { inner: file, bytes: 0 }), bytes: 0 }
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(buffer)?;
        self.bytes = self.bytes.saturating_add(read as u64);
        let file = self.text.get_ref().bytes;
        if self.bytes > file.saturating_mul(MOST_TIMES).max(ALWAYS) {
            let reason = format!("unpacked, it is more than {MOST_TIMES} times as large");
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        Ok(read)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.bytes = self.bytes.saturating_add(read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::{ALWAYS, Unpacked};

    fn unpack(text: &[u8]) -> std::io::Result<usize> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(text).unwrap();
        let mut read = Vec::new();
        Unpacked::new(packed.finish().unwrap().as_slice()).read_to_end(&mut read)
    }

    #[test]
    fn a_small_file_is_no_large_text() {
        let always = usize::try_from(ALWAYS).unwrap();
        assert_eq!(unpack(&b"a".repeat(always)).unwrap(), always);
        let error = unpack(&b"a".repeat(always + 1)).unwrap_err();
        assert_eq!(error.to_string(), "unpacked, it is more than 100 times as large");
        let mut number = 0_u32;
        let random = (0..2 * always).map(|_| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            number.to_be_bytes()[0]
        });
        assert_eq!(unpack(&random.collect::<Vec<u8>>()).unwrap(), 2 * always);
    }
}
