//! YAML, JSON and protobuf.

use std::char::{DecodeUtf16Error, decode_utf16};
use std::io::{self, BufWriter, Write};

use k8s_coordination::Kinds;
use k8s_coordination::protobuf::{Codec, Envelope};
use k8s_versioned::{KindEntry, Registry, StrictValue, TypeMeta};
use k8s_versioned_names::findings::documents;
use k8s_versioned_names::json::{LARGEST_EXACT, limit_depth, make_whole};
use serde_json::Value;
use serde_json::error::Category;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{Error as YamlError, UserMessageFormatter};
use thiserror::Error;

/// The syntax of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Objects or arrays in a row, with or without white space between them.
    Json,
    /// Documents with `---` between them.
    Yaml,
    /// One object, with the first bytes `k8s\0`.
    Protobuf,
}

/// A value of a text, and its place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    /// The number of its document, from 1.
    pub(super) document: usize,
    /// The line of a syntax error, or that on which the content of its document begins, in YAML.
    pub(super) line: Option<usize>,
    /// The value, or the reason why there is none.
    pub(super) value: Result<Value, String>,
}

/// Values without anything between them.
pub(super) fn in_a_row(values: impl IntoIterator<Item = Result<Value, String>>) -> Vec<Parsed> {
    let values = values.into_iter().enumerate();
    values.map(|(index, value)| Parsed { document: index + 1, line: None, value }).collect()
}

/// The syntax of a text, and its values. What follows a syntax error is not read, but in YAML a key that occurs twice ends
/// only its document.
///
/// A text that must be JSON is never read as YAML: that would hide its error.
pub(super) fn parse(text: &str, must_be_json: bool) -> (Syntax, Vec<Parsed>) {
    // JSON is YAML, but the JSON reader is faster, and reads objects without `---` between them.
    let (json, error) = parse_json(text);
    let are_objects = json.iter().all(|it| it.is_object() || it.is_array());
    if must_be_json || (are_objects && error.is_none()) {
        return (Syntax::Json, json_in_a_row(json, error));
    }
    let yaml = parse_yaml(text);
    if error.is_some() && is_meant_as_json(text) && yaml.iter().any(|it| it.value.is_err()) {
        return (Syntax::Json, json_in_a_row(json, error));
    }
    (Syntax::Yaml, yaml)
}

/// The beginning of the message about a text that is no JSON.
pub(super) const NOT_JSON: &str = "not JSON";

/// The values, and the error after them.
fn json_in_a_row(values: Vec<Value>, error: Option<serde_json::Error>) -> Vec<Parsed> {
    let line = error.as_ref().map(serde_json::Error::line).filter(|line| *line > 0);
    // A key that occurs twice, and a text that nests too deep, are JSON.
    let message = |error: serde_json::Error| match error.classify() {
        Category::Data => error.to_string(),
        _ => format!("{NOT_JSON}: {error}"),
    };
    let error = error.map(|error| Err(message(error)));
    let mut parsed = in_a_row(values.into_iter().map(Ok).chain(error));
    if let Some(last @ Parsed { value: Err(_), .. }) = parsed.last_mut() {
        last.line = line;
    }
    parsed
}

