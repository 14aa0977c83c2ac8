//! The state that the steps of one conversion share.

mod keep;
mod made_up;
mod take;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use super::annotation::{self, Entries, Lists, field_of};
use super::item_names::{ItemsAround, is_of};
use super::metadata_texts::{Metadata, MetadataKey, MetadataTexts};
pub(crate) use super::taken::Taken;
use super::{ConversionFinding, ConversionReport, Options, conversion_report};
use crate::field::join;

/// A field that can be kept: the versions that have it in the form that is kept, lowest first, and its path in each.
///
/// The value is kept under the first of them and comes back in each of them. So the bytes of the annotation do not
/// depend on the versions that an object went through. A path has `[]` for each item of a list or map that it is in, and `[-]` for
/// an object that is the first item of a list in other versions.
pub type FieldLocations = &'static [(&'static str, &'static str)];

/// One conversion: from one version of an object, or of a part of it, to another.
#[derive(Debug)]
pub struct Context<'a, P> {
    /// The policies of the caller about absent fields.
    pub policies: &'a P,
    pub(crate) report: &'a mut ConversionReport,
    from: &'static str,
    to: &'static str,
    /// The key of the annotation that keeps values; `None` for a part of an object.
    key: Option<&'a str>,
    /// All fields of the kind that can be kept; none for a part of an object.
    fields: &'static [FieldLocations],
    /// The lists inside these fields whose items have an annotation each.
    lists: Lists,
    /// The entries of the source's annotation that no step has taken.
    carried: Entries,
    /// The values of required fields that conversions have made up, by the versions and paths of the fields.
    made_up: BTreeMap<(String, String), Value>,
    /// Those that this conversion makes up.
    made_up_now: BTreeMap<(String, String), Value>,
    /// The required fields of objects that the source does not have, by a version and the path there.
    absent: BTreeSet<(&'static str, String)>,
    /// The values that this conversion keeps, by the versions of their entries and their paths there.
    kept: BTreeMap<(&'static str, Cow<'static, str>), Kept>,
    /// The items of lists and maps around the current field.
    pub(crate) items: ItemsAround,
    /// The namespace of the object, if a step asks for it.
    namespace: Option<String>,
    /// The annotations and labels that have values of fields; `None` for a part of an object.
    pub(super) metadata: Option<MetadataTexts>,
    /// The bytes of our annotations of the source.
    kept_bytes: usize,
}

/// A value to keep.
#[derive(Debug)]
struct Kept {
    /// Its path in the source.
    path: Cow<'static, str>,
    /// The path of its field in the version of the entry.
    template: &'static str,
    value: Value,
    filled: Option<Value>,
}

impl<'a, P> Context<'a, P> {
    /// The conversion of a part of an object, which has no annotation.
    pub fn of_part(
        (from, to): (&'static str, &'static str),
        policies: &'a P,
        report: &'a mut ConversionReport,
    ) -> Self {
        Self {
            policies,
            report,
            from,
            to,
            key: None,
            fields: &[],
            lists: &[],
            carried: Entries::default(),
            made_up: BTreeMap::new(),
            made_up_now: BTreeMap::new(),
            absent: BTreeSet::new(),
            kept: BTreeMap::new(),
            items: ItemsAround::default(),
            namespace: None,
            metadata: None,
            kept_bytes: 0,
        }
    }

    /// The conversion of an object in this namespace.
    #[must_use]
    pub fn in_namespace(self, namespace: &Option<String>) -> Self {
        Self { namespace: namespace.clone(), ..self }
    }

    /// The conversion of an object of which these annotations and labels have values of fields.
    #[must_use]
    pub fn with_metadata(self, metadata: Metadata<'_>, keys: &[MetadataKey]) -> Self {
        let sizes = metadata.1.iter().map(|(key, text)| key.len() + text.len());
        let bytes = self.kept_bytes + sizes.sum::<usize>();
        Self { metadata: Some(MetadataTexts::take(metadata, bytes, keys)), ..self }
    }

    /// Puts the annotations and labels with values of fields into the result.
    pub fn put_metadata(&mut self, metadata: Metadata<'_>) {
        if let Some(texts) = self.metadata.take() {
            texts.put(metadata);
        }
    }

    /// The namespace of the object.
    pub(crate) fn namespace(&self) -> Option<String> {
        self.namespace.clone()
    }

