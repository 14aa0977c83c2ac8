//! The files of recordings.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::Options;
use crate::exchange::Exchange;

/// The folder for a request; `None` if its path is not one of the group.
pub(crate) fn folder(options: &Options, path: &str) -> Option<PathBuf> {
    let below = path.strip_prefix("/apis/")?.strip_prefix(&options.group)?;
    let version = below.strip_prefix('/')?.split('/').next()?;
    // The version is a folder name, so it must not contain `/` or `..`.
    let name = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_alphanumeric());
    name.then(|| {
        let folder = options.to.join(options.release.to_string());
        folder.join(&options.group).join(version).join(&options.set)
    })
}

/// True if a name can be the name of a case and part of a file name.
pub(crate) fn is_name(name: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.len() <= 100 && name.bytes().all(known)
}

/// Writes a recording with the next number of the folder, and returns its path.
pub(crate) fn write(folder: &Path, exchange: &Exchange) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let mut number = fs::read_dir(folder)?.count();
    let text = serde_json::to_string_pretty(exchange)? + "\n";
    loop {
        number += 1;
        let path = folder.join(format!("{number:03}-{}.json", exchange.name));
        // Another exchange may have ended at the same time.
        match fs::File::create_new(&path) {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
