//! Keys of config maps, which some kinds use as names.

use super::{Part, Rule, Violation, broken};

const LENGTH: usize = 253;

/// Checks the key of a config map: letters, digits, `-`, `_` and `.`, up to 253 bytes; not `.`, and not
/// starting with `..`.
pub fn config_map_key(text: &str) -> Vec<Violation> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let well_formed = !text.is_empty() && text.bytes().all(allowed);
    let dots = text == "." || text == "..";
    broken(
        Part::Whole,
        [
            (text.len() > LENGTH, Rule::Length(LENGTH)),
            (!well_formed, Rule::ConfigMapKey),
            (dots, Rule::NotDots),
            (!dots && text.starts_with(".."), Rule::NoDotsInFront),
        ],
    )
}
