//! The values of a document, whose places are found when they are asked for.

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use k8s_versioned_core::json::StrictValue;
use serde_json::{Deserializer, Value};

use crate::error::{Error, Errors};
use crate::json::{List, Taken, parse};
use crate::limits::ReadLimits;
use crate::read::{too_large, values_of};
use crate::tree::{Mark, Positions, Tree};

/// The values of a document; of a long list, a piece: the list with some of its items.
///
/// Most objects are judged without their places, which are the larger part of the work of reading. So JSON becomes values, and a
/// tree only when a place is asked for.
#[derive(Debug)]
pub struct Content<'t> {
    /// The values, if they were read without a tree.
    values: Option<Value>,
    source: Source<'t>,
    tree: OnceCell<Tree<'t>>,
    piece: ListPiece,
}

/// Which part of a list a piece is. What is not a piece of a list is the first and the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPiece {
    /// The index of its first item in the list.
    pub first_item: usize,
    /// Whether no items follow.
    pub is_last: bool,
}

/// What a tree is made of.
#[derive(Debug)]
enum Source<'t> {
    /// A value in the text of an empty tree.
    Value(Tree<'t>, Range<usize>),
    /// So many items of a list.
    Items(List<'t>, usize),
}

impl<'t> Source<'t> {
    fn read(&self, limits: &ReadLimits) -> Result<Tree<'t>, Errors> {
        let mut values = limits.values;
        match self {
            Self::Value(tree, range) => parse(tree.clone(), range.clone(), limits, &mut values),
            Self::Items(list, count) => list.take(*count, limits).tree,
        }
    }

    /// A tree without values.
    fn empty(&self) -> Tree<'t> {
        match self {
            Self::Value(tree, _) => tree.clone(),
            Self::Items(list, _) => list.header().clone(),
        }
    }
}

impl<'t> From<Tree<'t>> for Content<'t> {
    fn from(tree: Tree<'t>) -> Self {
        let source = Source::Value(tree.without_values(), 0..0);
        Self { values: None, source, tree: tree.into(), piece: ListPiece::WHOLE }
    }
}

impl<'t> Content<'t> {
    /// A piece of a list that was read with its places.
    pub(crate) fn of_piece(tree: Tree<'t>, piece: ListPiece) -> Self {
        Self { piece, ..Self::from(tree) }
    }
}

impl ListPiece {
    /// A whole document.
    pub const WHOLE: Self = Self { first_item: 0, is_last: true };
}

impl<'t> Content<'t> {
    /// Which part of a list it is.
    pub fn piece(&self) -> ListPiece {
        self.piece
    }

    /// The positions of the text.
    pub fn positions(&self) -> Positions<'t> {
        self.source.empty().positions()
    }

    /// The values with their places.
    pub fn tree(&self) -> &Tree<'t> {
        // What was read as values is within the limits.
        let read =
            || self.source.read(&ReadLimits::OBJECTS).unwrap_or_else(|_| self.source.empty());
        self.tree.get_or_init(read)
    }

    /// The values without their places. A second call makes them again, from the tree.
    pub fn take_json(&mut self) -> Value {
        self.values.take().unwrap_or_else(|| self.tree().root().to_json())
    }
}

/// Reads the values of a text in JSON, which follow each other, also if what follows them is not JSON. Lists are read in pieces of so
/// many items, so that the memory that values take does not depend on the length of a list.
pub fn json_contents<'t>(
    file: impl Into<Arc<str>>,
    text: &'t str,
    limits: &ReadLimits,
    items: usize,
) -> JsonContents<'t> {
    let (file, mark, limits) = (file.into(), Mark::line(1), *limits);
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    let (ranges, error) = if text.len() > limits.bytes {
        (VecDeque::new(), Some(too_large(&file, &limits)))
    } else {
        values_of(&file, text, text.len() - begin.len())
    };
    JsonContents { file, text, ranges, error, limits, items, number: 0, mark, list: None }
}

/// The contents of a text in JSON, in their order.
#[derive(Debug)]
pub struct JsonContents<'t> {
    file: Arc<str>,
    text: &'t str,
    /// The places of the values that are left, and the error after them.
    ranges: VecDeque<Range<usize>>,
    error: Option<Error>,
    limits: ReadLimits,
    /// The most items of a piece.
    items: usize,
    /// The number of the document before.
    number: usize,
    mark: Mark,
    list: Option<List<'t>>,
}

impl<'t> Iterator for JsonContents<'t> {
    type Item = Result<Content<'t>, Errors>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(list) = self.list.take() {
                return Some(self.next_piece(list));
            }
            self.number += 1;
            let Some(range) = self.ranges.pop_front() else {
                return self.error.take().map(|error| Err(error.into()));
            };
            self.mark = self.mark.moved(self.text, range.start);
            let tree = Tree::new(Arc::clone(&self.file), self.text, self.number, self.mark);
            self.list = List::open(tree.clone(), range.clone(), &self.limits);
            let value = self.text.get(range.clone()).unwrap_or_default();
            if self.list.is_none() && value.trim_ascii() != "null" {
                return Some(self.whole(Source::Value(tree, range), value));
            }
        }
    }
}

