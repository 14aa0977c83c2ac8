//! Field names as identifiers of CEL.

use crate::syntax::reserved::RESERVED;

/// The identifier by which rules name a field, or `None` if rules cannot name it.
pub(crate) fn escape(field: &str) -> Option<String> {
    if field.is_empty() || field.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    if is_reserved(field) {
        return Some(format!("__{field}__"));
    }
    let mut escaped = String::with_capacity(field.len());
    let mut characters = field.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '_' if characters.next_if_eq(&'_').is_some() => escaped.push_str("__underscores__"),
            '.' => escaped.push_str("__dot__"),
            '-' => escaped.push_str("__dash__"),
            '/' => escaped.push_str("__slash__"),
            _ if character.is_ascii_alphanumeric() || character == '_' => escaped.push(character),
            _ => return None,
        }
    }
    Some(escaped)
}

fn is_reserved(word: &str) -> bool {
    matches!(word, "true" | "false" | "null" | "in") || RESERVED.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn names_of_fields_become_identifiers() {
        let cases = [
            ("a", Some("a")),
            ("c-d", Some("c__dash__d")),
            ("in", Some("__in__")),
            ("namespace", Some("__namespace__")),
            ("e.f", Some("e__dot__f")),
            ("__x", Some("__underscores__x")),
            ("a___b", Some("a__underscores___b")),
            ("a/b", Some("a__slash__b")),
            ("int", Some("int")),
            ("0a", None),
            ("", None),
            ("a b", None),
            ("é", None),
        ];
        for (field, expected) in cases {
            assert_eq!(escape(field).as_deref(), expected, "{field}");
        }
    }
}
