//! `coordination validate`: what a server would reject, and what to write instead.

use std::io::Write;

use k8s_coordination::validation::{FieldError, FieldPath};
use k8s_versioned::Short;

use crate::input::{Document, Files};
use crate::{Error, Outcome, object};

const NOT_COVERED: &str = "\
A server also rejects what this command does not look at: times that do not have exactly six fractional digits, an \
outdated `resourceVersion`, and what permissions, quotas and admission plugins forbid.";

/// The arguments of `coordination validate`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = NOT_COVERED)]
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
    let (mut objects, mut errors) = (0, 0);
    for document in &documents {
        let found = check(document, &args.files.namespace);
        objects += usize::from(document.value.is_ok());
        errors += found.len();
        for error in found {
            writeln!(out, "{}: {error}", document.place)?;
        }
    }
    let objects = count(objects, "object");
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
    let value = document.value.as_ref().map_err(Clone::clone);
    let (object, unknown) = match value.and_then(object::decode) {
        Ok(decoded) => decoded,
        Err(reason) => return vec![Short(&reason).to_string()],
    };
    let mut errors: Vec<String> = unknown.iter().map(unknown_field).collect();
    match object::verdict_on_creation(&*object, namespace) {
        None => errors.push("no rules are known for its kind".to_owned()),
        Some(Ok(())) => {}
        Some(Err(found)) => {
            let found = found.iter().map(FieldError::with_reason_word);
            errors.extend(found.map(|error| error.to_string()));
        }
    }
    errors
}

/// A server rejects it if it is asked to be strict, as `kubectl` asks it.
fn unknown_field(path: &FieldPath) -> String {
    let path = Short(path.as_str());
    format!("{path}: not a field of this version: a server drops it, or rejects the object")
}

fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