impl<'t> JsonContents<'t> {
    /// The number of documents that were read. Empty documents count.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The syntax error that ends the documents.
    pub fn syntax_error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// The content of a value that is not a list.
    fn whole(&self, source: Source<'t>, text: &str) -> Result<Content<'t>, Errors> {
        let values = self.value_at(text).map(|(value, _)| value);
        let tree = match values {
            Some(_) => OnceCell::new(),
            None => source.read(&self.limits)?.into(),
        };
        Ok(Content { values, source, tree, piece: ListPiece::WHOLE })
    }

    fn next_piece(&mut self, list: List<'t>) -> Result<Content<'t>, Errors> {
        let (values, tree, count, end) = if let Some((items, end)) = self.next_items(&list) {
            let count = items.len();
            (Some(list.with_items(items)), Ok(OnceCell::new()), count, end)
        } else {
            let Taken { tree, count, end } = list.take(self.items, &self.limits);
            (None, tree.map(OnceCell::from), count, end)
        };
        let piece = ListPiece { first_item: list.index(), is_last: end >= list.items().end };
        if !piece.is_last {
            self.mark = self.mark.moved(self.text, end);
            self.list = Some(list.after(count, end, self.mark));
        }
        Ok(Content { values, source: Source::Items(list, count), tree: tree?, piece })
    }

    /// The next items of a list, and the place after them. `None` if they are not exactly what the tree would have.
    fn next_items(&self, list: &List<'t>) -> Option<(Vec<Value>, usize)> {
        let (mut items, mut at, end) = (Vec::new(), list.items().start, list.items().end);
        while items.len() < self.items && at < end {
            let (item, length) = self.value_at(self.text.get(at..end)?)?;
            items.push(item);
            let rest = self.text.get(at + length..end)?.trim_ascii_start();
            let rest = rest.strip_prefix(',').unwrap_or(rest).trim_ascii_start();
            at = end - rest.len();
        }
        Some((items, at))
    }

    /// The value that a text begins with, and its length, if it is exactly what the tree would have: without duplicate keys and deep
    /// nesting.
    fn value_at(&self, text: &str) -> Option<(Value, usize)> {
        let mut values = Deserializer::from_str(text).into_iter::<StrictValue>();
        let value = values.next()?.ok()?.into_inner();
        let length = values.byte_offset();
        (length <= self.limits.values).then_some((value, length))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ListPiece, ReadLimits, json_contents};
    use crate::documents;

    const TEXT: &str = "{\"kind\": \"AList\",\n \"items\": [ {\"a\": 1},\n  {\"b\": [2]} , {\"c\": 3}\n], \"x\": 4}\n[5, 6]";

    /// Pieces are the same values at the same places as the whole, with and without a tree.
    #[test]
    fn a_list_is_read_in_pieces() {
        let fraction = TEXT.replace("\"x\": 4", "\"x\": 1.5").replace("{\"a\": 1}", "{\"a\": 1.1}");
        for (text, first) in [(TEXT, json!({"a": 1})), (&fraction, json!({"a": 1.1}))] {
            let mut all = Vec::new();
            for tree in documents("a.json", text.as_bytes(), &ReadLimits::MANIFESTS) {
                let tree = tree.unwrap();
                let list = tree.root().get("items").unwrap_or(tree.root());
                all.extend(list.items().unwrap().map(|item| tree.position(item.span().start)));
            }
            for (most, expected) in [
                (2, vec![(0, 2), (2, 1), (0, 2)]),
                (1, vec![(0, 1), (1, 1), (2, 1), (0, 1), (1, 1)]),
                (9, vec![(0, 3), (0, 2)]),
            ] {
                let (mut pieces, mut items, mut places) = (Vec::new(), Vec::new(), Vec::new());
                let found = json_contents("a.json", text, &ReadLimits::MANIFESTS, most);
                for mut content in found.map(Result::unwrap) {
                    let values = content.take_json();
                    let tree = content.tree();
                    assert_eq!(tree.root().to_json(), values);
                    let list = tree.root().get("items").unwrap_or(tree.root());
                    assert_eq!(tree.root().get("x").is_some(), tree.number() == 1);
                    let ListPiece { first_item, is_last } = content.piece();
                    pieces.push((first_item, list.items().unwrap().count()));
                    assert_eq!(is_last, first_item + pieces.last().unwrap().1 == 4 - tree.number());
                    for item in list.items().unwrap() {
                        items.push(item.to_json());
                        places.push(tree.position(item.span().start));
                    }
                }
                assert_eq!(pieces, expected);
                assert_eq!(
                    items,
                    [first.clone(), json!({"b": [2]}), json!({"c": 3}), 5.into(), 6.into()]
                );
                assert_eq!(places, all);
            }
        }
    }

    #[test]
    fn an_item_with_an_error_has_its_pointer() {
        let text = r#"{"kind": "List", "items": [{}, {"a": 1, "a": 2}]}"#;
        let mut found = json_contents("a.json", text, &ReadLimits::MANIFESTS, 1);
        assert!(found.next().unwrap().is_ok());
        let errors = found.next().unwrap().unwrap_err();
        assert_eq!(errors.0[0].pointer, "/items/1/a");
        assert!(found.next().is_none());
    }

    #[test]
    fn values_without_a_tree_are_the_same() {
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        for text in
            ["{\"a\": 1e2}", "12345678901234567890123", "-0", "\"\\u00e9\"", &deep, "null 1", "[]"]
        {
            let contents = json_contents("a.json", text, &ReadLimits::OBJECTS, 1);
            let mut content = contents.map(Result::unwrap).last().unwrap();
            assert_eq!(content.take_json(), content.tree().root().to_json(), "{text}");
        }
    }
}
