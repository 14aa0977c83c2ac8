//! Files, folders and the standard input, read document by document.
//!
//! ```
//! use std::io;
//! use k8s_versioned_source::ReadLimits;
//! use k8s_versioned_terminal::input::{Document, Input};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("a.yaml");
//! # std::fs::write(&path, "kind: A\n---\nkind: B\n")?;
//! let mut kinds = Vec::new();
//! let read = Input::open(&path)?.for_each(&ReadLimits::OBJECTS, |document: Document<'_>| {
//!     if let Ok(content) = &document.content {
//!         let kind = content.tree().root().get("kind");
//!         kinds.extend(kind.and_then(|kind| kind.string()).map(str::to_owned));
//!     }
//!     Ok::<(), io::Error>(())
//! });
//! read.map_err(|stop| stop.into_error(|error| error))?;
//! assert_eq!(kinds, ["A", "B"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chunks;
mod encoding;
mod paths;
mod unpack;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use k8s_versioned_source::{
    Content, Errors, MemberIndex, Position, Positions, ReadLimits, YamlList, documents,
    json_contents,
};

use chunks::Chunks;
use encoding::Encoding;
pub use encoding::NotText;
pub use paths::files_in;
use paths::has_extension;
use unpack::Unpacked;
pub use unpack::write_like;

/// The name of the standard input in arguments.
pub const STDIN: &str = "-";

/// The most items of a long list that are in memory at once.
const PIECE: usize = 500;

/// The bytes of a document in YAML that may be a long list. To read it in pieces, it is parsed twice.
const LONG: usize = 1 << 20;

/// The bytes that tell what a file is.
const HEAD: usize = 512;

/// A file, or the standard input.
pub struct Input {
    name: Arc<str>,
    path: Option<PathBuf>,
    /// The first bytes.
    head: Vec<u8>,
    rest: Box<dyn Read>,
}

/// The syntax of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentSyntax {
    /// Objects or arrays in a row, with or without white space between them.
    Json,
    /// Documents with `---` between them.
    Yaml,
}

/// A document of an input; of a long list, a piece.
#[derive(Debug)]
pub struct Document<'t> {
    /// Its number, from 1. Empty documents count. `None` for an input that is not text.
    pub number: Option<usize>,
    /// Its syntax.
    pub syntax: DocumentSyntax,
    /// The part of the text that has it.
    pub text: &'t str,
    /// The number of the first line of the part, from 1.
    pub line: usize,
    /// Its values, or the reason why there are none.
    pub content: Result<Content<'t>, Unreadable>,
    positions: Positions<'t>,
    pub(crate) names: MemberIndex,
}

/// The reason why a document cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The input is not text.
    #[error(transparent)]
    NotText(NotText),
    /// All errors of the text.
    #[error(transparent)]
    Source(Errors),
}

/// The reason why an input is not read to its end.
#[derive(Debug)]
pub enum IncompleteInput<E> {
    /// It cannot be read.
    Read(io::Error),
    /// The error about a document.
    Work(E),
}

/// Takes a document. Any error ends the reading.
type Work<'w> = dyn FnMut(Document<'_>) -> io::Result<()> + 'w;

impl<E> IncompleteInput<E> {
    /// The error about a document, or what is made of the error about the input.
    pub fn into_error(self, of_input: impl FnOnce(io::Error) -> E) -> E {
        match self {
            Self::Read(error) => of_input(error),
            Self::Work(error) => error,
        }
    }
}

