//! A document as an arena of values.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use k8s_versioned_core::pointer::unescaped;
use k8s_versioned_core::text::floor_char_boundary;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl ValueKind {
    /// The kind in words, with its article.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// One document of a file: its values, which know their places.
///
/// It borrows what the text has as it is. Members keep their order, and no object has two of one name.
#[derive(Clone, Debug)]
pub struct Tree<'t> {
    file: Arc<str>,
    text: &'t str,
    number: usize,
    /// A byte whose position is known: others are counted from it.
    mark: Mark,
    nodes: Vec<Node<'t>>,
    members: Vec<Member<'t>>,
    root: NodeId,
}

/// A value of a [`Tree`], by its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

#[derive(Clone, Debug)]
struct Node<'t> {
    start: u32,
    end: u32,
    data: Data<'t>,
}

#[derive(Clone, Debug)]
enum Data<'t> {
    Null,
    Bool(bool),
    /// As JSON writes it.
    Number(Cow<'t, str>),
    String(Cow<'t, str>),
    /// A range of members, whose keys do not count.
    Array(u32, u32),
    Object(u32, u32),
}

/// One member of an object, or an item of an array, whose key is empty.
#[derive(Clone, Debug)]
pub struct Member<'t> {
    /// The name of the member.
    pub key: Cow<'t, str>,
    /// The first byte of the name in the text.
    pub key_start: u32,
    /// The value of the member.
    pub node: NodeId,
}

/// A line and a column of a text, both from 1. Columns count characters, without a byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// The position of a byte of a text.
    pub fn of(text: &str, offset: usize) -> Self {
        let offset = floor_char_boundary(text, offset);
        let before = text.get(..offset).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() + 1;
        let in_line = before.get(line_start..).unwrap_or_default();
        let column = in_line.trim_start_matches('\u{feff}').chars().count() + 1;
        Self { line, column }
    }
}

/// A byte of a text and its position in the file, from which later positions are counted: a long text is not read again for each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The number of the first line of the text in the file.
    first_line: usize,
    offset: usize,
    position: Position,
}

impl Mark {
    /// The mark at the beginning of a text, whose first line has this number in the file.
    pub(crate) fn line(line: usize) -> Self {
        Self { first_line: line, offset: 0, position: Position { line, column: 1 } }
    }

    /// The position of a byte of the text.
    pub(crate) fn position(self, text: &str, offset: usize) -> Position {
        let Some(after) = text.get(self.offset..).filter(|_| offset >= self.offset) else {
            let Position { line, column } = Position::of(text, offset);
            return Position { line: line + self.first_line - 1, column };
        };
        let Position { line, column } = Position::of(after, offset - self.offset);
        let (lines, columns) = (line - 1, column - 1);
        let Position { line, column } = self.position;
        if lines == 0 {
            Position { line, column: column + columns }
        } else {
            Position { line: line + lines, column: columns + 1 }
        }
    }

    /// The mark at a later byte of the text.
    pub(crate) fn moved(self, text: &str, offset: usize) -> Self {
        Self { offset, position: self.position(text, offset), ..self }
    }
}

/// The positions of a text, counted once: many findings in one file cost no more than reading it.
#[derive(Clone, Debug)]
pub struct Positions<'t> {
    text: &'t str,
    /// A byte in each part of the text, up to the last byte that was asked for.
    marks: RefCell<Vec<Mark>>,
}

impl<'t> Positions<'t> {
    /// The most bytes between two marks.
    const PART: usize = 4096;

    /// The positions of a text whose first line has this number in its file.
    pub fn new(text: &'t str, line: usize) -> Self {
        Self::after(text, Mark::line(line))
    }

    /// The positions of a text, most of them after a mark.
    fn after(text: &'t str, mark: Mark) -> Self {
        Self { text, marks: RefCell::new(vec![mark]) }
    }

