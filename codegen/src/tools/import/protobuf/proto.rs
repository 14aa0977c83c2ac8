//! The fields of the messages in a file of protobuf, with their numbers. Only their names and numbers are read: types,
//! comments, options and reserved numbers are skipped, and so are enums, services and extensions.

use std::ops::Range;

use k8s_versioned_source::ReadCause as SourceCause;

use crate::Problems;
use crate::problem::{FileCause, Place};

/// A field of a message.
pub(super) struct Field {
    pub(crate) place: Place,
    /// The schema that has the name of the message: `io.k8s.api.apps.v1.Deployment`.
    pub(crate) schema: String,
    pub(crate) name: String,
    /// The schema that has the name of its type, if that is a message.
    pub(crate) type_schema: String,
    pub(crate) number: u32,
}

/// The fields of all messages of a file, in its order.
pub(super) fn read(file: &str, text: &[u8], problems: &mut Problems) -> Vec<Field> {
    let Ok(text) = str::from_utf8(text) else {
        problems.push(&Place::file(file), SourceCause::NotUtf8);
        return Vec::new();
    };
    let mut reader =
        Reader { file, package: String::new(), blocks: Vec::new(), fields: Vec::new() };
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut tokens = Tokens { rest: text, at: 0 };
    while let Some(token) = tokens.next() {
        match token.text {
            "[" => tokens.skip_to("]"),
            // The value of an option can be in braces.
            "{" if words.first().is_some_and(|first| first.text == "option") => {
                tokens.skip_to("}");
            }
            ";" | "{" | "}" => {
                reader.statement(&words, &token, problems);
                words.clear();
            }
            _ => words.push(token),
        }
    }
    if !words.is_empty() || !reader.blocks.is_empty() {
        let end = FileCause::Proto("the end of the file".to_owned());
        problems.push(&reader.place(text.len()..text.len()), end);
    }
    reader.fields
}

/// A word or a sign.
struct Word<'t> {
    text: &'t str,
    span: Range<usize>,
}

/// What is between two braces.
#[derive(Clone, Debug)]
enum Block {
    /// The fields of the message with this schema.
    Message(String),
    /// Something without fields of a message.
    Skipped,
}

/// The state between two statements.
struct Reader<'f> {
    file: &'f str,
    /// The prefix of the schemas.
    package: String,
    /// The blocks around the statement.
    blocks: Vec<Block>,
    fields: Vec<Field>,
}

impl Reader<'_> {
    /// Takes the words up to `end`, which is `;` or a brace.
    fn statement(&mut self, words: &[Word<'_>], end: &Word<'_>, problems: &mut Problems) {
        let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
        let start = words.first().unwrap_or(end).span.start;
        let place = self.place(start..end.span.end);
        let is_understood = match end.text {
            "{" => self.begin(&texts),
            "}" => {
                let block = self.blocks.pop();
                matches!(block, Some(Block::Skipped)) || (block.is_some() && texts.is_empty())
            }
            _ => self.line(&texts, &place),
        };
        if !is_understood {
            let shown = if texts.is_empty() { end.text.to_owned() } else { texts.join(" ") };
            problems.push(&place, FileCause::Proto(shown));
        }
    }

    /// Begins a block, and returns `true` if its first words are understood. A message in a message has the names of both.
    fn begin(&mut self, words: &[&str]) -> bool {
        let block = match (words, self.blocks.last()) {
            (_, Some(Block::Skipped)) | (["enum" | "service" | "extend", _], _) => {
                Some(Block::Skipped)
            }
            (["message", name], None) => Some(Block::Message(format!("{}.{name}", self.package))),
            (["message", name], Some(Block::Message(outer))) => {
                Some(Block::Message(format!("{outer}.{name}")))
            }
            (["oneof", _], Some(message)) => Some(message.clone()),
            _ => None,
        };
        let is_understood = block.is_some();
        self.blocks.push(block.unwrap_or(Block::Skipped));
        is_understood
    }

    /// Reads a statement without a block, and returns `true` if it is understood.
    fn line(&mut self, words: &[&str], place: &Place) -> bool {
        const SKIPPED: [&str; 6] =
            ["syntax", "edition", "import", "option", "reserved", "extensions"];
        let is_skipped = words.first().is_none_or(|first| SKIPPED.contains(first));
        match (words, self.blocks.last()) {
            (_, Some(Block::Skipped)) => true,
            _ if is_skipped => true,
            (["package", name], None) => {
                self.package = schema_prefix(name);
                true
            }
            ([.., type_name, name, "=", number], Some(Block::Message(schema))) => {
                let number = parse(number);
                self.fields.extend(number.map(|number| Field {
                    place: place.clone(),
                    schema: schema.clone(),
                    name: (*name).to_owned(),
                    type_schema: self.type_schema(type_name),
                    number,
                }));
                number.is_some()
            }
            _ => false,
        }
    }

    /// The schema with the name of a type: of another package, whose name begins with a dot, or of this one.
    fn type_schema(&self, name: &str) -> String {
        match name.strip_prefix('.').and_then(|name| name.rsplit_once('.')) {
            Some((package, name)) => format!("{}.{name}", schema_prefix(package)),
            None => format!("{}.{name}", self.package),
        }
    }

    fn place(&self, span: Range<usize>) -> Place {
        Place { span: Some(span), ..Place::file(self.file) }
    }
}

/// A field number: decimal, hexadecimal or octal.
fn parse(number: &str) -> Option<u32> {
    let hexadecimal = number.strip_prefix("0x").or_else(|| number.strip_prefix("0X"));
    match (hexadecimal, number.strip_prefix('0')) {
        (Some(digits), _) => u32::from_str_radix(digits, 16).ok(),
        (None, Some(digits)) if !digits.is_empty() => u32::from_str_radix(digits, 8).ok(),
        _ => number.parse().ok(),
    }
}