/// The values of a text, which nest as deep as the library reads, and the error that ends them.
fn parse_json(text: &str) -> (Vec<Value>, Option<serde_json::Error>) {
    if let Err(error) = limit_depth(text.as_bytes()) {
        return (Vec::new(), Some(error));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let mut values = Vec::new();
    for value in reader.into_iter::<StrictValue>() {
        match value {
            Ok(value) => values.push(value.into_inner()),
            Err(error) => return (values, Some(error)),
        }
    }
    (values, None)
}

/// Returns `true` if a text begins like JSON. YAML has braces and brackets, too, but mostly without quoted keys.
fn is_meant_as_json(text: &str) -> bool {
    let rest = text.trim_start_matches(|char: char| char.is_whitespace() || "{[".contains(char));
    text.trim_start().starts_with(['{', '[']) && (rest.is_empty() || rest.starts_with('"'))
}

/// The most levels of YAML: its reader calls itself for each, and needs much of the stack.
const YAML_DEPTH: usize = 64;

fn parse_yaml(text: &str) -> Vec<Parsed> {
    // The size of the text is limited already: a list of all leases of a large cluster has millions of nodes.
    let options = serde_saphyr::options! {
        with_snippet: false,
        // As kubectl reads them: YAML 1.1.
        legacy_octal_numbers: true,
        budget: serde_saphyr::budget! {
            max_depth: YAML_DEPTH,
            max_events: usize::MAX,
            max_nodes: usize::MAX,
            max_documents: usize::MAX,
            max_total_scalar_bytes: usize::MAX,
            // What they stand for is limited: one anchor can have many aliases.
            enforce_alias_anchor_ratio: false,
        },
    };
    let mut reader = text.as_bytes();
    let values = serde_saphyr::read_with_options::<_, Value>(&mut reader, options);
    let mut places = documents(text).into_iter();
    let parsed = values.enumerate().map(|(index, value)| {
        let (document, line) = places.next().map_or((index + 1, None), |(it, at)| (it, Some(at)));
        match value {
            Ok(value) => Parsed { document, line, value: Ok(with_integers(value)) },
            Err(error) => {
                let (at, message) = yaml_error(text, &error);
                Parsed { document, line: at.or(line), value: Err(message) }
            }
        }
    });
    let mut parsed: Vec<Parsed> = parsed.collect();
    if let Some(Parsed { value: Err(last), .. }) = parsed.last_mut() {
        last.push_str("; what follows it is not read");
    }
    parsed
}

/// The line of an error, and its message.
fn yaml_error(text: &str, error: &YamlError) -> (Option<usize>, String) {
    let line = error.location().and_then(|it| usize::try_from(it.line()).ok());
    let at = line.map(|line| format!(" at line {line}")).unwrap_or_default();
    let mut cause = error;
    while let YamlError::AliasError { error, .. } = cause {
        cause = error;
    }
    match cause {
        YamlError::Budget { breach: BudgetBreach::Depth { .. }, .. } => {
            return (line, format!("lists and objects nest deeper than {YAML_DEPTH} levels{at}"));
        }
        YamlError::Budget {
            breach:
                BudgetBreach::Aliases { .. }
                | BudgetBreach::Anchors { .. }
                | BudgetBreach::MergeKeys { .. }
                | BudgetBreach::RecordedAnchorBytes { .. }
                | BudgetBreach::RecordedAnchorEvents { .. },
            ..
        } => return (line, format!("its anchors and aliases stand for too much{at}")),
        _ => {}
    }
    // The default messages name settings of the library, which users cannot change.
    let message = error.render_with_formatter(&UserMessageFormatter);
    at_the_tab(text, line, message)
}

/// The line and the message of the reader. In a text over several lines it finds a tab, and names the line before.
fn at_the_tab(text: &str, line: Option<usize>, message: String) -> (Option<usize>, String) {
    let Some((before, _)) = message.split_once("found a tab at line ") else {
        return (line, message);
    };
    let begins_with_tab = |line: &str| {
        let content = line.trim_start();
        line.strip_suffix(content).is_some_and(|indentation| indentation.contains('\t'))
    };
    // The index of the next line is the number of this one.
    let next = line.and_then(|line| {
        text.lines().nth(line).filter(|it| begins_with_tab(it)).and(Some(line + 1))
    });
    match next {
        Some(next) => (Some(next), format!("{before}found a tab at line {next}: write spaces")),
        None => (line, message),
    }
}

/// A value of YAML with integers where `kubectl` and servers have them: they turn YAML into JSON first, which writes `15.0`
/// and `1.5e1` as `15`.
fn with_integers(mut value: Value) -> Value {
    make_whole(&mut value, LARGEST_EXACT);
    value
}

impl Syntax {
    /// Writes documents, the members of each object in the order of their names, as `kubectl` does.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub(crate) fn write(self, documents: &[Value], out: &mut dyn Write) -> io::Result<()> {
        // The standard output is flushed at each line.
        let mut out = BufWriter::new(out);
        match self {
            Self::Json => documents.iter().try_for_each(|document| {
                serde_json::to_writer_pretty(&mut out, document)?;
                writeln!(out)
            })?,
            Self::Yaml => out.write_all(yaml(documents)?.as_bytes())?,
            Self::Protobuf => documents.iter().try_for_each(|document| {
                out.write_all(&write_protobuf(document).map_err(io::Error::other)?)
            })?,
        }
        out.flush()
    }
}

