//! Files that tests write.

use std::path::Path;
use std::{env, fs};

/// Compares a text with a file. With `UPDATE_DOCS=1` it writes the file instead.
pub fn check(path: &Path, text: &str) {
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    let path = path.display();
    assert!(
        found == text,
        "{path} is not up to date: this test writes it with `UPDATE_DOCS=1`; review the difference"
    );
}
