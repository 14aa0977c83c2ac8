//! The lines of a story, for people.

use std::fmt::Write;

use k8s_lease_elector::k8s_coordination::v1::Lease;

use testing::server::{Change, Server};

/// The object after a write.
pub(super) fn change(server: &Server, change: &Change) -> String {
    match change {
        Change::Nothing => "nothing".to_owned(),
        Change::Lease => server.lease.as_ref().map_or("no Lease".to_owned(), lease),
        Change::Candidate(name) => match server.candidates.get(name) {
            None => format!("no candidate `{name}`"),
            Some(candidate) => {
                let time = |time: Option<_>| time.map_or("never".to_owned(), ToString::to_string);
                let (renewed, pinged) = (time(candidate.renew_time()), time(candidate.ping_time()));
                format!("the candidate `{name}`: renewed {renewed}, pinged {pinged}")
            }
        },
    }
}

fn lease(lease: &Lease) -> String {
    let spec = &lease.spec;
    let holder = spec.holder_identity.as_deref().unwrap_or_default();
    let mut text = format!("the Lease: holder `{holder}`");
    if let Some(preferred) = &spec.preferred_holder {
        write!(text, ", preferred `{preferred}`").unwrap();
    }
    if let Some(transitions) = spec.lease_transitions {
        write!(text, ", term {transitions}").unwrap();
    }
    text
}
