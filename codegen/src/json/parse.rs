//! Text to values, with the place of each. No library keeps places and refuses keys that occur twice.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use k8s_versioned_names::pointer::child;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Member, Node, Value};
use crate::Problems;
use crate::problem::{FileCause, Place};

/// The limit of nesting. Documents of built-in groups nest 14 deep, those of custom resources up to 100.
const DEPTH: usize = 128;

/// Reads the text of `file`.
///
/// # Errors
/// The first syntax error, or all duplicate keys and too deeply nested values.
pub fn parse(file: &Arc<str>, text: &[u8]) -> Result<Node, Problems> {
    let root = whole(file, text)?;
    let mut parser = Parser { file, start: text.as_ptr().addr(), problems: Problems::new() };
    let node = parser.node(root, "", 0);
    parser.problems.or(node)
}

/// Checks the syntax of the whole text, without recursion.
fn whole<'a>(file: &Arc<str>, text: &'a [u8]) -> Result<&'a RawValue, Problems> {
    let fail = |offset: usize, cause: FileCause| {
        let mut problems = Problems::new();
        let span = Some(offset..offset);
        problems.push(&Place { span, ..Place::file(Arc::clone(file)) }, cause);
        problems
    };
    if text.trim_ascii().is_empty() {
        return Err(fail(0, FileCause::Empty));
    }
    let text =
        str::from_utf8(text).map_err(|error| fail(error.valid_up_to(), FileCause::NotUtf8))?;
    serde_json::from_str(text)
        .map_err(|error| fail(offset(text, &error), FileCause::Json(error.to_string())))
}

/// The byte offset of a syntax error.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let before: usize =
        text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    (before + error.column().saturating_sub(1)).min(text.len())
}

struct Parser<'a> {
    file: &'a Arc<str>,
    start: usize,
    problems: Problems,
}

impl Parser<'_> {
    fn node(&mut self, raw: &RawValue, pointer: &str, depth: usize) -> Node {
        let value = if depth > DEPTH {
            self.refuse(raw.get(), pointer, FileCause::TooDeep { limit: DEPTH })
        } else {
            self.value(raw.get(), pointer, depth)
        };
        Node { span: self.span(raw.get()), value }
    }

    /// The bytes of the file that a part of it is.
    fn span(&self, text: &str) -> Range<usize> {
        let start = text.as_ptr().addr().saturating_sub(self.start);
        start..start + text.len()
    }

    fn value(&mut self, text: &str, pointer: &str, depth: usize) -> Value {
        match text.as_bytes().first() {
            Some(b'{') => self.object(text, pointer, depth),
            Some(b'[') => self.array(text, pointer, depth),
            // A lone surrogate passes the syntax check and fails here.
            Some(b'"') => match serde_json::from_str(text) {
                Ok(string) => Value::String(string),
                Err(error) => self.invalid(text, pointer, &error),
            },
            Some(b't') => Value::Bool(true),
            Some(b'f') => Value::Bool(false),
            Some(b'n') | None => Value::Null,
            Some(_) => Value::Number(text.to_owned()),
        }
    }

    fn array(&mut self, text: &str, pointer: &str, depth: usize) -> Value {
        let items: Vec<&RawValue> = match serde_json::from_str(text) {
            Ok(items) => items,
            Err(error) => return self.invalid(text, pointer, &error),
        };
        let items = items.iter().enumerate();
        Value::Array(items.map(|(i, it)| self.node(it, &child(pointer, i), depth + 1)).collect())
    }

    fn object(&mut self, text: &str, pointer: &str, depth: usize) -> Value {
        let members = match serde_json::from_str::<Members<'_>>(text) {
            Ok(Members(members)) => members,
            Err(error) => return self.invalid(text, pointer, &error),
        };
        let mut seen = std::collections::BTreeSet::new();
        let mut result = Vec::with_capacity(members.len());
        for (key, raw) in members {
            let place = child(pointer, &key);
            let node = self.node(raw, &place, depth + 1);
            if seen.insert(key.clone()) {
                result.push(Member { key, node });
            } else {
                self.refuse(raw.get(), &place, FileCause::DuplicateKey(key));
            }
        }
        Value::Object(result)
    }

    fn invalid(&mut self, text: &str, pointer: &str, error: &serde_json::Error) -> Value {
        // Its line and column would count from the beginning of `text`.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        self.refuse(text, pointer, FileCause::Json(message.to_owned()))
    }

    fn refuse(&mut self, text: &str, pointer: &str, cause: FileCause) -> Value {
        let (file, span) = (Arc::clone(self.file), Some(self.span(text)));
        self.problems.push(&Place { file, pointer: pointer.to_owned(), span }, cause);
        Value::Null
    }
}

/// The members of one object in the order of the text, duplicates included.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            members.push((key, map.next_value()?));
        }
        Ok(Members(members))
    }
}
