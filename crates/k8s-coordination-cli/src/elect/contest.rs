//! The elections of an input: its candidates and leases.

use std::collections::BTreeMap;

use k8s_coordination::conversion::{AnyLeaseCandidate, AnyLeaseCandidateRef};
use k8s_coordination::election::{Election, ElectionOutcome, Standing};
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::v1::Lease;
use k8s_versioned::conversion::AnyVersion;
use k8s_versioned::{DecodedObject, MicroTime};
use k8s_versioned_core::findings::Severity;
use k8s_versioned_terminal::InputPlace;

use crate::Error;
use crate::input::InputObject;
use crate::note::Note;
use crate::object_report::ObjectReport;

/// The field that says when a candidate was seen.
const RENEWED: &str = "spec.renewTime";

/// The namespace and the name of an object.
type Name = (String, String);

/// The candidates and leases of an input.
#[derive(Default)]
pub(crate) struct Contests {
    /// In the order of the input, on which ties depend.
    candidates: Vec<(AnyLeaseCandidate, InputPlace<'static>)>,
    /// The index of each among the candidates.
    index: BTreeMap<Name, usize>,
    leases: BTreeMap<Name, Lease>,
    /// The places of the objects, by kind or version and name.
    places: BTreeMap<(&'static str, Name), InputPlace<'static>>,
}

impl Contests {
    /// The candidates and leases of a cluster, which have namespaces and names.
    #[cfg(feature = "cluster")]
    pub(crate) fn of_cluster(candidates: Vec<AnyLeaseCandidate>, leases: Vec<Lease>) -> Self {
        let name = |metadata: &ObjectMeta| {
            let part = |part: &Option<String>| part.clone().unwrap_or_default();
            (part(&metadata.namespace), part(&metadata.name))
        };
        let leases = leases.into_iter().map(|lease| (name(&lease.metadata), lease));
        let mut contests = Self { leases: leases.collect(), ..Self::default() };
        let place = InputPlace::input("the cluster");
        for candidate in candidates {
            let name = name(candidate.metadata());
            contests.add_candidate(candidate, name, &place);
        }
        contests
    }

    /// The election for each lease that has candidates, with the lease if it exists.
    #[cfg(feature = "cluster")]
    pub(crate) fn elections(&self, now: MicroTime) -> Vec<(ElectionOutcome<'_>, Option<&Lease>)> {
        let contests = self.contests().into_iter();
        contests
            .map(|((namespace, name), candidates)| self.election(namespace, name, candidates, now))
            .collect()
    }

    /// Adds an object. The report has an error for an object that does not decode, has no name or is a duplicate.
    pub(super) fn add(
        &mut self,
        object: &InputObject<'_>,
        namespace: &str,
        report: &mut ObjectReport<'_>,
    ) {
        let InputObject { place, value, entry } = object;
        match entry.decode_value(value) {
            Err(_) => {
                report.undecodable(place, entry, value);
            }
            Ok(object) => {
                if let Err(note) = self.sort(&*object, place, namespace) {
                    report.note(place, "", note);
                }
            }
        }
    }

    fn sort(
        &mut self,
        object: &dyn DecodedObject,
        place: &InputPlace<'_>,
        namespace: &str,
    ) -> Result<(), Note> {
        if let Some(lease) = object.as_any().downcast_ref::<Lease>() {
            let mut lease = lease.clone();
            let name = complete(&mut lease.metadata, namespace)?;
            self.once("Lease", &name, place)?;
            self.leases.insert(name, lease);
        } else if let Some(mut candidate) = AnyLeaseCandidate::from_object(object) {
            let name = complete(candidate.metadata_mut(), namespace)?;
            self.once(candidate.version().as_str(), &name, place)?;
            self.add_candidate(candidate, name, place);
        }
        Ok(())
    }

    /// Keeps the place of an object, if it is not a duplicate.
    pub(crate) fn once(
        &mut self,
        sort: &'static str,
        name: &Name,
        place: &InputPlace<'_>,
    ) -> Result<(), Note> {
        match self.places.insert((sort, name.clone()), place.detached("")) {
            None => Ok(()),
            Some(first) => Err(Note::not_understood(&format!(
                "the same object as in {first}: leave one of them out"
            ))),
        }
    }

    /// Adds a candidate. Clusters may serve several versions of one candidate: the newest counts.
    fn add_candidate(&mut self, candidate: AnyLeaseCandidate, name: Name, place: &InputPlace<'_>) {
        let index = *self.index.entry(name).or_insert(self.candidates.len());
        let place = place.detached(RENEWED);
        match self.candidates.get_mut(index) {
            None => self.candidates.push((candidate, place)),
            Some((known, at)) if known.version() < candidate.version() => {
                (*known, *at) = (candidate, place);
            }
            Some(_) => {}
        }
    }

    /// The elections for the leases that have candidates, or for one lease.
    ///
    /// # Errors
    ///
    /// There is neither a lease of this name nor a candidate for it.
    pub(crate) fn outcomes(
        &self,
        wanted: Option<&str>,
        now: MicroTime,
    ) -> Result<Vec<ElectionOutcome<'_>>, Error> {
        let mut contests = self.contests();
        if let Some(wanted) = wanted {
            let unwanted =
                self.leases.keys().map(|(namespace, name)| ((&**namespace, &**name), Vec::new()));
            let contended = std::mem::take(&mut contests);
            contests = unwanted.chain(contended).collect();
            let known =
                contests.keys().map(|(namespace, name)| full_name(namespace, name)).collect();
            contests.retain(|(namespace, name), _| {
                *name == wanted || full_name(namespace, name) == wanted
            });
            if contests.is_empty() {
                let wanted = wanted.to_owned();
                return Err(Error::Lease { wanted, known });
            }
        }
        let contests = contests.into_iter();
        Ok(contests
            .map(|((namespace, name), candidates)| {
                self.election(namespace, name, candidates, now).0
            })
            .collect())
    }

    fn election<'a>(
        &'a self,
        namespace: &'a str,
        name: &'a str,
        candidates: Vec<AnyLeaseCandidateRef<'a>>,
        now: MicroTime,
    ) -> (ElectionOutcome<'a>, Option<&'a Lease>) {
        let lease = self.leases.get(&(namespace.to_owned(), name.to_owned()));
        (Election::new(namespace, name, candidates, now).with_lease(lease).outcome(), lease)
    }