/// The name of an input for people.
pub fn name_of(path: &Path) -> String {
    if path == Path::new(STDIN) { "standard input".to_owned() } else { path.display().to_string() }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Input {
    /// Opens a file, or the standard input for `-`.
    ///
    /// # Errors
    /// The file cannot be opened, or its first bytes cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let is_file = path != Path::new(STDIN);
        let rest: Box<dyn Read> =
            if is_file { Box::new(File::open(path)?) } else { Box::new(io::stdin()) };
        Self::new(&name_of(path), is_file.then(|| path.to_owned()), rest)
    }

    /// An input of this name for people, from what is read elsewhere.
    ///
    /// # Errors
    /// The first bytes cannot be read.
    pub fn from_reader(name: &str, reader: impl Read + 'static) -> io::Result<Self> {
        Self::new(name, None, Box::new(reader))
    }

    fn new(name: &str, path: Option<PathBuf>, mut rest: Box<dyn Read>) -> io::Result<Self> {
        let mut head = head(&mut rest, ReadLimits::OBJECTS.bytes)?;
        if head.starts_with(encoding::GZIP) {
            // What is damaged stays what it is, and is called compressed.
            (head, rest) = unpacked(head.clone(), rest).unwrap_or((head, Box::new(io::empty())));
        }
        Ok(Self { name: name.into(), path, head, rest })
    }

    /// The name for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first bytes, at least 512 if there are so many.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// All bytes.
    ///
    /// # Errors
    /// They cannot be read, or there are more than the limit.
    pub fn bytes(self, limit: usize) -> io::Result<Vec<u8>> {
        let Self { head: mut bytes, rest, .. } = self;
        let room = u64::try_from(limit - bytes.len().min(limit) + 1).unwrap_or(u64::MAX);
        rest.take(room).read_to_end(&mut bytes)?;
        if bytes.len() > limit {
            let reason = format!("more than {limit} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
        }
        Ok(bytes)
    }

    /// All bytes as text, in any of the encodings of documents.
    ///
    /// # Errors
    /// The errors of [`bytes`](Self::bytes); inside, they are not text.
    pub fn text(self, limit: usize) -> io::Result<Result<String, NotText>> {
        match Encoding::detect(&self.head) {
            Ok(encoding) => Ok(encoding.decode(self.bytes(limit)?)),
            Err(error) => Ok(Err(error)),
        }
    }

    /// Calls `work` with each document, and frees it before the next. Returns `false` if there is no text.
    ///
    /// The standard input and YAML are read as they are needed. JSON is read as a whole: `kubectl` writes the kind of a list after
    /// its items. A long list comes in pieces, in JSON and in YAML.
    ///
    /// # Errors
    /// The input cannot be read, or an error of `work`.
    pub fn for_each<E>(
        self,
        limits: &ReadLimits,
        mut work: impl FnMut(Document<'_>) -> Result<(), E>,
    ) -> Result<bool, IncompleteInput<E>> {
        let mut error = None;
        let read = self.visit(limits, &mut |document| {
            work(document).map_err(|failed| {
                error = Some(failed);
                io::ErrorKind::Other.into()
            })
        });
        match error {
            Some(error) => Err(IncompleteInput::Work(error)),
            None => read.map_err(IncompleteInput::Read),
        }
    }

    /// As `for_each`, compiled once for all errors.
    fn visit(mut self, limits: &ReadLimits, work: &mut Work<'_>) -> io::Result<bool> {
        let is_json = self.path.as_deref().is_some_and(|path| has_extension(path, &["json"]));
        let encoding = match Encoding::detect(&self.head) {
            Ok(encoding) => encoding,
            Err(error) => return not_text(error, work),
        };
        let name = Arc::clone(&self.name);
        let begin =
            self.head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.head).trim_ascii_start();
        let is_whole = is_json || begin.starts_with(b"{") || begin.starts_with(b"[");
        if encoding == Encoding::Utf8 && !is_whole {
            let head = std::mem::take(&mut self.head);
            let mut reader = BufReader::new(Cursor::new(head).chain(self.rest));
            return yaml(&name, &mut reader, limits, work);
        }
        let text = match encoding.decode(self.bytes(limits.bytes)?) {
            Ok(text) => text,
            Err(error) => return not_text(error, work),
        };
        // The syntax of all values is read here.
        let mut values = json_contents(Arc::clone(&name), &text, limits, PIECE);
        if values.syntax_error().is_some() && !is_json && !is_meant_as_json(&name, &text, limits) {
            return yaml(&name, &mut text.as_bytes(), limits, work);
        }
        while let Some(content) = values.next() {
            let (number, content) = (Some(values.number()), content.map_err(Unreadable::Source));
            work(Document::new(number, DocumentSyntax::Json, &text, 1, content))?;
        }
        Ok(!text.trim_ascii().is_empty())
    }
}

/// The first bytes of an input, to the first letter of a text at least, unless there are more than so many.
fn head(input: &mut dyn Read, limit: usize) -> io::Result<Vec<u8>> {
    let (mut head, mut blank, mut more) = (Vec::new(), 0, HEAD);
    while head.len() - blank < HEAD && head.len() < limit {
        let room = u64::try_from(more).unwrap_or(u64::MAX);
        if (&mut *input).take(room).read_to_end(&mut head)? == 0 {
            break;
        }
        let read = head.get(blank..).unwrap_or_default();
        blank += read.len() - read.trim_ascii_start().len();
        more = head.len();
    }
    Ok(head)
}

/// The text of a file that is compressed by gzip, as releases have them: its first bytes, and the others.
fn unpacked(head: Vec<u8>, rest: Box<dyn Read>) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut text: Box<dyn Read> = Box::new(Unpacked::new(Cursor::new(head).chain(rest)));
    Ok((self::head(&mut text, ReadLimits::OBJECTS.bytes)?, text))
}

