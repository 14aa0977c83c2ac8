//! A cursor over a value. It tracks the place, the keywords that the reader takes, and the problems.

use std::cell::{OnceCell, RefCell};
use std::ptr;
use std::sync::Arc;

use k8s_versioned_core::pointer;
use k8s_versioned_source::{TreeValue, ValueKind};
use smallvec::SmallVec;

use crate::Problems;
use crate::problem::{Cause, DocumentCause, Place};

/// A value and its place.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    /// All problems of the file.
    problems: &'a RefCell<Problems>,
    /// The value that holds this one, and its token there. Most places are never shown.
    parent: Option<(&'a Cursor<'a>, Token<'a>)>,
    /// The pointer of this value, for the values in it.
    pointer: OnceCell<String>,
    value: TreeValue<'a>,
}

/// A token of a JSON pointer, before it is text.
#[derive(Clone, Copy, Debug)]
enum Token<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> Cursor<'a> {
    /// The value at `pointer` in its file. Problems go into `problems`.
    pub(super) fn root(
        value: TreeValue<'a>,
        pointer: &str,
        problems: &'a RefCell<Problems>,
    ) -> Self {
        Self { problems, parent: None, pointer: OnceCell::from(pointer.to_owned()), value }
    }

    /// The place of this value.
    pub(super) fn place(&self) -> Place {
        Place {
            file: Arc::clone(self.value.tree().file()),
            pointer: self.pointer.get().cloned().unwrap_or_else(|| self.make_pointer()),
            span: Some(self.value.span()),
        }
    }

    /// The JSON value at this position.
    pub(super) fn value(&self) -> TreeValue<'a> {
        self.value
    }

    /// The value without places.
    pub(super) fn to_json(&self) -> serde_json::Value {
        self.value.to_json()
    }

    /// Reports a problem of this value.
    pub(super) fn report(&self, cause: impl Into<Cause>) {
        self.report_at(&self.place(), cause);
    }

    /// Reports a problem of this value, and returns `None`.
    pub(super) fn refuse<T>(&self, cause: impl Into<Cause>) -> Option<T> {
        self.report(cause);
        None
    }

    /// Reports a problem at a place inside this value.
    pub(super) fn report_at(&self, place: &Place, cause: impl Into<Cause>) {
        self.problems.borrow_mut().push(place, cause);
    }

    /// The string that is expected here.
    pub(super) fn string(&self) -> Option<&'a str> {
        self.value.string().or_else(|| self.mismatch("a string"))
    }

    /// The boolean that is expected here.
    pub(super) fn bool(&self) -> Option<bool> {
        self.value.bool().or_else(|| self.mismatch("a boolean"))
    }

    /// The items of the array that is expected here.
    pub(super) fn items(&self) -> Option<impl Iterator<Item = Cursor<'_>>> {
        let items = self.value.items().or_else(|| self.mismatch("an array"))?;
        Some(items.enumerate().map(|(index, value)| self.child(Token::Index(index), value)))
    }

    /// The strings of the array of strings that is expected here.
    pub(super) fn strings(&self) -> Vec<&str> {
        let items = self.items().into_iter().flatten();
        items.filter_map(|item| item.string()).collect()
    }

    /// The members of the object that is expected here, by name.
    pub(super) fn members(&self) -> Option<impl Iterator<Item = (&str, Cursor<'_>)>> {
        let members = self.value.members().or_else(|| self.mismatch("an object"))?;
        Some(members.map(|(key, value)| (key, self.child(Token::Key(key), value))))
    }

    /// The object that is expected here, to be read keyword by keyword; `what` is its name in messages.
    pub(super) fn keywords(&self, what: &'static str) -> Option<Keywords<'_>> {
        let members = self.value.members().or_else(|| self.mismatch("an object"))?;
        let (left, asked) = (members.collect(), SmallVec::new());
        Some(Keywords { of: self, what, left, asked })
    }

    fn child<'c>(&'c self, token: Token<'c>, value: TreeValue<'c>) -> Cursor<'c> {
        let (parent, pointer) = (Some((self, token)), OnceCell::new());
        Cursor { parent, pointer, value, ..*self }
    }

    /// The JSON pointer of this value, which the values in it share.
    pub(crate) fn pointer(&self) -> &str {
        self.pointer.get_or_init(|| self.make_pointer())
    }

    /// The keys from `outer`, in which this value is, to this value.
    pub(crate) fn keys_from(&self, outer: &Self) -> SmallVec<[&str; 32]> {
        let mut keys = SmallVec::new();
        let mut inside = self;
        while let Some((parent, token)) = inside.parent.filter(|_| !ptr::eq(inside, outer)) {
            if let Token::Key(key) = token {
                keys.push(key);
            }
            inside = parent;
        }
        keys.reverse();
        keys
    }

    fn make_pointer(&self) -> String {
        match self.parent {
            None => String::new(),
            Some((parent, Token::Key(key))) => pointer::child(parent.pointer(), key),
            Some((parent, Token::Index(index))) => pointer::child(parent.pointer(), index),
        }
    }

    fn mismatch<T>(&self, expected: &'static str) -> Option<T> {
        let found = self.value.kind().in_words();
        self.refuse(match self.value.misread() {
            Some(word) => DocumentCause::Misread { word: word.to_owned(), found, expected },
            None => DocumentCause::WrongType { expected, found },
        })
    }
}

