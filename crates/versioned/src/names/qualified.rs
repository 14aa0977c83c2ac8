//! Names with an optional domain in front.

use super::{Form, Part, Rule, Violation, broken, dns};

const NAME_LENGTH: usize = 63;

/// Checks a qualified name: a name of up to 63 bytes, or a DNS-1123 subdomain, `/` and such a name.
///
/// The name consists of letters, digits, `-`, `_` and `.`, with a letter or digit at both ends. An
/// empty one breaks two rules. With more than one `/` nothing else is checked.
pub fn qualified_name(text: &str) -> Vec<Violation> {
    match text.split_once('/') {
        None => name(Part::Whole, text),
        Some((_, rest)) if rest.contains('/') => broken(Part::Whole, [(true, Rule::OneSlash)]),
        Some((before, after)) => {
            let mut violations = prefix(before);
            violations.extend(name(Part::Name, after));
            violations
        }
    }
}

fn prefix(text: &str) -> Vec<Violation> {
    if text.is_empty() {
        broken(Part::Prefix, [(true, Rule::NotEmpty)])
    } else {
        dns::subdomain(Part::Prefix, text.as_bytes())
    }
}

fn name(part: Part, text: &str) -> Vec<Violation> {
    let most = NAME_LENGTH;
    broken(
        part,
        [
            (text.is_empty(), Rule::NotEmpty),
            (text.len() > most, Rule::Length { most }),
            (!is_name(text), Rule::Form(Form::QualifiedName)),
        ],
    )
}

/// Letters, digits, `-`, `_` and `.`, with a letter or digit at both ends.
pub(super) fn is_name(text: &str) -> bool {
    let text = text.as_bytes();
    let ends = [text.first(), text.last()];
    ends.into_iter()
        .all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
        && text
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::{Form, Part, Rule, Violation, qualified_name};

    const LONG_PREFIX: Violation = Violation {
        part: Part::Prefix,
        rule: Rule::Length { most: 253 },
    };
    const PREFIX_FORM: Violation = Violation {
        part: Part::Prefix,
        rule: Rule::Form(Form::Dns1123Subdomain),
    };
    const EMPTY_PREFIX: Violation = Violation {
        part: Part::Prefix,
        rule: Rule::NotEmpty,
    };
    const SLASHES: Violation = Violation {
        part: Part::Whole,
        rule: Rule::OneSlash,
    };

    const fn of(part: Part, rule: Rule) -> Violation {
        Violation { part, rule }
    }

    #[test]
    fn rules_are_counted() {
        let empty = |part| {
            [
                of(part, Rule::NotEmpty),
                of(part, Rule::Form(Form::QualifiedName)),
            ]
        };
        let long = |part| of(part, Rule::Length { most: 63 });
        let form = |part| of(part, Rule::Form(Form::QualifiedName));
        let table: [(String, Vec<Violation>); 23] = [
            ("OldestEmulationVersion".into(), vec![]),
            ("example.com/by-load".into(), vec![]),
            ("a/B_c.D-0".into(), vec![]),
            ("a".repeat(63), vec![]),
            (format!("{}/{}", "a".repeat(253), "a".repeat(63)), vec![]),
            (String::new(), empty(Part::Whole).into()),
            ("x/".into(), empty(Part::Name).into()),
            ("/x".into(), vec![EMPTY_PREFIX]),
            (
                "/".into(),
                [vec![EMPTY_PREFIX], empty(Part::Name).into()].concat(),
            ),
            ("A/b".into(), vec![PREFIX_FORM]),
            ("a_b/c".into(), vec![PREFIX_FORM]),
            (format!("{}/b", "a".repeat(254)), vec![LONG_PREFIX]),
            (
                format!("{}/b", "A".repeat(254)),
                vec![LONG_PREFIX, PREFIX_FORM],
            ),
            ("a".repeat(64), vec![long(Part::Whole)]),
            ("-".repeat(64), vec![long(Part::Whole), form(Part::Whole)]),
            (format!("a/{}", "b".repeat(64)), vec![long(Part::Name)]),
            ("a b".into(), vec![form(Part::Whole)]),
            (".a".into(), vec![form(Part::Whole)]),
            ("a/b-".into(), vec![form(Part::Name)]),
            (
                "exa mple.com/Mi ne".into(),
                vec![PREFIX_FORM, form(Part::Name)],
            ),
            ("a/b/c".into(), vec![SLASHES]),
            ("//".into(), vec![SLASHES]),
            ("A B/c d/".into(), vec![SLASHES]),
        ];
        for (text, expected) in table {
            assert_eq!(qualified_name(&text), expected, "{text:?}");
        }
    }
}
