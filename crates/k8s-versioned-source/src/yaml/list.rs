//! A long list in YAML, read item by item.

use std::ops::Range;
use std::sync::Arc;

use granit_parser::Event;

use super::{Document, ListMode, Reader, YamlResult};
use crate::content::{Content, ListPiece};
use crate::error::Errors;
use crate::limits::ReadLimits;
use crate::tree::{Mark, NodeId, Tree, TreeValue};
use k8s_versioned_core::pointer::Pointer;

/// A text in YAML that is a list, in pieces of so many items: the memory that values take does not depend on its length.
///
/// `kubectl` writes the kind of a list after its items, and an error can be anywhere. So the text is parsed twice: first without
/// its items, then they are read.
pub struct YamlList<'t> {
    /// The items that are left.
    reader: Reader<'t>,
    /// The first event of the next item.
    ahead: Option<(Event<'t>, Range<usize>)>,
    /// The list without items.
    header: Tree<'t>,
    mark: Mark,
    /// The most items of a piece.
    most: usize,
    /// The index of the first item that is left.
    index: usize,
    is_read: bool,
}

impl std::fmt::Debug for YamlList<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("YamlList").field("index", &self.index).finish_non_exhaustive()
    }
}

impl<'t> YamlList<'t> {
    /// The list in the part of a file that follows so many `documents` and begins on this `line`, in pieces of at most so many items.
    ///
    /// `None` for a text that must be read as a whole: it is not a list or not only one, it has an error outside of the items, it nests
    /// too deep, or an alias in it repeats a value of another item or of the list.
    pub fn open(
        file: impl Into<Arc<str>>,
        text: &'t str,
        limits: &ReadLimits,
        documents: usize,
        line: usize,
        most: usize,
    ) -> Option<Self> {
        // JSON inside of YAML has other rules for scalars.
        if text.len() > limits.bytes || text.trim_start().starts_with(['{', '[']) {
            return None;
        }
        let mark = Mark::line(line);
        let tree = Tree::new(file.into(), text, documents + 1, mark);
        let (header, before) = header(tree, limits)?;
        let mut reader = Reader::new(text, limits);
        for _ in 0..before {
            reader.parser.next_event();
        }
        Some(Self { reader, ahead: None, header, mark, most, index: 0, is_read: false })
    }

    fn next_piece(&mut self) -> Result<Content<'t>, Errors> {
        if let Some((_, span)) = &self.ahead {
            self.mark = self.mark.moved(self.reader.text, span.start);
        }
        let mut tree = self.header.clone();
        tree.set_mark(self.mark);
        let (root, mut values) = (tree.root().id(), self.reader.limits.values);
        let mut document = Document::new(&mut self.reader, tree, &mut values);
        let mut items = Vec::new();
        let read = document.piece(&mut self.ahead, self.index, self.most, &mut items);
        self.is_read = !matches!(read, Ok(false));
        let Document { mut tree, errors, .. } = document;
        let list = tree.root().get("items").map_or(root, TreeValue::id);
        let piece = ListPiece { first_item: self.index, is_last: self.is_read };
        self.index += items.len();
        tree.set_items(list, items);
        errors.check(tree).map(|tree| Content::of_piece(tree, piece))
    }
}

impl<'t> Iterator for YamlList<'t> {
    type Item = Result<Content<'t>, Errors>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.is_read).then(|| self.next_piece())
    }
}

/// A text that is a list, without its items, and the number of events before them.
fn header<'t>(tree: Tree<'t>, limits: &ReadLimits) -> Option<(Tree<'t>, usize)> {
    let (mut reader, mut values) = (Reader::new(tree.text(), limits), limits.values);
    let mut document = Document::new(&mut reader, tree, &mut values);
    document.items = ListMode::Skip;
    let (event, span) = document.begin().ok()??;
    let root = document.value(event, &span, None, 0).ok()?;
    let is_end = matches!(document.begin(), Ok(None));
    let Document { tree: mut header, errors, items: ListMode::Skipped(before), .. } = document
    else {
        return None;
    };
    header.set_root(root);
    (is_end && errors.is_empty() && header.root().list().is_some()).then_some((header, before))
}

