//! The documents of a file.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use serde::de::IgnoredAny;

use crate::error::{Error, Errors, ReadCause};
use crate::limits::ReadLimits;
use crate::tree::{Mark, Tree};
use crate::{json as of_json, paths, yaml};

/// Reads a file of one value in JSON.
///
/// # Errors
/// The first syntax error; or all duplicate keys and too deeply nested values; or too many bytes or values.
pub fn json<'t>(file: &Arc<str>, bytes: &'t [u8], limits: &ReadLimits) -> Result<Tree<'t>, Errors> {
    let text = text(file, bytes, limits).map_err(Errors::from)?;
    if text.trim_ascii().is_empty() {
        return Err(whole(file, 0, ReadCause::Empty).into());
    }
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return Err(not_json(file, text, 0, &error).into());
    }
    of_json::parse(
        Tree::new(Arc::clone(file), text, 1, Mark::line(1)),
        0..text.len(),
        limits,
        &mut limits.values.clone(),
    )
    .and_then(|tree| paths::check(tree, limits))
}

/// Reads the documents of a file in JSON or YAML: a document begins with `{` or `[` in JSON, and values in JSON follow each other.
/// Documents that are empty or `null` are left out.
pub fn documents<'t>(
    file: impl Into<Arc<str>>,
    bytes: &'t [u8],
    limits: &ReadLimits,
) -> DocumentReader<'t> {
    let file = file.into();
    let reader = match text(&file, bytes, limits) {
        Ok(text) => Reader::of(&file, text, limits),
        Err(error) => Reader::Failed(Some(error)),
    };
    DocumentReader::new(file, reader, limits)
}

/// The documents of a file, in their order. A syntax error ends them.
#[derive(Debug)]
pub struct DocumentReader<'t> {
    file: Arc<str>,
    reader: Reader<'t>,
    limits: ReadLimits,
    /// The number of values that may follow.
    values: usize,
    /// The number of the document before.
    number: usize,
    mark: Mark,
}

#[derive(Debug)]
enum Reader<'t> {
    Failed(Option<Error>),
    /// The places of the values, and the error after them.
    Json(&'t str, VecDeque<Range<usize>>, Option<Error>),
    Yaml(&'t str, Box<yaml::Reader<'t>>),
}

impl<'t> Reader<'t> {
    fn of(file: &Arc<str>, text: &'t str, limits: &ReadLimits) -> Self {
        let begin = text.trim_start_matches('\u{feff}').trim_start();
        if begin.starts_with(['{', '[']) {
            let (ranges, error) = values_of(file, text, text.len() - begin.len());
            // `---` can also follow JSON.
            if error.is_none() || file.ends_with(".json") {
                return Self::Json(text, ranges, error);
            }
        }
        Self::Yaml(text, Box::new(yaml::Reader::new(text, limits)))
    }
}

impl<'t> Iterator for DocumentReader<'t> {
    type Item = Result<Tree<'t>, Errors>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let found = self.next_of_all()?;
            self.number += 1;
            if self.number > self.limits.documents {
                let limit = self.limits.documents;
                self.reader = Reader::Failed(None);
                return Some(Err(
                    whole(&self.file, 0, ReadCause::TooManyDocuments { limit }).into()
                ));
            }
            if !found.as_ref().is_ok_and(|tree| tree.root().is_null()) {
                return Some(found);
            }
        }
    }
}

impl<'t> DocumentReader<'t> {
    fn new(file: Arc<str>, reader: Reader<'t>, limits: &ReadLimits) -> Self {
        let (values, limits) = (limits.values, *limits);
        Self { file, reader, limits, values, number: 0, mark: Mark::line(1) }
    }

    /// The text is the part of a file after this number of documents, and begins on this line.
    #[must_use]
    pub fn after(mut self, documents: usize, line: usize) -> Self {
        (self.number, self.mark) = (documents, Mark::line(line));
        self
    }

    /// The number of documents of the file that were read. Empty documents count.
    pub fn number(&self) -> usize {
        self.number
    }

