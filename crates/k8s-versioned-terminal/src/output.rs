//! Objects as text.

use std::fmt::Write as _;
use std::hash::{BuildHasher as _, RandomState};
use std::io;

use k8s_versioned_core::syntax::is_display_control;
use serde_json::{Map, Value};

use crate::input::DocumentSyntax;

impl DocumentSyntax {
    /// An object as text that ends with a line break, the members of each object in the order of their names, as `kubectl` does.
    /// Characters that control how a terminal displays the text are escaped.
    ///
    /// # Errors
    /// The object nests too deep to be written.
    pub fn text(self, object: &Value) -> io::Result<String> {
        match self {
            Self::Json => Ok(escaped_controls(serde_json::to_string_pretty(object)?) + "\n"),
            Self::Yaml => yaml(object),
        }
    }
}

fn yaml(object: &Value) -> io::Result<String> {
    if !has_marks(object) {
        return written(object);
    }
    let mut words = Words { seed: RandomState::new().hash_one(0), texts: Vec::new() };
    let text = written(&words.replaced(object))?;
    let prefix = words.prefix();
    let mut parts = text.split(prefix.as_str());
    let mut escaped = parts.next().unwrap_or_default().to_owned();
    for (original, part) in parts.map(|part| part.split_once('e').unwrap_or((part, ""))) {
        let original = original.parse().ok().and_then(|index: usize| words.texts.get(index));
        let original = original.map_or("", String::as_str);
        escaped += &escaped_controls(Value::from(original).to_string());
        escaped += part;
    }
    Ok(escaped)
}

fn is_mark(letter: char) -> bool {
    is_display_control(letter) && !letter.is_control()
}

fn has_marks(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(is_mark),
        Value::Array(items) => items.iter().any(has_marks),
        Value::Object(members) => {
            members.iter().any(|(key, member)| key.contains(is_mark) || has_marks(member))
        }
        _ => false,
    }
}

/// Words without a meaning in YAML, each instead of a text with marks of direction: the library escapes only control characters.
struct Words {
    /// Makes them words that no object has.
    seed: u64,
    texts: Vec<String>,
}

impl Words {
    fn prefix(&self) -> String {
        format!("t{:016x}n", self.seed)
    }

    fn text(&mut self, text: &str) -> String {
        if !text.contains(is_mark) {
            return text.to_owned();
        }
        self.texts.push(text.to_owned());
        format!("{}{}e", self.prefix(), self.texts.len() - 1)
    }

    fn replaced(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.text(text).into(),
            Value::Array(items) => items.iter().map(|item| self.replaced(item)).collect(),
            Value::Object(members) => {
                let members =
                    members.iter().map(|(key, member)| (self.text(key), self.replaced(member)));
                Value::Object(members.collect::<Map<_, _>>())
            }
            other => other.clone(),
        }
    }
}

/// JSON in which no character controls how the others are displayed. Such a character is part of a string.
fn escaped_controls(json: String) -> String {
    let is_escaped = |letter| is_display_control(letter) && letter != '\n';
    if !json.contains(is_escaped) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len());
    for letter in json.chars() {
        if is_escaped(letter) {
            let _ = write!(escaped, "\\u{:04x}", u32::from(letter));
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

fn written(object: &Value) -> io::Result<String> {
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
    use k8s_versioned_source::{ReadLimits, documents};
    use proptest::prelude::*;
    use serde_json::{Map, json};

    use super::*;

    /// Strings with a meaning in some version of YAML, separated by `|`.
    const SPECIAL: &str = "| |~|null|Null|yes|no|on|off|y|n|true|True|1|1.30|-1|+1|1e3|.5|0x1f|0o17|017|1_000|12:30:45|\
        .inf|.nan|2026-01-02|2026-01-02T03:04:05Z|<<|=|-|---|...|- a|a: b|a #b|#|[a]|{a: b}|\u{feff}";

    fn text() -> impl Strategy<Value = String> {
        let marked = "[ \t\n:#\\-?&*!|>%@`'\",\\[\\]{}a-c0-9~\r\u{85}\u{2028}\u{1b}\u{7f}é😀\u{202e}\u{9b}]{0,12}";
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
        let mut documents = documents("a", text.as_bytes(), &ReadLimits::OBJECTS);
        documents.next().unwrap().expect(text).root().to_json()
    }

    proptest! {
        #[test]
        fn written_objects_read_back_equal(object in object(value()).prop_map(Value::from)) {
            for syntax in [DocumentSyntax::Json, DocumentSyntax::Yaml] {
                let text = syntax.text(&object).unwrap();
                prop_assert_eq!(&read_back(&text), &object, "{}", text);
            }
        }
    }

    #[test]
    fn no_text_steers_the_terminal() {
        let object = json!({"a\u{202e}": ["\u{1b}[2J", "b\u{9b}\n", "c\u{2066}\\\"\n\u{7f}", "x: d\u{61c}"], "t": "e\nf\n"});
        for syntax in [DocumentSyntax::Json, DocumentSyntax::Yaml] {
            let text = syntax.text(&object).unwrap();
            assert!(!text.contains(|text| is_display_control(text) && text != '\n'), "{text:?}");
            assert_eq!(read_back(&text), object, "{text}");
        }
        let text = DocumentSyntax::Yaml.text(&object).unwrap();
        assert!(text.contains("\"a\\u202e\":") && text.contains("t: |\n  e\n  f\n"), "{text}");
    }

    #[test]
    fn a_tab_is_never_read_as_indentation() {
        let yaml = |value: &Value| DocumentSyntax::Yaml.text(value).unwrap();
        for text in ["\n\tx", "\t\nx", " \n\t"] {
            assert_eq!(yaml(&json!({"a": [text]})), format!("a:\n- {}\n", json!(text)));
        }
        assert_eq!(yaml(&json!({"a": "x\n\ty"})), "a: |-\n  x\n  \ty\n");
    }
}
