//! A cursor over a value. It tracks the place, the keywords that the reader takes, and the problems.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use k8s_versioned_names::pointer;

use super::{Member, Node, NodeValue};
use crate::Problems;
use crate::crd::Origin;
use crate::problem::{Cause, DocumentCause, Place};

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    file: &'a Arc<str>,
    /// All problems of the file.
    problems: &'a RefCell<Problems>,
    /// Whether the file may have descriptions.
    prose: bool,
    /// The value that holds this one, and its token there. Most places are never shown.
    parent: Option<(Rc<Cursor<'a>>, Token<'a>)>,
    /// The pointer of this value, for the values in it.
    pointer: OnceCell<Rc<str>>,
    /// The origin, if the value was made from a part of another text.
    origin: Option<&'a Origin>,
    node: &'a Node<'a>,
}

/// A token of a JSON pointer, before it is text.
#[derive(Clone, Copy, Debug)]
enum Token<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> Cursor<'a> {
    /// The whole value of a file, which may have descriptions if `prose` is `true`. Its problems go into `problems`.
    pub fn root(
        file: &'a Arc<str>,
        node: &'a Node<'a>,
        problems: &'a RefCell<Problems>,
        prose: bool,
    ) -> Self {
        let (parent, pointer, origin) = (None, OnceCell::new(), None);
        Self { file, problems, prose, parent, pointer, origin, node }
    }

    /// The same value, whose place is its origin.
    pub(crate) fn of(&self, origin: &'a Origin) -> Self {
        let pointer = OnceCell::from(Rc::from(origin.place.pointer.as_str()));
        let (file, parent, origin) = (&origin.place.file, None, Some(origin));
        Self { file, parent, pointer, origin, ..self.clone() }
    }

    /// The place of this value.
    pub fn place(&self) -> Place {
        Place {
            file: Arc::clone(self.file),
            pointer: self.pointer(),
            span: self.origin.is_none().then(|| self.node.span.clone()),
        }
    }

    /// The JSON value at this position.
    pub fn value(&self) -> &'a NodeValue<'a> {
        &self.node.value
    }

    /// The value without its places.
    pub fn to_json(&self) -> serde_json::Value {
        self.node.to_json()
    }

    /// Reports a problem of this value.
    pub fn report(&self, cause: impl Into<Cause>) {
        self.report_at(&self.place(), cause);
    }

    /// Reports a problem of this value, for which there is nothing then.
    pub fn refuse<T>(&self, cause: impl Into<Cause>) -> Option<T> {
        self.report(cause);
        None
    }

    /// Reports a problem at a place inside this value.
    pub fn report_at(&self, place: &Place, cause: impl Into<Cause>) {
        self.problems.borrow_mut().push(place, cause);
    }

    /// The string that is expected here.
    pub fn string(&self) -> Option<&'a str> {
        match &self.node.value {
            NodeValue::String(string) => Some(string),
            _ => self.mismatch("a string"),
        }
    }

    /// The boolean that is expected here.
    pub fn bool(&self) -> Option<bool> {
        match &self.node.value {
            NodeValue::Bool(bool) => Some(*bool),
            _ => self.mismatch("a boolean"),
        }
    }

    /// The items of the array that is expected here.
    pub fn items(&self) -> Option<Vec<Cursor<'a>>> {
        match &self.node.value {
            NodeValue::Array(items) => {
                let parent = Rc::new(self.clone());
                let items = items.iter().enumerate();
                Some(items.map(|(index, node)| parent.child(Token::Index(index), node)).collect())
            }
            _ => self.mismatch("an array"),
        }
    }

    /// The strings of the array of strings that is expected here.
    pub fn strings(&self) -> Vec<String> {
        let items = self.items().unwrap_or_default();
        items.iter().filter_map(Cursor::string).map(str::to_owned).collect()
    }

    /// The members of the object that is expected here, by name.
    pub fn members(&self) -> Option<Vec<(&'a str, Cursor<'a>)>> {
        match &self.node.value {
            NodeValue::Object(members) => {
                let parent = Rc::new(self.clone());
                let child = |it: &'a Member<'a>| {
                    (it.key.as_ref(), parent.child(Token::Key(&it.key), &it.node))
                };
                Some(members.iter().map(child).collect())
            }
            _ => self.mismatch("an object"),
        }
    }

    /// The object that is expected here, to be read keyword by keyword; `what` says in messages what it is.
    pub fn keywords(&self, what: &'static str) -> Option<Keywords<'a>> {
        let NodeValue::Object(members) = &self.node.value else {
            return self.mismatch("an object");
        };
        let (of, left) = (Rc::new(self.clone()), members.iter().collect());
        Some(Keywords { of, what, left, asked: Vec::with_capacity(MOST_KEYWORDS) })
    }

    fn child(self: &Rc<Self>, token: Token<'a>, node: &'a Node<'a>) -> Self {
        if self.origin.is_some_and(|origin| !origin.whole) {
            return Self { node, ..(**self).clone() };
        }
        let Self { file, problems, prose, origin, .. } = **self;
        let (parent, pointer) = (Some((Rc::clone(self), token)), OnceCell::new());
        Self { file, problems, prose, parent, pointer, origin, node }
    }

    fn pointer(&self) -> String {
        let Some((parent, token)) = &self.parent else {
            return self.pointer.get().map_or_else(String::new, ToString::to_string);
        };
        // Without recursion: a text chooses the depth.
        let mut open = Vec::new();
        let mut next = Some(parent);
        while let Some(cursor) = next.filter(|it| it.pointer.get().is_none()) {
            open.push(cursor);
            next = cursor.parent.as_ref().map(|(parent, _)| parent);
        }
        for cursor in open.into_iter().rev() {
            cursor.pointer.get_or_init(|| match &cursor.parent {
                None => "".into(),
                Some((parent, token)) => below(parent, *token).into(),
            });
        }
        below(parent, *token)
    }

    fn mismatch<T>(&self, expected: &'static str) -> Option<T> {
        self.refuse(DocumentCause::WrongType { expected, found: self.node.value.kind() })
    }
}

