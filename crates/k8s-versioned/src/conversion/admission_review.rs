//! The admission side of a conversion webhook: an object that another version could not show whole is refused where it is written.
//!
//! A conversion cannot refuse it: a server that lists objects fails the whole list if one does not convert. See *Bounds* in
//! `docs/reference/conversion-annotation.md`.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::annotation::Entries;
use super::conversion_report::annotation as annotation_path;
use super::review::{Convertible, ReviewError, Webhook};
use super::{ConversionFinding, ConversionReport};
use crate::json::StrictValue;
use crate::{TypeMeta, from_json};

/// The versions of the review.
const VERSIONS: [&str; 2] = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];

const KIND: &str = "AdmissionReview";

/// The most reasons in a message.
const MOST_REASONS: usize = 8;

/// The response of the admission side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Admitted {
    /// The body of the response. Its status is 200, even if the object is refused.
    pub answer: Vec<u8>,
    /// The reason why the object is refused.
    pub refusal: Option<String>,
}

impl Webhook {
    /// Answers the body of an `AdmissionReview`, which a server sends before it stores an object. It refuses
    ///
    /// - an object with values that the annotations of another version have no room for, unless the stored object has them already;
    /// - an object that was read in a version that could not show a value, whose writer would remove it.
    ///
    /// A `ValidatingWebhookConfiguration` asks servers to send the kinds of the webhook; objects of others, and objects that are being
    /// deleted, are admitted.
    ///
    /// ```
    /// use k8s_versioned::conversion::review::Webhook;
    /// use serde_json::{Value, json};
    ///
    /// let request = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
    ///     "uid": "7", "operation": "CREATE", "object": {"apiVersion": "example.com/v1", "kind": "Kite"},
    /// }});
    /// let admitted = Webhook::new().admit(request.to_string().as_bytes())?;
    /// let answer: Value = serde_json::from_slice(&admitted.answer)?;
    /// assert_eq!(answer["response"], json!({"uid": "7", "allowed": true}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The body is not an `AdmissionReview` with a request.
    pub fn admit(&self, body: &[u8]) -> Result<Admitted, ReviewError> {
        let review: StrictValue = from_json(body).map_err(ReviewError::Syntax)?;
        let review = review.into_inner();
        let reviews = VERSIONS.map(|version| (TypeMeta::new(version, KIND), version));
        let api_version = TypeMeta::among(&review, reviews.into_iter())?;
        let malformed = ReviewError::Malformed;
        let request = review.get("request").filter(|request| request.is_object());
        let request = request.ok_or(malformed("it has no request"))?;
        let uid = request.get("uid").and_then(Value::as_str);
        let uid = uid.ok_or(malformed("request.uid is not a text"))?;
        let refusal = self.refusal(request);
        let status =
            refusal.as_deref().map(|message| Status { code: 422, message, reason: "Invalid" });
        let response = Response { allowed: refusal.is_none(), status, uid };
        let answer = serde_json::to_vec(&Answer { api_version, kind: KIND, response });
        Ok(Admitted { answer: answer.map_err(ReviewError::Syntax)?, refusal })
    }

    fn refusal(&self, request: &Value) -> Option<String> {
        let operation = request.get("operation").and_then(Value::as_str);
        let object = request.get("object").filter(|object| object.is_object())?;
        let is_going = object.pointer("/metadata/deletionTimestamp").is_some_and(Value::is_string);
        if is_going || !matches!(operation, Some("CREATE" | "UPDATE")) {
            return None;
        }
        let of = TypeMeta::of(object).ok()?;
        let kind = self.kind_of(&of)?;
        let version = of.api_version.rsplit_once('/').map_or(&*of.api_version, |(_, name)| name);
        let old = request.get("oldObject").filter(|old| old.is_object());
        let mut reasons = hidden(kind, object, version);
        if reasons.is_empty() {
            reasons = old.map(|old| hidden(kind, old, version)).unwrap_or_default();
        }
        let stored = old.map(|old| without_room(kind, old, version)).unwrap_or_default();
        let stored: BTreeSet<_> = stored.iter().map(TooLarge::place).collect();
        let new = without_room(kind, object, version);
        let new = new.iter().filter(|value| !stored.contains(&value.place()));
        reasons.extend(new.map(TooLarge::reason));
        let more = reasons.len().saturating_sub(MOST_REASONS);
        reasons.truncate(MOST_REASONS);
        if more > 0 {
            reasons.push(format!("{more} more"));
        }
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// The values that the version of an object could not show, each as a reason to refuse the object.
fn hidden(kind: &Convertible, object: &Value, version: &str) -> Vec<String> {
    let Some(key) = &kind.key else {
        return Vec::new();
    };
    let annotations = object.pointer("/metadata/annotations").and_then(Value::as_object);
    let marks = annotations.into_iter().flatten().filter_map(|(annotation, text)| {
        let name = annotation.strip_prefix(key.as_str())?.strip_prefix('.')?;
        Some(Entries::read(key, name, text.as_str()?).ok()?.0.into_marks())
    });
    let reason = |(of, path): (String, String)| {
        format!(
            "{path}: {version} could not show the value that {of} has: write the object in {of}"
        )
    };
    marks.flatten().map(reason).collect()
}

/// A value of an object that another version cannot keep.
struct TooLarge {
    path: String,
    version: String,
    bytes: usize,
}

impl TooLarge {
    /// The field, and the version that lacks it.
    fn place(&self) -> (&str, &str) {
        (&self.path, &self.version)
    }

    fn reason(&self) -> String {
        let Self { path, version, bytes } = self;
        format!(
            "{path}: {bytes} bytes, for which the annotations of {version} have no room: annotations have 256 KiB together"
        )
    }
}

/// The values for which the annotations of other versions have no room.
fn without_room(kind: &Convertible, object: &Value, version: &str) -> Vec<TooLarge> {
    let others = kind.versions.iter().filter(|other| *other != version);
    let of_version = |other: &String| {
        let report = (kind.convert)(object, other).map(|(_, report)| report);
        too_large(kind, &report.unwrap_or_default(), other)
    };
    others.flat_map(of_version).collect()
}

fn too_large(kind: &Convertible, report: &ConversionReport, version: &str) -> Vec<TooLarge> {
    let own = kind.key.as_deref().map(annotation_path);
    let found = report.iter().filter_map(|(path, finding)| match finding {
        // Values that an earlier conversion has kept need no report.
        ConversionFinding::TooLarge { value } if Some(path) != own.as_ref() => {
            let (path, bytes) = (path.to_string(), value.to_string().len());
            Some(TooLarge { path, version: version.to_owned(), bytes })
        }
        _ => None,
    });
    found.collect()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    api_version: &'a str,
    kind: &'a str,
    response: Response<'a>,
}

#[derive(Serialize)]
struct Response<'a> {
    allowed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status<'a>>,
    uid: &'a str,
}

#[derive(Serialize)]
struct Status<'a> {
    code: u16,
    message: &'a str,
    reason: &'a str,
}
