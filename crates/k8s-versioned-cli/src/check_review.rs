//! `check-review`: judges the answer of a conversion webhook by the rules of API servers.

use std::path::{Path, PathBuf};

use clap::Args;
use k8s_versioned::conversion::review::check;
use k8s_versioned_names::json::StrictValue;
use serde_json::{Value, json};

use crate::{Error, output::Output};

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
    let found = check(&request, &answer);
    if found.is_empty() {
        let text = format!("a server accepts the answer: objects converted {}\n", objects.len());
        return Ok(Output { text, json: json!({ "converted": objects.len() }) });
    }
    let reasons: Vec<String> = found.iter().map(ToString::to_string).collect();
    Err(Error::Refusal(reasons.join("\nerror: ")))
}

fn read(path: &Path) -> Result<Value, Error> {
    let text = std::fs::read(path).map_err(Error::io("read", path))?;
    StrictValue::from_slice(&text)
        .map(StrictValue::into_inner)
        .map_err(|error| Error::Project(path.to_owned(), error.to_string()))
}