    /// The line and the column of a byte of the text, in the whole file.
    pub fn of(&self, offset: usize) -> Position {
        let mut marks = self.marks.borrow_mut();
        let mut last = marks.last().copied().unwrap_or(Mark::line(1));
        let offset = offset.min(self.text.len());
        while last.offset + Self::PART <= offset {
            let mut next = last.offset + Self::PART;
            while !self.text.is_char_boundary(next) {
                next -= 1;
            }
            last = last.moved(self.text, next);
            marks.push(last);
        }
        let before = marks.partition_point(|mark| mark.offset <= offset).saturating_sub(1);
        marks.get(before).copied().unwrap_or(last).position(self.text, offset)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// What copies may take: values, and levels of arrays and objects.
pub(crate) struct Room {
    pub(crate) values: usize,
    /// Bytes of the texts and names that are copied.
    pub(crate) bytes: usize,
    pub(crate) depth: usize,
}

impl Room {
    fn take(&mut self, text: &str) -> Result<(), Full> {
        self.bytes = self.bytes.checked_sub(text.len()).ok_or(Full::Bytes)?;
        Ok(())
    }
}

/// The limit that a copy exceeds.
pub(crate) enum Full {
    Values,
    Bytes,
    Depth,
}

impl<'t> Tree<'t> {
    pub(crate) fn new(file: Arc<str>, text: &'t str, number: usize, mark: Mark) -> Self {
        let (nodes, members) = (Vec::new(), Vec::new());
        Self { file, text, number, mark, nodes, members, root: NodeId(0) }
    }

    /// The name of the file.
    pub fn file(&self) -> &Arc<str> {
        &self.file
    }

    /// The text of the whole file.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The number of the document in its file, from 1. Empty documents count.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The outermost value.
    pub fn root(&self) -> TreeValue<'_> {
        self.value(self.root)
    }

    /// The bytes of the document as JSON without blanks, its aliases replaced: about as many.
    pub(crate) fn bytes(&self) -> usize {
        let names = self.members.iter().map(|member| member.key.len() + 4);
        let values = self.nodes.iter().map(|node| match &node.data {
            Data::Array(..) | Data::Object(..) => 2,
            Data::Null | Data::Bool(_) => 4,
            Data::Number(text) | Data::String(text) => text.len(),
        });
        names.chain(values).sum()
    }

    /// The value of this number.
    pub fn value(&self, id: NodeId) -> TreeValue<'_> {
        TreeValue { tree: self, id }
    }

    /// The line and the column of a byte of the text, in the whole file.
    pub fn position(&self, offset: usize) -> Position {
        self.mark.position(self.text, offset)
    }

