//! The candidates and leases of an input, put together.

use std::collections::BTreeMap;

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::{Candidate, Election, Outcome};
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::v1::Lease;
use k8s_versioned::MicroTime;
use k8s_versioned::conversion::AnyVersion;

use crate::input::{Document, Place};
use crate::{Error, object};

/// The namespace and the name of an object.
type Name = (String, String);

/// The candidates and leases of an input.
#[derive(Default)]
pub(super) struct Contests {
    /// In the order of the input, on which ties depend.
    candidates: Vec<AnyLeaseCandidate>,
    /// Where each is among the candidates.
    index: BTreeMap<Name, usize>,
    leases: BTreeMap<Name, Lease>,
}

/// Where the input has the objects of each kind and version.
type Places = BTreeMap<(&'static str, Name), Place>;

impl Contests {
    /// Sorts the documents.
    ///
    /// # Errors
    ///
    /// A document is neither a candidate nor a lease, has no name, or is there twice.
    pub(super) fn of(documents: Vec<Document>, namespace: &str) -> Result<Self, Error> {
        let mut contests = Self::default();
        let mut places = Places::new();
        for Document { place, value } in documents {
            let error = |reason| Error::Object {
                place: place.to_string(),
                reason,
            };
            let object = value.and_then(|value| Ok(object::decode(&value)?.0));
            let object = object.map_err(error)?;
            if let Some(lease) = object.as_any().downcast_ref::<Lease>() {
                let mut lease = lease.clone();
                let name = complete(&mut lease.metadata, namespace).map_err(error)?;
                once(&mut places, "Lease", &name, &place).map_err(error)?;
                contests.leases.insert(name, lease);
            } else if let Some(mut candidate) = AnyLeaseCandidate::from_object(&*object) {
                let name = complete(candidate.metadata_mut(), namespace).map_err(error)?;
                let version = candidate.version().as_str();
                once(&mut places, version, &name, &place).map_err(error)?;
                contests.add(candidate, name);
            }
        }
        Ok(contests)
    }

    /// Adds a candidate. One that is there in several versions, as clusters serve it, counts in the newest.
    fn add(&mut self, candidate: AnyLeaseCandidate, name: Name) {
        let index = *self.index.entry(name).or_insert(self.candidates.len());
        match self.candidates.get_mut(index) {
            None => self.candidates.push(candidate),
            Some(known) if known.version() < candidate.version() => *known = candidate,
            Some(_) => {}
        }
    }

    /// What becomes of the leases that have candidates, or of one lease.
    ///
    /// # Errors
    ///
    /// There is neither a lease of this name nor a candidate for it.
    pub(super) fn outcomes(
        &self,
        wanted: Option<&str>,
        now: MicroTime,
    ) -> Result<Vec<Outcome>, Error> {
        let mut contests = self.contests();
        if let Some(wanted) = wanted {
            let unwanted = self.leases.keys().map(|name| (name.clone(), Vec::new()));
            let contended = std::mem::take(&mut contests);
            contests = unwanted.chain(contended).collect();
            let known = contests.keys().map(shown).collect();
            contests.retain(|name, _| name.1 == wanted || shown(name) == wanted);
            if contests.is_empty() {
                let wanted = wanted.to_owned();
                return Err(Error::Lease { wanted, known });
            }
        }
        let outcome = |(name, candidates): (&Name, &Vec<Candidate<'_>>)| {
            Election {
                namespace: &name.0,
                lease_name: &name.1,
                candidates,
                lease: self.leases.get(name),
                now,
            }
            .outcome()
        };
        Ok(contests.iter().map(outcome).collect())
    }

    /// The candidates by the leases that they contend for.
    fn contests(&self) -> BTreeMap<Name, Vec<Candidate<'_>>> {
        let mut contests: BTreeMap<Name, Vec<Candidate<'_>>> = BTreeMap::new();
        for candidate in self.candidates.iter().map(Candidate::from) {
            let lease = (
                candidate.namespace.to_owned(),
                candidate.lease_name.to_owned(),
            );
            contests.entry(lease).or_default().push(candidate);
        }
        contests
    }
}

/// Notes where an object is, unless it is there already.
fn once(places: &mut Places, sort: &'static str, name: &Name, place: &Place) -> Result<(), String> {
    match places.insert((sort, name.clone()), place.clone()) {
        None => Ok(()),
        Some(first) => Err(format!(
            "the same object as in {first}: leave one of them out"
        )),
    }
}

/// Gives an object that names no namespace this one.
fn complete(metadata: &mut ObjectMeta, namespace: &str) -> Result<Name, String> {
    let own = metadata.namespace.take().filter(|own| !own.is_empty());
    let namespace = own.unwrap_or_else(|| namespace.to_owned());
    metadata.namespace = Some(namespace.clone());
    let name = metadata.name.clone().filter(|name| !name.is_empty());
    let name =
        name.ok_or("it has no `metadata.name`, by which a Lease and its candidates are known")?;
    Ok((namespace, name))
}

fn shown((namespace, name): &Name) -> String {
    format!("{namespace}/{name}")
}
