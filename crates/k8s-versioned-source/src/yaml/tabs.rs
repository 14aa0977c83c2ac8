//! Tabs that `libyaml` refuses, and so `kubectl`: in the indentation of a block, also after `- ` and in an empty line.

use std::ops::Range;

use granit_parser::{Event, ScalarStyle, StructureStyle};

/// What is between the events of a text is looked at, if the text has a tab.
pub(super) struct Tabs<'t> {
    text: &'t str,
    is_needed: bool,
    /// The end of the last event.
    end: usize,
    /// The column from which on the last event, a text without quotes, goes on.
    goes_on: Option<usize>,
    /// Whether a key can begin here.
    can_begin: bool,
    /// The column of each list and mapping around; `None` for one in brackets, in which tabs are white space.
    around: Vec<Option<usize>>,
}

impl<'t> Tabs<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let is_needed = text.contains('\t');
        Self { text, is_needed, end: 0, goes_on: None, can_begin: true, around: Vec::new() }
    }

    /// The place of a tab before an event, or in it, that `libyaml` refuses.
    pub(super) fn refused(&mut self, event: &Event<'_>, span: &Range<usize>) -> Option<usize> {
        if !self.is_needed {
            return None;
        }
        let between = self.text.get(self.end..span.start).unwrap_or_default();
        let is_block = self.around.last() != Some(&None);
        let mut found = None;
        if is_block {
            found = self.in_block(between).map(|at| self.end + at);
        }
        if !span.is_empty() {
            let text = self.text.get(span.clone()).unwrap_or_default();
            self.can_begin = text.trim_end_matches(' ').ends_with('\n');
            self.goes_on = None;
        }
        self.end = self.end.max(span.end);
        match event {
            Event::MappingStart(style, ..) | Event::SequenceStart(style, ..) => {
                let column = (*style == StructureStyle::Block).then(|| self.column(span.start));
                self.around.push(column);
            }
            Event::MappingEnd | Event::SequenceEnd => _ = self.around.pop(),
            Event::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded, ..) => {
                found = found.or_else(|| self.in_indentation(between, span));
            }
            Event::Scalar(_, ScalarStyle::Plain, ..) if !span.is_empty() => {
                self.goes_on = Some(self.around.last().map_or(0, |at| at.map_or(0, |at| at + 1)));
            }
            _ => {}
        }
        found
    }

    fn column(&self, at: usize) -> usize {
        let line = self.text.get(..at).and_then(|before| before.rsplit('\n').next());
        line.map_or(0, str::len)
    }

    /// The first tab in the indentation of a block scalar. Its first line tells how deep it is, unless its header, before the scalar, does.
    fn in_indentation(&self, before: &str, span: &Range<usize>) -> Option<usize> {
        let (_, header) = before.rsplit_once(['|', '>'])?;
        let header = header.trim_start_matches(['+', '-']);
        let states_depth = header.starts_with(|it: char| it.is_ascii_digit());
        let mut at = self.text.get(..span.start)?.rfind('\n')? + 1;
        let mut depth = None;
        for line in self.text.get(at..span.end)?.split_inclusive('\n').filter(|_| !states_depth) {
            let text = line.trim_start_matches(' ');
            let indentation = line.len() - text.len();
            if text.starts_with('\t') && depth.is_none_or(|depth| indentation < depth) {
                return Some(at + indentation);
            }
            if depth.is_none() && !text.trim_end_matches(['\r', '\n']).is_empty() {
                depth = Some(indentation);
            }
            at += line.len();
        }
        None
    }

    /// The first tab where a key could begin: at the begin of a line, and after `-`, `?` and a `:` of its own. The white space after a text without
    /// quotes is part of it while it is as deep as the text.
    fn in_block(&mut self, between: &str) -> Option<usize> {
        let (mut left, mut goes_on) = (between, self.goes_on);
        // The begin of the line is looked for once: a line can be as long as the text.
        let begin = if between.contains('\t') { self.column(self.end) } else { 0 };
        let mut line = None;
        while let Some(first) = left.chars().next() {
            let at = between.len() - left.len();
            let column = line.map_or(begin + at, |line| at - line);
            let is_mark = (left.starts_with("---") || left.starts_with("...")) && self.can_begin;
            let is_word = matches!(first, '#' | '%' | '&' | '*' | '!');
            let is_deep = || goes_on.is_some_and(|least| column >= least);
            let length = match first {
                '\t' if self.can_begin && !is_deep() => return Some(at),
                _ if is_mark => 3,
                '#' | '%' => left.find('\n').unwrap_or(left.len()),
                _ if is_word => left.find(char::is_whitespace).unwrap_or(left.len()),
                _ => first.len_utf8(),
            };
            if first == '\n' {
                line = Some(at + 1);
            }
            self.can_begin = match first {
                '\n' => true,
                ' ' | '\r' | '\t' => self.can_begin,
                '-' | '?' | ':' => self.can_begin && !is_mark,
                _ => false,
            };
            goes_on = goes_on.filter(|_| first.is_whitespace());
            left = left.get(length..).unwrap_or_default();
        }
        None
    }
}