    /// The positions of the text, for many of them.
    pub(crate) fn positions(&self) -> Positions<'t> {
        Positions::after(self.text, self.mark)
    }

    /// The tree without its values.
    pub(crate) fn without_values(&self) -> Self {
        Self::new(Arc::clone(&self.file), self.text, self.number, self.mark)
    }

    /// Sets the byte from which positions are counted.
    pub(crate) fn set_mark(&mut self, mark: Mark) {
        self.mark = mark;
    }

    pub(crate) fn set_root(&mut self, root: NodeId) {
        self.root = root;
    }

    /// Makes room for so many values.
    pub(crate) fn reserve(&mut self, values: usize) {
        self.nodes.reserve(values);
        self.members.reserve(values);
    }

    fn push(&mut self, span: &Range<usize>, data: Data<'t>) -> NodeId {
        let id = NodeId(short(self.nodes.len()));
        self.nodes.push(Node { start: short(span.start), end: short(span.end), data });
        id
    }

    // Adding values. Their places are the place of what they stem from.

    /// Adds `null`.
    pub fn add_null(&mut self, span: &Range<usize>) -> NodeId {
        self.push(span, Data::Null)
    }

    /// Adds `true` or `false`.
    pub fn add_bool(&mut self, span: &Range<usize>, bool: bool) -> NodeId {
        self.push(span, Data::Bool(bool))
    }

    /// Adds a number, as JSON writes it.
    ///
    /// # Errors
    /// The number is not one of JSON, or is too large for an `f64`.
    pub fn add_number(
        &mut self,
        span: &Range<usize>,
        number: impl Into<Cow<'t, str>>,
    ) -> Result<NodeId, serde_json::Error> {
        let number = number.into();
        // Most numbers are short integers.
        let is_short = number.len() <= 9 && number.starts_with(|first| matches!(first, '1'..='9'));
        if !(is_short && number.bytes().all(|byte| byte.is_ascii_digit())) {
            serde_json::from_str::<f64>(&number)?;
        }
        Ok(self.push(span, Data::Number(number)))
    }

    /// Adds a string.
    pub fn add_string(&mut self, span: &Range<usize>, text: impl Into<Cow<'t, str>>) -> NodeId {
        self.push(span, Data::String(text.into()))
    }

    /// Adds an array of these values.
    pub fn add_array(
        &mut self,
        span: &Range<usize>,
        items: impl IntoIterator<Item = NodeId>,
    ) -> NodeId {
        let start = short(self.members.len());
        let item = |node| Member { key: Cow::Borrowed(""), key_start: 0, node };
        self.members.extend(items.into_iter().map(item));
        self.push(span, Data::Array(start, short(self.members.len())))
    }

    /// Adds an object of these members.
    pub fn add_object(
        &mut self,
        span: &Range<usize>,
        members: impl IntoIterator<Item = Member<'t>>,
    ) -> NodeId {
        let start = short(self.members.len());
        self.members.extend(members);
        self.push(span, Data::Object(start, short(self.members.len())))
    }

    /// Adds a copy of a value and of the values in it.
    pub(crate) fn add_copy(&mut self, id: NodeId, room: &mut Room) -> Result<NodeId, Full> {
        room.values = room.values.checked_sub(1).ok_or(Full::Values)?;
        let Some(Node { start, end, data }) = self.nodes.get(id.index()).cloned() else {
            return Ok(id);
        };
        let data = match data {
            Data::Array(from, to) => {
                let (from, to) = self.copy_members(from..to, room)?;
                Data::Array(from, to)
            }
            Data::Object(from, to) => {
                let (from, to) = self.copy_members(from..to, room)?;
                Data::Object(from, to)
            }
            Data::Number(text) => {
                room.take(&text)?;
                Data::Number(text)
            }
            Data::String(text) => {
                room.take(&text)?;
                Data::String(text)
            }
            scalar => scalar,
        };
        let copy = NodeId(short(self.nodes.len()));
        self.nodes.push(Node { start, end, data });
        Ok(copy)
    }

    fn copy_members(&mut self, range: Range<u32>, room: &mut Room) -> Result<(u32, u32), Full> {
        let mut copies = Vec::new();
        room.depth = room.depth.checked_sub(1).ok_or(Full::Depth)?;
        for index in range {
            let Some(member) = self.members.get(index as usize).cloned() else { continue };
            room.take(&member.key)?;
            let node = self.add_copy(member.node, room)?;
            copies.push(Member { node, ..member });
        }
        room.depth += 1;
        let start = short(self.members.len());
        self.members.append(&mut copies);
        Ok((start, short(self.members.len())))
    }

    // Changing values. A definition is published with changes, and each part keeps its place.

    /// The members of an object or the items of an array. Other values have none.
    pub fn members_of(&self, id: NodeId) -> &[Member<'t>] {
        let (from, to) = self.range(id);
        self.members.get(from..to).unwrap_or_default()
    }

    /// Replaces the members of an object.
    pub fn set_members(&mut self, id: NodeId, members: impl IntoIterator<Item = Member<'t>>) {
        let start = short(self.members.len());
        self.members.extend(members);
        let end = short(self.members.len());
        if let Some(Node { data, .. }) = self.nodes.get_mut(id.index()) {
            *data = Data::Object(start, end);
        }
    }

    /// Adds a member to an object, or replaces its value.
    pub fn set_member(&mut self, id: NodeId, key: impl Into<Cow<'t, str>>, node: NodeId) {
        let (key, (from, to)) = (key.into(), self.range(id));
        let members = self.members.get_mut(from..to).unwrap_or_default();
        if let Some(member) = members.iter_mut().find(|member| member.key == key) {
            member.node = node;
            return;
        }
        let key_start = self.nodes.get(id.index()).map_or(0, |node| node.start);
        let mut members = self.members_of(id).to_vec();
        members.push(Member { key, key_start, node });
        self.set_members(id, members);
    }

    /// Replaces the items of an array.
    pub fn set_items(&mut self, id: NodeId, items: impl IntoIterator<Item = NodeId>) {
        let Some(Node { start, end, .. }) = self.nodes.get(id.index()) else { return };
        let span = *start as usize..*end as usize;
        let array = self.add_array(&span, items);
        if let Some(Node { data, .. }) = self.nodes.pop()
            && array.index() == self.nodes.len()
            && let Some(node) = self.nodes.get_mut(id.index())
        {
            node.data = data;
        }
    }

    /// Removes the members of an object for which `keep` is `false`.
    pub fn retain_members(&mut self, id: NodeId, keep: impl Fn(&str, TreeValue<'_>) -> bool) {
        let kept = |member: &Member<'t>| keep(&member.key, self.value(member.node));
        let members = self.members_of(id);
        if members.iter().all(kept) {
            return;
        }
        let kept: Vec<_> = members.iter().filter(|member| kept(member)).cloned().collect();
        self.set_members(id, kept);
    }

    /// Replaces the texts of numbers for which `change` has another.
    pub fn change_numbers(&mut self, change: impl Fn(&str) -> Option<String>) {
        for node in &mut self.nodes {
            if let Data::Number(text) = &mut node.data
                && let Some(changed) = change(text)
            {
                *text = changed.into();
            }
        }
    }

    fn range(&self, id: NodeId) -> (usize, usize) {
        match self.nodes.get(id.index()).map(|node| &node.data) {
            Some(Data::Array(from, to) | Data::Object(from, to)) => (*from as usize, *to as usize),
            _ => (0, 0),
        }
    }
}

