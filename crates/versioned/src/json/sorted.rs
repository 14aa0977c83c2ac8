//! Sorting the members of all objects of a text, without recursion.

use std::borrow::Cow;

use super::reader::{Malformed, Reader};
use super::string;

/// The values of a text, those inside of others after these.
#[derive(Default)]
struct Values<'a> {
    /// The key of each value in the object around it; empty where there is none.
    keys: Vec<Cow<'a, str>>,
    contents: Vec<Content<'a>>,
}

enum Content<'a> {
    /// A string with its quotes, a number or a word.
    Scalar(&'a str),
    List(Vec<usize>),
    Object(Vec<usize>),
}

/// The canonical form of a compact text: the members of all objects are in order, and of those with the same key the last
/// one stays.
pub(crate) fn canonical(text: &str) -> String {
    sorted(text).unwrap_or_else(|Malformed| text.to_owned())
}

fn sorted(text: &str) -> Result<String, Malformed> {
    let Values { keys, mut contents } = read(text)?;
    for content in &mut contents {
        if let Content::Object(members) = content {
            // Stable: of equal keys the last one is the first after this.
            members.reverse();
            members.sort_by_key(|member| keys.get(*member));
            members.dedup_by_key(|member| keys.get(*member));
        }
    }
    Ok(write(&Values { keys, contents }))
}

fn read(text: &str) -> Result<Values<'_>, Malformed> {
    let mut values = Values::default();
    let mut open: Vec<usize> = Vec::new();
    let mut reader = Reader::new(text);
    loop {
        let inside = open.last().and_then(|open| values.contents.get(*open));
        let key = match inside {
            Some(Content::Object(_)) if !reader.rest.starts_with('}') => reader.key()?,
            _ => Cow::Borrowed(""),
        };
        let (start, value) = (reader.rest, values.contents.len());
        let content = if reader.take(b'{') {
            Some(Content::Object(Vec::new()))
        } else if reader.take(b'[') {
            Some(Content::List(Vec::new()))
        } else if reader.take(b'}') || reader.take(b']') {
            open.pop().ok_or(Malformed)?;
            None
        } else {
            reader.value()?;
            let length = start.len().saturating_sub(reader.rest.len());
            Some(Content::Scalar(start.get(..length).ok_or(Malformed)?))
        };
        if let Some(content) = content {
            let around = open.last().and_then(|open| values.contents.get_mut(*open));
            if let Some(Content::List(items) | Content::Object(items)) = around {
                items.push(value);
            }
            if !matches!(content, Content::Scalar(_)) {
                open.push(value);
            }
            values.keys.push(key);
            values.contents.push(content);
        }
        if open.is_empty() {
            return Ok(values);
        }
        reader.take(b',');
    }
}

/// A part that is still to be written.
enum Task {
    Value(usize),
    Member(usize),
    Text(char),
}

fn write(values: &Values<'_>) -> String {
    let mut text = String::new();
    let mut tasks = vec![Task::Value(0)];
    while let Some(task) = tasks.pop() {
        let value = match task {
            Task::Text(char) => {
                text.push(char);
                continue;
            }
            Task::Member(value) => {
                let key = values.keys.get(value).map(Cow::as_ref);
                string::write(&mut text, key.unwrap_or_default());
                text.push(':');
                value
            }
            Task::Value(value) => value,
        };
        match values.contents.get(value) {
            Some(Content::Scalar(scalar)) => text.push_str(scalar),
            Some(Content::List(items)) => {
                text.push('[');
                push_all(&mut tasks, items, Task::Value, ']');
            }
            Some(Content::Object(members)) => {
                text.push('{');
                push_all(&mut tasks, members, Task::Member, '}');
            }
            None => {}
        }
    }
    text
}

/// Pushes what is in a list or an object, the first on top.
fn push_all(tasks: &mut Vec<Task>, inside: &[usize], task: fn(usize) -> Task, close: char) {
    tasks.push(Task::Text(close));
    for (position, value) in inside.iter().enumerate().rev() {
        tasks.push(task(*value));
        if position > 0 {
            tasks.push(Task::Text(','));
        }
    }
}
