//! Reads ordinary YAML in half of the time that `serde-saphyr` takes, with its parser, and leaves all other YAML to it.

use std::borrow::Cow;

use granit_parser::{Event, Parser, ScalarStyle, StrInput};
use serde_json::{Map, Number, Value};

use super::definition::{DEPTH, DOCUMENTS, NODES};
use crate::json::LARGEST;

/// The words that are not texts, also with capitals.
const WORDS: [&str; 11] =
    ["y", "yes", "true", "on", "n", "no", "false", "off", "null", ".inf", ".nan"];

/// The documents of a text, as `serde-saphyr` reads them, without those that are empty. `None` if the text has an error,
/// or something of which this reader is not certain.
pub(super) fn documents(bytes: &[u8]) -> Option<Vec<Value>> {
    // The library limits the texts of all scalars together. Escapes make them less than twice as long.
    if bytes.len() > LARGEST / 2 {
        return None;
    }
    let options = granit_parser::options! { disallow_directives: true, emit_comments: false };
    let parser = Parser::new_from_str_with_options(str::from_utf8(bytes).ok()?, options);
    let mut reader = Reader { parser, left: NODES };
    let (mut documents, mut starts) = (Vec::new(), 0);
    loop {
        match reader.next()? {
            Event::StreamStart | Event::DocumentEnd => {}
            Event::StreamEnd => return Some(documents),
            Event::DocumentStart(..) if starts == DOCUMENTS => return None,
            Event::DocumentStart(..) => starts += 1,
            event => match reader.value(event, DEPTH)? {
                Value::Null => {}
                document => documents.push(document),
            },
        }
    }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    /// The number of events that may follow. Each value has an event of its own, so this limits the values.
    left: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<Event<'a>> {
        self.left = self.left.checked_sub(1)?;
        Some(self.parser.next_event()?.ok()?.0)
    }

    /// The value that begins with an event, nested at most this deep. An anchor has another number than 0.
    fn value(&mut self, event: Event<'a>, depth: usize) -> Option<Value> {
        match event {
            Event::Scalar(text, ScalarStyle::Plain, 0, None) => plain(text),
            Event::Scalar(text, _, 0, None) => Some(Value::String(text.into_owned())),
            Event::SequenceStart(_, 0, None) => self.items(depth.checked_sub(1)?),
            Event::MappingStart(_, 0, None) => self.members(depth.checked_sub(1)?),
            _ => None,
        }
    }

    fn items(&mut self, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                Event::SequenceEnd => return Some(Value::Array(items)),
                event => items.push(self.value(event, depth)?),
            }
        }
    }

    fn members(&mut self, depth: usize) -> Option<Value> {
        let mut members = Map::new();
        loop {
            let key = match self.next()? {
                Event::MappingEnd => return Some(Value::Object(members)),
                Event::Scalar(key, style, 0, None) if is_key(&key, style) => key.into_owned(),
                _ => return None,
            };
            let event = self.next()?;
            if members.insert(key, self.value(event, depth)?).is_some() {
                return None;
            }
        }
    }
}

/// Returns `true` if a key is its text: no null, no merge key, and no number, of which `1` and `0x1` would be the same.
fn is_key(key: &str, style: ScalarStyle) -> bool {
    match key.as_bytes() {
        // `serde_json` gives some a meaning, if a program has it with certain features.
        [b'$', ..] if key.starts_with("$serde_json::") => false,
        _ if style != ScalarStyle::Plain => true,
        b"" | b"~" | b"<<" => false,
        [b'+' | b'-' | b'.' | b'0'..=b'9', ..] => is_text(key),
        _ => !key.eq_ignore_ascii_case("null"),
    }
}

/// The value of a scalar without quotes.
fn plain(text: Cow<'_, str>) -> Option<Value> {
    match &*text {
        "" | "~" | "null" => Some(Value::Null),
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ if is_text(&text) => Some(Value::String(text.into_owned())),
        _ => number(&text).map(Value::Number),
    }
}