    /// The candidates of each lease.
    fn contests(&self) -> BTreeMap<(&str, &str), Vec<AnyLeaseCandidateRef<'_>>> {
        let mut contests: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for candidate in self.candidates.iter().map(|(one, _)| one.by_ref()) {
            let lease = (candidate.namespace(), candidate.lease_name());
            contests.entry(lease).or_default().push(candidate);
        }
        contests
    }

    /// Notes that all candidates for a lease are out of date: the input is an old dump, or they are gone. The note
    /// names the time to judge the dump by.
    pub(super) fn point_to_now(
        &self,
        outcomes: &[ElectionOutcome<'_>],
        report: &mut ObjectReport<'_>,
    ) {
        let last = outcomes.iter().filter_map(last_seen).max();
        let Some((renewed, namespace, name)) = last else {
            return;
        };
        let name = (namespace.to_owned(), name.to_owned());
        let candidate = self.index.get(&name);
        if let Some((_, place)) = candidate.and_then(|index| self.candidates.get(*index)) {
            let message = "too long ago, as for every candidate for the Lease";
            let note = Note::new(Severity::Warning, "out-of-date", message)
                .with_hint(format!("if this is an old dump, give its time: `--now {renewed}`"));
            report.note(place, RENEWED, note);
        }
    }
}

/// The last renewal of a candidate, and its namespace and name, if no candidate is eligible.
fn last_seen<'a>(outcome: &ElectionOutcome<'a>) -> Option<(MicroTime, &'a str, &'a str)> {
    let mut last = None;
    for one in &outcome.candidates {
        match one.standing {
            Standing::Expired { renewed } => {
                last = last.max(Some((renewed, one.candidate.namespace(), one.candidate.name())));
            }
            Standing::Silent { .. } => return None,
            standing if standing.is_eligible() => return None,
            _ => {}
        }
    }
    last
}

/// Gives an object that names no namespace this one.
pub(crate) fn complete(metadata: &mut ObjectMeta, namespace: &str) -> Result<Name, Note> {
    let own = metadata.namespace.take().filter(|own| !own.is_empty());
    let namespace = own.unwrap_or_else(|| namespace.to_owned());
    metadata.namespace = Some(namespace.clone());
    let name = metadata.name.clone().filter(|name| !name.is_empty());
    let unnamed = "it has no `metadata.name`, by which a Lease and its candidates are known";
    let name = name.ok_or_else(|| Note::not_understood(unnamed))?;
    Ok((namespace, name))
}

fn full_name(namespace: &str, name: &str) -> String {
    format!("{namespace}/{name}")
}
