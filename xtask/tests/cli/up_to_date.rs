//! The checked-in code is what the checked-in specs yield.

use xtask::{regenerate, render, workspace};

#[test]
fn generated_code_is_up_to_date() {
    if let Err(error) = regenerate::check(&workspace()) {
        panic!("{}", render::error(&error, false));
    }
}
