//! `coordination validate`: what a server would reject, and what to write instead.

use std::io::Write;

use crate::input::{Document, Files};
use crate::{Error, Outcome, object};

/// The arguments of `coordination validate`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// What to check.
    #[command(flatten)]
    pub files: Files,
}

/// Checks all objects and writes what is wrong with them.
///
/// # Errors
///
/// A file cannot be read.
pub fn run(args: &Args, out: &mut impl Write) -> Result<Outcome, Error> {
    let documents = args.files.read()?;
    let mut errors = 0;
    for document in &documents {
        for error in check(document, &args.files.namespace) {
            writeln!(out, "{}: {error}", document.place)?;
            errors += 1;
        }
    }
    let objects = count(documents.len(), "object");
    writeln!(out, "{objects}, {}", count(errors, "error"))?;
    out.flush()?;
    Ok(if errors == 0 {
        Outcome::Success
    } else {
        Outcome::Failure
    })
}

/// What is wrong, one line each.
fn check(document: &Document, namespace: &str) -> Vec<String> {
    let object = document.value.as_ref().map_err(Clone::clone);
    let object = match object.and_then(object::decode) {
        Ok(object) => object,
        Err(reason) => return vec![reason.replace('\n', "; ")],
    };
    match object::verdict_on_creation(&*object, namespace) {
        None => vec!["no rules are known for its kind".to_owned()],
        Some(Ok(())) => Vec::new(),
        Some(Err(errors)) => errors
            .iter()
            .map(|error| error.with_reason_word().to_string())
            .collect(),
    }
}

fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
