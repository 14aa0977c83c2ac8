//! The candidates and leases of an input, put together.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::{Candidate, Election, Outcome};
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::v1::Lease;
use k8s_coordination::{v1alpha1, v1alpha2, v1beta1};
use k8s_versioned::conversion::AnyVersion;
use k8s_versioned::{MicroTime, Object};

use crate::input::Document;
use crate::{Error, object};

/// The namespace and the name of an object.
type Name = (String, String);

/// The candidates and leases of an input.
#[derive(Default)]
pub(super) struct Contests {
    /// In the order of the input, on which ties depend.
    candidates: Vec<AnyLeaseCandidate>,
    leases: BTreeMap<Name, Lease>,
}

impl Contests {
    /// Sorts the documents.
    ///
    /// # Errors
    ///
    /// A document is neither a candidate nor a lease.
    pub(super) fn of(documents: Vec<Document>, namespace: &str) -> Result<Self, Error> {
        let mut contests = Self::default();
        let mut places = BTreeMap::new();
        for Document { place, value } in documents {
            let object = value.and_then(|value| object::decode(&value));
            let object = object.map_err(|reason| Error::Object {
                place: place.to_string(),
                reason,
            })?;
            if let Some(lease) = object.as_any().downcast_ref::<Lease>() {
                let mut lease = lease.clone();
                let name = complete(&mut lease.metadata, namespace);
                contests.leases.insert(name, lease);
            } else if let Some(mut candidate) = any_candidate(&*object) {
                let name = complete(candidate.metadata_mut(), namespace);
                contests.add(candidate, places.entry(name));
            }
        }
        Ok(contests)
    }

    /// Adds a candidate. One that is there in several versions, as clusters serve it, counts in the newest.
    fn add(&mut self, candidate: AnyLeaseCandidate, place: Entry<'_, Name, usize>) {
        match place {
            Entry::Vacant(place) => {
                place.insert(self.candidates.len());
                self.candidates.push(candidate);
            }
            Entry::Occupied(place) => {
                let known = self.candidates.get_mut(*place.get());
                if let Some(known) = known.filter(|known| known.version() < candidate.version()) {
                    *known = candidate;
                }
            }
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

fn any_candidate(object: &dyn Object) -> Option<AnyLeaseCandidate> {
    let object = object.as_any();
    let v1alpha1 = || {
        Some(
            object
                .downcast_ref::<v1alpha1::LeaseCandidate>()?
                .clone()
                .into(),
        )
    };
    let v1alpha2 = || {
        Some(
            object
                .downcast_ref::<v1alpha2::LeaseCandidate>()?
                .clone()
                .into(),
        )
    };
    let v1beta1 = || {
        Some(
            object
                .downcast_ref::<v1beta1::LeaseCandidate>()?
                .clone()
                .into(),
        )
    };
    v1alpha1().or_else(v1alpha2).or_else(v1beta1)
}

/// Gives an object that names no namespace this one.
fn complete(metadata: &mut ObjectMeta, namespace: &str) -> Name {
    let own = metadata.namespace.take().filter(|own| !own.is_empty());
    let namespace = own.unwrap_or_else(|| namespace.to_owned());
    metadata.namespace = Some(namespace.clone());
    (namespace, metadata.name.clone().unwrap_or_default())
}

fn shown((namespace, name): &Name) -> String {
    format!("{namespace}/{name}")
}
