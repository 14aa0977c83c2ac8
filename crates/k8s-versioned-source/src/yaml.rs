//! YAML to trees, from the events of a parser. Scalars mean what they mean to `kubectl` (`scalar.rs`).

mod dialect;
mod list;
mod scalar;
mod tabs;

use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};

use crate::error::{Errors, ReadCause};
use crate::found::Found;
use crate::limits::ReadLimits;
use crate::list_mode::ListMode;
use crate::tree::{Full, Member, NodeId, Room, Tree, ValueKind};
use k8s_versioned_core::pointer::Pointer;
use scalar::Scalar;

pub use list::YamlList;

use dialect::Dialect;
use tabs::Tabs;

/// Reads the documents of a text, one after the other.
pub(crate) struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    text: &'t str,
    limits: ReadLimits,
    /// The number of events that were read.
    events: usize,
    tabs: Tabs<'t>,
    dialect: Dialect<'t>,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// The end of the reading: the parser cannot go on, or a limit is reached. The error is among the errors of the document.
struct Stop;

type YamlResult<T> = Result<T, Stop>;

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str, limits: &ReadLimits) -> Self {
        // The options are those of the library of `kubectl`. The end of a text counts as the end of a line: `kubectl` reads files by lines.
        let options = granit_parser::options! {
            block_scalar_eof_without_line_feed: false,
            emit_comments: false,
            // One more than is read: the error of most deeper values has their place.
            flow_nesting_limit: limits.depth + 1,
            block_nesting_limit: limits.depth + 1,
        };
        let parser = Parser::new_from_str_with_options(text, options);
        let (tabs, dialect) = (Tabs::new(text), Dialect::new(text));
        Self { parser, text, limits: *limits, events: 0, tabs, dialect }
    }

    /// Reads the next document into a tree; `None` at the end. `values` may follow in the whole file.
    pub(crate) fn document(
        &mut self,
        tree: Tree<'t>,
        values: &mut usize,
    ) -> Option<Result<Tree<'t>, Errors>> {
        let mut document = Document::new(self, tree, values);
        let root = match document.begin() {
            Ok(None) => return None,
            Ok(Some((event, span))) => {
                document.tree.reserve(FEW_VALUES);
                document.value(event, &span, None, 0)
            }
            Err(stop) => Err(stop),
        };
        match root {
            Ok(root) => document.tree.set_root(root),
            // What follows cannot be read.
            Err(Stop) => *document.values = 0,
        }
        let Document { tree, errors, .. } = document;
        Some(errors.check(tree))
    }

    /// Returns `true` for a key of several lines before its value, which `libyaml` accepts only after `?`.
    fn is_long_key(&self, span: &Range<usize>) -> bool {
        let part = |range: Range<usize>| self.text.get(range).unwrap_or_default();
        let is_long = part(span.clone()).trim_end().contains(['\r', '\n']);
        is_long
            && part(span.end..self.text.len()).trim_start().starts_with(':')
            && !part(0..span.start).trim_end().ends_with('?')
    }

    fn range(&self, span: Span) -> Range<usize> {
        span.byte_range().unwrap_or(self.text.len()..self.text.len())
    }
}

/// The values of a small document, such as one of 150 bytes.
const FEW_VALUES: usize = 16;

/// A document that is read.
struct Document<'r, 't> {
    reader: &'r mut Reader<'t>,
    tree: Tree<'t>,
    /// The number of values that may follow.
    values: &'r mut usize,
    /// The number of values that aliases may repeat, and the bytes of their texts.
    aliases: (usize, usize),
    /// The values with anchors, by the numbers that the parser gives these.
    anchors: BTreeMap<usize, NodeId>,
    errors: Found,
    /// What happens to the items of a list: if they were skipped, so many events are before the first.
    items: ListMode<usize>,
}

type Place<'p> = Option<&'p Pointer<'p>>;

