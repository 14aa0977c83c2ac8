//! This package is what `docs/guides/recordings.md` shows, and nothing more.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::path::Path;

#[test]
fn the_page_shows_this_package() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(here.join("../../../docs/guides/recordings.md")).unwrap();
    for file in ["src/lib.rs", "tests/recorded.rs"] {
        let text = fs::read_to_string(here.join(file)).unwrap();
        let shown = page.contains(&format!("```rust\n{text}```\n"));
        assert!(shown, "docs/guides/recordings.md does not show {file} as it is");
    }
}
