//! The state that the steps of one conversion share.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::annotation::{self, Entries, Lists, field_of};
use super::item_names::{ItemsAround, is_of};
use super::metadata_texts::{Metadata, MetadataKey, MetadataTexts};
use super::steps::FieldValue;
pub(crate) use super::taken::Taken;
use super::{ConversionFinding, ConversionReport, Options, conversion_report};
use crate::field::join;
use crate::wire::is_zero;

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

    /// Converts a value of the source into a form that may hold less of it. The annotation keeps the value, unless the
    /// conversion back makes it of that form.
    pub(crate) fn reduce(
        &mut self,
        places: FieldLocations,
        value: &impl Serialize,
        comes_back: bool,
    ) {
        if comes_back {
            self.keep_nothing(places, value);
        } else {
            self.keep(places, value, None);
        }
    }

    /// Keeps the value of a field of the source, and the value that a policy has put in its place.
    pub(crate) fn keep(
        &mut self,
        places: FieldLocations,
        value: &impl Serialize,
        filled: Option<Value>,
    ) {
        // The entry of the target would not be read again.
        let place = places.iter().find(|(version, _)| *version != self.to);
        self.keep_at(place, places, value, filled);
    }

    /// Keeps the value of a field of the source that other versions with its field cannot hold either.
    pub(crate) fn keep_own(&mut self, places: FieldLocations, value: &impl Serialize) {
        let place = places.iter().find(|(version, _)| *version == self.from);
        self.keep_at(place, places, value, None);
    }

    /// Keeps that a field which the source and the target require is absent in other versions, and the value that fills it. `around` has its
    /// path in every version.
    pub(crate) fn keep_absent(
        &mut self,
        places: FieldLocations,
        around: FieldLocations,
        filled: Value,
    ) {
        self.keep(places, &Value::Null, Some(filled));
        let path = self.path_in(around, self.from);
        for place in self.named(places).collect::<Vec<_>>() {
            self.kept.entry(place).and_modify(|kept| kept.path.clone_from(&path));
        }
    }

    fn keep_at(
        &mut self,
        place: Option<&(&'static str, &'static str)>,
        places: FieldLocations,
        value: &impl Serialize,
        filled: Option<Value>,
    ) {
        self.keep_nothing(places, value);
        let (version, template) = place.or(places.first()).copied().unwrap_or_default();
        let place = (version, self.items.named(template));
        let path = self.path_in(places, self.from);
        self.kept.insert(place, Kept { path, template, value: json(value), filled });
    }

    /// Keeps no value of a field of the source, because the target holds all of it. A kept value of the field is stale.
    pub(crate) fn keep_nothing(&mut self, places: FieldLocations, live: &impl Serialize) {
        if self.carried.is_empty() && self.made_up.is_empty() {
            return;
        }
        for (version, path) in self.named(places).collect::<Vec<_>>() {
            let made_up = self.made_up.remove(&(version.to_owned(), path.to_string()));
            let (kept, filled) = self.carried.remove(version, &path);
            // A client can write a value both whole and in parts.
            let again = self.carried.remove(version, &path).0;
            for kept in kept.or(filled).or(made_up).into_iter().chain(again) {
                let live = json(live);
                self.report_source(places, ConversionFinding::Stale { kept, live });
            }
        }
    }

    /// Keeps no values of fields inside a sub-object that has none of its own: only that they are absent.
    pub(crate) fn keep_nothing_inside(&mut self, places: FieldLocations) {
        if self.kept.is_empty() {
            return;
        }
        for place in self.places_inside(places).collect::<Vec<_>>() {
            if self.kept.get(&place).is_some_and(|kept| kept.filled.is_none()) {
                self.kept.remove(&place);
            }
        }
    }

    /// Returns `true` if the annotation has no value, and none is to be kept so far.
    #[inline]
    pub(crate) fn keeps_nothing_yet(&self) -> bool {
        self.carried.is_empty() && self.kept.is_empty()
    }

    /// Whether the annotation has, or will have, a value of a field inside this sub-object.
    pub(crate) fn keeps_inside(&self, places: FieldLocations) -> bool {
        self.keeps_inside_but(places, &[])
    }

    /// [`keeps_inside`](Self::keeps_inside), without the values of fields inside some others.
    pub(crate) fn keeps_inside_but(&self, places: FieldLocations, others: FieldLocations) -> bool {
        if self.keeps_nothing_yet() {
            return false;
        }
        let is_other = |(version, path): &(&str, Cow<'_, str>)| {
            others.iter().any(|(of, other)| {
                let rest = path.strip_prefix(&*self.items.named(other));
                of == version && rest.is_some_and(|it| it.is_empty() || it.starts_with(['.', '[']))
            })
        };
        // A value that this conversion fills was absent.
        let is_value = |kept: &Kept| kept.filled.is_none();
        self.places_inside(places).filter(|place| !is_other(place)).any(|place| {
            let is_carried = self.carried.has_at(place.0, &place.1);
            is_carried || self.kept.get(&place).is_some_and(is_value)
        })
    }

    /// Whether the target is a version of these places.
    pub(crate) fn is_target(&self, places: FieldLocations) -> bool {
        places.iter().any(|(version, _)| *version == self.to)
    }

    /// Discards the carried values of fields inside a sub-object that the source does not have.
    pub(crate) fn discard_inside(&mut self, places: FieldLocations) {
        if self.carried.is_empty() {
            return;
        }
        let mut discarded = Entries::default();
        for (version, path) in self.places_inside(places).collect::<Vec<_>>() {
            let (value, filled) = self.carried.remove(version, &path);
            discarded.insert(version, &path, value, filled);
        }
        self.discard(&discarded, "the object around these fields is absent");
    }

    /// The places of the fields that some version has inside this sub-object, in all versions.
    fn places_inside(
        &self,
        places: FieldLocations,
    ) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
        let is_inside = |(version, path): &(&str, &str)| {
            let own = places.iter().find(|(other, _)| other == version);
            own.and_then(|(_, own)| path.strip_prefix(own))
                .is_some_and(|rest| rest.starts_with('.') || rest.starts_with("[\""))
        };
        let fields = self.fields.iter().filter(move |field| field.iter().any(&is_inside));
        fields.flat_map(|field| self.named(field))
    }

    /// The places in the annotation at which a reader looks for the value of a field.
    fn named(
        &self,
        places: FieldLocations,
    ) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> + use<'_, P> {
        let items = &self.items;
        places.iter().map(|(version, path)| (*version, items.named(path)))
    }

    /// Notes that a value of the target is made up: nobody knows the real one, and the conversion back drops it. Its type requires
    /// one.
    pub(crate) fn make_up(&mut self, places: FieldLocations, value: &impl Serialize) {
        if let Some((version, path)) = places.first() {
            let place = ((*version).to_owned(), self.items.named(path).into_owned());
            self.made_up_now.insert(place, json(value));
        }
    }

    /// [`make_up`](Self::make_up) in the entry of the target, as another version can keep a value of its own in the entry of the lowest
    /// one.
    pub(crate) fn make_up_own(&mut self, places: FieldLocations, value: &impl Serialize) {
        let own = places.iter().position(|(version, _)| *version == self.to);
        self.make_up(own.and_then(|own| places.get(own..)).unwrap_or(places), value);
    }

    /// Returns `true` if this conversion makes up or fills a value of each of these fields of the target.
    pub fn makes_up_all(&self, fields: &[FieldLocations]) -> bool {
        fields.iter().all(|places| {
            self.named(places).any(|(version, path)| {
                let is_filled = |kept: &Kept| kept.filled.is_some();
                self.made_up_now.contains_key(&(version.to_owned(), path.to_string()))
                    || self.kept.get(&(version, path)).is_some_and(is_filled)
            })
        })
    }

    /// Returns `true` if a conversion has made up or filled the value of each of these fields of the source.
    pub(crate) fn has_made_up_all(&self, fields: &[FieldLocations]) -> bool {
        fields.iter().all(|places| {
            self.named(places).any(|(version, path)| {
                self.carried.value_at(version, &path) == Some(Value::Null)
                    || self.made_up.contains_key(&(version.to_owned(), path.into_owned()))
            })
        })
    }

    /// Returns `true` if a conversion has made up the values of these required fields of an object of the source.
    pub(crate) fn has_made_up_fields(&self, around: FieldLocations, required: &[&str]) -> bool {
        let own = around.iter().find(|(version, _)| *version == self.from);
        !required.is_empty()
            && own.is_some_and(|(_, object)| {
                required.iter().all(|name| {
                    let path = join(object, name);
                    let is_field =
                        |(version, own): &(&str, &str)| *version == self.from && *own == path;
                    let mut fields = self.fields.iter();
                    let places = fields.find(|places| places.iter().any(&is_field));
                    places.is_some_and(|places| self.has_made_up_all(&[*places]))
                })
            })
    }

    /// Notes that the values of these fields of the source are made up: the object around them is absent. Their steps look for the note.
    pub fn note_absent(&mut self, fields: &[FieldLocations]) {
        for places in fields {
            let first = self.named(places).next();
            let place = first.map(|(version, path)| (version, path.into_owned()));
            self.absent.extend(place);
        }
    }

    /// Forgets the values with which this conversion fills these fields of the target: the object around them is absent.
    pub fn forget_filled(&mut self, fields: &[FieldLocations]) {
        for places in fields {
            let filled: Vec<_> = self.named(places).collect();
            for place in filled {
                let is_filled = |kept: &Kept| kept.filled.is_some();
                if self.kept.get(&place).is_some_and(is_filled)
                    && let Some(kept) = self.kept.remove(&place)
                {
                    self.report.take_back_filled(&kept.path);
                }
            }
        }
    }

    /// Reports the required fields of an object of the target that is made without values for them, and notes that it is made up, and
    /// those of them that other versions lack.
    pub(crate) fn make_up_object(&mut self, around: FieldLocations, required: &[&str]) {
        if required.is_empty() {
            return;
        }
        self.report_lacking(around, required);
        self.note_made_up(around, required);
    }

    /// Notes that an object of the target is made up, and those of its required fields that other versions lack.
    pub(crate) fn note_made_up(&mut self, around: FieldLocations, required: &[&str]) {
        if required.is_empty() {
            return;
        }
        self.make_up(around, &Value::Object(serde_json::Map::new()));
        let own = around.iter().find(|(version, _)| *version == self.to);
        for (name, (_, object)) in required.iter().zip(own.into_iter().cycle()) {
            let path = join(object, name);
            let is_field = |(version, own): &(&str, &str)| *version == self.to && *own == path;
            if let Some(places) = self.fields.iter().find(|places| places.iter().any(&is_field)) {
                self.make_up(places, &Value::Null);
            }
        }
    }

    /// Returns `true` if a value of the source is the one that a conversion has made up: this one, or an empty one of an object that it
    /// has made.
    pub(crate) fn is_made_up(
        &mut self,
        places: FieldLocations,
        live: &impl Serialize,
        is_empty: bool,
    ) -> bool {
        let noted = self.take_made_up(places);
        if self.is_absent(places) {
            return is_empty;
        }
        let Some(value) = noted else {
            return false;
        };
        let is_made_up = if value.is_null() { is_empty } else { value == json(live) };
        if !is_made_up {
            self.report_source(places, ConversionFinding::Redundant { value });
        }
        is_made_up
    }

    /// Returns `true` if the object around a field of the source is absent.
    fn is_absent(&self, places: FieldLocations) -> bool {
        let is_noted = |(version, path): (_, Cow<'_, str>)| {
            self.absent.contains(&(version, path.into_owned()))
        };
        !self.absent.is_empty() && self.named(places).any(is_noted)
    }

    fn take_made_up(&mut self, places: FieldLocations) -> Option<Value> {
        if self.made_up.is_empty() {
            return None;
        }
        let places =
            self.named(places).map(|(version, path)| (version.to_owned(), path.into_owned()));
        let places: Vec<(String, String)> = places.collect();
        places.iter().fold(None, |found, place| self.made_up.remove(place).or(found))
    }

    /// Takes the kept value of a field of the target.
    #[inline]
    pub(crate) fn take(&mut self, places: FieldLocations) -> Option<Taken> {
        // Nearly every object. Hot path, row `convert claims` of the benches.
        let is_empty = self.carried.is_empty() && self.made_up.is_empty();
        if is_empty { None } else { self.take_carried(places) }
    }

    /// Takes what is kept of a field of the target whose absent value a conversion has filled. Other kept values stay.
    pub(crate) fn take_filled(&mut self, places: FieldLocations) -> Option<Taken> {
        if self.carried.is_empty() {
            return None;
        }
        let filled =
            self.named(places).find(|(version, path)| self.carried.is_filled(version, path));
        let (version, place) = filled?;
        let (value, filled) = self.carried.remove(version, &place);
        Some(Taken { path: self.path_in(places, self.to), value, filled })
    }

    fn take_carried(&mut self, places: FieldLocations) -> Option<Taken> {
        let path = self.path_in(places, self.to);
        let mut taken: Option<Taken> = None;
        for (version, place) in self.named(places).collect::<Vec<_>>() {
            let mut made_up = || self.made_up.remove(&(version.to_owned(), place.to_string()));
            let found = match self.carried.remove(version, &place) {
                (None, None) => match made_up() {
                    None => continue,
                    filled => Taken { path: path.clone(), value: None, filled },
                },
                (value, filled) => Taken { path: path.clone(), value, filled },
            };
            match &taken {
                Some(_) => found.malformed("kept twice", self.report),
                None => taken = Some(found),
            }
        }
        taken
    }

    /// The kept text of a field, which stays in the annotation.
    pub(crate) fn kept_text(&self, places: FieldLocations) -> Option<&str> {
        let mut kept = self.named(places);
        kept.find_map(|(version, path)| self.carried.text_at(version, &path))
    }

    /// The kept value of a field, which stays in the annotation. `None` if it cannot be read.
    pub(crate) fn kept_value<T: DeserializeOwned>(&self, places: FieldLocations) -> Option<T> {
        if self.carried.is_empty() {
            return None;
        }
        let mut kept = self.named(places);
        kept.find_map(|(version, path)| T::deserialize(self.carried.value_at(version, &path)?).ok())
    }

    /// The kept object of a field, which stays in the annotation.
    pub(crate) fn kept_object(
        &self,
        places: FieldLocations,
    ) -> Option<serde_json::Map<String, Value>> {
        let mut kept = self.named(places);
        kept.find_map(|(version, path)| match self.carried.value_at(version, &path)? {
            Value::Object(members) => Some(members),
            _ => None,
        })
    }

    /// Takes the kept value of a field. `None`, and a report, if it cannot be read.
    #[inline]
    pub(crate) fn take_kept<T: DeserializeOwned>(&mut self, places: FieldLocations) -> Option<T> {
        self.take(places)?.value(self.report)
    }

    /// Takes a kept value that says that an empty object was there. `None`, and a report, if it says more.
    pub(crate) fn take_empty(&mut self, places: FieldLocations, empty: &Value) -> Option<Value> {
        let kept = self.take(places)?;
        let value = kept.value::<Value>(self.report)?;
        if value != *empty {
            kept.malformed("no conversion keeps the fields of this object here", self.report);
            return None;
        }
        Some(value)
    }

    /// Takes the kept value of a field that no policy fills. `None`, and a report, if it cannot be read or is empty.
    pub(crate) fn take_value<T: FieldValue>(&mut self, places: FieldLocations) -> Option<T> {
        let taken = self.take(places)?;
        let value = match taken.null() {
            Some(null) => null,
            None => taken.value::<T>(self.report)?,
        };
        if is_zero(&value) {
            let value = json(&value);
            self.report_target(places, ConversionFinding::Redundant { value });
            return None;
        }
        Some(value)
    }

    /// The kept value if the live value is still the result of its conversion, else the value that comes `back` from only
    /// the live value.
    pub(crate) fn restore<T: PartialEq + Serialize>(
        &mut self,
        places: FieldLocations,
        kept: T,
        unedited: bool,
        back: T,
        live: Value,
    ) -> T {
        let value = json(&kept);
        let (result, finding) = if kept == back {
            (back, ConversionFinding::Redundant { value })
        } else if unedited {
            (kept, ConversionFinding::Restored { value })
        } else {
            (back, ConversionFinding::Stale { kept: value, live })
        };
        self.report_target(places, finding);
        result
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

    /// Takes back what was reported about fields inside a sub-object that the target does not have, and that their values are made up.
    pub(crate) fn take_back_inside(&mut self, places: FieldLocations) {
        let path = self.path_in(places, self.to);
        self.report.take_back_inside(&path, self.items.reported_before());
        drop_inside(&mut self.made_up_now, places, &self.items);
    }

    /// Drops the notes about values inside an object that is gone, as it was made up.
    pub(crate) fn drop_made_up_inside(&mut self, around: FieldLocations) {
        drop_inside(&mut self.made_up, around, &self.items);
    }

    /// Reports a finding about a field of the source.
    pub(crate) fn report_source(&mut self, places: FieldLocations, finding: ConversionFinding) {
        self.report.add(self.path_in(places, self.from), finding);
    }

    /// The path of a field in a version, for reports. A field that the version lacks has its path in the other one.
    fn path_in(&self, places: FieldLocations, version: &str) -> Cow<'static, str> {
        let place = |version: &str| places.iter().find(|(other, _)| *other == version);
        let place = place(version).or_else(|| place(self.from)).or_else(|| place(self.to));
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

/// Drops what is inside these places.
fn drop_inside(
    made_up: &mut BTreeMap<(String, String), Value>,
    places: FieldLocations,
    items: &ItemsAround,
) {
    if made_up.is_empty() {
        return;
    }
    for (version, path) in places {
        let around = items.named(path);
        for inside in ['.', '['].map(|sign| format!("{around}{sign}")) {
            // Each item of a list drops its own: no item looks through those of the others.
            let dropped: Vec<_> = made_up
                .range(((*version).to_owned(), inside.clone())..)
                .map(|(place, _)| place)
                .take_while(|(of, path)| of == version && path.starts_with(&inside))
                .cloned()
                .collect();
            for place in dropped {
                made_up.remove(&place);
            }
        }
    }
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
