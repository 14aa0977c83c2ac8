//! Conversion webhooks without I/O: the answer to a `ConversionReview`, and a check of any webhook's answer.
//!
//! API servers call a webhook for the objects of a `CustomResourceDefinition` with several versions. [`Webhook`] answers
//! the bytes of such a request; the HTTP server and its certificate belong to the program. [`check`] applies the rules by
//! which an API server judges the answer, also to answers of other programs.

use std::cell::LazyCell;
use std::fmt;
use std::mem;

use k8s_versioned_core::findings::Severity;
use serde::Serialize;
use serde_json::{Map, Value};
use thiserror::Error;

pub use super::admission_review::Admitted;
use super::applied_part::is_part;
pub use super::check_answer::{AnswerError, check};
use super::generic::{ConvertibleVisitor, Convertibles};
use super::{AnyVersion, ConversionFinding, ConversionReport, Options, mistyped};
use crate::field::FieldPath;
use crate::json::StrictValue;
use crate::{Quoted, Resource, TypeMeta, TypeMetaError, from_json};

/// The versions of the review.
const VERSIONS: [&str; 2] = ["apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"];

/// A conversion webhook: the kinds that it converts.
///
/// It is strict: an object fails if a value would be lost because its version does not know the field. The server stores what a
/// webhook answers, so such a value would be lost for good. A value for which the annotations have no room is no reason to fail, as
/// nobody could list the objects then: the answer marks the field, and [`admit`](Self::admit) refuses the object where it is
/// written. An object also fails if the target requires a field for which nobody knows a value: `fill` of the rule states one. A part of an object
/// does not fail for it: server-side apply has parts converted, and would fail. A part has no name, or lacks a field that its own
/// version requires or that an apply owns. If the configuration of an apply leaves such a field out that the last apply had in another
/// version, the server converts the same part, so it stores an empty value unless the schema refuses that.
/// One failure fails the whole request, as servers expect.
///
/// A stored value of another type than its version declares is no reason to fail, since nobody could list, change or delete the
/// object: the rest of the object converts, the value is passed on unchanged, and the report has it
/// ([`OtherType`](ConversionFinding::OtherType)). [`refuse_other_types`](Self::refuse_other_types) fails for it. For a target
/// version without the field the annotation keeps the value.
///
/// The answer changes nothing in `metadata` but the annotations of the kind, and labels and annotations that rules name: servers
/// ignore changes outside labels and annotations.
pub struct Webhook {
    kinds: Vec<Convertible>,
    lossy: bool,
    refuses_other_types: bool,
    after: Vec<Box<After>>,
}

/// A step after a conversion. The error says why an object is not passed to the step, or its result is not used.
type After = dyn Fn(&Value, &mut Value) -> serde_json::Result<()> + Send + Sync;

/// A kind that a webhook converts.
pub(super) struct Convertible {
    group: &'static str,
    name: &'static str,
    pub(super) versions: Vec<String>,
    pub(super) convert: Box<Convert>,
    /// The key of the annotations that keep values.
    pub(super) key: Option<String>,
}

pub(super) type Convert =
    dyn Fn(&Value, &str) -> Result<(Value, ConversionReport), String> + Send + Sync;

/// The response of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reviewed {
    /// The body of the response. Its status is 200, even if the conversion failed.
    pub answer: Vec<u8>,
    /// The report of each object, in the order of the request; `None` for an object that could not be converted.
    pub reports: Vec<Option<ConversionReport>>,
    /// The reason why the conversion failed. The response passes it to the server's client.
    pub failure: Option<String>,
    /// The objects of known kinds and versions, counted by the versions between which they go.
    pub pairs: Vec<PairCounts>,
}

/// The objects of a review that go from one version of a kind to another. Kinds and versions are those of the webhook, whatever a
/// request says, so that there are few of them: metrics can have them as labels.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PairCounts {
    /// The group of the kind.
    pub group: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// The version of the objects in the request, such as `v1beta1`.
    pub from: String,
    /// The version that the request asks for.
    pub to: String,
    /// The objects that were converted without a loss.
    pub converted: u64,
    /// The objects that were converted, with a finding of the severity *warning*: a value is lost or empty.
    pub lossy: u64,
    /// The objects that were refused. One of them fails the whole request.
    pub refused: u64,
}