fn yaml(documents: &[Value]) -> io::Result<String> {
    let options = serde_saphyr::ser_options! {
        prefer_block_scalars: documents.iter().all(fits_blocks),
        // A long line is not folded: other readers unfold differently.
        folded_wrap_chars: usize::MAX,
    };
    serde_saphyr::to_string_multiple_with_options(documents, options).map_err(io::Error::other)
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

// Objects in protobuf: `.pb` files, answers of API servers, and values of etcd.

/// The last bytes of every body that Go writes.
const END: &[u8] = b"\x1a\0\x22\0";

/// The object of a body, as JSON has it.
pub(super) fn parse_protobuf(bytes: &[u8]) -> Result<Value, String> {
    // `etcdctl get --print-value-only` ends its output in a new line.
    let line = bytes.strip_suffix(b"\n").filter(|body| body.ends_with(END));
    let body = line.unwrap_or(bytes);
    let envelope = Envelope::read(body).map_err(|error| error.to_string())?;
    let Envelope { api_version, kind, .. } = envelope;
    let (_, codec) = known(api_version, kind)?;
    let object = codec.decode(body).map_err(|error| error.to_string())?;
    object.encode().map_err(|error| error.to_string())
}

/// The type of a body that has no kind of the group.
pub(super) fn other_type(bytes: &[u8]) -> Option<TypeMeta<'static>> {
    let Envelope { api_version, kind, .. } = Envelope::read(bytes).ok()?;
    known(api_version, kind).is_err().then(|| TypeMeta::new(api_version, kind).into_owned())
}

/// The body of an object.
pub(super) fn write_protobuf(object: &Value) -> Result<Vec<u8>, String> {
    let text = |name| object.get(name).and_then(Value::as_str).unwrap_or_default();
    let (entry, codec) = known(text("apiVersion"), text("kind"))?;
    let object = entry.decode_value(object).map_err(|error| error.to_string())?;
    codec.encode(&*object).ok_or_else(|| "an object of another type".to_owned())
}

fn known(api_version: &str, kind: &str) -> Result<(&'static KindEntry, &'static Codec), String> {
    let entry = Kinds.kinds().iter().find(|entry| entry.reads(api_version, kind));
    let codec = entry.and_then(|entry| Some((entry, entry.protobuf()?)));
    codec
        .ok_or_else(|| format!("protobuf of an unknown kind: {}", TypeMeta::new(api_version, kind)))
}

// Bytes as text.

/// The reason why bytes are not text.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum NotText {
    #[error("it is compressed by {0}: unpack it first, for example with `{1}`")]
    Compressed(&'static str, &'static str),
    #[error("not UTF-8: the byte at offset {0} begins no character")]
    Utf8(usize),
    #[error(
        "protobuf begins only at the byte at offset {0}: `--print-value-only` of `etcdctl get` leaves out the key"
    )]
    BeforeProtobuf(usize),
    #[error("encrypted, as an API server stores it: read the object from the server")]
    Encrypted,
    #[error("not UTF-16: {0}")]
    Utf16(DecodeUtf16Error),
    #[error("not UTF-16: the number of bytes is odd")]
    OddLength,
}

/// The first bytes of compressed files, the programs that write them, and commands that unpack them.
const COMPRESSED: [(&[u8], &str, &str); 5] = [
    (b"\x1f\x8b", "gzip", "gzip -dc"),
    (b"PK\x03\x04", "zip", "unzip -p"),
    (b"\xfd7zXZ\0", "xz", "xz -dc"),
    (b"\x28\xb5\x2f\xfd", "zstd", "zstd -dc"),
    (b"BZh", "bzip2", "bzip2 -dc"),
];

