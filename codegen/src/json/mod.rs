//! JSON text to values that know their place in the text.
//!
//! `serde_json` checks the syntax. This module adds places and the order of members, and refuses duplicate keys and
//! deep nesting.

mod cursor;
mod view;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::Range;
use std::sync::Arc;

use k8s_versioned_names::pointer::child;
use serde::de::IgnoredAny;

use crate::Problems;
use crate::problem::{FileCause, Place};

pub use cursor::{Cursor, Keywords};
pub use view::{Kind, View};

// The values.

/// A value and the bytes of the text that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    /// The bytes of the text.
    pub span: Range<usize>,
    /// The parsed value.
    pub value: NodeValue<'a>,
}

/// A JSON value, which borrows what the text has as it is; members keep their order.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeValue<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it was written.
    Number(Cow<'a, str>),
    /// A string.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Node<'a>>),
    /// An object.
    Object(Vec<Member<'a>>),
}

/// One member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<'a> {
    /// The name of the member.
    pub key: Cow<'a, str>,
    /// The value of the member, with its bytes.
    pub node: Node<'a>,
}

impl Node<'_> {
    /// The value without its places.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            NodeValue::Null => serde_json::Value::Null,
            NodeValue::Bool(bool) => (*bool).into(),
            NodeValue::Number(text) => number(text),
            NodeValue::String(text) => text.as_ref().into(),
            NodeValue::Array(items) => items.iter().map(Self::to_json).collect(),
            NodeValue::Object(members) => {
                let member = |it: &Member<'_>| (it.key.as_ref().to_owned(), it.node.to_json());
                members.iter().map(member).collect()
            }
        }
    }

    /// The value of a member of an object.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let NodeValue::Object(members) = &self.value else {
            return None;
        };
        members.iter().find(|member| member.key == key).map(|member| &member.node)
    }
}

/// The number of a text. `serde_json` reads a fraction or an exponent less exactly than it writes one.
fn number(text: &str) -> serde_json::Value {
    let number: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let exact = text.parse::<f64>().ok().filter(|_| number.is_f64());
    exact.map_or(number, Into::into)
}

// Text to values, with the place of each. No library keeps places and refuses keys that occur twice.
//
// `serde_json` checks the syntax of the whole text first. What is left is to take it apart in one pass.

/// The limit of nesting. Documents of built-in groups nest 14 deep, documents of custom resources up to 100.
const DEPTH: usize = 128;

/// The most bytes of a file. Documents of servers have up to 10 million.
pub(crate) const LARGEST: usize = 64 << 20;

/// The most values of a file: a value takes up to fifty times the memory of its text. Documents of servers have up to
/// 30,000.
const VALUES: usize = 1_000_000;

/// Reads the text of `file`.
///
/// # Errors
/// The first syntax error, or all duplicate keys and too deeply nested values, or too many values.
pub fn parse<'a>(file: &Arc<str>, text: &'a [u8]) -> Result<Node<'a>, Problems> {
    let text = whole(file, text)?;
    let file = Arc::clone(file);
    let mut parser = Parser { file, text, at: 0, values: 0, problems: Problems::new() };
    let node = parser.node(None, 0);
    parser.problems.or(node)
}

/// Checks the syntax of the whole text, without recursion.
fn whole<'a>(file: &Arc<str>, text: &'a [u8]) -> Result<&'a str, Problems> {
    let fail = |offset: usize, cause: FileCause| {
        let span = Some(offset..offset);
        Problems::one(Place { span, ..Place::file(Arc::clone(file)) }, cause)
    };
    if text.len() > LARGEST {
        return Err(fail(LARGEST, FileCause::TooLarge { limit: LARGEST }));
    }
    if text.trim_ascii().is_empty() {
        return Err(fail(0, FileCause::Empty));
    }
    let text =
        str::from_utf8(text).map_err(|error| fail(error.valid_up_to(), FileCause::NotUtf8))?;
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Ok(text),
        Err(error) => Err(fail(offset(text, &error), FileCause::Json(error.to_string()))),
    }
}

/// The byte offset of a syntax error.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let before: usize =
        text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    (before + error.column().saturating_sub(1)).min(text.len())
}

/// A JSON pointer that becomes text when it is shown. Most of them never are.
pub(crate) struct Pointer<'a> {
    /// The pointer of the value around this one; `None` for the whole.
    pub(crate) parent: Option<&'a Pointer<'a>>,
    pub(crate) token: &'a dyn Display,
}

impl Pointer<'_> {
    pub(crate) fn text(&self) -> String {
        child(&self.parent.map(Pointer::text).unwrap_or_default(), self.token)
    }
}

struct Parser<'a> {
    file: Arc<str>,
    text: &'a str,
    /// The bytes that were read.
    at: usize,
    /// The values that were read.
    values: usize,
    problems: Problems,
}

