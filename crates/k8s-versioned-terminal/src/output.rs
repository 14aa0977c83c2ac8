//! Objects as text.

use std::io;

use serde_json::Value;

use crate::input::Syntax;

impl Syntax {
    /// An object as text that ends with a line break, the members of each object in the order of their names, as `kubectl` does.
    ///
    /// # Errors
    /// The object nests too deep to be written.
    pub fn text(self, object: &Value) -> io::Result<String> {
        match self {
            Self::Json => Ok(serde_json::to_string_pretty(object)? + "\n"),
            Self::Yaml => yaml(object),
        }
    }
}

fn yaml(object: &Value) -> io::Result<String> {
    let options = serde_saphyr::ser_options! {
        prefer_block_scalars: fits_blocks(object),
        // A long line is not folded: other readers unfold differently.
        folded_wrap_chars: usize::MAX,
    };
    serde_saphyr::to_string_with_options(object, options).map_err(io::Error::other)
}

/// Returns `true` if texts of several lines can be written as blocks, which are easier to read. If a block begins with a tab, the
/// YAML readers of Go and C, and so `kubectl`, read it as indentation and refuse it.
fn fits_blocks(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let mut leading = text.chars().take_while(|char| char.is_whitespace());
            !leading.any(|char| char == '\t')
        }
        Value::Array(items) => items.iter().all(fits_blocks),
        Value::Object(members) => members.values().all(fits_blocks),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use k8s_versioned_source::{Limits, documents};
    use proptest::prelude::*;
    use serde_json::{Map, json};

    use super::*;

    /// Strings with a meaning in some version of YAML, separated by `|`.
    const SPECIAL: &str = "| |~|null|Null|yes|no|on|off|y|n|true|True|1|1.30|-1|+1|1e3|.5|0x1f|0o17|017|1_000|12:30:45|\
        .inf|.nan|2026-01-02|2026-01-02T03:04:05Z|<<|=|-|---|...|- a|a: b|a #b|#|[a]|{a: b}|\u{feff}";

    fn text() -> impl Strategy<Value = String> {
        let marked =
            "[ \t\n:#\\-?&*!|>%@`'\",\\[\\]{}a-c0-9~\r\u{85}\u{2028}\u{1b}\u{7f}é😀]{0,12}";
        prop_oneof![
            prop::sample::select(SPECIAL.split('|').collect::<Vec<_>>()).prop_map(str::to_owned),
            marked,
            ".{0,200}",
            "( {0,3}[a-z: #]{0,90}\n){0,4}[a-z ]{0,3}",
        ]
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            text().prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            Just(Value::Null),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                object(inner).prop_map(Value::from),
                Just(json!({})),
            ]
        })
    }

    fn object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
        prop::collection::vec((text(), value), 1..4).prop_map(Map::from_iter)
    }

    fn read_back(text: &str) -> Value {
        let mut documents = documents("a", text.as_bytes(), &Limits::OBJECTS);
        documents.next().unwrap().expect(text).root().to_json()
    }

    proptest! {
        #[test]
        fn written_objects_read_back_equal(object in object(value()).prop_map(Value::from)) {
            for syntax in [Syntax::Json, Syntax::Yaml] {
                let text = syntax.text(&object).unwrap();
                prop_assert_eq!(&read_back(&text), &object, "{}", text);
            }
        }
    }

    #[test]
    fn a_tab_is_never_read_as_indentation() {
        let yaml = |value: &Value| Syntax::Yaml.text(value).unwrap();
        for text in ["\n\tx", "\t\nx", " \n\t"] {
            assert_eq!(yaml(&json!({"a": [text]})), format!("a:\n- {}\n", json!(text)));
        }
        assert_eq!(yaml(&json!({"a": "x\n\ty"})), "a: |-\n  x\n  \ty\n");
    }
}