/// The reason why an object is not converted, with the path of each value that would be lost.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotConverted(String);

/// A body that is not a `ConversionReview` with a request.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// The body is not JSON.
    #[error("not JSON: {0}")]
    Syntax(serde_json::Error),
    /// The body is JSON, but not such a review.
    #[error("not a review: {0}")]
    Malformed(&'static str),
    /// The body is an object of another type.
    #[error("not a review: {0}")]
    Type(#[from] TypeMetaError),
}

impl ReviewError {
    /// The HTTP status of the response: 400, since no API server sends such a request.
    pub const fn status(&self) -> u16 {
        400
    }
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = self.kinds.iter().map(|kind| format!("{}/{}", kind.group, kind.name));
        f.debug_struct("Webhook")
            .field("kinds", &kinds.collect::<Vec<_>>())
            .field("lossy", &self.lossy)
            .field("refuses_other_types", &self.refuses_other_types)
            .field("after", &self.after.len())
            .finish()
    }
}

impl Default for Webhook {
    fn default() -> Self {
        Self::new()
    }
}

impl Webhook {
    /// A webhook that converts no kind yet.
    pub const fn new() -> Self {
        Self { kinds: Vec::new(), lossy: false, refuses_other_types: false, after: Vec::new() }
    }

    /// A webhook that converts all kinds of a crate, with default options. [`with_kind`](Self::with_kind) replaces the options
    /// of a kind.
    pub fn of<K: Convertibles>() -> Self {
        let mut all = All(Self::new());
        K::visit(&mut all);
        all.0
    }

    /// Adds a kind, or replaces its options. Only the policies and the annotation key apply.
    #[must_use]
    pub fn with_kind<A>(mut self, mut options: Options<A::Policies>) -> Self
    where
        A: AnyVersion + 'static,
        A::Policies: Send + Sync + 'static,
    {
        options.strict = false;
        let key = A::ANNOTATION_KEY.map(|default| options.annotation_key(default).to_owned());
        let convert = move |object: &Value, to: &str| {
            let named = |version: &A::Version| version.to_string() == to;
            let to = A::VERSIONS.iter().copied().find(named).ok_or_else(|| {
                let known: Vec<String> = A::VERSIONS.iter().map(ToString::to_string).collect();
                format!("no version {} of {}: there are {}", Quoted(to), A::KIND, known.join(", "))
            })?;
            let mut report = ConversionReport::new();
            let converted = mistyped::convert::<A>(object, to, &options, &mut report);
            let converted = converted.map_err(|error| error.to_string())?;
            let report = options.accept(report).map_err(|error| error.to_string())?;
            Ok((converted, report))
        };
        self.kinds.retain(|kind| (kind.group, kind.name) != (A::GROUP, A::KIND));
        self.kinds.push(Convertible {
            group: A::GROUP,
            name: A::KIND,
            versions: A::VERSIONS.iter().map(ToString::to_string).collect(),
            convert: Box::new(convert),
            key,
        });
        self
    }

    /// Lets conversions lose values, and leave required fields empty. The reports name these.
    #[must_use]
    pub fn lossy(self) -> Self {
        Self { lossy: true, ..self }
    }

    /// Fails for objects with values of another type than their version declares. The message names each object and path.
    #[must_use]
    pub fn refuse_other_types(self) -> Self {
        Self { refuses_other_types: true, ..self }
    }