    /// The conversion of an object. It takes the annotations out of the object. `default_key` is their key unless the
    /// options have another, `fields` has all fields of the kind that can be kept, and `lists` the lists inside them whose items have
    /// keys.
    pub fn of_object(
        versions: (&'static str, &'static str),
        options: &'a Options<P>,
        (default_key, fields, lists): (&'static str, &'static [FieldLocations], Lists),
        annotations: &mut BTreeMap<String, String>,
        report: &'a mut ConversionReport,
    ) -> Self {
        let key = options.annotation_key(default_key);
        let mut context = Self::of_part(versions, &options.policies, report);
        (context.key, context.fields, context.lists) = (Some(key), fields, lists);
        // Nearly every object. Hot path, row `convert` of the benches.
        if annotation::keys(annotations, key).next().is_some() {
            context.read(key, annotations);
        }
        context
    }

    fn read(&mut self, key: &str, annotations: &mut BTreeMap<String, String>) {
        let own = annotation::keys(annotations, key);
        let sizes = own.map(|own| own.len() + annotations.get(own).map_or(0, String::len));
        self.kept_bytes = sizes.sum();
        let report = |annotation: &str, finding| {
            self.report.add(conversion_report::annotation(annotation), finding);
        };
        self.carried = annotation::take(annotations, key, report);
        self.made_up = self.carried.take_made_up();
        let own = self.carried.split_off(|version, _| version == self.from);
        self.discard(&own, "the object has these fields itself");
        let own = self.carried.take_marks(|version, _| version == self.from);
        self.discard(&own, "the object has these fields itself");
    }

    /// Returns `true` if the annotation has no value, and none is to be kept so far.
    #[inline]
    pub(crate) fn keeps_nothing_yet(&self) -> bool {
        self.carried.is_empty() && self.kept.is_empty()
    }

    /// Ends the conversion: puts the annotations into the result. Values without room are left out, and marked.
    pub fn finish(mut self, annotations: &mut BTreeMap<String, String>) {
        // Nearly every object. Hot path, row `convert` of the benches.
        let makes_nothing_up = self.made_up.is_empty() && self.made_up_now.is_empty();
        if self.keeps_nothing_yet() && makes_nothing_up {
            return;
        }
        let Some(key) = self.key else {
            return;
        };
        self.discard_unused();
        let mut all = std::mem::take(&mut self.carried);
        for ((version, path), kept) in &self.kept {
            let lists = (kept.template, self.lists);
            all.insert_parts(version, path, kept.value.clone(), lists);
            all.insert(version, path, None, kept.filled.clone());
        }
        let made_up = std::mem::take(&mut self.made_up).into_iter();
        for ((version, path), value) in made_up.chain(std::mem::take(&mut self.made_up_now)) {
            all.insert(&version, &path, None, Some(value));
        }
        let is_fresh =
            |version: &str, path: &str| self.kept.contains_key(&(version, Cow::Borrowed(path)));
        let mut dropped = all.write(key, is_fresh, annotations);
        let is_dropped: Vec<bool> =
            self.kept.keys().map(|(version, path)| dropped.has_at(version, path)).collect();
        for (version, path) in self.kept.keys() {
            dropped.remove(version, path);
        }
        self.report_kept(is_dropped.into_iter().map(|is_dropped| {
            move |value| {
                if is_dropped {
                    ConversionFinding::TooLarge { value }
                } else {
                    ConversionFinding::Preserved { value }
                }
            }
        }));
        if !dropped.is_empty() {
            let value = dropped.to_value();
            self.report_annotation(ConversionFinding::TooLarge { value });
        }
    }

    /// Discards the carried values of fields that the target has: no step has taken them. Also discards the marks of such
    /// fields, as the values did not come along.
    fn discard_unused(&mut self) {
        let (to, fields) = (self.to, self.fields);
        let is_of_target = |version: &str, path: &str| is_field_of(fields, to, (version, path));
        let unused = self.carried.split_off(is_of_target);
        let marks = self.carried.take_marks(is_of_target);
        self.discard(
            &unused,
            "no conversion keeps these fields, or their items are gone or edited",
        );
        if let Some(key) = self.key.filter(|_| !marks.is_empty()) {
            let value = marks.into_value_of_marks();
            let path = conversion_report::annotation(&annotation::mark(key));
            self.report.add(path, ConversionFinding::NotShown { value });
        }
    }

