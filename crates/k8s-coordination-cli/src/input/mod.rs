//! The input of commands: YAML, JSON or protobuf, many documents, lists.

mod files;
mod syntax;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

#[cfg(feature = "cluster")]
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::protobuf::Envelope;
use k8s_versioned::{Part, TypeMeta};
use k8s_versioned_names::findings::Position;
use serde_json::Value;

use crate::Error;
use crate::report::Note;

pub(crate) use files::{Files, Found, Source};
pub(crate) use syntax::Syntax;

#[cfg(feature = "cluster")]
pub(crate) use files::skipped;

/// The most bytes that an input may have.
const SIZE_LIMIT: u64 = 256 << 20;

/// The name of the standard input in arguments.
pub(crate) const STDIN: &str = "-";

/// A file and its documents.
pub(crate) struct Input {
    /// The file; `None` for the standard input.
    pub(crate) path: Option<PathBuf>,
    pub(crate) place: InputPosition,
    /// The text in UTF-8, or the bytes of protobuf.
    pub(crate) text: Vec<u8>,
    pub(crate) syntax: Syntax,
    pub(crate) documents: Vec<Document>,
}

/// A document and its place.
pub(crate) struct Document {
    pub(crate) place: InputPosition,
    /// The value, or the reason why there is none.
    pub(crate) value: Result<Value, Note>,
    /// The type of an object in protobuf that nothing here reads.
    pub(crate) other: Option<TypeMeta<'static>>,
}

impl Input {
    /// The documents of a file. A file that is neither text nor protobuf counts as one unreadable document.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(crate) fn read(file: &Path) -> Result<Self, Error> {
        let place = InputPosition::of_input(file);
        let bytes = bytes(file).map_err(|reason| Error::input(file, reason))?;
        let (mut other, mut hint) = (None, None);
        let (text, (syntax, values)) = if Envelope::begins(&bytes) {
            let value = syntax::parse_protobuf(&bytes);
            let values = bytes.split(|byte| *byte == b'\n').filter(|it| Envelope::begins(it));
            hint = Some("it may be several bodies: read each alone").filter(|_| values.count() > 1);
            other = syntax::other_type(&bytes);
            (bytes, (Syntax::Protobuf, syntax::in_a_row([value])))
        } else {
            match syntax::decode(bytes) {
                Ok(text) => {
                    let must_be_json = file.extension().is_some_and(|it| it == "json");
                    let parsed = syntax::parse(&text, must_be_json);
                    if must_be_json {
                        // Behind a document of JSON, only `---` shows that the text is meant as YAML.
                        let is_json = parsed.1.len() > 1 && !text.contains("\n---");
                        let no_json = |reason: &String| reason.starts_with(syntax::NOT_JSON);
                        let is_wrong =
                            parsed.1.iter().any(|it| it.value.as_ref().is_err_and(no_json));
                        hint = Some("a `*.json` file must contain only JSON")
                            .filter(|_| is_wrong && !is_json);
                    } else if text.contains("{{") {
                        hint = Some("templates of charts are rendered first");
                    }
                    (text.into_bytes(), parsed)
                }
                Err(error) => return Ok(Self::unreadable(file, place, &error.to_string())),
            }
        };
        let documents = values.into_iter().map(|parsed| Document {
            place: place.document(parsed.document, parsed.line, syntax),
            value: parsed.value.map_err(|reason| Note::not_understood(&reason).with_any_hint(hint)),
            other: other.take(),
        });
        Ok(Self { documents: documents.collect(), path: path(file), place, text, syntax })
    }

    fn unreadable(file: &Path, place: InputPosition, reason: &str) -> Self {
        Self {
            documents: vec![Document {
                place: place.clone(),
                value: Err(Note::not_understood(reason)),
                other: None,
            }],
            path: path(file),
            place,
            text: Vec::new(),
            syntax: Syntax::Json,
        }
    }
}

fn path(file: &Path) -> Option<PathBuf> {
    (file != Path::new(STDIN)).then(|| file.to_owned())
}

fn bytes(file: &Path) -> io::Result<Vec<u8>> {
    let reader: Box<dyn Read> = match path(file) {
        None => Box::new(io::stdin().lock()),
        Some(file) => Box::new(File::open(file)?),
    };
    let mut bytes = Vec::new();
    let size = reader.take(SIZE_LIMIT + 1).read_to_end(&mut bytes)?;
    if size as u64 > SIZE_LIMIT {
        let reason = format!("more than {SIZE_LIMIT} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

// Positions in the input.

/// A position in the input: a file, a document in it, or an item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InputPosition {
    input: String,
    is_yaml: bool,
    position: Position,
}

impl InputPosition {
    /// A whole input.
    pub(crate) fn of_input(file: &Path) -> Self {
        let input = if file == Path::new(STDIN) {
            "standard input".to_owned()
        } else {
            file.display().to_string()
        };
        Self::of(input)
    }

    fn of(input: String) -> Self {
        Self { input, is_yaml: false, position: Position::default() }
    }

    /// An object of a cluster.
    #[cfg(feature = "cluster")]
    pub(crate) fn of_object(metadata: &ObjectMeta) -> Self {
        let namespace = metadata.namespace.as_deref().unwrap_or_default();
        let name = metadata.name.as_deref().unwrap_or_default();
        Self::of(format!("{namespace}/{name}"))
    }

    /// A document of the input. Its line is known in YAML, and that of a syntax error.
    fn document(&self, number: usize, line: Option<usize>, syntax: Syntax) -> Self {
        let is_yaml = syntax == Syntax::Yaml;
        let position = Position { document: Some(number), line, ..Position::default() };
        Self { is_yaml, position, ..self.clone() }
    }

    /// An object of the document.
    pub(crate) fn object(&self, part: &Part<'_>) -> Self {
        let items = part.position.iter().map(|index| index + 1).collect();
        Self { position: self.position.object(items, part.value), ..self.clone() }
    }

    /// Returns `true` for a document of YAML.
    pub(crate) fn is_yaml(&self) -> bool {
        self.is_yaml
    }

    /// The name of the input.
    pub(crate) fn input(&self) -> &str {
        &self.input
    }

    /// The position in the input.
    pub(crate) fn in_input(&self) -> &Position {
        &self.position
    }
}

impl fmt::Display for InputPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (input, position) = (&self.input, self.position.to_string());
        if position.is_empty() { f.write_str(input) } else { write!(f, "{input}: {position}") }
    }
}