/// Returns `true` if a scalar without quotes is certainly a text.
fn is_text(scalar: &str) -> bool {
    match scalar.as_bytes() {
        // Numbers have no other bytes, in any base.
        [b'0'..=b'9', rest @ ..] => {
            !rest.iter().all(|byte| byte.is_ascii_hexdigit() || b"xXoO_.+-".contains(byte))
        }
        [b'+' | b'-' | b'.', b'.' | b'0'..=b'9', ..] => false,
        _ => scalar.len() > 5 || !WORDS.iter().any(|word| word.eq_ignore_ascii_case(scalar)),
    }
}

/// A decimal number without a zero at its start, which could be one of another base.
fn number(text: &str) -> Option<Number> {
    let (whole, fraction) =
        text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    if !is_digits(digits) || digits.starts_with('0') && whole != "0" {
        return None;
    }
    match fraction {
        None => Some(Number::from(text.parse::<i64>().ok()?)),
        Some(fraction) if is_digits(fraction) => Number::from_f64(text.parse().ok()?),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use serde_json::json;
    use testing::specs::groups::lines;

    use super::super::definition::options;
    use super::*;

    /// Whether this reader reads a text. If so, the library reads the same.
    fn is_read(text: &[u8]) -> bool {
        let Some(found) = documents(text) else {
            return false;
        };
        let expected = serde_saphyr::from_slice_multiple_with_options::<Value>(text, options());
        let text = String::from_utf8_lossy(text);
        assert_eq!(found, expected.unwrap_or_else(|error| panic!("{error}: {text:?}")), "{text:?}");
        true
    }

    #[test]
    fn scalars() {
        let texts = "a Object v1 10Gi 5s 12:30 100m 1.2.z --a -a +a -inf .spec.a -_1 ._1 nope nan inf = << ~a é \
            'y' \"1\" '' '~' \"\\x41\\L\"";
        for text in texts.split_whitespace() {
            let found = documents(text.as_bytes());
            assert!(matches!(found.as_deref(), Some([Value::String(_)])), "{text}: {found:?}");
            assert!(is_read(format!("a: {text}\nb: [{text}]").as_bytes()), "{text}");
        }
        for text in " ~ null true false 0 7 -1 9223372036854775807 0.5 -1.50 1.0".split(' ') {
            let value = documents(format!("[1, {text} ]").as_bytes()).unwrap();
            assert!(value[0].get(1).is_none_or(|value| !value.is_string()), "{text}");
            assert!(is_read(format!("a: {text}\nb:\n- {text}").as_bytes()), "{text}");
        }
        let others = "y Yes on OFF True NULL .inf -.INF .NaN 0x1f 0o17 017 1_000 1e3 +1 -0 -0.5 .5 1. 1.2.3 \
            2020-01-01 18446744073709551615 !!str &a *a !a %a @a";
        for text in others.split_whitespace() {
            assert_eq!(documents(format!("a: {text}").as_bytes()), None, "{text}");
        }
        assert_eq!(documents(format!("{}.0", "9".repeat(400)).as_bytes()), None);
    }

    #[test]
    fn texts() {
        let table = [
            ("", json!([])),
            ("# a comment\n", json!([])),
            ("---\n...\n---\n~\n---\nnull\n--- # comment\n", json!([])),
            ("\u{feff}a: 1\n---\n\n---\n- b\n---\n''\n---\nc", json!([{"a": 1}, ["b"], "", "c"])),
            ("a: |\n  a\n   b\n\nb: >-\n  c\n  d # e", json!([{"a": "a\n b\n", "b": "c d # e"}])),
            ("a: \"b\n  c\"\nd: e\n  f # g", json!([{"a": "b c", "d": "e f"}])),
            ("a:\n- b: [1, {c: d}]\n  e:", json!([{"a": [{"b": [1, {"c": "d"}], "e": null}]}])),
            ("{\"a\":\t[-2.5,\"\\u00e9\"],\"b\":[]}", json!([{"a": [-2.5, "é"], "b": []}])),
            ("1h: a\n.b: c\ny: d", json!([{"1h": "a", ".b": "c", "y": "d"}])),
            ("'<<': a\n'null': b\n'1': c", json!([{"<<": "a", "null": "b", "1": "c"}])),
        ];
        for (text, expected) in table {
            assert_eq!(documents(text.as_bytes()).map(Value::from), Some(expected), "{text:?}");
            assert!(is_read(text.as_bytes()));
        }
        let others = "a: 1\na: 2;a: 1\n'a': 2;null: a;~: a;: a;<<: {a: 1};1: a;-1: a;0x1: a;[a]: b;{a: b}: c;{{ a }};\
            a: &b c;a: !b c;!!map {a: b};&a [b];*a;%YAML 1.2\n---\na;%TAG ! b\n---\na;a: [;a: b: c;a: |\n b\n\tc: d;\
            \"\\x\";\0;$serde_json::private::RawValue: '[1]'";
        for text in others.split(';') {
            assert_eq!(documents(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(documents(b"a: \xff"), None);
    }

    #[test]
    fn limits() {
        for depth in [DEPTH - 1, DEPTH, DEPTH + 1] {
            let items = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let members = format!("{}{}", "{a: ".repeat(depth), "}".repeat(depth));
            for text in [items, members, "- ".repeat(depth)] {
                assert_eq!(is_read(text.as_bytes()), depth <= DEPTH, "{text}");
            }
        }
        for count in [DOCUMENTS, DOCUMENTS + 1] {
            assert_eq!(is_read("--- a\n".repeat(count).as_bytes()), count == DOCUMENTS);
        }
        let of_events = |left| {
            let mut reader = Reader { parser: Parser::new_from_str("[a, b]"), left };
            (reader.next(), reader.next(), reader.next()).2.and_then(|event| reader.value(event, 1))
        };
        assert_eq!(of_events(5), None);
        assert_eq!(of_events(6), Some(json!(["a", "b"])));
        let text = vec![b'a'; LARGEST / 2 + 1];
        assert_eq!(documents(&text), None);
    }

    /// `MUTANTS` is the number of the mutants, and `MUTANT_SEED` the number of the first.
    #[test]
    fn a_mutation_is_read_as_by_the_library() {
        let variable = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
        let (first, count) =
            (variable("MUTANT_SEED").unwrap_or(0), variable("MUTANTS").unwrap_or(2_000));
        let texts = lines("../crds/manifests.jsonl.gz").filter(|text| text.len() < 2_000);
        let value = |text: String| serde_json::from_str::<Value>(&text).unwrap();
        let texts: Vec<String> =
            texts.map(|text| serde_saphyr::to_string(&value(text)).unwrap()).collect();
        assert!(texts.iter().all(|text| is_read(text.as_bytes())));
        let is_mutant_read = |seed| {
            let mut random = Rng::with_seed(seed);
            is_read(&mutant(&texts[random.usize(..texts.len())], &mut random))
        };
        let read = (first..first + count).filter(|seed| is_mutant_read(*seed)).count();
        // Both must happen, or the changes are too large or too small to test anything.
        let read = u64::try_from(read).unwrap();
        assert!(read * 10 > count && (count - read) * 10 > count, "{read} of {count} are read");
    }

    /// A text with one to three words or lines removed, doubled, or replaced by what has a meaning in YAML.
    fn mutant(text: &str, random: &mut Rng) -> Vec<u8> {
        const ODD: &str = "y No on ~ null NULL True .5 .inf -.nan 0 -0 +1 017 0x1f 0o7 1_0 1e3 1. 1.50 -7 12:30 1.2.3 \
            2020-01-01 << = - ? : , [ ] { } | > |- >+ # 'a' \"\\n\" ' \" &a *a !a !!str %a @ ` --- ... \t \u{85} \u{a0} \
            \u{feff} a: -a .a --a 1h";
        let odd: Vec<&str> = ODD.split(' ').collect();
        let mut text = text.as_bytes().to_vec();
        for _ in 0..random.usize(1..=3) {
            let at = random.usize(..text.len());
            let ends: &[u8] = [&b"\n"[..], b" \n"][random.usize(..2)];
            let is_end = |byte: &u8| ends.contains(byte);
            let start = text[..at].iter().rposition(is_end).map_or(0, |end| end + 1);
            let end = text[at..].iter().position(is_end).map_or(text.len(), |end| at + end);
            let part = match random.usize(..5) {
                0 => Vec::new(),
                1 => text[start..end].repeat(2),
                2 => [&text[start..end], b"\n", &text[start..end]].concat(),
                _ => odd[random.usize(..odd.len())].as_bytes().to_vec(),
            };
            text.splice(start..end.max(start), part);
            text.push(b'\n');
        }
        text
    }
}