impl<'t> Document<'_, 't> {
    /// Reads the next items of a list, at most so many, of which the first has this index. Returns `true` if no items follow; else
    /// `ahead` is the first event of the next.
    fn piece(
        &mut self,
        ahead: &mut Option<(Event<'t>, Range<usize>)>,
        index: usize,
        most: usize,
        items: &mut Vec<NodeId>,
    ) -> YamlResult<bool> {
        let around = Pointer { parent: None, token: &"items" };
        loop {
            let (event, span) = match ahead.take() {
                Some(next) => next,
                None => self.next()?,
            };
            if matches!(event, Event::SequenceEnd | Event::StreamEnd) {
                return Ok(true);
            }
            if items.len() == most {
                *ahead = Some((event, span));
                return Ok(false);
            }
            let inside = Pointer { parent: Some(&around), token: &(index + items.len()) };
            items.push(self.value(event, &span, Some(&inside), 2)?);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ReadLimits, Tree, TreeValue, YamlList};
    use crate::documents;

    const LIMITS: ReadLimits = ReadLimits { depth: 6, ..ReadLimits::OBJECTS };

    fn open(text: &str, most: usize) -> Option<YamlList<'_>> {
        YamlList::open("a.yaml", text, &LIMITS, 3, 11, most)
    }

    fn whole(text: &str) -> Tree<'_> {
        let mut all = documents("a.yaml", text.as_bytes(), &LIMITS).after(3, 11);
        all.next().unwrap().unwrap()
    }

    /// Each value and its place.
    fn places(value: TreeValue<'_>, all: &mut Vec<String>) {
        let at = |offset| value.tree().position(offset);
        all.push(format!(
            "{} {} {}",
            at(value.span().start),
            at(value.span().end),
            value.to_json()
        ));
        value.items().into_iter().flatten().for_each(|item| places(item, all));
        value.members().into_iter().flatten().for_each(|(_, it)| places(it, all));
    }

    /// Pieces have the values of the whole, at their places, with what is around the items.
    fn assert_same(text: &str, most: usize) {
        let whole = whole(text);
        let list = whole.root().get("items").unwrap();
        let (mut expected, mut read, mut count) = (Vec::new(), Vec::new(), 0);
        list.items().unwrap().for_each(|item| places(item, &mut expected));
        for content in open(text, most).unwrap() {
            let content = content.unwrap();
            let (tree, piece) = (content.tree(), content.piece());
            assert_eq!((piece.first_item, tree.number()), (count, 4));
            let items = tree.root().get("items").unwrap();
            assert_eq!(tree.position(items.span().start), whole.position(list.span().start));
            assert_eq!(tree.position(items.span().end), whole.position(list.span().end), "{text}");
            items.items().unwrap().for_each(|item| places(item, &mut read));
            let here = items.items().unwrap().count();
            count += here;
            assert!(here <= most && piece.is_last == (count == list.items().unwrap().count()));
            for (name, member) in tree.root().members().unwrap().filter(|root| root.0 != "items") {
                let (mut expected, mut read) = (Vec::new(), Vec::new());
                places(whole.root().get(name).unwrap(), &mut expected);
                places(member, &mut read);
                assert_eq!(read, expected, "{text}");
            }
        }
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn a_list_is_read_in_pieces() {
        for text in [
            "---\napiVersion: v1\nitems:\n- kind: A\n  b: |\n    c\n\n    d\n# e\n- {kind: B, f: [1, 2]}\n- 3\nkind: List\nmetadata:\n  g: é\n",
            "kind: AList\nitems:\n  - é: \"x\n      y\"\n    z: 1.5\n  -\n  - y\n",
            "# c\n---\nkind: List\nitems: [{a: 1},\n {b: }, ~]\n",
            "kind: List\nitems: []\nx: &x 1\ny: *x\n...\n",
            // What an alias repeats is in the same item.
            "kind: List\nitems:\n- a: &a {b: 1}\n  c: *a\n  <<: *a\n- &key d: &a [1]\n  e: *a\n- f\n",
        ] {
            for most in 1..5 {
                assert_same(text, most);
            }
        }
    }

    #[test]
    fn what_is_read_as_a_whole() {
        for text in [
            "kind: A\nitems: [1]",
            "kind: List\nitems: {a: 1}",
            "kind: AList\nmetadata: {name: a}\nitems: [1]",
            "{\"kind\": \"List\", \"items\": [1]}",
            "kind: List\nitems: [1]\n---\nkind: B",
            // Errors.
            "kind: List\nitems: [1]\nitems: [2]",
            "kind: List\nitems: [1]\na: 1\na: 2",
            "kind: List\nitems:\n- 1\na: [",
            "kind: List\nitems:\n- [[[[[[]]]]]]",
            // Aliases of values elsewhere.
            "kind: List\nitems:\n- &a {b: 1}\n- *a",
            "kind: List\na: &a 1\nitems:\n- *a",
            "kind: List\nitems:\n- &a 1\nb: *a",
            "kind: List\nitems: &a\n- 1\nb: *a",
            "kind: List\nitems: &a\n- *a",
            "kind: List\na: &a {items: [1]}\n<<: *a",
            "",
        ] {
            assert!(open(text, 1).is_none(), "{text}");
        }
        assert!(open("kind: List\nitems:\n- [[[[]]]]", 1).is_some());
    }

    /// An item with an error has its pointer and its line, and the other items are read.
    #[test]
    fn an_item_with_an_error() {
        let text = "kind: List\nitems:\n- a: 1\n- a: 1\n  b: !!int x\n- c: &d [*d]\n- e: 1\n";
        let pieces: Vec<_> = open(text, 1).unwrap().collect();
        let errors = |index: usize| {
            let error = &pieces[index].as_ref().unwrap_err().0[0];
            (error.pointer.as_str(), error.span.start)
        };
        assert_eq!(pieces.len(), 4);
        assert!(pieces[0].is_ok() && pieces[3].is_ok());
        assert_eq!(errors(1), ("/items/1/b", text.find("!!int").map(|at| at + 6).unwrap()));
        assert_eq!(errors(2), ("/items/2/c/0", text.find("*d").unwrap()));
        let mut whole = documents("a.yaml", text.as_bytes(), &LIMITS);
        let all: Vec<_> = pieces
            .iter()
            .filter_map(|piece| piece.as_ref().err())
            .flat_map(|piece| piece.0.clone())
            .collect();
        assert_eq!(whole.next().unwrap().unwrap_err().0, all);
    }

    proptest! {
        /// The pieces of any style together are the whole text.
        #[test]
        fn pieces_are_the_whole(
            lines in prop::collection::vec(
                prop::sample::select(vec![
                    "- a: 1", "  b: |", "    text", "", "# c", "- 'd': x", "  e: [1,", "   2]", "- &f g", "  h: *f", "- - 1", "  - y: ~",
                    "kind: List", "  i: {<<: *f}", "- \"é", "   j\"",
                ]),
                0..12,
            ),
            most in 1..4_usize,
        ) {
            let text = format!("items:\n{}\nkind: List", lines.join("\n"));
            if open(&text, most).is_some_and(|mut list| list.all(|list| list.is_ok())) {
                assert_same(&text, most);
            }
        }
    }
}
