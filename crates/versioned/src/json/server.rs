//! JSON as API servers read it. No library does: of two members with one name they keep both, and say so; they replace what is
//! no Unicode; and text nests as deep as 10,000 levels.

use serde_json::{Map, Number, Value};
use thiserror::Error;

use crate::Quoted;

/// The most levels of lists and objects, as for servers.
const MAX_DEPTH: usize = 10_000;

/// From what depth on only the form is checked: what is deeper stands as empty. No field of an object is
/// so deep, and whoever walks through a value does so by recursion.
const KEPT_DEPTH: usize = 400;

/// The most duplicates that servers name.
const MAX_DUPLICATES: usize = 100;

/// The member whose content servers keep as text.
const OPAQUE: &str = "fieldsV1";

/// The content of a text.
#[derive(Debug, Default)]
pub(crate) struct ServerJson {
    pub(crate) value: Value,
    /// The paths of members that occur again in their objects, in the order of the text.
    pub(crate) duplicates: Vec<String>,
    /// The members `apiVersion` and `kind` of the outermost object, in the order of the text.
    pub(crate) type_meta: Vec<(TypeField, Value)>,
}

/// A member that says what an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeField {
    ApiVersion,
    Kind,
}

impl TypeField {
    /// The field of a name. Servers look for these two without regard to case, and for all others with it.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let folded: String = name.chars().map(fold).collect();
        match folded.as_str() {
            "apiversion" => Some(Self::ApiVersion),
            "kind" => Some(Self::Kind),
            _ => None,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ApiVersion => "apiVersion",
            Self::Kind => "kind",
        }
    }
}

/// Two letters beyond ASCII stand for an ASCII letter when case makes no difference.
fn fold(char: char) -> char {
    match char {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        char => char.to_ascii_lowercase(),
    }
}

/// A text that is not JSON.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("not JSON: {found} at line {line} column {column}, expected {expected}")]
pub(crate) struct NotJson {
    found: String,
    expected: &'static str,
    line: usize,
    column: usize,
}

/// Reads a text as servers do.
///
/// It differs from what `serde_json` reads: bytes that are not UTF-8 and halves of surrogate pairs become
/// U+FFFD; of members with one name the last counts, or both together where both are lists or objects;
/// `-0` is an integer; and text nests deeper.
pub(crate) fn read(text: &[u8]) -> Result<ServerJson, NotJson> {
    let mut parser = Parser { text, position: 0, open: Vec::new(), read: ServerJson::default() };
    parser.document()?;
    Ok(parser.read)
}

struct Parser<'a> {
    text: &'a [u8],
    position: usize,
    /// The lists and objects around the position. Not the call stack: texts nest deeper than that.
    open: Vec<Open>,
    read: ServerJson,
}

/// A list or an object that is not yet complete.
enum Open {
    List(Vec<Value>),
    Object(Map<String, Value>, String),
}