impl NodeId {
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A number that fits: texts and their values are limited to less.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A value of a [`Tree`].
#[derive(Clone, Copy)]
pub struct TreeValue<'a> {
    tree: &'a Tree<'a>,
    id: NodeId,
}

impl fmt::Debug for TreeValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", self.to_json(), self.span())
    }
}

impl<'a> TreeValue<'a> {
    fn node(self) -> Option<&'a Node<'a>> {
        self.tree.nodes.get(self.id.index())
    }

    /// The document.
    pub fn tree(self) -> &'a Tree<'a> {
        self.tree
    }

    /// The number of the value in the document.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The bytes of the text.
    pub fn span(self) -> Range<usize> {
        self.node().map_or(0..0, |node| node.start as usize..node.end as usize)
    }

    /// The kind of the value.
    pub fn kind(self) -> ValueKind {
        match self.node().map(|node| &node.data) {
            None | Some(Data::Null) => ValueKind::Null,
            Some(Data::Bool(_)) => ValueKind::Bool,
            Some(Data::Number(_)) => ValueKind::Number,
            Some(Data::String(_)) => ValueKind::String,
            Some(Data::Array(..)) => ValueKind::Array,
            Some(Data::Object(..)) => ValueKind::Object,
        }
    }

    /// Returns `true` for `null`.
    pub fn is_null(self) -> bool {
        self.kind() == ValueKind::Null
    }

