//! What commands read: YAML or JSON, many documents, lists.

mod format;
mod list;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use crate::Error;

pub(crate) use format::Format;
pub(crate) use list::{Content, List};

/// How many bytes an input may have.
const SIZE_LIMIT: u64 = 256 << 20;

/// What stands for the standard input.
pub(crate) const STDIN: &str = "-";

/// The arguments of commands that read objects.
#[derive(Clone, Debug, clap::Args)]
pub struct Files {
    /// Files with objects in YAML or JSON; `-` is the standard input.
    #[arg(value_name = "FILE", default_value = STDIN)]
    pub files: Vec<PathBuf>,
    /// The namespace of objects that name none.
    #[arg(long, short, value_name = "NAMESPACE", default_value = "default")]
    pub namespace: String,
}

/// What a file holds.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) format: Format,
    pub(crate) documents: Vec<Document>,
}

/// A document, or an item of a list in it, and where it was found.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) place: Place,
    /// The value, or why there is none.
    pub(crate) value: Result<Value, String>,
}

/// Where a document was found.
///
/// Documents are counted from 1, those without content left out; items of lists are, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    input: String,
    document: usize,
    items: Vec<usize>,
}

impl Place {
    /// The place of an item of the list at this one; `index` counts from 0.
    pub(crate) fn item(&self, index: usize) -> Self {
        let mut place = self.clone();
        place.items.push(index + 1);
        place
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: document {}", self.input, self.document)?;
        self.items
            .iter()
            .try_for_each(|item| write!(f, ", item {item}"))
    }
}

impl Files {
    /// All documents of all files, lists taken apart.
    ///
    /// A document that cannot be read is one of them; what follows it is read where that is possible.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub(crate) fn read(&self) -> Result<Vec<Document>, Error> {
        let mut documents = Vec::new();
        for file in &self.files {
            for document in Input::read(file)?.documents {
                list::take_apart(document, &mut documents);
            }
        }
        Ok(documents)
    }
}

impl Input {
    /// The documents of a file as they are.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(crate) fn read(file: &Path) -> Result<Self, Error> {
        let input = name(file);
        let text = text(file).map_err(|reason| {
            let input = input.clone();
            Error::Input { input, reason }
        })?;
        let (format, values) = format::parse(&text);
        let document = |(index, value)| Document {
            place: Place {
                input: input.clone(),
                document: index + 1,
                items: Vec::new(),
            },
            value,
        };
        let documents = values.into_iter().enumerate().map(document).collect();
        Ok(Self { format, documents })
    }
}

fn name(file: &Path) -> String {
    if file == Path::new(STDIN) {
        return "standard input".to_owned();
    }
    file.display().to_string()
}

fn text(file: &Path) -> io::Result<String> {
    let reader: Box<dyn Read> = if file == Path::new(STDIN) {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(file)?)
    };
    let mut text = String::new();
    let size = reader.take(SIZE_LIMIT + 1).read_to_string(&mut text)?;
    if size as u64 > SIZE_LIMIT {
        let reason = format!("more than {SIZE_LIMIT} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(text)
}