    /// Adds a step after the conversion of each object, for values that no rule computes. The step gets the original
    /// object and the converted object, which it can change: also a required field that the conversion could not fill, which is
    /// then not reported. Changes of `metadata` outside labels and annotations are dropped. Both objects can be of any kind of the webhook.
    ///
    /// ```
    /// use k8s_versioned::conversion::{Value, review::Webhook};
    ///
    /// // A field `seconds` of the older versions is `minutes` in v1; rules keep both aside.
    /// fn minutes_and_seconds(source: &Value, target: &mut Value) {
    ///     let is_v1 = |object: &Value| object["apiVersion"] == "example.com/v1";
    ///     let (from_v1, to_v1) = (is_v1(source), is_v1(target));
    ///     let Some(spec) = target.get_mut("spec").and_then(Value::as_object_mut) else {
    ///         return;
    ///     };
    ///     let (name, computed) = if to_v1 && !from_v1 {
    ///         ("minutes", source["spec"]["seconds"].as_i64().map(|seconds| seconds.div_euclid(60)))
    ///     } else if from_v1 && !to_v1 {
    ///         let minutes = source["spec"]["minutes"].as_i64();
    ///         // The kept seconds are exact as long as the minutes say the same.
    ///         let kept = spec.get("seconds").and_then(Value::as_i64);
    ///         if kept.map(|seconds| seconds.div_euclid(60)) == minutes {
    ///             return;
    ///         }
    ///         ("seconds", minutes.map(|minutes| minutes.saturating_mul(60)))
    ///     } else {
    ///         return; // Both versions have the same field.
    ///     };
    ///     match computed {
    ///         Some(value) => spec.insert(name.to_owned(), value.into()),
    ///         // A client has removed the field since the annotation got this value.
    ///         None => spec.remove(name),
    ///     };
    /// }
    ///
    /// let webhook = Webhook::new().after(minutes_and_seconds);
    /// # assert_eq!(
    /// #     format!("{webhook:?}"),
    /// #     "Webhook { kinds: [], lossy: false, refuses_other_types: false, after: 1 }"
    /// # );
    /// # let of = |version: &str, spec: &str| -> Value {
    /// #     let object = format!(r#"{{"apiVersion": "example.com/{version}", "spec": {spec}}}"#);
    /// #     serde_json::from_str(&object).unwrap()
    /// # };
    /// # for (from, before, to, kept, after) in [
    /// #     ("v1beta1", r#"{"seconds": 90}"#, "v1", "{}", r#"{"minutes": 1}"#),
    /// #     ("v1beta1", "{}", "v1", r#"{"minutes": 1}"#, "{}"),
    /// #     ("v1", r#"{"minutes": 1}"#, "v1beta1", r#"{"seconds": 90}"#, r#"{"seconds": 90}"#),
    /// #     ("v1", r#"{"minutes": 2}"#, "v1beta1", r#"{"seconds": 90}"#, r#"{"seconds": 120}"#),
    /// #     ("v1", "{}", "v1beta1", r#"{"seconds": 90}"#, "{}"),
    /// #     ("v1alpha1", r#"{"seconds": 90}"#, "v1beta1", r#"{"seconds": 90}"#, r#"{"seconds": 90}"#),
    /// # ] {
    /// #     let mut target = of(to, kept);
    /// #     minutes_and_seconds(&of(from, before), &mut target);
    /// #     assert_eq!(target, of(to, after), "{from} to {to}: {before}");
    /// # }
    /// ```
    #[must_use]
    pub fn after(mut self, step: impl Fn(&Value, &mut Value) + Send + Sync + 'static) -> Self {
        self.after.push(Box::new(move |source, target| {
            step(source, target);
            Ok(())
        }));
        self
    }

    /// Adds a step after the conversion of each object of the version `S` into the version `T`, as [`after`](Self::after) does, with
    /// typed objects of both versions. An object with a value of another type than its version declares is not passed to the step:
    /// the report has the value. An object that the types cannot read for another reason is refused.
    #[must_use]
    pub fn after_conversion<S: Resource, T: Resource>(
        mut self,
        step: impl Fn(&S, &mut T) + Send + Sync + 'static,
    ) -> Self {
        self.after.push(Box::new(move |source, target| {
            if is_of::<S>(source) && is_of::<T>(target) {
                let (source, mut changed) = (S::deserialize(source)?, T::deserialize(&*target)?);
                step(&source, &mut changed);
                *target = serde_json::to_value(&changed)?;
            }
            Ok(())
        }));
        self
    }

    /// Converts an object of JSON into another `apiVersion` of its kind as [`answer`](Self::answer) does, with the steps after the
    /// conversion: for programs that read stored objects, or write files.
    ///
    /// # Errors
    /// The webhook does not convert this kind or version, or refuses the object.
    pub fn convert_object(
        &self,
        object: &Value,
        api_version: &str,
    ) -> Result<(Value, ConversionReport), NotConverted> {
        self.object(object, api_version).map_err(NotConverted)
    }

