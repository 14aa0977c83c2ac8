//! Walking a value while keeping track of the place and of what was asked for.

use std::sync::Arc;

use super::{Node, Value};
use crate::Problems;
use crate::problem::{Cause, Place, Pointer};

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    file: &'a Arc<str>,
    pointer: Pointer,
    node: &'a Node,
}

impl<'a> Cursor<'a> {
    /// The whole value of a file.
    pub fn root(file: &'a Arc<str>, node: &'a Node) -> Self {
        Self { file, pointer: Pointer::default(), node }
    }

    /// Where this value is.
    pub fn place(&self) -> Place {
        Place {
            file: Arc::clone(self.file),
            pointer: self.pointer.clone(),
            span: Some(self.node.span.clone()),
        }
    }

    /// The value.
    pub fn value(&self) -> &'a Value {
        &self.node.value
    }

    /// Reports that something is wrong here.
    pub fn report(&self, cause: Cause, problems: &mut Problems) {
        problems.push(self.place(), cause);
    }

    /// The string that is expected here.
    pub fn string(&self, problems: &mut Problems) -> Option<&'a str> {
        match &self.node.value {
            Value::String(string) => Some(string),
            other => self.mismatch("a string", other, problems),
        }
    }

    /// The boolean that is expected here.
    pub fn bool(&self, problems: &mut Problems) -> Option<bool> {
        match &self.node.value {
            Value::Bool(bool) => Some(*bool),
            other => self.mismatch("a boolean", other, problems),
        }
    }

    /// The items of the array that is expected here.
    pub fn items(&self, problems: &mut Problems) -> Option<Vec<Cursor<'a>>> {
        match &self.node.value {
            Value::Array(items) => Some(
                items.iter().enumerate().map(|(index, node)| self.child(index, node)).collect(),
            ),
            other => self.mismatch("an array", other, problems),
        }
    }

    /// The strings of the array of strings that is expected here.
    pub fn strings(&self, problems: &mut Problems) -> Vec<String> {
        let items = self.items(problems).unwrap_or_default();
        items.iter().filter_map(|item| item.string(problems).map(str::to_owned)).collect()
    }

    /// The members of the object that is expected here, by name.
    pub fn members(&self, problems: &mut Problems) -> Option<Vec<(&'a str, Cursor<'a>)>> {
        match &self.node.value {
            Value::Object(members) => Some(
                members
                    .iter()
                    .map(|m| (m.key.as_str(), self.child(m.key.as_str(), &m.node)))
                    .collect(),
            ),
            other => self.mismatch("an object", other, problems),
        }
    }

    /// The object that is expected here, to be read field by field.
    pub fn fields(&self, problems: &mut Problems) -> Option<Fields<'a>> {
        let left = self.members(problems)?;
        Some(Fields { of: self.clone(), left, asked: Vec::new() })
    }

    fn child(&self, step: impl std::fmt::Display, node: &'a Node) -> Self {
        Self { file: self.file, pointer: self.pointer.child(step), node }
    }

    fn mismatch<T>(
        &self,
        expected: &'static str,
        found: &Value,
        problems: &mut Problems,
    ) -> Option<T> {
        self.report(Cause::WrongType { expected, found: found.kind() }, problems);
        None
    }
}

/// An object that is read field by field. It remembers what was asked for: whatever is left at the end is
/// unknown, and what was asked for is what is understood.
#[derive(Debug)]
pub struct Fields<'a> {
    of: Cursor<'a>,
    left: Vec<(&'a str, Cursor<'a>)>,
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// The object itself.
    pub fn whole(&self) -> &Cursor<'a> {
        &self.of
    }

    /// The field `key`, if it is there.
    pub fn take(&mut self, key: &'static str) -> Option<Cursor<'a>> {
        self.asked.push(key);
        let index = self.left.iter().position(|(name, _)| *name == key)?;
        Some(self.left.swap_remove(index).1)
    }

    /// The field `key`; reports its absence.
    pub fn require(
        &mut self,
        key: &'static str,
        of: &'static str,
        problems: &mut Problems,
    ) -> Option<Cursor<'a>> {
        let found = self.take(key);
        if found.is_none() {
            self.of.report(Cause::MissingKeyword { keyword: key, of }, problems);
        }
        found
    }

    /// Reports the fields that nobody asked for; `of` says what this object is.
    pub fn finish(mut self, of: &'static str, problems: &mut Problems) {
        self.asked.sort_unstable();
        for (key, cursor) in self.left {
            let understood = self.asked.clone();
            cursor.report(
                Cause::UnknownKeyword { keyword: key.to_owned(), of, understood },
                problems,
            );
        }
    }
}