/// The names of the members of an object, if it has many. Few are compared one by one: nearly every object has few, and a set would
/// take as long as to read them.
#[derive(Default)]
struct Names<'t>(BTreeSet<Cow<'t, str>>);

impl<'t> Names<'t> {
    const FEW: usize = 12;

    /// Adds the name of the next member; `false` if one of those before it has the name.
    fn add(&mut self, next: &Member<'t>, members: &[Member<'t>]) -> bool {
        if members.len() < Self::FEW {
            return members.iter().all(|member| member.key != next.key);
        }
        if self.0.is_empty() {
            self.0.extend(members.iter().map(|member| member.key.clone()));
        }
        self.0.insert(next.key.clone())
    }
}

/// The members of a mapping with those that merge keys add, each with the number of members before it. Of two with one name the last
/// counts, as for `kubectl`; the merge keys of YAML 1.1 would never replace a member.
fn in_order<'t>(members: Vec<Member<'t>>, merged: Vec<(usize, Member<'t>)>) -> Vec<Member<'t>> {
    let (mut all, mut at) = (Vec::<Member<'t>>::new(), BTreeMap::new());
    let mut add = |member: Member<'t>| match at.entry(member.key.clone()) {
        Entry::Occupied(entry) => {
            if let Some(known) = all.get_mut(*entry.get()) {
                *known = member;
            }
        }
        Entry::Vacant(entry) => {
            entry.insert(all.len());
            all.push(member);
        }
    };
    let mut merged = merged.into_iter().peekable();
    for (index, member) in members.into_iter().enumerate() {
        while let Some((_, member)) = merged.next_if(|(before, _)| *before <= index) {
            add(member);
        }
        add(member);
    }
    merged.for_each(|(_, member)| add(member));
    all
}

impl<'r, 't> Document<'r, 't> {
    fn new(reader: &'r mut Reader<'t>, tree: Tree<'t>, values: &'r mut usize) -> Self {
        let bytes = reader.limits.alias_bytes(tree.text());
        let (aliases, anchors) = ((reader.limits.aliases, bytes), BTreeMap::new());
        let errors = Found::none(tree.text().len());
        Self { reader, tree, values, aliases, anchors, errors, items: ListMode::Read }
    }

    /// The first event of the next document.
    fn begin(&mut self) -> YamlResult<Option<(Event<'t>, Range<usize>)>> {
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(None),
                (Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd, _) => {}
                (event, span) => return Ok(Some((event, span))),
            }
        }
    }

    fn next(&mut self) -> YamlResult<(Event<'t>, Range<usize>)> {
        self.reader.events += 1;
        match self.reader.parser.next_event() {
            None => Ok((Event::StreamEnd, self.reader.text.len()..self.reader.text.len())),
            Some(Ok((event, span))) => {
                let span = self.reader.range(span);
                let refused = self.reader.dialect.refused(&event, &span).or_else(|| {
                    let tab = self.reader.tabs.refused(&event, &span)?;
                    Some((tab..tab + 1, "tabs disallowed within this context (block indentation)"))
                });
                match refused {
                    None => Ok((event, span)),
                    Some((place, why)) => {
                        Err(self.stop(&place, None, ReadCause::Yaml(why.to_owned())))
                    }
                }
            }
            Some(Err(error)) => Err(self.not_yaml(&error)),
        }
    }

    /// The value that begins with an event.
    fn value(
        &mut self,
        event: Event<'t>,
        span: &Range<usize>,
        place: Place<'_>,
        depth: usize,
    ) -> YamlResult<NodeId> {
        let Some(left) = self.values.checked_sub(1) else {
            let limit = self.reader.limits.values;
            return Err(self.stop(span, place, ReadCause::TooManyValues { limit }));
        };
        *self.values = left;
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                (self.scalar(text, style, tag.as_deref(), span, place), anchor)
            }
            Event::SequenceStart(_, anchor, _) => (self.items(span, place, depth)?, anchor),
            Event::MappingStart(_, anchor, _) => (self.members(span, place, depth)?, anchor),
            Event::Alias(anchor) => return self.alias(anchor, span, place, depth),
            _ => (self.tree.add_null(span), 0),
        };
        if anchor != 0 {
            self.anchors.insert(anchor, node);
        }
        Ok(node)
    }

    /// A copy of the value with an anchor.
    fn alias(
        &mut self,
        anchor: usize,
        span: &Range<usize>,
        place: Place<'_>,
        depth: usize,
    ) -> YamlResult<NodeId> {
        let Some(node) = self.anchors.get(&anchor).copied() else {
            let cause =
                ReadCause::Scalar("the alias is inside of the value that it repeats".to_owned());
            return Ok(self.refuse(span, place, cause));
        };
        let limits = self.reader.limits;
        let (values, bytes) = self.aliases;
        let mut room = Room { values, bytes, depth: limits.depth.saturating_sub(depth) };
        let copy = self.tree.add_copy(node, &mut room);
        self.aliases = (room.values, room.bytes);
        copy.map_err(|full| {
            let cause = match full {
                Full::Values => ReadCause::Aliases { limit: limits.aliases },
                Full::Bytes => {
                    ReadCause::AliasBytes { limit: limits.alias_bytes(self.tree.text()) }
                }
                Full::Depth => ReadCause::TooDeep { limit: limits.depth },
            };
            self.stop(span, place, cause)
        })
    }

    fn scalar(
        &mut self,
        text: Cow<'t, str>,
        style: ScalarStyle,
        tag: Option<&Tag>,
        span: &Range<usize>,
        place: Place<'_>,
    ) -> NodeId {
        let scalar = content(text, style, tag);
        let number = match scalar {
            Ok(Scalar::Null) => return self.tree.add_null(span),
            Ok(Scalar::Bool(bool)) => return self.tree.add_bool(span, bool),
            Ok(Scalar::Text(text)) => return self.tree.add_string(span, text),
            Ok(Scalar::Merge) => return self.tree.add_string(span, "<<"),
            Ok(Scalar::Integer(number)) => Ok(number.to_string()),
            Ok(Scalar::Unsigned(number)) => Ok(number.to_string()),
            Ok(Scalar::Float(number)) => scalar::json_float(number),
            Err(why) => Err(why),
        };
        match number {
            // The text of most numbers is in the file.
            Ok(number) => {
                let written = self.reader.text.get(span.clone());
                let number = match written.filter(|written| *written == number) {
                    Some(written) => Cow::Borrowed(written),
                    None => Cow::Owned(number),
                };
                let added = self.tree.add_number(span, number.clone());
                added.unwrap_or_else(|_| {
                    self.refuse(span, place, ReadCause::NumberRange(number.into_owned()))
                })
            }
            Err(why) => self.refuse(span, place, ReadCause::Scalar(why)),
        }
    }

    fn items(&mut self, span: &Range<usize>, place: Place<'_>, depth: usize) -> YamlResult<NodeId> {
        let (depth, mut items, mut end) = (self.deeper(span, place, depth)?, Vec::new(), span.end);
        loop {
            match self.next()? {
                (Event::SequenceEnd, span_end) => {
                    let span = span.start..end_of(end, &span_end, self.reader.text);
                    return Ok(self.tree.add_array(&span, items));
                }
                (event, span) => {
                    let inside = Pointer { parent: place, token: &items.len() };
                    let item = self.value(event, &span, Some(&inside), depth)?;
                    end = self.tree.value(item).span().end.max(span.end);
                    items.push(item);
                }
            }
        }
    }

    fn members(
        &mut self,
        span: &Range<usize>,
        place: Place<'_>,
        depth: usize,
    ) -> YamlResult<NodeId> {
        let (depth, mut end) = (self.deeper(span, place, depth)?, span.end);
        let (mut members, mut seen, mut merged) = (Vec::new(), Names::default(), Vec::new());
        loop {
            let (event, key_span) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                let span = span.start..end_of(end, &key_span, self.reader.text);
                let members = if merged.is_empty() { members } else { in_order(members, merged) };
                return Ok(self.tree.add_object(&span, members));
            }
            let key = self.key(event, &key_span, place, depth)?;
            let name = key.as_deref().unwrap_or("<<");
            let inside = Pointer { parent: place, token: &name };
            let (event, value_span) = self.next()?;
            let is_list =
                depth == 1 && name == "items" && matches!(event, Event::SequenceStart(..));
            let node = if is_list && self.items == ListMode::Skip {
                self.skip_items(&value_span)?
            } else {
                self.value(event, &value_span, Some(&inside), depth)?
            };
            end = self.tree.value(node).span().end.max(value_span.end);
            let Some(key) = key else {
                let added = self.merge(node, &value_span, place).into_iter();
                merged.extend(added.map(|member| (members.len(), member)));
                continue;
            };
            let key_start = u32::try_from(key_span.start).unwrap_or(u32::MAX);
            let member = Member { key, key_start, node };
            if seen.add(&member, &members) {
                members.push(member);
            } else {
                let cause = ReadCause::DuplicateKey(member.key.to_string());
                self.refuse(&key_span, place, cause);
            }
        }
    }

    /// Skips the items of a document that is a list. [`Stop`] if they cannot be read one by one.
    fn skip_items(&mut self, span: &Range<usize>) -> YamlResult<NodeId> {
        self.items = ListMode::Skipped(self.reader.events);
        // The list is in the outermost object.
        let (mut open, mut anchors, mut end) = (2, BTreeSet::new(), span.end);
        loop {
            if open == 2 {
                anchors.clear();
            }
            let (event, span_here) = self.next()?;
            match event {
                Event::SequenceEnd if open == 2 => {
                    let end = end_of(end, &span_here, self.reader.text);
                    return Ok(self.tree.add_array(&(span.start..end), []));
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    open -= 1;
                    end = end_of(end, &span_here, self.reader.text);
                    continue;
                }
                Event::SequenceStart(_, anchor, _) | Event::MappingStart(_, anchor, _) => {
                    if open >= self.reader.limits.depth {
                        return Err(Stop);
                    }
                    open += 1;
                    anchors.insert(anchor);
                }
                Event::Scalar(_, _, anchor, _) => {
                    anchors.insert(anchor);
                }
                Event::Alias(anchor) if !anchors.contains(&anchor) => return Err(Stop),
                _ => {}
            }
            end = end.max(span_here.end);
        }
    }

    /// The name of a member; `None` for a merge key.
    fn key(
        &mut self,
        event: Event<'t>,
        span: &Range<usize>,
        place: Place<'_>,
        depth: usize,
    ) -> YamlResult<Option<Cow<'t, str>>> {
        let found = match event {
            Event::Scalar(..) if self.reader.is_long_key(span) => {
                let why = "a key is on one line, unless `?` is before it".to_owned();
                return Err(self.stop(span, place, ReadCause::Yaml(why)));
            }
            Event::Scalar(text, style, anchor, tag) => {
                if anchor != 0 {
                    let node = self.scalar(text.clone(), style, tag.as_deref(), span, place);
                    self.anchors.insert(anchor, node);
                }
                match content(text, style, tag.as_deref()) {
                    Ok(Scalar::Merge) => return Ok(None),
                    scalar => scalar.and_then(Scalar::into_key),
                }
            }
            event @ (Event::SequenceStart(..) | Event::MappingStart(..)) => {
                self.value(event, span, place, depth)?;
                // `{{ .Values.a }}` is a mapping whose key is a mapping.
                if self.reader.text.get(..span.start).is_some_and(|before| before.ends_with('{')) {
                    let cause = ReadCause::Template("a mapping cannot be a key".to_owned());
                    self.refuse(span, place, cause);
                    return Ok(Some(Cow::Borrowed("")));
                }
                Err("a list or a mapping".to_owned())
            }
            Event::Alias(anchor) => {
                let key =
                    self.anchors.get(&anchor).and_then(|node| self.tree.value(*node).string());
                key.map(|key| Cow::Owned(key.to_owned())).ok_or_else(|| "the alias".to_owned())
            }
            _ => Err("the key".to_owned()),
        };
        Ok(Some(found.unwrap_or_else(|found| {
            self.refuse(span, place, ReadCause::Key(found));
            Cow::Borrowed("")
        })))
    }

    /// The members that a merge key adds: of a mapping, or of each mapping in a list. The first mapping of a list counts, so it is last.
    fn merge(&mut self, node: NodeId, span: &Range<usize>, place: Place<'_>) -> Vec<Member<'t>> {
        let value = self.tree.value(node);
        let (kind, id) = (value.kind(), value.id());
        let items =
            if kind == ValueKind::Array { self.tree.members_of(id).to_vec() } else { Vec::new() };
        let mappings = match kind {
            ValueKind::Object => vec![node],
            _ => items.iter().map(|item| item.node).collect(),
        };
        let is_mapping = |it: &NodeId| self.tree.value(*it).kind() == ValueKind::Object;
        if !matches!(kind, ValueKind::Object | ValueKind::Array) || !mappings.iter().all(is_mapping)
        {
            let why = "`<<` merges a mapping, or a list of mappings".to_owned();
            self.refuse(span, place, ReadCause::Scalar(why));
            return Vec::new();
        }
        let mappings = mappings.into_iter().rev();
        mappings.flat_map(|mapping| self.tree.members_of(mapping).to_vec()).collect()
    }

    fn deeper(&mut self, span: &Range<usize>, place: Place<'_>, depth: usize) -> YamlResult<usize> {
        let limit = self.reader.limits.depth;
        if depth < limit {
            Ok(depth + 1)
        } else {
            Err(self.stop(span, place, ReadCause::TooDeep { limit }))
        }
    }

    fn refuse(&mut self, span: &Range<usize>, place: Place<'_>, cause: ReadCause) -> NodeId {
        self.errors.add(self.tree.file(), span.clone(), place, cause);
        self.tree.add_null(span)
    }

    fn stop(&mut self, span: &Range<usize>, place: Place<'_>, cause: ReadCause) -> Stop {
        self.refuse(span, place, cause);
        Stop
    }

    fn not_yaml(&mut self, error: &ScanError) -> Stop {
        let text = self.reader.text;
        let offset = error.marker().byte_offset().unwrap_or(text.len());
        if *error.kind() == ErrorKind::RecursionLimitExceeded {
            let limit = self.reader.limits.depth;
            return self.stop(&(offset..offset), None, ReadCause::TooDeep { limit });
        }
        let message = error.info();
        let is_template = text.contains("{{");
        let cause =
            if is_template { ReadCause::Template(message) } else { ReadCause::Yaml(message) };
        self.stop(&(offset..offset), None, cause)
    }
}

/// What a scalar is: one without quotes and without a tag is what its word says.
fn content<'t>(
    text: Cow<'t, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
) -> Result<Scalar<'t>, String> {
    match tag {
        None if style == ScalarStyle::Plain => Ok(scalar::plain(text)),
        None => Ok(Scalar::Text(text)),
        Some(tag) => {
            let name = tag.suffix_in_namespace("tag:yaml.org,2002:");
            let name = name.map_or_else(String::new, Cow::into_owned);
            scalar::tagged(&name, text)
        }
    }
}

/// The end of a list: after its last value, or after the bracket.
fn end_of(last: usize, end: &Range<usize>, text: &str) -> usize {
    let bracket = text.get(end.clone()).is_some_and(|text| text == "]" || text == "}");
    if bracket { end.end } else { last }
}
