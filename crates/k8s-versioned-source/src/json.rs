//! JSON to a tree. No library keeps places and refuses keys that occur twice: `serde_json` checks the syntax of the whole text
//! first, and what is left is to take it apart in one pass.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::error::{Cause, Error, Errors};
use crate::pointer::Pointer;
use crate::read::Limits;
use crate::tree::{Member, NodeId, Tree};

/// Reads the value at a range of the text of a tree. Its syntax is checked already. `values` may follow in the whole file.
pub(crate) fn parse<'t>(
    tree: Tree<'t>,
    range: Range<usize>,
    limits: &Limits,
    values: &mut usize,
) -> Result<Tree<'t>, Errors> {
    let text = tree.text().get(..range.end).unwrap_or_default();
    let mut parser =
        Parser { tree, text, at: range.start, limits: *limits, values, errors: Vec::new() };
    let root = parser.node(None, 0);
    let Parser { mut tree, errors, .. } = parser;
    tree.set_root(root);
    if errors.is_empty() { Ok(tree) } else { Err(Errors(errors)) }
}

struct Parser<'t, 'v> {
    tree: Tree<'t>,
    text: &'t str,
    /// The bytes that were read.
    at: usize,
    limits: Limits,
    /// The number of values that may follow.
    values: &'v mut usize,
    errors: Vec<Error>,
}

impl<'t> Parser<'t, '_> {
    fn node(&mut self, pointer: Option<&Pointer<'_>>, depth: usize) -> NodeId {
        self.skip_space();
        let start = self.at;
        if *self.values == 0 {
            self.at = self.text.len();
            let limit = self.limits.values;
            return self.refuse(start..start, pointer, Cause::TooManyValues { limit });
        }
        *self.values -= 1;
        if depth > self.limits.depth {
            self.skip_value();
            let limit = self.limits.depth;
            return self.refuse(start..self.at, pointer, Cause::TooDeep { limit });
        }
        match self.peek() {
            Some(b'{') => self.object(pointer, depth),
            Some(b'[') => self.array(pointer, depth),
            Some(b'"') => match self.string().unwrap_or(Ok(Cow::Borrowed(""))) {
                Ok(string) => self.tree.add_string(&(start..self.at), string),
                Err(error) => self.invalid(start, pointer, &error),
            },
            _ => {
                let word = self.word();
                let span = start..self.at;
                match word {
                    "true" | "false" => self.tree.add_bool(&span, word == "true"),
                    "null" => self.tree.add_null(&span),
                    number => self.tree.add_number(&span, number),
                }
            }
        }
    }

    fn array(&mut self, pointer: Option<&Pointer<'_>>, depth: usize) -> NodeId {
        let (start, mut items) = (self.at, Vec::new());
        self.take(b'[');
        while !self.ends(b']') && self.peek().is_some() {
            let inside = Pointer { parent: pointer, token: &items.len() };
            let node = self.node(Some(&inside), depth + 1);
            items.push(node);
            self.take(b',');
        }
        self.tree.add_array(&(start..self.at), items)
    }

    fn object(&mut self, pointer: Option<&Pointer<'_>>, depth: usize) -> NodeId {
        let (start, mut members, mut seen) = (self.at, Vec::new(), BTreeSet::new());
        self.take(b'{');
        while !self.ends(b'}') {
            let key_start = self.at;
            let key = match self.string() {
                Some(Ok(key)) => key,
                Some(Err(error)) => {
                    self.invalid(key_start, pointer, &error);
                    Cow::Borrowed("")
                }
                None => break,
            };
            self.take(b':');
            let inside = Pointer { parent: pointer, token: &key };
            let node = self.node(Some(&inside), depth + 1);
            if seen.insert(key.clone()) {
                let key_start = u32::try_from(key_start).unwrap_or(u32::MAX);
                members.push(Member { key, key_start, node });
            } else {
                let span = self.tree.value(node).span();
                let cause = Cause::DuplicateKey(key.to_string());
                self.refuse(span, Some(&inside), cause);
            }
            self.take(b',');
        }
        self.tree.add_object(&(start..self.at), members)
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
    fn take(&mut self, byte: u8) {
        self.skip_space();
        self.at += usize::from(self.peek() == Some(byte));
        self.skip_space();
    }

    /// Takes the byte that ends a list, if it is next. The space after it is not a part of the list.
    fn ends(&mut self, byte: u8) -> bool {
        self.skip_space();
        let ends = self.peek() == Some(byte);
        self.at += usize::from(ends);
        ends
    }

    /// Takes a number or a name.
    fn word(&mut self) -> &'t str {
        let start = self.at;
        while self.peek().is_some_and(|byte| !b",]} \n\r\t".contains(&byte)) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Takes a string. A lone surrogate passes the syntax check and fails here.
    fn string(&mut self) -> Option<serde_json::Result<Cow<'t, str>>> {
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
    ) -> NodeId {
        // Its line and column would count from the beginning of the string.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        self.refuse(start..self.at, pointer, Cause::Json(message.to_owned()))
    }

    fn refuse(
        &mut self,
        span: Range<usize>,
        pointer: Option<&Pointer<'_>>,
        cause: Cause,
    ) -> NodeId {
        let node = self.tree.add_null(&span);
        let file = Arc::clone(self.tree.file());
        self.errors.push(Error { file, span, pointer: Pointer::text(pointer), cause });
        node
    }
}

/// Returns `true` if the text ends in an odd number of backslashes.
fn is_escaped(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}
