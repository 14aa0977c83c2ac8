//! The check of conversions.

use std::fmt::Debug;
use std::iter;

use k8s_versioned::conversion::generic::{ConvertibleVisitor, Convertibles};
use k8s_versioned::conversion::{AnyVersion, ConversionReport, Options};
use k8s_versioned::{KindEntry, Registry};
use serde_json::Value;

use super::Check;
use crate::differences::differences;
use crate::examination::{Examination, Examined, Inapplicable, Mismatch, NothingToCompare};
use crate::kinds::{self, readable_kind_of};
use crate::recordings::{Recording, Recordings, Subject, SubjectBody, SubjectKind};

/// The folder of recordings that show one stored object in several versions.
const ACROSS: &str = "across";

/// A kind whose objects convert between versions.
#[derive(Clone, Copy, Debug)]
pub struct Convertible {
    group: &'static str,
    pub(crate) kind: &'static str,
    list_kind: &'static str,
    /// The `apiVersion` of each version, the lowest first.
    pub(crate) versions: fn() -> Vec<&'static str>,
    pub(crate) convert: Convert,
    there_and_back: fn(&Shown) -> Result<Vec<Mismatch>, NothingToCompare>,
    as_on_servers: fn(&Shown, &Shown) -> Result<Vec<Mismatch>, NothingToCompare>,
}

/// Converts an object to the version of this index.
type Convert = fn(&Value, usize) -> Result<(Value, ConversionReport), String>;

impl Convertible {
    /// The kind of these objects.
    pub const fn new<A: AnyVersion + Clone + PartialEq + Debug>() -> Self {
        Self {
            group: A::GROUP,
            kind: A::KIND,
            list_kind: A::LIST_KIND,
            versions: || A::VERSIONS.iter().map(|version| A::api_version(*version)).collect(),
            convert: |object, to| {
                let to = A::VERSIONS.get(to).ok_or("there is no such version")?;
                A::convert_value(object, *to, &Options::default())
                    .map_err(|error| error.to_string())
            },
            there_and_back: there_and_back::<A>,
            as_on_servers: as_on_servers::<A>,
        }
    }

    /// Whether objects of a group and kind are of this kind.
    pub(crate) fn is_of(&self, group: &str, kind: &str) -> bool {
        self.group == group && self.kind == kind
    }

    /// The kind and its group, for people.
    pub(crate) fn title(&self) -> String {
        format!("{} of {}", self.kind, self.group)
    }

    /// All kinds of a crate whose objects convert.
    pub fn all<K: Convertibles>() -> Vec<Self> {
        let mut all = All(Vec::new());
        K::visit(&mut all);
        all.0
    }
}

/// The kinds that were visited.
struct All(Vec<Convertible>);

impl ConvertibleVisitor for All {
    fn kind<A>(&mut self)
    where
        A: AnyVersion<Policies: Send + Sync + 'static> + Clone + PartialEq + Debug + 'static,
    {
        self.0.push(Convertible::new::<A>());
    }
}

/// An object is equal after conversion to every other version and back. An object that a server shows in two versions converts
/// from one to the other as on the server.
pub fn convert<'a>(registry: &'a dyn Registry, convertible: &'a [Convertible]) -> Check<'a> {
    let rule =
        "an object is equal after conversion to every version and back, and converts as on servers";
    let kinds = Kinds { registry, convertible };
    Check::new("convert", rule, move |recording, all| {
        let subjects = kinds::subjects(recording);
        if subjects.is_empty() {
            return vec![Examination::not_applicable("", "no body")];
        }
        subjects.iter().flat_map(|subject| kinds.examine(recording, subject, all)).collect()
    })
}

struct Kinds<'a> {
    registry: &'a dyn Registry,
    convertible: &'a [Convertible],
}

/// An object in a body.
struct Shown {
    /// Its place in the recording: a JSON pointer.
    pointer: String,
    version: String,
    value: Value,
}

impl Kinds<'_> {
    fn examine(
        &self,
        recording: &Recording,
        subject: &Subject<'_>,
        all: &Recordings,
    ) -> Vec<Examination> {
        let at_subject = |examined| vec![Examination::new(subject.pointer.as_str(), examined)];
        let (kind, objects) = match self.objects(recording, subject) {
            Ok((_, objects)) if objects.is_empty() => {
                return at_subject(Err("a list without items".into()));
            }
            Ok(kind_and_objects) => kind_and_objects,
            Err(reason) => return at_subject(Err(reason)),
        };
        let judged: Result<Vec<_>, NothingToCompare> =
            objects.iter().map(kind.there_and_back).collect();
        let there_and_back = match judged {
            Ok(mismatches) => mismatches.into_iter().flatten().collect(),
            Err(_) if recording.refuses(subject) => {
                return at_subject(Err("the server could not decode it either (400)".into()));
            }
            Err(stop) => return at_subject(NothingToCompare::examined(Err(stop))),
        };
        let there_and_back = Examination::new(subject.pointer.as_str(), Ok(there_and_back));
        let across = objects.iter().filter(|_| recording.path.version == ACROSS).map(|one| {
            let examined = self.across(kind, recording, subject, one, all);
            Examination::new(one.pointer.as_str(), examined)
        });
        iter::once(there_and_back).chain(across).collect()
    }

    /// The objects of a body, and their kind.
    fn objects(
        &self,
        recording: &Recording,
        subject: &Subject<'_>,
    ) -> Result<(&Convertible, Vec<Shown>), Inapplicable> {
        let entry = readable_kind_of(self.registry, recording, subject)?;
        let of_kind = |it: &&Convertible| {
            it.group == entry.group() && [it.kind, it.list_kind].contains(&entry.kind())
        };
        let kind = self.convertible.iter().find(of_kind);
        let kind = kind.ok_or_else(|| format!("of another kind: {}", entry.kind()))?;
        let body = kinds::value(entry, subject)
            .ok_or("the body is neither JSON nor protobuf that decodes")?;
        Ok((kind, objects_in(kind, entry, subject, &body)))
    }

    /// Compares an object with the conversion of the same object that the server shows in other versions.
    fn across(
        &self,
        kind: &Convertible,
        recording: &Recording,
        subject: &Subject<'_>,
        one: &Shown,
        all: &Recordings,
    ) -> Examined {
        if subject.kind == SubjectKind::Request {
            return Err("the body of a request is not stored yet".into());
        }
        let mut twins = Vec::new();
        for other in all.beside(recording) {
            let subjects = kinds::subjects(other).into_iter();
            let subjects = subjects
                .filter(|subject| subject.kind != SubjectKind::Request && one.can_be_in(subject));
            let shown = subjects.filter_map(|subject| Some(self.objects(other, &subject).ok()?.1));
            twins.extend(shown.flatten().filter(|twin| one.is_twin(twin)));
        }
        if twins.is_empty() {
            return Err("no recording in the folder shows it in another version".into());
        }
        let judged = twins.iter().map(|twin| (kind.as_on_servers)(one, twin));
        Ok(judged.map(NothingToCompare::examined).collect::<Result<Vec<_>, _>>()?.concat())
    }
}

