//! The request, and the order in which a server answers it: decode, prepare, check.

use serde_json::{Map, Value};

use crate::answer::{Answer, NotJudged, Subject};
use crate::cause::{Cause, Reason, Shown};
use crate::decode::{self, Body};
use crate::go::Quoted;
use crate::metadata::{self, Metadata, Names, Scope, text};
use crate::path::Path;
use crate::prune::{Unknown, drop_nulls, fill_defaults, prune};
use crate::ratchet::Correlated;
use crate::rules::{Old, RuleJudge};
use crate::schema::{Findings, Judge, Schema};
use crate::served::{Definition, Version};
use crate::{embedded, lists};

/// The parameter `fieldValidation` of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FieldValidation {
    /// Unknown and duplicate fields are dropped.
    Ignore,
    /// They are dropped with a warning.
    #[default]
    Warn,
    /// They are errors.
    Strict,
}

/// A request that creates or replaces an object, or replaces its status.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    version: &'a str,
    body: &'a [u8],
    action: Action<'a>,
    field_validation: FieldValidation,
    is_of_stored_version: bool,
}

#[derive(Clone, Copy, Debug)]
enum Action<'a> {
    Create { namespace: &'a str },
    Update { stored: &'a Value },
    UpdateStatus { stored: &'a Value },
}

impl<'a> Request<'a> {
    /// A `POST` of an object in a version of its group. The namespace is that of the URL; it is ignored for a kind without
    /// namespaces.
    pub const fn create(version: &'a str, namespace: &'a str, body: &'a [u8]) -> Self {
        Self::new(version, body, Action::Create { namespace })
    }

    /// A `PUT` to a stored object. Its metadata names the object in the URL.
    pub const fn update(version: &'a str, stored: &'a Value, body: &'a [u8]) -> Self {
        Self::new(version, body, Action::Update { stored })
    }

    /// A `PUT` to the subresource `status` of a stored object.
    pub const fn update_status(version: &'a str, stored: &'a Value, body: &'a [u8]) -> Self {
        Self::new(version, body, Action::UpdateStatus { stored })
    }

    const fn new(version: &'a str, body: &'a [u8], action: Action<'a>) -> Self {
        let field_validation = FieldValidation::Warn;
        Self { version, body, action, field_validation, is_of_stored_version: false }
    }

    /// The same request with the parameter `fieldValidation`. Without, servers warn.
    #[must_use]
    pub const fn with_field_validation(self, field_validation: FieldValidation) -> Self {
        Self { field_validation, ..self }
    }

    /// The same request, whose object has the `resourceVersion` of the stored object if it has none. Clients fill it in
    /// before they send an object from a file.
    #[must_use]
    pub const fn with_stored_version(self) -> Self {
        Self { is_of_stored_version: true, ..self }
    }
}

/// An answer that ends the request.
type Refusal = Box<Answer>;

/// A request that is being answered.
struct Admission<'a> {
    definition: &'a Definition,
    version: &'a Version,
    request: &'a Request<'a>,
    warnings: Vec<String>,
    not_judged: Vec<NotJudged>,
}

/// An object whose metadata is apart.
struct Object {
    members: Map<String, Value>,
    metadata: Metadata,
    has_floats: bool,
}

impl Object {
    fn text(&self, name: &str) -> &str {
        self.members.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn into_value(self) -> Value {
        let Self { mut members, metadata, .. } = self;
        members.insert("metadata".to_owned(), metadata.into());
        members.into()
    }
}

impl Definition {
    /// Answers a request as a server would that serves this definition.
    pub fn admit(&self, request: &Request<'_>) -> Answer {
        let version = self.version(request.version).filter(|version| {
            version.has_status || !matches!(request.action, Action::UpdateStatus { .. })
        });
        let Some(version) = version else {
            let message = "the server could not find the requested resource";
            return Answer::refused(404, "NotFound", message);
        };
        let mut admission = Admission {
            definition: self,
            version,
            request,
            warnings: version.deprecation.iter().cloned().collect(),
            not_judged: version.not_judged.clone(),
        };
        let answer = admission.answer().unwrap_or_else(|refusal| *refusal);
        let Admission { warnings, not_judged, .. } = admission;
        Answer { warnings: limited(warnings), not_judged, ..answer }
    }
}

impl Admission<'_> {
    fn answer(&mut self) -> Result<Answer, Refusal> {
        let object = self.decode()?;
        match self.request.action {
            Action::Create { namespace } => self.create(object, namespace),
            Action::Update { stored } => self.update(object, stored, false),
            Action::UpdateStatus { stored } => self.update(object, stored, true),
        }
    }

    // Decoding.

    fn decode(&mut self) -> Result<Object, Refusal> {
        let Definition { kind, group, .. } = self.definition;
        let body = decode::read(self.request.body).map_err(|error| self.unreadable(&error))?;
        if body.is_cut {
            let rule = "lists and objects deeper than 400 levels".to_owned();
            self.not_judged.push(NotJudged { field: "<nil>".to_owned(), rule });
        }
        let Body { value, duplicates, has_floats, .. } = body;
        let mut members = self.members(value)?;
        let text =
            |name: &str| members.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (api_version, own_kind) = (text("apiVersion"), text("kind"));
        let (own_group, own_version) = api_version.split_once('/').unwrap_or(("", &api_version));
        let unhandled = |error: &str| {
            let text = "cannot be handled as a";
            let message =
                format!("{own_kind} in version {} {text} {kind}: {error}", Quoted(own_version));
            Box::new(Answer::bad_request(message))
        };
        let mut unknown = (self.request.field_validation != FieldValidation::Ignore).then(Vec::new);
        let metadata = members.remove("metadata").map_or_else(
            || Ok(Map::new()),
            |metadata| metadata::decode(&metadata, "metadata", &mut unknown),
        );
        let metadata = metadata.map_err(|error| unhandled(&error))?;
        let mut value = Value::Object(members);
        if own_group == group && own_kind == *kind {
            let empty = Schema::default();
            let schema =
                self.definition.version(own_version).map_or(&empty, |version| &version.schema);
            self.fit(&mut value, schema, &mut unknown)
                .map_err(|cause| unhandled(&cause.to_string()))?;
        }
        let duplicates = duplicates.into_iter().map(|path| format!("duplicate field \"{path}\""));
        let unknown = unknown.into_iter().flatten();
        let unknown = unknown.map(|path| format!("unknown field \"{path}\""));
        let found: Vec<String> = duplicates.chain(unknown).collect();
        match self.request.field_validation {
            FieldValidation::Strict if !found.is_empty() => {
                return Err(unhandled(&format!("strict decoding error: {}", found.join(", "))));
            }
            FieldValidation::Warn => self.warnings.extend(found),
            _ => {}
        }
        let expected = format!("{group}/{}", self.version.name);
        if api_version != expected {
            let text = "the API version in the data";
            let message = format!(
                "{text} ({api_version}) does not match the expected API version ({expected})"
            );
            return Err(Box::new(Answer::bad_request(message)));
        }
        let Value::Object(members) = value else { return Err(self.unreadable("")) };
        Ok(Object { members, metadata, has_floats })
    }

    /// The members of a body that has a kind.
    fn members(&self, value: Value) -> Result<Map<String, Value>, Refusal> {
        let members = match value {
            Value::Object(members) => members,
            Value::Null => Map::new(),
            other => {
                let found = match other {
                    Value::Bool(_) => "bool",
                    Value::Number(_) => "number",
                    Value::String(_) => "string",
                    _ => "array",
                };
                let target = r#"struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }"#;
                return Err(self.unreadable(&format!(
                    "json: cannot unmarshal {found} into Go value of type {target}"
                )));
            }
        };
        for name in ["apiVersion", "kind"] {
            let found = match members.get(name) {
                None | Some(Value::Null | Value::String(_)) => continue,
                Some(Value::Bool(_)) => "bool",
                Some(Value::Number(_)) => "number",
                Some(Value::Array(_)) => "array",
                Some(Value::Object(_)) => "object",
            };
            let error = format!(
                "json: cannot unmarshal {found} into Go struct field .{name} of type string"
            );
            return Err(self.unreadable(&error));
        }
        let text = |name: &str| members.get(name).and_then(Value::as_str).unwrap_or_default();
        if text("kind").is_empty() || text("apiVersion").matches('/').count() > 1 {
            let body = String::from_utf8_lossy(self.request.body);
            return Err(self.unrecognized(&format!("Object 'Kind' is missing in '{body}'")));
        }
        Ok(members)
    }

    /// Makes a value fit its schema: without unknown fields and nulls, and with defaults.
    fn fit(&self, value: &mut Value, schema: &Schema, unknown: &mut Unknown) -> Result<(), Cause> {
        if !self.definition.preserves_unknown_fields {
            let mut pruned = unknown.is_some().then(Vec::new);
            prune(value, Some(schema), true, &mut pruned);
            drop_nulls(value, schema);
            add_sorted(unknown, pruned);
        }
        if schema.below.embedded {
            let mut found = unknown.is_some().then(Vec::new);
            embedded::coerce(value, schema, &Path::Root, self.definition.facts, &mut found)?;
            add_sorted(unknown, found);
        }
        fill_defaults(value, schema);
        Ok(())
    }

    /// The answer to a body that is not JSON.
    fn unreadable(&self, error: &str) -> Refusal {
        if error.starts_with("json: cannot unmarshal number ") && error.ends_with("float64") {
            let Definition { kind, .. } = self.definition;
            let text = "cannot be handled as a";
            let version = Quoted(&self.version.name);
            let message = format!("{kind} in version {version} {text} {kind}: {error}");
            return Box::new(Answer::bad_request(message));
        }
        self.unrecognized(&format!("couldn't get version/kind; json parse error: {error}"))
    }

    fn unrecognized(&self, error: &str) -> Refusal {
        let (kind, summary) = (&self.definition.kind, summary(self.request.body));
        let text = "the object provided is unrecognized";
        let message = format!("{text} (must be of type {kind}): {error} ({summary})");
        Box::new(Answer::bad_request(message))
    }

    // Preparing.

    fn create(&mut self, mut object: Object, namespace: &str) -> Result<Answer, Refusal> {
        let metadata = &mut object.metadata;
        let system = [
            "uid",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "selfLink",
        ];
        for field in system.into_iter().chain(["managedFields"]) {
            metadata.remove(field);
        }
        let namespace = if self.definition.is_namespaced { namespace } else { "" };
        settle_namespace(metadata, namespace)?;
        self.settle_owners(metadata);
        let prefix = text(metadata, "generateName");
        if !prefix.is_empty() && text(metadata, "name").is_empty() {
            let name = generated(prefix);
            metadata.insert("name".to_owned(), name.into());
        }
        if self.version.has_status {
            object.members.remove("status");
        }
        metadata.insert("generation".to_owned(), 1.into());
        let mut causes = Vec::new();
        let Object { metadata, .. } = &object;
        let (kind, name) = (object.text("kind").to_owned(), text(metadata, "name").to_owned());
        let metadata = metadata.clone();
        let has_floats = object.has_floats;
        let value = object.into_value();
        self.check_created(&value, &metadata, &mut causes);
        if causes.is_empty() {
            // Servers check this last: that a URL can hold the name.
            self.check_metadata(&metadata, Names::PathSegment, &mut causes);
        }
        if !causes.is_empty() {
            return Err(self.invalid(name, kind, causes));
        }
        self.warnings.extend(metadata::finalizer_warnings(&metadata, None));
        let version: Option<u64> = text(&metadata, "resourceVersion").parse().ok();
        if version.is_some_and(|version| version != 0) {
            let message = "resourceVersion should not be set on objects to be created";
            return Err(Box::new(Answer::refused(500, "", message)));
        }
        Ok(self.stored(value, has_floats, 201))
    }

    fn update(
        &mut self,
        mut object: Object,
        stored: &Value,
        is_status: bool,
    ) -> Result<Answer, Refusal> {
        let mut old = self.read_stored(stored);
        settle_namespace(&mut object.metadata, text(&old.metadata, "namespace"))?;
        Self::compare_with_url(&object, &old)?;
        self.settle_owners(&mut object.metadata);
        if self.request.is_of_stored_version && text(&object.metadata, "resourceVersion").is_empty()
        {
            let version = text(&old.metadata, "resourceVersion").to_owned();
            metadata::set_text(&mut object.metadata, "resourceVersion", &version);
        }
        self.check_preconditions(&object, &old)?;
        old.metadata.remove("managedFields");
        object.metadata.remove("managedFields");
        if is_status {
            object = with_status_of(object, &old);
        } else {
            self.prepare_update(&mut object, &old);
        }
        settle_metadata(&mut object.metadata, &old.metadata);
        let (kind, name) =
            (object.text("kind").to_owned(), text(&object.metadata, "name").to_owned());
        let metadata = [object.metadata.clone(), old.metadata.clone()];
        let has_floats = object.has_floats;
        let (new, old) = (object.into_value(), old.into_value());
        let mut causes = Vec::new();
        self.check_metadata(&metadata[0], Names::PathSegment, &mut causes);
        self.check_updated_metadata(&metadata, &mut causes);
        self.check_updated(&new, &old, &metadata, is_status, &mut causes);
        if !causes.is_empty() {
            return Err(self.invalid(name, kind, causes));
        }
        if !is_status {
            self.warnings.extend(metadata::finalizer_warnings(&metadata[0], Some(&metadata[1])));
        }
        Ok(self.stored(new, has_floats, 200))
    }

    /// The stored object as the server reads it, by the definition of today.
    fn read_stored(&self, stored: &Value) -> Object {
        let mut members = stored.as_object().cloned().unwrap_or_default();
        let metadata = members.remove("metadata").unwrap_or_default();
        let metadata = metadata::decode(&metadata, "metadata", &mut None).unwrap_or_default();
        let mut value = Value::Object(members);
        // What does not fit is not stored.
        _ = self.fit(&mut value, &self.version.schema, &mut None);
        let members = if let Value::Object(members) = value { members } else { Map::new() };
        Object { members, metadata, has_floats: false }
    }

    fn compare_with_url(object: &Object, old: &Object) -> Result<(), Refusal> {
        let (found, expected) = (text(&object.metadata, "name"), text(&old.metadata, "name"));
        let message = if found.is_empty() {
            format!(
                "the name of the object ({expected} based on URL) was undeterminable: name must be provided"
            )
        } else {
            format!(
                "the name of the object ({found}) does not match the name on the URL ({expected})"
            )
        };
        if found == expected { Ok(()) } else { Err(Box::new(Answer::bad_request(message))) }
    }

    fn settle_owners(&mut self, metadata: &mut Metadata) {
        let removed = metadata::remove_duplicate_owners(metadata);
        if !removed.is_empty() {
            self.warnings.push(format!(
                ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, \
                 and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: \
                 {}",
                removed.join(", ")
            ));
        }
    }

    /// Compares the `uid` and the `resourceVersion` with the stored ones.
    fn check_preconditions(&self, object: &Object, old: &Object) -> Result<(), Refusal> {
        let Definition { group, plural, .. } = self.definition;
        let name = text(&old.metadata, "name");
        let (new, known) = (&object.metadata, &old.metadata);
        let subject = Subject { name: name.to_owned(), group: group.clone(), kind: plural.clone() };
        let conflict = |error: &str| {
            let of = if group.is_empty() { plural.clone() } else { format!("{plural}.{group}") };
            let message =
                format!("Operation cannot be fulfilled on {of} {}: {error}", Quoted(name));
            let answer = Answer::refused(409, "Conflict", message);
            Box::new(Answer { subject: Some(subject.clone()), ..answer })
        };
        let (uid, stored) = (text(new, "uid"), text(known, "uid"));
        if !uid.is_empty() && !stored.is_empty() && uid != stored {
            let namespace = text(known, "namespace");
            let slash = if namespace.is_empty() { "" } else { "/" };
            return Err(conflict(&format!(
                "StorageError: invalid object, Code: 4, Key: /registry/{group}/{plural}/{namespace}{slash}{name}, \
                 ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: {uid}, UID in \
                 object meta: {stored}"
            )));
        }
        let version = text(new, "resourceVersion");
        let stored = text(known, "resourceVersion");
        match if version.is_empty() { Ok(0) } else { version.parse::<u64>() } {
            Err(_) => {
                let message =
                    format!("strconv.ParseUint: parsing {}: invalid syntax", Quoted(version));
                Err(Box::new(Answer::refused(500, "", message)))
            }
            Ok(0) => {
                let detail = "must be specified for an update";
                let (field, shown) = ("metadata.resourceVersion", Shown::Count(0));
                let cause =
                    Cause::new(self.definition.facts, Reason::Invalid, field, shown, detail);
                Err(Box::new(Answer::invalid(subject, vec![cause])))
            }
            Ok(_) if version != stored && !stored.is_empty() => Err(conflict(
                "the object has been modified; please apply your changes to the latest version and try again",
            )),
            Ok(_) => Ok(()),
        }
    }

    /// Keeps what an update of the object cannot change, and counts the generation.
    fn prepare_update(&self, object: &mut Object, old: &Object) {
        if self.version.has_status {
            object.members.remove("status");
            if let Some(status) = old.members.get("status") {
                object.members.insert("status".to_owned(), status.clone());
            }
        }
        let generation = metadata::integer(&old.metadata, "generation");
        let changed = object.members != old.members;
        let generation = generation + i64::from(changed);
        object.metadata.remove("generation");
        if generation != 0 {
            object.metadata.insert("generation".to_owned(), generation.into());
        }
    }

    // Checking.

    fn scope(&self) -> Scope {
        if self.definition.is_namespaced { Scope::Namespaced } else { Scope::Cluster }
    }

    fn check_metadata(&self, metadata: &Metadata, names: Names, causes: &mut Vec<Cause>) {
        let path = Path::Root.field("metadata");
        metadata::check(metadata, names, self.scope(), &path, self.definition.facts, causes);
    }

    fn check_updated_metadata(&self, [new, old]: &[Metadata; 2], causes: &mut Vec<Cause>) {
        let path = Path::Root.field("metadata");
        metadata::check_update(new, old, &path, self.definition.facts, causes);
    }

    /// Returns `true` if the kind is that of the definition.
    fn check_kind(&self, object: &Value, causes: &mut Vec<Cause>) -> bool {
        let expected = &self.definition.kind;
        let found = object.get("kind").and_then(Value::as_str).unwrap_or_default();
        if found != expected {
            causes.push(Cause::invalid("kind", found, format!("must be {expected}")));
        }
        found == expected
    }

    fn check_created(&mut self, object: &Value, metadata: &Metadata, causes: &mut Vec<Cause>) {
        let (schema, facts) = (&self.version.schema, self.definition.facts);
        if self.check_kind(object, causes) {
            self.check_metadata(metadata, Names::Subdomain, causes);
            let mut findings = Findings::default();
            Judge { facts, base: "" }.check(schema, object, None, &mut findings);
            causes.append(&mut findings.causes);
            if let Some(scale) = &self.version.scale {
                scale.check_spec(object, causes);
                scale.check_status(object, causes);
            }
        }
        embedded::check(object, schema, &Path::Root, facts, causes);
        lists::check(object, schema, &Path::Root, facts, causes);
        self.check_rules(object, None, causes);
    }

    fn check_updated(
        &mut self,
        new: &Value,
        old: &Value,
        metadata: &[Metadata; 2],
        is_status: bool,
        causes: &mut Vec<Cause>,
    ) {
        let (schema, facts) = (&self.version.schema, self.definition.facts);
        let correlated = Correlated { schema, new, old };
        if self.check_kind(new, causes) {
            self.check_updated_metadata(metadata, causes);
            let mut findings = Findings::default();
            if is_status {
                if let (Some(status), Some(schema)) =
                    (new.get("status"), schema.properties.get("status"))
                {
                    let old = correlated.member("status");
                    Judge { facts, base: "status" }.check(schema, status, old, &mut findings);
                }
            } else {
                Judge { facts, base: "" }.check(schema, new, Some(correlated), &mut findings);
            }
            causes.append(&mut findings.causes);
            if let Some(scale) = &self.version.scale {
                if !is_status {
                    scale.check_spec(new, causes);
                }
                scale.check_status(new, causes);
            }
        }
        if !is_status {
            embedded::check(new, schema, &Path::Root, facts, causes);
        }
        let (mut found, mut before) = (Vec::new(), Vec::new());
        lists::check(new, schema, &Path::Root, facts, &mut found);
        if !found.is_empty() {
            lists::check(old, schema, &Path::Root, facts, &mut before);
        }
        if before.is_empty() {
            causes.append(&mut found);
        }
        self.check_rules(new, Some(correlated), causes);
    }

    fn check_rules<'v>(
        &mut self,
        object: &'v Value,
        old: Option<Correlated<'v>>,
        causes: &mut Vec<Cause>,
    ) where
        Self: 'v,
    {
        let Some(rules) = &self.version.rules else { return };
        let facts = self.definition.facts;
        if causes.iter().any(|cause| cause.reason.blocks_rules()) {
            let detail = "some validation rules were not checked because the object was invalid; correct the existing \
                          errors to complete validation";
            causes.push(Cause::new(facts, Reason::Invalid, "", Shown::Nil, detail));
            return;
        }
        let mut judge = RuleJudge::default();
        let old = old.map_or_else(Old::default, Old::of);
        judge.judge(rules, &self.version.schema, object, &Path::Root, old);
        causes.append(&mut judge.causes);
        self.warnings.append(&mut judge.warnings);
        self.not_judged.append(&mut judge.not_judged);
    }

    // Answering.

    fn invalid(&self, name: String, kind: String, causes: Vec<Cause>) -> Refusal {
        let group = self.definition.group.clone();
        Box::new(Answer::invalid(Subject { name, group, kind }, causes))
    }

    fn stored(&self, mut object: Value, has_floats: bool, status: u16) -> Answer {
        // A server answers with the object as it reads it again: a dropped status has its defaults.
        fill_defaults(&mut object, &self.version.schema);
        if has_floats || self.version.schema.below.defaults {
            // The largest integer that is written without an exponent and read again as one.
            k8s_versioned_names::json::make_whole(&mut object, 9.2e18);
        }
        Answer { status, object: Some(object), ..Answer::default() }
    }
}

