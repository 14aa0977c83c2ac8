//! What commands read: YAML or JSON, many documents, lists.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::Error;

/// How many bytes an input may have.
const SIZE_LIMIT: u64 = 256 << 20;

/// What stands for the standard input.
const STDIN: &str = "-";

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    input: String,
    document: usize,
    items: Vec<usize>,
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
            let input = name(file);
            let text = text(file).map_err(|reason| {
                let input = input.clone();
                Error::Input { input, reason }
            })?;
            for (index, value) in parse(&text).into_iter().enumerate() {
                let place = Place {
                    input: input.clone(),
                    document: index + 1,
                    items: Vec::new(),
                };
                take_apart(place, value, &mut documents);
            }
        }
        Ok(documents)
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

/// The values of a text. Only the last can be an error of syntax: after it, nothing can be read.
fn parse(text: &str) -> Vec<Result<Value, String>> {
    let values = serde_json::Deserializer::from_str(text).into_iter();
    // JSON is YAML, but its own reader is quicker, and takes objects one after the other without `---`.
    match values.collect::<Result<Vec<Value>, _>>() {
        Ok(values) if values.iter().all(Value::is_object) => values.into_iter().map(Ok).collect(),
        _ => parse_yaml(text),
    }
}

fn parse_yaml(text: &str) -> Vec<Result<Value, String>> {
    // The size of the text is limited already: a list of all leases of a large cluster has millions of nodes.
    let options = serde_saphyr::options! {
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_events: usize::MAX,
            max_nodes: usize::MAX,
            max_documents: usize::MAX,
            max_total_scalar_bytes: usize::MAX,
        },
    };
    let mut reader = text.as_bytes();
    let values = serde_saphyr::read_with_options::<_, Value>(&mut reader, options);
    values
        .map(|value| value.map_err(|error| error.to_string()))
        .collect()
}

/// A list becomes its items, whether it is one of a kind (`LeaseList`) or of any (`List`).
fn take_apart(place: Place, value: Result<Value, String>, documents: &mut Vec<Document>) {
    let (list, items) = match value.and_then(into_list) {
        Ok(Content::List(list, items)) => (list, items),
        Ok(Content::Object(object)) => {
            return documents.push(Document {
                place,
                value: Ok(object),
            });
        }
        Err(reason) => {
            return documents.push(Document {
                place,
                value: Err(reason),
            });
        }
    };
    for (index, item) in items.into_iter().enumerate() {
        let mut place = place.clone();
        place.items.push(index + 1);
        take_apart(place, Ok(named_after(&list, item)), documents);
    }
}

/// The `apiVersion` and `kind` that the items of a list need not repeat.
type Inherited = Map<String, Value>;

/// What a document holds.
enum Content {
    Object(Value),
    List(Inherited, Vec<Value>),
}

fn into_list(mut value: Value) -> Result<Content, String> {
    let text = |name| value.get(name).and_then(Value::as_str);
    let Some(item) = text("kind").and_then(|kind| kind.strip_suffix("List")) else {
        return Ok(Content::Object(value));
    };
    let mut inherited = Inherited::new();
    if !item.is_empty() {
        inherited.insert("kind".to_owned(), item.into());
        let version = text("apiVersion").map(|version| ("apiVersion".to_owned(), version.into()));
        inherited.extend(version);
    }
    match value.get_mut("items").map(Value::take) {
        Some(Value::Array(items)) => Ok(Content::List(inherited, items)),
        // Go writes an empty list as `null`.
        None | Some(Value::Null) => Ok(Content::List(inherited, Vec::new())),
        Some(_) => Err("its `items` are no list".to_owned()),
    }
}

fn named_after(list: &Inherited, item: Value) -> Value {
    let Value::Object(members) = item else {
        return item;
    };
    let mut named = list.clone();
    named.extend(members);
    Value::Object(named)
}