impl Parser<'_> {
    fn document(&mut self) -> Result<(), NotJson> {
        loop {
            self.skip_space();
            let value = match self.peek() {
                Some(b'[') => {
                    self.enter(Open::List(Vec::new()))?;
                    self.skip_space();
                    if !self.take(b']') {
                        continue;
                    }
                    self.leave()
                }
                Some(b'{') => {
                    self.enter(Open::Object(Map::new(), String::new()))?;
                    self.skip_space();
                    if !self.take(b'}') {
                        self.key()?;
                        continue;
                    }
                    self.leave()
                }
                _ => self.scalar()?,
            };
            if self.complete(value)? {
                return Ok(());
            }
        }
    }

    fn enter(&mut self, open: Open) -> Result<(), NotJson> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.unexpected("lists and objects that nest less than 10,000 levels deep"));
        }
        self.position += 1;
        self.open.push(open);
        Ok(())
    }

    fn leave(&mut self) -> Value {
        match self.open.pop() {
            Some(Open::List(items)) => Value::Array(items),
            Some(Open::Object(members, _)) => Value::Object(members),
            None => Value::Null,
        }
    }

    /// Puts a complete value where it belongs, and what it completes. Whether that was the document.
    fn complete(&mut self, mut value: Value) -> Result<bool, NotJson> {
        loop {
            self.store(value);
            self.skip_space();
            let (close, expected) = match self.open.last() {
                None => {
                    let end = self.peek().is_none();
                    return end.then_some(true).ok_or_else(|| self.unexpected("the end"));
                }
                Some(Open::List(_)) => (b']', "`,` or `]`"),
                Some(Open::Object(..)) => (b'}', "`,` or `}`"),
            };
            if self.take(b',') {
                if close == b'}' {
                    self.skip_space();
                    self.key()?;
                }
                return Ok(false);
            }
            if !self.take(close) {
                return Err(self.unexpected(expected));
            }
            value = self.leave();
        }
    }

    fn store(&mut self, value: Value) {
        let outermost = self.open.len() == 1;
        let kept = self.open.len() <= KEPT_DEPTH;
        match self.open.last_mut() {
            None => self.read.value = value,
            Some(_) if !kept => {}
            Some(Open::List(items)) => items.push(value),
            Some(Open::Object(members, key)) => {
                let key = std::mem::take(key);
                if outermost && let Some(field) = TypeField::of(&key) {
                    self.read.type_meta.push((field, value.clone()));
                }
                match members.get_mut(&key) {
                    Some(first) => merge(first, value),
                    None => _ = members.insert(key, value),
                }
            }
        }
    }

    /// Reads a key and the colon after it.
    fn key(&mut self) -> Result<(), NotJson> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key in double quotes"));
        }
        let name = self.string()?;
        self.skip_space();
        if !self.take(b':') {
            return Err(self.unexpected("`:`"));
        }
        let again = match self.open.last_mut() {
            Some(Open::Object(members, key)) => {
                key.clone_from(&name);
                members.contains_key(&name)
            }
            _ => false,
        };
        if again {
            self.note_duplicate();
        }
        Ok(())
    }

    /// Notes the path of the member that is being read, unless servers do not look there.
    fn note_duplicate(&mut self) {
        let mut path = String::new();
        let Some((last, around)) = self.open.split_last() else {
            return;
        };
        for open in around {
            match open {
                Open::List(items) => {
                    path.push('[');
                    path.push_str(&items.len().to_string());
                    path.push(']');
                }
                Open::Object(_, key) if key == OPAQUE => return,
                Open::Object(_, key) => push_key(&mut path, key),
            }
        }
        if let Open::Object(_, key) = last {
            push_key(&mut path, key);
        }
        let duplicates = &mut self.read.duplicates;
        if duplicates.len() < MAX_DUPLICATES && !duplicates.contains(&path) {
            duplicates.push(path);
        }
    }

    fn scalar(&mut self) -> Result<Value, NotJson> {
        match self.peek() {
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                let words = [
                    ("null", Value::Null),
                    ("true", Value::Bool(true)),
                    ("false", Value::Bool(false)),
                ];
                let rest = self.rest();
                let word = words.into_iter().find(|(word, _)| rest.starts_with(word.as_bytes()));
                let (word, value) = word.ok_or_else(|| self.unexpected("a value"))?;
                self.position += word.len();
                Ok(value)
            }
        }
    }

    fn number(&mut self) -> Result<Value, NotJson> {
        let start = self.position;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        let text = self.text.get(start..self.position).unwrap_or_default();
        let text = str::from_utf8(text).unwrap_or_default();
        Ok(Value::Number(number(text)))
    }

    fn digits(&mut self) -> Result<(), NotJson> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit());
        match count.count() {
            0 => Err(self.unexpected("a digit")),
            count => {
                self.position += count;
                Ok(())
            }
        }
    }

    /// Reads a string, with its quotes.
    fn string(&mut self) -> Result<String, NotJson> {
        self.position += 1;
        let mut string = String::new();
        loop {
            let rest = self.rest();
            let special = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
            let plain = rest.iter().position(special).unwrap_or(rest.len());
            push_lossy(&mut string, rest.get(..plain).unwrap_or_default());
            self.position += plain;
            if self.take(b'"') {
                return Ok(string);
            }
            if !self.take(b'\\') {
                return Err(self.unexpected("the rest of a string"));
            }
            string.push(self.escape()?);
        }
    }

    /// Reads what follows a backslash.
    fn escape(&mut self) -> Result<char, NotJson> {
        let plain = match self.peek() {
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.unexpected("a character that can be escaped")),
        };
        self.position += 1;
        Ok(plain)
    }

    /// Reads `uXXXX`, and the second half of a surrogate pair where one follows.
    fn unicode_escape(&mut self) -> Result<char, NotJson> {
        let first = self.hex(1).ok_or_else(|| self.unexpected("four hexadecimal digits"))?;
        self.position += 5;
        let second = match self.rest() {
            [b'\\', b'u', ..] => self.hex(2),
            _ => None,
        };
        let units = [first, second.unwrap_or_default()];
        let pair = char::decode_utf16(units).next();
        match (char::from_u32(first.into()), pair, second) {
            (Some(char), ..) => Ok(char),
            (None, Some(Ok(char)), Some(_)) => {
                self.position += 6;
                Ok(char)
            }
            _ => Ok(char::REPLACEMENT_CHARACTER),
        }
    }

    /// Four hexadecimal digits, so many bytes from here.
    fn hex(&self, skip: usize) -> Option<u16> {
        let digits = self.rest().get(skip..skip + 4)?;
        let digits = str::from_utf8(digits).ok()?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| plain)
    }

    fn skip_space(&mut self) {
        let space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        self.position += self.rest().iter().take_while(space).count();
    }

    fn rest(&self) -> &[u8] {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.position += usize::from(found);
        found
    }

    fn unexpected(&self, expected: &'static str) -> NotJson {
        let before = self.text.get(..self.position).unwrap_or_default();
        let mut lines = before.split(|byte| *byte == b'\n');
        let column = lines.next_back().unwrap_or_default().len() + 1;
        let line = lines.count() + 1;
        let found = match self.rest().utf8_chunks().next() {
            None => "the end".to_owned(),
            Some(chunk) => match chunk.valid().chars().next() {
                Some(char) => Quoted(&char.to_string()).to_string(),
                None => "a byte that is not UTF-8".to_owned(),
            },
        };
        NotJson { found, expected, line, column }
    }
}