fn add_sorted(unknown: &mut Unknown, found: Unknown) {
    if let (Some(unknown), Some(mut found)) = (unknown, found) {
        found.sort();
        unknown.append(&mut found);
    }
}

fn settle_namespace(metadata: &mut Metadata, of_url: &str) -> Result<(), Refusal> {
    let own = text(metadata, "namespace");
    if !own.is_empty() && !of_url.is_empty() && own != of_url {
        let message =
            "the namespace of the provided object does not match the namespace sent on the request";
        return Err(Box::new(Answer::bad_request(message)));
    }
    metadata::set_text(metadata, "namespace", of_url);
    Ok(())
}

/// Keeps the metadata that only a server sets.
fn settle_metadata(metadata: &mut Metadata, old: &Metadata) {
    let mut keep = |field: &str, always: bool| {
        if let Some(value) = old.get(field).filter(|_| always || !metadata.contains_key(field)) {
            metadata.insert(field.to_owned(), value.clone());
        }
    };
    keep("uid", false);
    keep("creationTimestamp", true);
    keep("deletionTimestamp", true);
    keep("deletionGracePeriodSeconds", false);
}

/// The stored object with the status of another.
fn with_status_of(object: Object, old: &Object) -> Object {
    let Object { mut members, has_floats, .. } = object;
    let status = members.remove("status");
    let mut members = old.members.clone();
    members.remove("status");
    if let Some(status) = status {
        members.insert("status".to_owned(), status);
    }
    Object { members, metadata: old.metadata.clone(), has_floats }
}

