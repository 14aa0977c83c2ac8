//! JSON to a tree. No library keeps places and refuses keys that occur twice: `serde_json` checks the syntax of the whole text
//! first, and what is left is to take it apart in one pass.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use serde::de::IgnoredAny;
use serde_json::Value;

use crate::error::{Errors, ReadCause};
use crate::found::Found;
use crate::limits::ReadLimits;
use crate::list_mode::ListMode;
use crate::tree::{Mark, Member, NodeId, Tree, ValueKind};
use k8s_versioned_core::json::whole_pairs;
use k8s_versioned_core::pointer::Pointer;

/// Reads the value at a range of the text of a tree. Its syntax is checked already. `values` may follow in the whole file.
pub(crate) fn parse<'t>(
    tree: Tree<'t>,
    range: Range<usize>,
    limits: &ReadLimits,
    values: &mut usize,
) -> Result<Tree<'t>, Errors> {
    let text = tree.text().get(..range.end).unwrap_or_default();
    let mut parser = Parser::new(tree, text, range.start, limits, values);
    let root = parser.node(None, 0);
    let Parser { mut tree, errors, .. } = parser;
    tree.set_root(root);
    errors.check(tree)
}

/// A long list, or what is left of it.
#[derive(Clone, Debug)]
pub(crate) struct List<'t> {
    /// The list without items.
    header: Tree<'t>,
    /// The place of the items that are left.
    items: Range<usize>,
    /// The index of the first of them.
    index: usize,
}

impl<'t> List<'t> {
    /// The list at a range of the text: an array, or an object with `items` that is a list. `None` for another value, and for one
    /// with an error outside of the items.
    pub(crate) fn open(tree: Tree<'t>, range: Range<usize>, limits: &ReadLimits) -> Option<Self> {
        let text = tree.text().get(..range.end)?;
        let mut values = limits.values;
        let mut parser = Parser::new(tree, text, range.start, limits, &mut values);
        parser.items = ListMode::Skip;
        parser.skip_space();
        let root = if parser.peek() == Some(b'[') {
            let (start, items) = (parser.at, parser.skip_items());
            parser.items = ListMode::Skipped(items);
            parser.tree.add_array(&(start..range.end), [])
        } else {
            parser.node(None, 0)
        };
        let Parser { tree: mut header, errors, items: ListMode::Skipped(items), .. } = parser
        else {
            return None;
        };
        header.set_root(root);
        let is_list = header.root().kind() == ValueKind::Array || header.root().list().is_some();
        (is_list && errors.is_empty()).then_some(Self { header, items, index: 0 })
    }

    /// The list without items.
    pub(crate) fn header(&self) -> &Tree<'t> {
        &self.header
    }

    /// The index of the first item that is left.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// The place of the items that are left.
    pub(crate) fn items(&self) -> Range<usize> {
        self.items.clone()
    }

    /// The list without so many items more, before this byte of the text.
    pub(crate) fn after(&self, count: usize, start: usize, mark: Mark) -> Self {
        let mut header = self.header.clone();
        let index = self.index + count;
        header.set_mark(mark);
        Self { header, items: start..self.items.end, index }
    }

    /// The list with these items.
    pub(crate) fn with_items(&self, items: Vec<Value>) -> Value {
        match self.header.root().to_json() {
            Value::Object(mut members) => {
                members.insert("items".to_owned(), items.into());
                members.into()
            }
            _ => items.into(),
        }
    }

    /// The list with the next items only, at most so many.
    pub(crate) fn take(&self, most: usize, limits: &ReadLimits) -> Taken<'t> {
        let mut values = limits.values;
        let text = self.header.text().get(..self.items.end).unwrap_or_default();
        let mut parser =
            Parser::new(self.header.clone(), text, self.items.start, limits, &mut values);
        let root = parser.tree.root();
        let (root, of_object) = (root.id(), root.kind() == ValueKind::Object);
        let around = Pointer { parent: None, token: &"items" };
        let around = of_object.then_some(&around);
        let mut items = Vec::new();
        parser.skip_space();
        while items.len() < most && parser.peek().is_some() {
            let inside = Pointer { parent: around, token: &(self.index + items.len()) };
            let node = parser.node(Some(&inside), 1 + usize::from(of_object));
            items.push(node);
            parser.take(b',');
        }
        let (count, end) = (items.len(), parser.at);
        let span = self.items.start..end;
        let Parser { mut tree, errors, .. } = parser;
        if of_object {
            let array = tree.add_array(&span, items);
            tree.set_member(root, "items", array);
        } else {
            tree.set_items(root, items);
        }
        Taken { tree: errors.check(tree), count, end }
    }
}

