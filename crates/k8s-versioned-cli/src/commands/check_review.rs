//! `check-review`: judges the answer of a conversion webhook by the rules of API servers.

use std::path::{Path, PathBuf};

use clap::Args;
use k8s_versioned::conversion::review::check;
use k8s_versioned_core::findings::count;
use serde_json::{Value, json};

use crate::Error;
use crate::input::for_each_document;
use crate::text::output::Output;

/// The two halves of a review.
#[derive(Clone, Debug, Args)]
pub struct CheckReviewArgs {
    /// The file of the `ConversionReview` that an API server sends.
    pub request: PathBuf,
    /// The file of the `ConversionReview` that the webhook answers.
    pub answer: PathBuf,
}

/// Judges an answer.
///
/// # Errors
/// A file cannot be read or is not JSON; [`Error::Refusal`] with all reasons for which a server refuses the answer.
pub fn run(args: &CheckReviewArgs) -> Result<Output, Error> {
    let (request, answer) = (read(&args.request)?, read(&args.answer)?);
    let objects = request.pointer("/request/objects").and_then(Value::as_array);
    let Some(objects) = objects else {
        let message = "it is not a ConversionReview with a request".to_owned();
        return Err(Error::Project(args.request.clone(), message));
    };
    let refusals = check(&request, &answer);
    if refusals.is_empty() {
        let converted = count(objects.len(), "object");
        let text = format!("a server accepts the answer: {converted} converted\n");
        return Ok(Output { text, json: json!({ "converted": objects.len() }) });
    }
    let reasons: Vec<String> = refusals.iter().map(ToString::to_string).collect();
    Err(Error::Refusal(reasons.join("\nerror: ")))
}

/// The one document of a file, in JSON or YAML.
fn read(path: &Path) -> Result<Value, Error> {
    let mut objects = Vec::new();
    for_each_document(path, |_, document| {
        objects.extend(document.into_iter().map(|(_, value)| value));
        Ok(())
    })?;
    match objects.len() {
        1 => Ok(objects.swap_remove(0)),
        number => Err(Error::Project(path.to_owned(), format!("it has {number} objects, not one"))),
    }
}
