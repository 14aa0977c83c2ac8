//! Keys of config maps, which some kinds use as names.

use super::{Form, Part, Rule, Violation, broken};

const LENGTH: usize = 253;

/// Checks the key of a config map: letters, digits, `-`, `_` and `.`, up to 253 bytes; not `.`, and not
/// starting with `..`.
pub fn config_map_key(text: &str) -> Vec<Violation> {
    let most = LENGTH;
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let well_formed = !text.is_empty() && text.bytes().all(allowed);
    let dots = text == "." || text == "..";
    broken(
        Part::Whole,
        [
            (text.len() > most, Rule::Length { most }),
            (!well_formed, Rule::Form(Form::ConfigMapKey)),
            (dots, Rule::NotDots),
            (!dots && text.starts_with(".."), Rule::NoDotsInFront),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::{Form, Rule, config_map_key};
    use crate::names::path_segment;
    use crate::names::violation::tests::rules;

    #[test]
    fn rules_are_counted() {
        let form = Rule::Form(Form::ConfigMapKey);
        let long = Rule::Length { most: 253 };
        let table = [
            ("Upper_lower-0.9".to_owned(), vec![]),
            (".hidden".to_owned(), vec![]),
            ("-".to_owned(), vec![]),
            ("n".repeat(253), vec![]),
            ("n".repeat(254), vec![long]),
            (" ".repeat(254), vec![long, form]),
            (String::new(), vec![form]),
            ("a b".to_owned(), vec![form]),
            ("a%b".to_owned(), vec![form]),
            ("a/b".to_owned(), vec![form]),
            (".".to_owned(), vec![Rule::NotDots]),
            ("..".to_owned(), vec![Rule::NotDots]),
            ("..hidden".to_owned(), vec![Rule::NoDotsInFront]),
            ("../x".to_owned(), vec![form, Rule::NoDotsInFront]),
        ];
        for (text, expected) in table {
            let found = config_map_key(&text);
            assert_eq!(rules(&found), expected, "{text:?}");
            assert!(
                !found.is_empty() || path_segment(&text).is_empty(),
                "{text:?}"
            );
        }
    }
}