/// A name that a server could make of a prefix: at most 58 bytes of it, and five letters or digits.
fn generated(prefix: &str) -> String {
    let mut end = prefix.len().min(58);
    while !prefix.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}xxxxx", prefix.get(..end).unwrap_or_default())
}

/// The start of a body, as servers show it.
fn summary(body: &[u8]) -> String {
    const SHOWN: usize = 30;
    let start = body.get(..SHOWN.min(body.len())).unwrap_or(body);
    let dots = if body.len() > SHOWN { " ..." } else { "" };
    match body.first() {
        None => "<empty>".to_owned(),
        Some(b'{') => format!("{}{dots}", String::from_utf8_lossy(start)),
        Some(_) => {
            let digit = |nibble: u8| char::from_digit(nibble.into(), 16);
            let hex: String = start
                .iter()
                .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
                .flatten()
                .collect();
            format!("{hex}{dots}")
        }
    }
}

/// The warnings that a server sends: each once, and if they are long together, each cut.
fn limited(warnings: Vec<String>) -> Vec<String> {
    const ALL: usize = 4 * 1024;
    const ONE: usize = 256;
    let mut seen = std::collections::HashSet::new();
    let mut warnings = warnings;
    warnings.retain(|warning| !warning.is_empty() && seen.insert(warning.clone()));
    let characters = |warning: &String| warning.chars().count();
    if warnings.iter().map(characters).sum::<usize>() <= ALL {
        return warnings;
    }
    let cut = warnings.into_iter().map(|warning| warning.chars().take(ONE).collect::<String>());
    let mut written = 0;
    cut.take_while(|warning| {
        let fits = written < ALL;
        written += warning.chars().count();
        fits
    })
    .collect()
}