/// The prefix of the schemas of a package. The first two parts are the host, which schemas have in reverse:
/// `k8s.io.api.apps.v1` is `io.k8s.api.apps.v1`.
fn schema_prefix(package: &str) -> String {
    let parts: Vec<&str> = package.split('.').collect();
    match parts.as_slice() {
        [name, domain, rest @ ..] => [&[*domain, *name], rest].concat().join("."),
        _ => package.to_owned(),
    }
}

/// The tokens of a text: words, quoted texts, and single signs. Comments are skipped.
struct Tokens<'t> {
    rest: &'t str,
    /// The place of `rest` in the text.
    at: usize,
}

impl Tokens<'_> {
    /// The length of what the rest of the text begins with: white space, a comment, or a token.
    fn length(&self) -> usize {
        let rest = self.rest;
        let until = |end: &str| {
            let end_of_match = rest.match_indices(end).find(|(at, _)| *at >= 2 || end == "\n");
            end_of_match.map_or(rest.len(), |(at, end)| at + end.len())
        };
        let is_word = |sign: char| sign.is_ascii_alphanumeric() || "_.-".contains(sign);
        let run =
            |is_part: &dyn Fn(char) -> bool| rest.find(|sign| !is_part(sign)).unwrap_or(rest.len());
        match rest.chars().next() {
            Some('/') if rest.starts_with("//") => until("\n"),
            Some('/') if rest.starts_with("/*") => until("*/"),
            Some('"' | '\'') => quoted(rest),
            Some(first) if first.is_whitespace() => run(&char::is_whitespace),
            Some(first) if is_word(first) => run(&is_word),
            first => first.map_or(0, char::len_utf8),
        }
    }

    /// Skips the tokens up to the sign that closes a bracket, and the brackets of this kind between them.
    fn skip_to(&mut self, close: &str) {
        let open = if close == "]" { "[" } else { "{" };
        let mut depth = 1;
        while depth > 0
            && let Some(token) = self.next()
        {
            depth += i32::from(token.text == open) - i32::from(token.text == close);
        }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Word<'t>;

    fn next(&mut self) -> Option<Word<'t>> {
        loop {
            let (text, rest) = self.rest.split_at_checked(self.length())?;
            let span = self.at..self.at + text.len();
            (self.rest, self.at) = (rest, span.end);
            let is_comment = text.starts_with("//") || text.starts_with("/*");
            match text {
                "" => return None,
                _ if is_comment || text.starts_with(char::is_whitespace) => {}
                _ => return Some(Word { text, span }),
            }
        }
    }
}

/// The length of a text in quotes; a backslash keeps the quote after it from ending the text.
fn quoted(rest: &str) -> usize {
    let mut signs = rest.char_indices();
    let quote = signs.next().map(|(_, quote)| quote);
    let mut is_escaped = false;
    for (at, sign) in signs {
        if Some(sign) == quote && !is_escaped {
            return at + sign.len_utf8();
        }
        is_escaped = sign == '\\' && !is_escaped;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::{Field, read};
    use crate::Problems;

    fn fields(text: &str) -> (Vec<String>, Problems) {
        let mut problems = Problems::new();
        let fields = read("generated.proto", text.as_bytes(), &mut problems);
        let show = |Field { schema, name, number, .. }: Field| format!("{schema}.{name} {number}");
        (fields.into_iter().map(show).collect(), problems)
    }

    /// The structure of upstream's files, and what they could have.
    const REAL: &str = r#"/*
Somebody's terms; with "quotes, and } signs.

They end here.
*/


// This file is generated.

syntax = "proto2";

package k8s.io.api.example.v1;

import "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto";
import public "other.proto";

// Package-wide variables from generator "generated".
option go_package = "k8s.io/api/example/v1";
option (own) = { a: { b: 1 }; };

// A thing; it has a { in its comment.
message Thing {
  // +optional
  optional .k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta metadata = 1;

  repeated bool bools = 7 [packed = false, (own) = { a: "]" }];
  map<string, .k8s.io.apimachinery.pkg.api.resource.Quantity> more = 0x08; /* inside */ optional
    string wide = 9;
  reserved 2, 4 to 6;
  reserved "old";
  oneof choice {
    string one = 12;
  }
  enum Phase { NONE = 0; }
  message Part { optional int64 size = 3; }
  optional string option = 13;
  extensions 100 to 199;
}

message Empty {
}
"#;

    #[test]
    fn the_structure_of_real_files() {
        let (fields, problems) = fields(REAL);
        let thing = "io.k8s.api.example.v1.Thing";
        let expected = [
            ".metadata 1",
            ".bools 7",
            ".more 8",
            ".wide 9",
            ".one 12",
            ".Part.size 3",
            ".option 13",
        ];
        assert_eq!(fields, expected.map(|of| format!("{thing}{of}")));
        assert_eq!(problems, Problems::new());
    }

    #[test]
    fn every_beginning_of_a_file_is_read_or_refused() {
        for (at, _) in REAL.char_indices() {
            let (all, problems) = fields(REAL.get(..at).unwrap());
            assert!(all.len() <= 7 && problems.iter().count() <= 2, "{at}: {problems}");
        }
    }

    #[test]
    fn what_is_not_understood() {
        let begin = "package a.b;\n";
        for text in [
            "}",
            "message A {",
            "message A { string a = one; }",
            "message A { a = 1; }",
            "oneof b { }",
            "string a = 1;",
            "message A { optional group B = 1 { } }",
            "message A { /* ",
            "message A { string a = 1 }",
        ] {
            let (_, problems) = fields(&format!("{begin}{text}"));
            assert_eq!(problems.iter().count(), 1, "{text}: {problems}");
        }
    }
}