    fn next_of_all(&mut self) -> Option<Result<Tree<'t>, Errors>> {
        let (file, number) = (Arc::clone(&self.file), self.number + 1);
        let tree = |text, mark| Tree::new(file, text, number, mark);
        let found = match &mut self.reader {
            Reader::Failed(error) => return error.take().map(|error| Err(error.into())),
            Reader::Json(text, values, error) => match values.pop_front() {
                None => return error.take().map(|error| Err(error.into())),
                Some(range) => {
                    self.mark = self.mark.moved(text, range.start);
                    of_json::parse(tree(text, self.mark), range, &self.limits, &mut self.values)
                }
            },
            Reader::Yaml(text, reader) => {
                reader.document(tree(text, self.mark), &mut self.values)?
            }
        };
        // What is left is not read: its values would not be counted.
        if self.values == 0 {
            self.reader = Reader::Failed(None);
        }
        Some(found.and_then(|tree| paths::check(tree, &self.limits)))
    }
}

/// The places of the values in a text of JSON, which begins at `start`, and the error that ends them.
pub(crate) fn values_of(
    file: &Arc<str>,
    text: &str,
    start: usize,
) -> (VecDeque<Range<usize>>, Option<Error>) {
    let rest = text.get(start..).unwrap_or_default();
    let mut all = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
    let (mut ranges, mut before) = (VecDeque::new(), 0);
    loop {
        match all.next() {
            None => return (ranges, None),
            Some(Ok(_)) => ranges.push_back(start + before..start + all.byte_offset()),
            Some(Err(error)) => {
                let error = explain(rest, error);
                return (ranges, Some(not_json(file, text, start, &error)));
            }
        }
        before = all.byte_offset();
    }
}

/// The same error as the reader of values reports it: it knows a trailing comma. Of a long text its memory would be too large.
fn explain(text: &str, error: serde_json::Error) -> serde_json::Error {
    if text.len() > 1 << 20 {
        return error;
    }
    let mut all = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    let other = all.find_map(Result::err);
    let place = |error: &serde_json::Error| (error.line(), error.column());
    other.filter(|other| place(other) == place(&error)).unwrap_or(error)
}

/// The text of a file.
fn text<'t>(file: &Arc<str>, bytes: &'t [u8], limits: &ReadLimits) -> Result<&'t str, Error> {
    if bytes.len() > limits.bytes {
        return Err(too_large(file, limits));
    }
    str::from_utf8(bytes).map_err(|error| whole(file, error.valid_up_to(), ReadCause::NotUtf8))
}

pub(crate) fn too_large(file: &Arc<str>, limits: &ReadLimits) -> Error {
    whole(file, limits.bytes, ReadCause::TooLarge { limit: limits.bytes })
}

fn whole(file: &Arc<str>, offset: usize, cause: ReadCause) -> Error {
    Error { file: Arc::clone(file), span: offset..offset, pointer: String::new(), cause }
}

/// The error of a text of JSON that begins at `start`.
fn not_json(file: &Arc<str>, text: &str, start: usize, error: &serde_json::Error) -> Error {
    let rest = text.get(start..).unwrap_or_default();
    let lines = rest.split_inclusive('\n').take(error.line().saturating_sub(1));
    let before: usize = lines.map(str::len).sum();
    let offset = start + (before + error.column().saturating_sub(1)).min(rest.len());
    whole(file, offset, ReadCause::Json(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::{ReadLimits, documents};

    #[test]
    fn a_part_of_a_file_knows_its_place() {
        for (text, place) in [("---\na: 1\n", "11:4"), ("\u{feff}{\"a\": 1}", "10:7")] {
            let found = documents("a.yaml", text.as_bytes(), &ReadLimits::MANIFESTS);
            let tree = found.after(3, 10).next().unwrap().unwrap();
            let field = tree.root().get("a").map(|root| root.span().start).unwrap();
            assert_eq!((tree.number(), tree.position(field).to_string()), (4, place.to_owned()));
        }
    }
}