fn not_text(error: NotText, work: &mut Work<'_>) -> io::Result<bool> {
    let (syntax, content) = (DocumentSyntax::Json, Err(Unreadable::NotText(error)));
    work(Document::new(None, syntax, "", 1, content))?;
    Ok(true)
}

/// Reads the documents of YAML, one after the other.
fn yaml(
    name: &Arc<str>,
    reader: &mut dyn BufRead,
    limits: &ReadLimits,
    work: &mut Work<'_>,
) -> io::Result<bool> {
    let (mut chunks, mut number, mut offset) = (Chunks::new(reader, limits.bytes), 0, 0);
    let mut has_text = false;
    loop {
        let line = chunks.lines() + 1;
        let Some(chunk) = chunks.next()? else { return Ok(has_text) };
        let size = chunk.len();
        let text = match encoding::utf8(chunk, offset) {
            Ok(text) => text,
            Err(error) => return not_text(error, work),
        };
        offset += size;
        has_text |= !text.trim_ascii().is_empty();
        let open = || YamlList::open(Arc::clone(name), &text, limits, number, line, PIECE);
        if let Some(list) = (size > LONG).then(open).flatten() {
            number += 1;
            for piece in list {
                work(Document::in_yaml(number, &text, line, piece))?;
            }
            continue;
        }
        let mut all = documents(Arc::clone(name), text.as_bytes(), limits).after(number, line);
        while let Some(tree) = all.next() {
            work(Document::in_yaml(all.number(), &text, line, tree.map(Content::from)))?;
        }
        number = all.number();
    }
}

/// Returns `true` if a text that begins with a brace or a bracket, and is not JSON, is not YAML either, and begins like JSON: its
/// error in JSON is the one to show.
fn is_meant_as_json(name: &Arc<str>, text: &str, limits: &ReadLimits) -> bool {
    let rest = text.trim_start_matches(|char: char| char.is_whitespace() || "{[".contains(char));
    if !rest.is_empty() && !rest.starts_with('"') {
        return false;
    }
    let mut is_yaml = true;
    let read = yaml(name, &mut text.as_bytes(), limits, &mut |document| {
        is_yaml &= document.content.is_ok();
        Ok(())
    });
    read.is_err() || !is_yaml
}

impl<'t> Document<'t> {
    fn in_yaml(
        number: usize,
        text: &'t str,
        line: usize,
        content: Result<Content<'t>, Errors>,
    ) -> Self {
        let (number, content) = (Some(number), content.map_err(Unreadable::Source));
        Self::new(number, DocumentSyntax::Yaml, text, line, content)
    }

    fn new(
        number: Option<usize>,
        syntax: DocumentSyntax,
        text: &'t str,
        line: usize,
        content: Result<Content<'t>, Unreadable>,
    ) -> Self {
        let positions = match &content {
            Ok(content) => content.positions(),
            Err(_) => Positions::new(text, line),
        };
        let names = MemberIndex::default();
        Self { number, syntax, text, line, content, positions, names }
    }

    /// The position of a byte of the text, in the whole file.
    pub fn position(&self, offset: usize) -> Position {
        self.positions.of(offset)
    }
}