/// The objects of a body: itself, or the items of a list.
fn objects_in(
    kind: &Convertible,
    entry: &KindEntry,
    subject: &Subject<'_>,
    body: &Value,
) -> Vec<Shown> {
    let shown = |pointer: String, value: &Value| Shown {
        pointer,
        version: entry.version().to_owned(),
        value: value.clone(),
    };
    if entry.kind() == kind.kind {
        return vec![shown(subject.pointer.clone(), body)];
    }
    let items = body.get("items").and_then(Value::as_array).into_iter().flatten().enumerate();
    items.map(|(index, item)| shown(format!("{}/items/{index}", subject.pointer), item)).collect()
}

impl Shown {
    /// Returns `true` for the same object at the same time in another version. The `uid` and the `resourceVersion` are
    /// the same in every version, and the latter changes with every edit.
    fn is_twin(&self, other: &Self) -> bool {
        let same = |pointer| {
            let own = self.value.pointer(pointer);
            own.is_some() && own == other.value.pointer(pointer)
        };
        self.version != other.version && same("/metadata/uid") && same("/metadata/resourceVersion")
    }

    /// Returns `false` if a body is another object. Folders can have many.
    fn can_be_in(&self, subject: &Subject<'_>) -> bool {
        let uid = |value: &Value| value.pointer("/metadata/uid").cloned();
        match subject.body {
            SubjectBody::Json(body) => {
                uid(body).is_none_or(|found| Some(found) == uid(&self.value))
            }
            _ => true,
        }
    }

    fn decode<A: AnyVersion>(&self) -> Result<A, NothingToCompare> {
        let named = |version: &&A::Version| version.to_string() == self.version;
        let version = A::VERSIONS.iter().find(named);
        let version = version.ok_or_else(|| {
            NothingToCompare::undecodable(&self.pointer, &format!("no version {}", self.version))
        })?;
        A::decode(*version, &self.value, &mut ConversionReport::new())
            .map_err(|error| NothingToCompare::undecodable(&self.pointer, &error))
    }

    /// The differences of a converted object from this one.
    fn compare<A>(&self, own: &A, converted: &A, hint: &str) -> Vec<Mismatch>
    where
        A: AnyVersion + PartialEq + Debug,
    {
        if own == converted {
            return Vec::new();
        }
        let json = |object: &A| serde_json::to_value(object).unwrap_or_default();
        let mut mismatches = differences(&self.pointer, &json(own), &json(converted));
        if mismatches.is_empty() {
            // Several values of the type can have the same JSON.
            let (expected, actual) = (format!("{own:?}"), format!("{converted:?}"));
            mismatches.push(Mismatch::new(&self.pointer, expected, actual, ""));
        }
        for mismatch in &mut mismatches {
            mismatch.hint = hint.to_owned().into();
        }
        mismatches
    }
}

/// The differences after a conversion to each other version and back.
fn there_and_back<A>(shown: &Shown) -> Result<Vec<Mismatch>, NothingToCompare>
where
    A: AnyVersion + Clone + PartialEq + Debug,
{
    let object: A = shown.decode()?;
    let own = object.version();
    let others = A::VERSIONS.iter().filter(|version| **version != own);
    let mismatches = others.flat_map(|version| {
        let (target, _) = object.clone().convert_to(*version);
        let (back, _) = target.convert_to(own);
        let hint = format!("found after conversion to {version} and back: see docs/conversions.md");
        shown.compare(&object, &back, &hint)
    });
    Ok(mismatches.collect())
}

/// The differences of its converted twin from an object.
fn as_on_servers<A>(shown: &Shown, twin: &Shown) -> Result<Vec<Mismatch>, NothingToCompare>
where
    A: AnyVersion + PartialEq + Debug,
{
    let object: A = shown.decode()?;
    let (converted, _) = twin.decode::<A>()?.convert_to(object.version());
    let version = &twin.version;
    let hint = format!(
        "found by conversion of the same object in {version}: the server converts differently"
    );
    Ok(shown.compare(&object, &converted, &hint))
}