    /// Ends the conversion of a part: the values that it would keep are lost.
    pub fn lose(mut self) {
        self.report_kept(std::iter::repeat(|value| ConversionFinding::Lost { value }));
    }

    /// Whether the target is a version of these places.
    pub(crate) fn is_target(&self, places: FieldLocations) -> bool {
        places.iter().any(|(version, _)| *version == self.to)
    }

    /// The places in the annotation at which a reader looks for the value of a field.
    fn named(
        &self,
        places: FieldLocations,
    ) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> + use<'_, P> {
        let items = &self.items;
        places.iter().map(|(version, path)| (*version, items.named(path)))
    }

    /// Reports a finding about a field of the target.
    pub(crate) fn report_target(&mut self, places: FieldLocations, finding: ConversionFinding) {
        self.report.add(self.path_in(places, self.to), finding);
    }

    /// Reports that an object of the target lacks these fields.
    pub(crate) fn report_lacking(&mut self, places: FieldLocations, names: &[&str]) {
        for name in names {
            let path = join(&self.path_in(places, self.to), name);
            self.report.add(path, ConversionFinding::InvalidInTarget);
        }
    }

    /// Reports a finding about a field of the source.
    pub(crate) fn report_source(&mut self, places: FieldLocations, finding: ConversionFinding) {
        self.report.add(self.path_in(places, self.from), finding);
    }

    /// The path of a field in a version, for reports. A field that the version lacks has its path in the other one, and a value of which
    /// neither has the form that is kept has its path in the lowest version with it.
    fn path_in(&self, places: FieldLocations, version: &str) -> Cow<'static, str> {
        let place = |version: &str| places.iter().find(|(other, _)| *other == version);
        let place = place(version).or_else(|| place(self.from)).or_else(|| place(self.to));
        let place = place.or_else(|| places.first());
        self.items.indexed_path(place.map_or("", |(_, path)| path))
    }

    /// Reports the values that this conversion keeps, each with its finding.
    fn report_kept<F: FnOnce(Value) -> ConversionFinding>(
        &mut self,
        findings: impl Iterator<Item = F>,
    ) {
        let kept = std::mem::take(&mut self.kept).into_values();
        let mut kept: Vec<(Kept, F)> = kept.zip(findings).collect();
        kept.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
        for (Kept { path, value, .. }, finding) in kept {
            self.report.add(path, finding(value));
        }
    }

    /// Reports carried values that are discarded.
    fn discard(&mut self, entries: &Entries, reason: &str) {
        if !entries.is_empty() {
            // The paths of the fields come from the annotation and can be any text, so the report shows them as a
            // value.
            let (text, reason) = (entries.to_value().to_string(), reason.to_owned());
            self.report_annotation(ConversionFinding::Unsupported { text, reason });
        }
    }

    fn report_annotation(&mut self, finding: ConversionFinding) {
        if let Some(key) = self.key {
            self.report.add(conversion_report::annotation(key), finding);
        }
    }
}

/// Returns `true` if a version has the field of a kept value, which is in the entry of a version under a path.
pub(super) fn is_field_of(
    fields: &'static [FieldLocations],
    version: &str,
    (entry, path): (&str, &str),
) -> bool {
    let has_field = |places: &&FieldLocations| places.iter().any(|(of, _)| *of == version);
    let is_at = |place| is_of(field_of(path), place);
    entry == version
        || fields
            .iter()
            .filter(has_field)
            .any(|places| places.iter().any(|(of, place)| *of == entry && is_at(place)))
}

/// Converts a value between two other versions than the conversion does, as it is kept in the form of one of them. Reports
/// show the paths in these versions.
pub fn convert_kept<S, T, P>(
    value: S,
    context: &mut Context<'_, P>,
    (from, to): (&'static str, &'static str),
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    let (versions, reported_before) = ((context.from, context.to), context.report.len());
    (context.from, context.to) = (from, to);
    let converted = convert(value, context);
    (context.from, context.to) = versions;
    if to != context.to {
        // No server of that version sees the form in which the value is kept.
        context.report.take_back_lacking(reported_before);
    }
    converted
}

/// A field as JSON. This fails only for maps whose keys are not strings, and API objects have none.
pub(crate) fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