/// An object that is read keyword by keyword. It remembers the keywords that the reader asks for: these are understood, and
/// all others are unknown.
#[derive(Debug)]
pub(super) struct Keywords<'a> {
    of: &'a Cursor<'a>,
    what: &'static str,
    /// The members that were not taken.
    left: SmallVec<[(&'a str, TreeValue<'a>); 8]>,
    /// The keywords that the reader asked for while members were left.
    asked: SmallVec<[&'static str; 8]>,
}

impl<'a> Keywords<'a> {
    /// The keyword `key`, if it is there.
    #[inline]
    pub(super) fn take(&mut self, key: &'static str) -> Option<Cursor<'a>> {
        // Most objects have few keywords, so most lookups find no members left.
        if self.left.is_empty() { None } else { self.take_of_left(key) }
    }

    fn take_of_left(&mut self, key: &'static str) -> Option<Cursor<'a>> {
        self.asked.push(key);
        let index = self.left.iter().position(|(other, _)| *other == key)?;
        Some(self.remove(index))
    }

    /// The keywords among `keys` that are there.
    pub(super) fn take_each(
        &mut self,
        keys: &'static [&'static str],
    ) -> impl Iterator<Item = (&'static str, Cursor<'a>)> {
        let keys = if self.left.is_empty() { &[] } else { keys };
        keys.iter().filter_map(|key| Some((*key, self.take(key)?)))
    }

    /// The format of a text, which servers check in custom resources. The keyword stays for the reader of the type.
    pub(super) fn text_format(&self) -> Option<&'a str> {
        let text = |key| {
            self.left.iter().find(|(other, _)| *other == key).and_then(|(_, value)| value.string())
        };
        text("format").filter(|_| text("type") == Some("string"))
    }

    fn remove(&mut self, index: usize) -> Cursor<'a> {
        let (key, value) = self.left.swap_remove(index);
        self.of.child(Token::Key(key), value)
    }

    /// The keyword `key`; reports its absence.
    pub(super) fn require(&mut self, key: &'static str) -> Option<Cursor<'a>> {
        self.require_of(self.what, key)
    }

    /// The keyword `key`; reports its absence in an object that is `what` exactly.
    pub(super) fn require_of(
        &mut self,
        what: &'static str,
        key: &'static str,
    ) -> Option<Cursor<'a>> {
        let value = self.take(key);
        if value.is_none() {
            self.of.report(DocumentCause::MissingKeyword { keyword: key, object: what });
        }
        value
    }

    /// The text of the keyword `key`; reports its absence.
    pub(super) fn require_text(&mut self, key: &'static str) -> Option<String> {
        self.require(key)?.string().map(str::to_owned)
    }

    /// The text of the keyword `key`, which stays for another reader.
    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.left.iter().find(|(other, _)| *other == key)?.1.string()
    }

    /// The description, if it is text.
    pub(super) fn description(&mut self) -> Option<String> {
        let described = |(key, value): &(&str, TreeValue<'_>)| {
            *key == "description" && value.kind() == ValueKind::String
        };
        let index = self.left.iter().position(described)?;
        self.remove(index).string().map(str::to_owned)
    }

    /// Returns `true` if the keyword `key` is there and `true`.
    pub(super) fn flag(&mut self, key: &'static str) -> bool {
        self.take(key).and_then(|flag| flag.bool()).unwrap_or(false)
    }

    /// Reports the keywords that the reader did not ask for.
    pub(super) fn finish(mut self) {
        self.description();
        if self.left.is_empty() {
            return;
        }
        self.asked.sort_unstable();
        for (key, value) in self.left {
            self.of.child(Token::Key(key), value).report(DocumentCause::UnknownKeyword {
                keyword: key.to_owned(),
                object: self.what,
                understood: self.asked.to_vec(),
            });
        }
    }
}