impl<'a> Parser<'a> {
    fn node(&mut self, pointer: Option<&Pointer<'_>>, depth: usize) -> Node<'a> {
        self.skip_space();
        let start = self.at;
        self.values += 1;
        let value = if self.values > VALUES {
            self.at = self.text.len();
            self.refuse(start..start, pointer, FileCause::TooManyValues { limit: VALUES })
        } else if depth > DEPTH {
            self.skip_value();
            self.refuse(start..self.at, pointer, FileCause::TooDeep { limit: DEPTH })
        } else {
            self.value(pointer, depth)
        };
        Node { span: start..self.at, value }
    }

    fn value(&mut self, pointer: Option<&Pointer<'_>>, depth: usize) -> NodeValue<'a> {
        match self.peek() {
            Some(b'{') => self.object(pointer, depth),
            Some(b'[') => self.array(pointer, depth),
            Some(b'"') => {
                let start = self.at;
                match self.string().unwrap_or(Ok(Cow::Borrowed(""))) {
                    Ok(string) => NodeValue::String(string),
                    Err(error) => self.invalid(start, pointer, &error),
                }
            }
            _ => match self.word() {
                "true" => NodeValue::Bool(true),
                "false" => NodeValue::Bool(false),
                "null" => NodeValue::Null,
                number => NodeValue::Number(number.into()),
            },
        }
    }

    fn array(&mut self, pointer: Option<&Pointer<'_>>, depth: usize) -> NodeValue<'a> {
        let mut items = Vec::new();
        self.take(b'[');
        while !self.take(b']') && self.peek().is_some() {
            let inside = Pointer { parent: pointer, token: &items.len() };
            let node = self.node(Some(&inside), depth + 1);
            items.push(node);
            self.take(b',');
        }
        NodeValue::Array(items)
    }

    fn object(&mut self, pointer: Option<&Pointer<'_>>, depth: usize) -> NodeValue<'a> {
        let (mut members, mut seen) = (Vec::new(), BTreeSet::new());
        self.take(b'{');
        while !self.take(b'}') {
            let start = self.at;
            let key = match self.string() {
                Some(Ok(key)) => key,
                Some(Err(error)) => {
                    self.invalid(start, pointer, &error);
                    Cow::Borrowed("")
                }
                None => break,
            };
            self.take(b':');
            let inside = Pointer { parent: pointer, token: &key };
            let node = self.node(Some(&inside), depth + 1);
            if seen.insert(key.clone()) {
                members.push(Member { key, node });
            } else {
                let cause = FileCause::DuplicateKey(key.to_string());
                self.refuse(node.span, Some(&inside), cause);
            }
            self.take(b',');
        }
        NodeValue::Object(members)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// Takes a byte and the space around it, if it is next.
    fn take(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        self.skip_space();
        found
    }

    /// Takes a number or a name.
    fn word(&mut self) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(|byte| !b",]} \n\r\t".contains(&byte)) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Takes a string. A lone surrogate passes the syntax check and fails here.
    fn string(&mut self) -> Option<serde_json::Result<Cow<'a, str>>> {
        let quoted = self.text.get(self.at..)?;
        let text = quoted.strip_prefix('"')?;
        let mut end = text.find('"')?;
        while is_escaped(text.get(..end)?) {
            end += 1 + text.get(end + 1..)?.find('"')?;
        }
        self.at += end + 2;
        let text = text.get(..end)?;
        if text.contains('\\') {
            return Some(serde_json::from_str(quoted.get(..end + 2)?).map(Cow::Owned));
        }
        Some(Ok(Cow::Borrowed(text)))
    }

    /// Skips a value without recursion.
    fn skip_value(&mut self) {
        let mut open = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => drop(self.string()),
                b'{' | b'[' => {
                    open += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    open = open.saturating_sub(1);
                    self.at += 1;
                }
                b',' | b':' => self.at += 1,
                _ => drop(self.word()),
            }
            if open == 0 {
                return;
            }
            self.skip_space();
        }
    }

    fn invalid(
        &mut self,
        start: usize,
        pointer: Option<&Pointer<'_>>,
        error: &serde_json::Error,
    ) -> NodeValue<'a> {
        // Its line and column would count from the beginning of the string.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        self.refuse(start..self.at, pointer, FileCause::Json(message.to_owned()))
    }

    fn refuse(
        &mut self,
        span: Range<usize>,
        pointer: Option<&Pointer<'_>>,
        cause: FileCause,
    ) -> NodeValue<'a> {
        let (file, span) = (Arc::clone(&self.file), Some(span));
        let pointer = pointer.map(Pointer::text).unwrap_or_default();
        self.problems.push(&Place { file, pointer, span }, cause);
        NodeValue::Null
    }
}

/// Returns `true` if the text ends in an odd number of backslashes.
fn is_escaped(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}