/// The pointer of a value inside one whose pointer is known.
fn below(parent: &Cursor<'_>, token: Token<'_>) -> String {
    let before = parent.pointer.get().map_or("", |pointer| pointer);
    match token {
        Token::Key(key) => pointer::child(before, key),
        Token::Index(index) => pointer::child(before, index),
    }
}

/// An object that is read keyword by keyword. It remembers the keywords that the reader asks for: these are understood, and
/// all others are unknown.
#[derive(Debug)]
pub struct Keywords<'a> {
    of: Rc<Cursor<'a>>,
    what: &'static str,
    left: Vec<&'a Member<'a>>,
    asked: Vec<&'static str>,
}

/// About as many keywords as the reader of a schema asks for.
const MOST_KEYWORDS: usize = 64;

impl<'a> Keywords<'a> {
    /// The keyword `key`, if it is there.
    pub fn take(&mut self, key: &'static str) -> Option<Cursor<'a>> {
        self.asked.push(key);
        let index = self.left.iter().position(|member| member.key == key)?;
        Some(self.remove(index))
    }

    fn remove(&mut self, index: usize) -> Cursor<'a> {
        let Member { key, node } = self.left.swap_remove(index);
        self.of.child(Token::Key(key), node)
    }

    /// The keyword `key`; reports its absence.
    pub fn require(&mut self, key: &'static str) -> Option<Cursor<'a>> {
        self.require_of(self.what, key)
    }

    /// The keyword `key`; reports its absence in an object that is `what` exactly.
    pub fn require_of(&mut self, what: &'static str, key: &'static str) -> Option<Cursor<'a>> {
        let found = self.take(key);
        if found.is_none() {
            self.of.report(DocumentCause::MissingKeyword { keyword: key, of: what });
        }
        found
    }

    /// The text of the keyword `key`; reports its absence.
    pub fn require_text(&mut self, key: &'static str) -> Option<String> {
        self.require(key)?.string().map(str::to_owned)
    }

    /// The description, if it is text and the file may have descriptions.
    pub fn description(&mut self) -> Option<String> {
        let described = |member: &&Member<'_>| {
            member.key == "description" && matches!(member.node.value, NodeValue::String(_))
        };
        let index = self.left.iter().position(described).filter(|_| self.of.prose)?;
        self.remove(index).string().map(str::to_owned)
    }

    /// Returns `true` if the keyword `key` is there and `true`.
    pub fn flag(&mut self, key: &'static str) -> bool {
        self.take(key).and_then(|flag| flag.bool()).unwrap_or(false)
    }

    /// Reports the keywords that the reader did not ask for.
    pub fn finish(mut self) {
        self.description();
        if self.left.is_empty() {
            return;
        }
        self.asked.sort_unstable();
        for Member { key, node } in self.left {
            self.of.child(Token::Key(key), node).report(match key.as_ref() {
                "description" => DocumentCause::Prose { of: self.what },
                key => DocumentCause::UnknownKeyword {
                    keyword: key.to_owned(),
                    of: self.what,
                    understood: self.asked.clone(),
                },
            });
        }
    }
}