/// Some items of a list.
pub(crate) struct Taken<'t> {
    /// The list with these items only.
    pub(crate) tree: Result<Tree<'t>, Errors>,
    /// Their number.
    pub(crate) count: usize,
    /// The place after them.
    pub(crate) end: usize,
}

struct Parser<'t, 'v> {
    tree: Tree<'t>,
    text: &'t str,
    /// The bytes that were read.
    at: usize,
    limits: ReadLimits,
    /// The number of values that may follow.
    values: &'v mut usize,
    errors: Found,
    /// What happens to the items of the outermost object.
    items: ListMode<Range<usize>>,
}

impl<'t, 'v> Parser<'t, 'v> {
    fn new(
        tree: Tree<'t>,
        text: &'t str,
        at: usize,
        limits: &ReadLimits,
        values: &'v mut usize,
    ) -> Self {
        let errors = Found::none(text.len());
        Self { tree, text, at, limits: *limits, values, errors, items: ListMode::Read }
    }

    fn node(&mut self, pointer: Option<&Pointer<'_>>, depth: usize) -> NodeId {
        self.skip_space();
        let start = self.at;
        if *self.values == 0 {
            self.at = self.text.len();
            let limit = self.limits.values;
            return self.refuse(start..start, pointer, ReadCause::TooManyValues { limit });
        }
        *self.values -= 1;
        if depth > self.limits.depth {
            self.skip_value();
            let limit = self.limits.depth;
            return self.refuse(start..self.at, pointer, ReadCause::TooDeep { limit });
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
                    number => self.tree.add_number(&span, number).unwrap_or_else(|_| {
                        let cause = ReadCause::NumberRange(number.to_owned());
                        self.refuse(span, pointer, cause)
                    }),
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
        let (start, mut members, mut seen) = (self.at, Vec::new(), Keys::default());
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
            let is_list = depth == 0 && key == "items" && self.peek() == Some(b'[');
            let node = if is_list && self.items == ListMode::Skip {
                let start = self.at;
                self.items = ListMode::Skipped(self.skip_items());
                self.tree.add_array(&(start..self.at), [])
            } else {
                self.node(Some(&inside), depth + 1)
            };
            if seen.is_new(&members, &key) {
                let key_start = u32::try_from(key_start).unwrap_or(u32::MAX);
                members.push(Member { key, key_start, node });
            } else {
                let span = self.tree.value(node).span();
                let cause = ReadCause::DuplicateKey(key.to_string());
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

    /// Takes a string. Half a surrogate pair is read as U+FFFD, as in Go; `serde_json` refuses it after the syntax check.
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
            let quoted = whole_pairs(Cow::Borrowed(quoted.get(..end + 2)?));
            return Some(serde_json::from_str(&quoted).map(Cow::Owned));
        }
        Some(Ok(Cow::Borrowed(text)))
    }

    /// Skips an array, and returns the place between its brackets.
    fn skip_items(&mut self) -> Range<usize> {
        let start = self.at + 1;
        self.skip_value();
        let end = self.at.saturating_sub(1);
        let items = self.text.get(start..end).unwrap_or_default();
        start..start + items.trim_ascii_end().len()
    }

    /// Skips a value. `serde_json` does so without recursion.
    fn skip_value(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        self.at += match values.next() {
            Some(Ok(IgnoredAny)) => values.byte_offset(),
            _ => rest.len(),
        };
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
        self.refuse(start..self.at, pointer, ReadCause::Json(message.to_owned()))
    }

    fn refuse(
        &mut self,
        span: Range<usize>,
        pointer: Option<&Pointer<'_>>,
        cause: ReadCause,
    ) -> NodeId {
        let node = self.tree.add_null(&span);
        self.errors.add(self.tree.file(), span, pointer, cause);
        node
    }
}

/// The keys of an object. Most objects have few, which are compared one by one.
#[derive(Default)]
struct Keys<'t>(BTreeSet<Cow<'t, str>>);

impl<'t> Keys<'t> {
    const FEW: usize = 16;

    /// Returns `true` if no member has this key.
    #[allow(clippy::ptr_arg, reason = "what it borrows from the text is kept")]
    fn is_new(&mut self, members: &[Member<'t>], key: &Cow<'t, str>) -> bool {
        if members.len() < Self::FEW {
            return members.iter().all(|member| member.key != *key);
        }
        if self.0.is_empty() {
            self.0.extend(members.iter().map(|member| member.key.clone()));
        }
        self.0.insert(key.clone())
    }
}

/// Returns `true` if the text ends in an odd number of backslashes.
fn is_escaped(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}