    /// Answers the body of a request.
    ///
    /// # Errors
    /// The body is not a `ConversionReview` with a request.
    pub fn answer(&self, body: &[u8]) -> Result<Reviewed, ReviewError> {
        let review: StrictValue = from_json(body).map_err(ReviewError::Syntax)?;
        let request = ConversionRequest::read(review.into_inner())?;
        self.convert(request, body.len()).map_err(ReviewError::Syntax)
    }

    /// Converts the objects. Each is written and freed before the next, so that a review takes little more memory than its request and
    /// its answer. Hot path, row `answer a review` of the benches.
    fn convert(
        &self,
        request: ConversionRequest,
        bytes: usize,
    ) -> Result<Reviewed, serde_json::Error> {
        let ConversionRequest { api_version, uid, desired, objects } = request;
        let mut answer = Vec::with_capacity(bytes);
        let head = format!(
            r#"{{"apiVersion":"{api_version}","kind":"ConversionReview","response":{{"convertedObjects":["#
        );
        answer.extend_from_slice(head.as_bytes());
        let (mut reports, mut failures, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
        for (index, object) in objects.into_iter().enumerate() {
            let converted = self.object(&object, &desired);
            let report = converted.as_ref().ok().map(|(_, report)| report);
            self.count(&object, &desired, report, &mut pairs);
            match converted {
                Ok((converted, report)) => {
                    if failures.is_empty() {
                        answer.extend_from_slice(if index == 0 { b"" } else { b"," });
                        serde_json::to_writer(&mut answer, &converted)?;
                    }
                    reports.push(Some(report));
                }
                Err(reason) => {
                    reports.push(None);
                    failures.push(format!("objects[{index}]{}: {reason}", named(&object)));
                }
            }
        }
        let failure = (!failures.is_empty()).then(|| failures.join("\n"));
        if failure.is_some() {
            answer.truncate(head.len());
        }
        let status = if failure.is_none() { "Success" } else { "Failure" };
        answer.extend_from_slice(br#"],"result":"#);
        let result = Outcome { message: failure.as_deref(), metadata: Map::new(), status };
        serde_json::to_writer(&mut answer, &result)?;
        answer.extend_from_slice(br#","uid":"#);
        serde_json::to_writer(&mut answer, &uid)?;
        answer.extend_from_slice(b"}}");
        Ok(Reviewed { answer, reports, failure, pairs })
    }

    /// Counts an object of a known kind and version by the result that its report shows.
    fn count(
        &self,
        object: &Value,
        desired: &str,
        report: Option<&ConversionReport>,
        pairs: &mut Vec<PairCounts>,
    ) {
        let Some((kind, from, to)) = self.pair(object, desired) else { return };
        let is_same = |it: &PairCounts| {
            (it.group, it.kind, &*it.from, &*it.to) == (kind.group, kind.name, from, to)
        };
        let index = pairs.iter().position(is_same).unwrap_or_else(|| {
            pairs.push(PairCounts::new(kind, from, to));
            pairs.len().saturating_sub(1)
        });
        let Some(counts) = pairs.get_mut(index) else { return };
        let count = match report.map(ConversionReport::severity) {
            None => &mut counts.refused,
            Some(Some(Severity::Warning | Severity::Error)) => &mut counts.lossy,
            Some(_) => &mut counts.converted,
        };
        *count = count.saturating_add(1);
    }

    /// The kind of an object, if the webhook has it.
    pub(super) fn kind_of(&self, of: &TypeMeta<'_>) -> Option<&Convertible> {
        let group = of.group().unwrap_or_default();
        self.kinds.iter().find(|it| it.group == group && it.name == of.kind)
    }

    /// The kind of an object, its version, and the version into which it is converted, if the webhook has all three.
    fn pair<'a>(
        &'a self,
        object: &Value,
        desired: &str,
    ) -> Option<(&'a Convertible, &'a str, &'a str)> {
        let of = TypeMeta::of(object).ok()?;
        let (group, kind) = (of.group().unwrap_or_default(), self.kind_of(&of)?);
        let known = |api_version: &str| {
            let (in_group, name) = api_version.split_once('/').unwrap_or(("", api_version));
            let versions = (in_group == group).then_some(&kind.versions);
            versions.into_iter().flatten().find(|version| *version == name)
        };
        Some((kind, known(&of.api_version)?, known(desired)?))
    }

    fn object(&self, object: &Value, desired: &str) -> Result<(Value, ConversionReport), String> {
        let of = TypeMeta::of(object).map_err(|error| error.to_string())?;
        let group = of.group().unwrap_or_default();
        let known =
            self.kind_of(&of).ok_or_else(|| format!("this webhook does not convert {of}"))?;
        let to = desired.strip_prefix(group).and_then(|rest| rest.strip_prefix('/'));
        let to = to.ok_or_else(|| {
            format!(
                "{} is in the group {}, not in the group of {}",
                of.kind,
                Quoted(group),
                Quoted(desired)
            )
        })?;
        let (mut converted, mut report) = (known.convert)(object, to)?;
        self.take_steps(object, &mut converted, &mut report)?;
        restore_metadata(object, &mut converted);
        let report = without_metadata(&report);
        let is_part = LazyCell::new(|| is_part(&*known.convert, object, &of));
        let lost = self.lost(&report, || *is_part);
        if lost.is_empty() { Ok((converted, report)) } else { Err(lost.join("; ")) }
    }

    /// Runs the steps after a conversion. A field that servers of the target would refuse is not reported if a step changes it.
    fn take_steps(
        &self,
        object: &Value,
        converted: &mut Value,
        report: &mut ConversionReport,
    ) -> Result<(), String> {
        if self.after.is_empty() {
            return Ok(());
        }
        let invalid =
            report.iter().filter(|(_, finding)| **finding == ConversionFinding::InvalidInTarget);
        let with_value = |path: &FieldPath| (path.clone(), path.value_in(converted).cloned());
        let before: Vec<_> = invalid.map(|(path, _)| with_value(path)).collect();
        let is_other_type =
            |finding: &ConversionFinding| matches!(finding, ConversionFinding::OtherType { .. });
        let has_other_types = report.iter().any(|(_, finding)| is_other_type(finding));
        for step in &self.after {
            match step(object, converted) {
                Err(error) if !has_other_types => {
                    return Err(format!("the step after the conversion is not possible: {error}"));
                }
                _ => {}
            }
        }
        let changed =
            before.into_iter().filter(|(path, value)| path.value_in(converted) != value.as_ref());
        report.are_filled(&changed.map(|(path, _)| path).collect());
        Ok(())
    }

    /// The findings for which the conversion of an object, or of a part of one, fails.
    fn lost(&self, report: &ConversionReport, is_part: impl Fn() -> bool) -> Vec<String> {
        let refuses = |finding: &ConversionFinding| match finding {
            ConversionFinding::Lost { .. }
            | ConversionFinding::UnknownField { .. }
            | ConversionFinding::MoreUnknownFields { .. } => !self.lossy,
            ConversionFinding::InvalidInTarget => !self.lossy && !is_part(),
            ConversionFinding::OtherType { .. } => self.refuses_other_types,
            other => *other == ConversionFinding::Refused,
        };
        let found = report.iter().filter(|(_, finding)| refuses(finding));
        let reason = |(path, finding): (_, &ConversionFinding)| match finding {
            ConversionFinding::UnknownField { .. } if !self.lossy => {
                format!(
                    "{path}: this webhook does not know the field: is it older than the definition?"
                )
            }
            finding => format!("{path}: {finding}"),
        };
        found.map(reason).collect()
    }
}

impl PairCounts {
    fn new(kind: &Convertible, from: &str, to: &str) -> Self {
        let (group, kind) = (kind.group, kind.name);
        let (from, to) = (from.to_owned(), to.to_owned());
        Self { group, kind, from, to, converted: 0, lossy: 0, refused: 0 }
    }
}

/// The kinds that were visited.
struct All(Webhook);

impl ConvertibleVisitor for All {
    fn kind<A>(&mut self)
    where
        A: AnyVersion<Policies: Send + Sync + 'static> + Clone + PartialEq + fmt::Debug + 'static,
    {
        self.0 = mem::take(&mut self.0).with_kind::<A>(Options::default());
    }
}

/// The request of a review.
struct ConversionRequest {
    api_version: &'static str,
    uid: String,
    desired: String,
    objects: Vec<Value>,
}

impl ConversionRequest {
    fn read(mut review: Value) -> Result<Self, ReviewError> {
        let malformed = ReviewError::Malformed;
        let reviews = VERSIONS.map(|version| (TypeMeta::new(version, "ConversionReview"), version));
        let api_version = TypeMeta::among(&review, reviews.into_iter())?;
        let request = review.get_mut("request").and_then(Value::as_object_mut);
        let request = request.ok_or(malformed("it has no request"))?;
        let mut text = |name: &str| match request.remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        Ok(Self {
            api_version,
            uid: text("uid").ok_or(malformed("request.uid is not a text"))?,
            desired: text("desiredAPIVersion")
                .ok_or(malformed("request.desiredAPIVersion is not a text"))?,
            objects: match request.remove("objects") {
                None | Some(Value::Null) => Vec::new(),
                Some(Value::Array(objects)) => objects,
                Some(_) => return Err(malformed("request.objects is not a list")),
            },
        })
    }
}

#[derive(Serialize)]
struct Outcome<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    metadata: Map<String, Value>,
    status: &'a str,
}

/// Gives the object its metadata back, except labels and annotations. The server requires `metadata`.
fn restore_metadata(source: &Value, converted: &mut Value) {
    let mut metadata = match source.get("metadata") {
        Some(Value::Object(metadata)) => metadata.clone(),
        _ => Map::new(),
    };
    for name in ["labels", "annotations"] {
        let texts = converted.pointer_mut(&format!("/metadata/{name}")).map(Value::take);
        // No labels can be there as an empty object.
        let is_empty = |texts: &Value| texts.as_object().is_some_and(Map::is_empty);
        if let Some(texts) = texts {
            metadata.insert(name.to_owned(), texts);
        } else if !metadata.get(name).is_some_and(is_empty) {
            metadata.remove(name);
        }
    }
    if let Some(members) = converted.as_object_mut() {
        members.insert("metadata".to_owned(), metadata.into());
    }
}

/// The report without the unknown fields of the metadata, which come back.
fn without_metadata(report: &ConversionReport) -> ConversionReport {
    let mut rest = ConversionReport::new();
    for (path, finding) in report.iter() {
        let back = matches!(finding, ConversionFinding::UnknownField { .. });
        if !(back && path.is_in("metadata")) {
            rest.add(path.clone(), finding.clone());
        }
    }
    rest
}

/// Returns `true` if an object is of the type's kind and version.
fn is_of<K: Resource>(object: &Value) -> bool {
    TypeMeta::of(object).is_ok_and(|found| found == TypeMeta::new(K::API_VERSION, K::KIND))
}

/// The name of an object, for messages.
fn named(object: &Value) -> String {
    let text = |pointer| object.pointer(pointer).and_then(Value::as_str);
    match (text("/metadata/namespace"), text("/metadata/name")) {
        (Some(namespace), Some(name)) => format!(" ({}/{})", Quoted(namespace), Quoted(name)),
        (None, Some(name)) => format!(" ({})", Quoted(name)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde::de::Error as _;
    use serde_json::json;

    use super::{ConversionFinding, ConversionReport, Webhook};

    /// An object is not stored without a step that the program asked for, unless the report says why the step was not possible.
    #[test]
    fn a_step_that_is_not_possible_refuses_the_object() {
        let mut webhook = Webhook::new();
        webhook.after.push(Box::new(|_, _| Err(serde_json::Error::custom("no such mode"))));
        let (object, mut report) = (json!({}), ConversionReport::new());
        let take = |report: &mut ConversionReport| {
            webhook.take_steps(&object, &mut object.clone(), report)
        };
        let refused = take(&mut report).unwrap_err();
        assert_eq!(refused, "the step after the conversion is not possible: no such mode");
        report.add("spec.mode", ConversionFinding::OtherType { value: json!(7) });
        assert_eq!(take(&mut report), Ok(()));
    }
}