    /// The text of a string.
    pub fn string(self) -> Option<&'a str> {
        match &self.node()?.data {
            Data::String(text) => Some(text),
            _ => None,
        }
    }

    /// `true` or `false`.
    pub fn bool(self) -> Option<bool> {
        match self.node()?.data {
            Data::Bool(bool) => Some(bool),
            _ => None,
        }
    }

    /// The text of a number, as JSON writes it.
    pub fn number(self) -> Option<&'a str> {
        match &self.node()?.data {
            Data::Number(text) => Some(text),
            _ => None,
        }
    }

    /// The item of an array at this index.
    pub fn item(self, index: usize) -> Option<Self> {
        let items = matches!(self.node()?.data, Data::Array(..)).then(|| self.children())?;
        Some(self.tree.value(items.get(index)?.node))
    }

    /// The items of an array.
    pub fn items(self) -> Option<impl Iterator<Item = Self>> {
        let items = matches!(self.node()?.data, Data::Array(..)).then(|| self.children());
        items.map(|items| items.iter().map(|item| self.tree.value(item.node)))
    }

    /// The members of an object, each with its name.
    pub fn members(self) -> Option<impl Iterator<Item = (&'a str, Self)>> {
        let members = matches!(self.node()?.data, Data::Object(..)).then(|| self.children());
        members.map(|members| {
            members.iter().map(|member| (member.key.as_ref(), self.tree.value(member.node)))
        })
    }

    /// The value of a member of an object.
    pub fn get(self, key: &str) -> Option<Self> {
        self.members()?.find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// The value at a path of member names.
    pub fn at(self, keys: &[&str]) -> Option<Self> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The value at a JSON pointer.
    pub fn pointer(self, pointer: &str) -> Option<Self> {
        let mut tokens = pointer.split('/');
        tokens.next().filter(|first| first.is_empty())?;
        tokens.try_fold(self, |value, token| {
            let token = unescaped(token);
            match value.kind() {
                ValueKind::Array => value.item(token.parse().ok()?),
                _ => value.get(&token),
            }
        })
    }

    fn children(self) -> &'a [Member<'a>] {
        self.tree.members_of(self.id)
    }

    /// The word in the text, if YAML reads it as something else than a text, such as `y` as `true`.
    pub fn misread(self) -> Option<&'a str> {
        let is_word = |text: &&str| text.starts_with(|first: char| first.is_ascii_alphabetic());
        let written = self.tree.text.get(self.span()).filter(is_word)?;
        match (self.kind(), self.bool()) {
            (ValueKind::Bool, Some(bool)) => {
                Some(written).filter(|written| *written != bool_text(bool))
            }
            (ValueKind::Null, _) => Some(written).filter(|written| *written != "null"),
            _ => None,
        }
    }

    /// The names of an object's members that are other words in the text, each with its bytes there: `y` for `true`.
    pub fn misread_keys(self) -> impl Iterator<Item = (&'a str, &'a str, Range<usize>)> {
        let members = if self.kind() == ValueKind::Object { self.children() } else { &[] };
        // Only the two words of a Boolean have others.
        let bools = members.iter().filter(|member| matches!(&*member.key, "true" | "false"));
        bools.filter_map(move |member| {
            let start = member.key_start as usize;
            let rest = self.tree.text.get(start..)?;
            let word = rest.split([':', ' ', ',', '\n', '\r', '\t', '}']).next()?;
            let is_word = word.len() <= 5 && word.starts_with(|it: char| it.is_ascii_alphabetic());
            let is_other = is_word && *word != *member.key;
            is_other.then(|| (member.key.as_ref(), word, start..start + word.len()))
        })
    }

    /// The value without its places.
    pub fn to_json(self) -> serde_json::Value {
        match self.node().map(|node| &node.data) {
            None | Some(Data::Null) => serde_json::Value::Null,
            Some(Data::Bool(bool)) => (*bool).into(),
            Some(Data::Number(text)) => number(text),
            Some(Data::String(text)) => text.as_ref().into(),
            Some(Data::Array(..)) => {
                let items = self.children().iter();
                items.map(|item| self.tree.value(item.node).to_json()).collect()
            }
            Some(Data::Object(..)) => {
                // To insert few members is faster than to collect them.
                let mut object = serde_json::Map::new();
                for Member { key, node, .. } in self.children() {
                    object.insert(key.as_ref().to_owned(), self.tree.value(*node).to_json());
                }
                object.into()
            }
        }
    }

    /// Returns `true` if both values are the same JSON, wherever they are. The order of members does not count.
    pub fn is_same(self, other: TreeValue<'_>) -> bool {
        let (Some(own), Some(others)) = (self.node(), other.node()) else { return false };
        match (&own.data, &others.data) {
            (Data::Null, Data::Null) => true,
            (Data::Bool(one), Data::Bool(two)) => one == two,
            (Data::Number(one), Data::Number(two)) => one == two || number(one) == number(two),
            (Data::String(one), Data::String(two)) => one == two,
            (Data::Array(..), Data::Array(..)) => {
                let (own, others) = (self.children(), other.children());
                own.len() == others.len()
                    && own.iter().zip(others).all(|(one, two)| {
                        self.tree.value(one.node).is_same(other.tree.value(two.node))
                    })
            }
            (Data::Object(..), Data::Object(..)) => {
                let (own, others) = (self.children(), other.children());
                own.len() == others.len()
                    && own.iter().zip(others).all(|(one, two)| {
                        // Mostly they are in one order.
                        let same = (one.key == two.key).then(|| other.tree.value(two.node));
                        let same = same.or_else(|| other.get(&one.key));
                        same.is_some_and(|same| self.tree.value(one.node).is_same(same))
                    })
            }
            _ => false,
        }
    }
}

fn bool_text(bool: bool) -> &'static str {
    if bool { "true" } else { "false" }
}

/// The number of a node, whose text was read when it was added.
fn number(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Mark, Position, Positions};

    /// Each position is the one that is counted from the beginning, in whatever order they are asked for; one line can be long.
    #[test]
    fn positions_are_counted_once() {
        for text in ["é\nab\n".repeat(4_000), format!("é{}", "€".repeat(9_000)), String::new()]
        {
            let positions = Positions::new(&text, 1);
            let later = Positions::after(&text, Mark::line(1).moved(&text, text.len() / 12 * 6));
            let backwards = (0..text.len()).rev().step_by(1_013);
            for offset in (0..text.len() + 2).step_by(97).chain(backwards) {
                assert_eq!(positions.of(offset), Position::of(&text, offset), "{offset}");
                assert_eq!(later.of(offset), Position::of(&text, offset), "{offset}");
            }
        }
    }

    /// No position needs more than a part of the text.
    #[test]
    fn a_position_needs_a_part_of_the_text() {
        let text = "a\n".repeat(50_000);
        let positions = Positions::new(&text, 1);
        for offset in (0..text.len()).rev() {
            positions.of(offset);
        }
        let marks = positions.marks.borrow();
        assert_eq!(marks.len(), (text.len() - 1) / Positions::PART + 1);
        let parts = marks.windows(2).map(|two| two[1].offset - two[0].offset);
        assert!(parts.max() <= Some(Positions::PART));
    }
}