/// Servers read a second member into what they have read of the first.
fn merge(first: &mut Value, second: Value) {
    match (first, second) {
        (Value::Object(members), Value::Object(others)) => {
            for (key, other) in others {
                match members.get_mut(&key) {
                    Some(member) if key != OPAQUE => merge(member, other),
                    _ => _ = members.insert(key, other),
                }
            }
        }
        (Value::Array(items), Value::Array(others)) => {
            items.truncate(others.len());
            for (index, other) in others.into_iter().enumerate() {
                match items.get_mut(index) {
                    Some(item) => merge(item, other),
                    None => items.push(other),
                }
            }
        }
        (Value::Object(_), Value::Null) => {}
        (first, second) => *first = second,
    }
}

/// The number of a text. What no number of ours can hold is too large for every field of an object.
fn number(text: &str) -> Number {
    let integer = text.parse::<i64>().map(Number::from);
    let integer = integer.or_else(|_| text.parse::<u64>().map(Number::from));
    integer.unwrap_or_else(|_| {
        let float = text.parse::<f64>().unwrap_or_default();
        Number::from_f64(float.clamp(f64::MIN, f64::MAX)).unwrap_or_else(|| 0.into())
    })
}

/// Appends text; each byte that is not UTF-8 becomes U+FFFD.
fn push_lossy(string: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        string.push_str(chunk.valid());
        string.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
}