/// Text in UTF-8 or UTF-16, with or without a byte order mark. Without one, a zero byte in its first character
/// means UTF-16: YAML and JSON begin with an ASCII character.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String, NotText> {
    if let Some((_, by, unpack)) = COMPRESSED.iter().find(|(begin, ..)| bytes.starts_with(begin)) {
        return Err(NotText::Compressed(by, unpack));
    }
    match *bytes.as_slice() {
        [0xef, 0xbb, 0xbf, ref text @ ..] => utf8(text.to_vec()),
        [0xfe, 0xff, ref units @ ..] => utf16(units, u16::from_be_bytes),
        [0xff, 0xfe, ref units @ ..] => utf16(units, u16::from_le_bytes),
        [0, 1..=0xff, ..] => utf16(&bytes, u16::from_be_bytes),
        [1..=0xff, 0, ..] => utf16(&bytes, u16::from_le_bytes),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: Vec<u8>) -> Result<String, NotText> {
    String::from_utf8(bytes).map_err(|error| {
        let bytes = error.as_bytes();
        if bytes.starts_with(b"k8s:enc:") {
            return NotText::Encrypted;
        }
        let after_line = bytes.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let protobuf = after_line.filter(|at| bytes.get(*at..).is_some_and(Envelope::begins));
        let not_utf8 = || NotText::Utf8(error.utf8_error().valid_up_to());
        protobuf.map_or_else(not_utf8, NotText::BeforeProtobuf)
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, NotText> {
    let (units, []) = bytes.as_chunks() else {
        return Err(NotText::OddLength);
    };
    let units = units.iter().map(|bytes| unit(*bytes));
    decode_utf16(units).collect::<Result<String, _>>().map_err(NotText::Utf16)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::{Syntax, parse, with_integers, yaml};

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
            any::<f64>().prop_map(Value::from),
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

    fn read_back(syntax: Syntax, documents: &[Value]) -> Vec<Value> {
        let mut text = Vec::new();
        syntax.write(documents, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let (found, values) = parse(&text, false);
        assert_eq!(found, syntax, "{text}");
        let values = values.into_iter().map(|parsed| parsed.value.expect(&text));
        values.collect()
    }

    proptest! {
        #[test]
        fn written_documents_read_back_equal(
            documents in prop::collection::vec(object(value()).prop_map(Value::from), 1..4)
        ) {
            prop_assert_eq!(&read_back(Syntax::Json, &documents), &documents);
            let yaml: Vec<_> = documents.iter().cloned().map(with_integers).collect();
            prop_assert_eq!(&read_back(Syntax::Yaml, &documents), &yaml);
        }
    }

    #[test]
    fn yaml_has_integers_where_kubectl_has_them() {
        for (text, expected) in [
            ("a: 15.0", json!({"a": 15})),
            ("a: [1e1, -2.50e1, -0.0]", json!({"a": [10, -25, 0]})),
            ("a: {b: 1.5}", json!({"a": {"b": 1.5}})),
            ("a: 9007199254740992.0", json!({"a": 9_007_199_254_740_992.0})),
        ] {
            let (syntax, values) = parse(text, false);
            assert_eq!((syntax, &values[0].value), (Syntax::Yaml, &Ok(expected)));
        }
        let (_, json) = parse(r#"{"a": 15.0}"#, false);
        assert_eq!(json[0].value, Ok(json!({"a": 15.0})));
    }

    /// A reader who counts `---` finds the document.
    #[test]
    fn documents_are_counted_as_yaml_counts_them() {
        for (text, expected) in [
            ("a: 1\n---\nb: 2\n", &[(1, 1), (2, 3)][..]),
            ("---\n# Source: a\n---\n---\na: 1\n", &[(3, 5)]),
            ("# a\n\n---\na: 1\n---\n...\n---\n# b\nb: |\n  ---\n  c\n", &[(1, 4), (3, 9)]),
            ("%YAML 1.1\n--- # a\na: 1\n...\nb: 2\n", &[(1, 3), (2, 5)]),
            ("--- {a: 1}\n--- ~\n---\nnull\n--- [b]", &[(1, 1), (4, 5)]),
            ("a: 1\n---\n---\nb: [c\n", &[(1, 1), (3, 4)]),
        ] {
            let (_, values) = parse(text, false);
            let found: Vec<_> =
                values.iter().filter_map(|it| Some((it.document, it.line?))).collect();
            assert_eq!((found.as_slice(), values.len()), (expected, expected.len()), "{text}");
        }
    }

    #[test]
    fn a_tab_is_found_on_its_line() {
        for (text, expected) in [
            ("a:\n  b: c\n\td: e\n", "found a tab at line 3: write spaces"),
            ("a:\n\tb: c\n", "at line 2, column 2"),
        ] {
            let (_, values) = parse(text, false);
            let error = values[0].value.as_ref().unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    /// The message names it, too.
    #[test]
    fn a_syntax_error_has_its_own_line() {
        for (text, must_be_json, line) in [
            ("a: 1\n---\n# b\nb:\n  c: [d\ne: f\n", false, 6),
            ("a: 1\n---\nb:\n  c: 1\n  c: 2\n", false, 5),
            ("a: 1\n---\nb:\n  c: d\n\te: f\n", false, 5),
            ("a: 1\na: 2\n---\nb: 1\n", false, 2),
            ("a: 1\n---\nb:\n\n  - {{ c }}\n", false, 5),
            ("{\n  \"a\": 1,\n}\n", true, 3),
            ("{\n  \"a\": 1,,\n}\n", false, 2),
        ] {
            let (_, values) = parse(text, must_be_json);
            let wrong = values.iter().find(|it| it.value.is_err()).unwrap();
            let error = wrong.value.as_ref().unwrap_err();
            assert!(error.contains(&format!("at line {line}")), "{error}");
            assert_eq!(wrong.line, Some(line), "{error}");
        }
    }

    #[test]
    fn the_json_before_a_syntax_error_is_read() {
        for must_be_json in [true, false] {
            let (syntax, values) = parse("{\"a\": 1}\n{\"b\":\n  ,}\n{\"c\": 1}", must_be_json);
            let found: Vec<_> =
                values.iter().map(|it| (it.document, it.line, it.value.is_ok())).collect();
            assert_eq!(syntax, Syntax::Json);
            assert_eq!(found, [(1, None, true), (2, Some(3), false)]);
        }
    }

    #[test]
    fn a_duplicate_key_is_an_error() {
        for (text, expected) in [
            (r#"{"a": {"b": 1, "b": 2}}"#, "the key `b` occurs twice"),
            ("a:\n  b: 1\n  b: 2\n", "duplicate mapping key: b"),
        ] {
            let (_, values) = parse(text, false);
            let error = values[0].value.as_ref().unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn json_nests_as_deep_as_the_library_reads() {
        let nested = |depth: usize| r#"{"a":"#.repeat(depth) + "1" + &"}".repeat(depth);
        let (syntax, values) = parse(&nested(400), false);
        assert_eq!(syntax, Syntax::Json);
        assert!(values[0].value.is_ok(), "{values:?}");
        let (_, values) = parse(&nested(401), false);
        let error = values[0].value.as_ref().unwrap_err();
        assert!(error.contains("nest deeper than 400 levels"), "{error}");
    }

    #[test]
    fn yaml_that_nests_too_deep_is_an_error() {
        let nested = |depth: usize| "a:\n  ".to_owned() + &"- ".repeat(depth) + "1\n";
        assert!(parse(&nested(63), false).1[0].value.is_ok());
        let (_, values) = parse(&nested(64), false);
        let error = values[0].value.as_ref().unwrap_err();
        assert!(error.starts_with("lists and objects nest deeper than 64 levels at"), "{error}");
        assert!(parse(&nested(100_000), false).1[0].value.is_err());
    }

    #[test]
    fn an_anchor_can_have_many_aliases() {
        let text = "a: &a {b: c}\nd:\n".to_owned() + &"- *a\n".repeat(1_000);
        let (_, values) = parse(&text, false);
        assert_eq!(values[0].value.as_ref().unwrap()["d"][999], json!({"b": "c"}));
        // Each line repeats the one before it eight times.
        let lines = (1..9).map(|line| {
            let before = format!("*a{}, ", line - 1).repeat(8);
            format!("a{line}: &a{line} [{before}]\n")
        });
        let text = "a0: &a0 [x, x, x, x, x, x, x, x]\n".to_owned() + &lines.collect::<String>();
        let (_, values) = parse(&text, false);
        let error = values[0].value.as_ref().unwrap_err();
        assert!(
            error.starts_with("its anchors and aliases stand for too much at line "),
            "{error}"
        );
    }

    #[test]
    fn a_tab_is_never_read_as_indentation() {
        for text in ["\n\tx", "\t\nx", " \n\t"] {
            let quoted = format!("a:\n- {}\n", json!(text));
            assert_eq!(yaml(&[json!({"a": [text]})]).unwrap(), quoted);
        }
        assert_eq!(yaml(&[json!({"a": "x\n\ty"})]).unwrap(), "a: |-\n  x\n  \ty\n");
    }
}

#[cfg(test)]
mod encoding_tests {
    use super::decode;

    const TEXT: &str = "{\"a\": \"é😀\"}";

    fn utf16(unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        TEXT.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn utf_8_and_utf_16_are_read() {
        let little = utf16(u16::to_le_bytes);
        let big = utf16(u16::to_be_bytes);
        let table = [
            TEXT.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", TEXT.as_bytes()].concat(),
            [b"\xff\xfe", little.as_slice()].concat(),
            [b"\xfe\xff", big.as_slice()].concat(),
            little,
            big,
        ];
        for bytes in table {
            assert_eq!(decode(bytes.clone()).as_deref(), Ok(TEXT), "{bytes:x?}");
        }
        assert_eq!(decode(Vec::new()).as_deref(), Ok(""));
    }
}