fn push_key(path: &mut String, key: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(key);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{TypeField, read};

    /// A text, its value, and the duplicates in it.
    #[test]
    fn reads_as_servers_do() {
        let table = [
            ("null", json!(null), ""),
            (" [ ] ", json!([]), ""),
            (r#"{"a":[1,{"b":[]},-0,1.5e1]}"#, json!({"a": [1, {"b": []}, 0, 15.0]}), ""),
            ("[1e999,-1e999]", json!([f64::MAX, f64::MIN]), ""),
            ("18446744073709551615", json!(u64::MAX), ""),
            (r#""\u00e9\n\/\ud83d\ude00""#, json!("é\n/😀"), ""),
            (r#""\ud800""#, json!("\u{fffd}"), ""),
            (r#""\ud800\u0041\udc00""#, json!("\u{fffd}A\u{fffd}"), ""),
            (r#"{"a":1,"a":2}"#, json!({"a": 2}), "a"),
            (
                r#"{"m":{"a":1},"m":{"b":2},"l":[{"x":1},0],"l":[{"y":2}]}"#,
                json!({"m": {"a": 1, "b": 2}, "l": [{"x": 1, "y": 2}]}),
                "m l",
            ),
            (
                r#"{"l":[{},{"a.b":1,"\u0061.b":2,"a.b":3}],"fieldsV1":{"a":1,"a":2}}"#,
                json!({"l": [{}, {"a.b": 3}], "fieldsV1": {"a": 2}}),
                "l[1].a.b",
            ),
            (
                r#"{"m":{"a":1},"m":null,"t":"x","t":null}"#,
                json!({"m": {"a": 1}, "t": null}),
                "m t",
            ),
        ];
        for (text, value, duplicates) in table {
            let found = read(text.as_bytes()).unwrap();
            assert_eq!(found.value, value, "{text}");
            assert_eq!(found.duplicates.join(" "), duplicates, "{text}");
        }
        let found = read(b"\"a\xe2\x82b\xff\"").unwrap().value;
        assert_eq!(found, "a\u{fffd}\u{fffd}b\u{fffd}");
    }

    #[test]
    fn what_is_no_json_is_told_with_its_place() {
        let table: [(&[u8], &str); 14] = [
            (b"", "the end at line 1 column 1, expected a value"),
            (b"\xef\xbb\xbf{}", "\"\\u{feff}\" at line 1 column 1, expected a value"),
            (b"/* c */{}", "`/` at line 1 column 1, expected a value"),
            (b"{\"a\":1,\n}", "`}` at line 2 column 1, expected a key in double quotes"),
            (b"{'a':1}", "`'` at line 1 column 2, expected a key in double quotes"),
            (b"{\"a\" 1}", "`1` at line 1 column 6, expected `:`"),
            (b"{} x", "`x` at line 1 column 4, expected the end"),
            (b"[1,]", "`]` at line 1 column 4, expected a value"),
            (b"[1 2]", "`2` at line 1 column 4, expected `,` or `]`"),
            (b"NaN", "`N` at line 1 column 1, expected a value"),
            (b"-x", "`x` at line 1 column 2, expected a digit"),
            (b"01", "`1` at line 1 column 2, expected the end"),
            (b"\"a\nb\"", "\"\\n\" at line 1 column 3, expected the rest of a string"),
            (b"\"\\u12+4\"", "`u` at line 1 column 3, expected four hexadecimal digits"),
        ];
        for (text, expected) in table {
            let error = read(text).unwrap_err().to_string();
            assert_eq!(error, format!("not JSON: {expected}"));
        }
    }

    #[test]
    fn case_makes_no_difference_for_two_members() {
        let table = [
            ("Kind", Some(TypeField::Kind)),
            ("\u{212a}IND", Some(TypeField::Kind)),
            ("apiver\u{17f}ion", Some(TypeField::ApiVersion)),
            ("kinds", None),
            ("metadata", None),
        ];
        for (name, expected) in table {
            assert_eq!(TypeField::of(name), expected, "{name}");
        }
    }

    #[test]
    fn depth_needs_no_stack() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        let found = read(nested(10_000).as_bytes()).unwrap();
        let mut depth = 0;
        let mut value = &found.value;
        while let Value::Array(items) = value {
            depth += 1;
            value = items.first().unwrap_or(&Value::Null);
        }
        assert_eq!(depth, super::KEPT_DEPTH + 1);
        assert!(read(nested(10_001).as_bytes()).is_err());
        assert!(read("[".repeat(3_000_000).as_bytes()).is_err());
    }
}
