//! Events on the Lease when leadership changes.

use std::time::Duration;

use k8s_lease_elector::{Settings, State, Term};
use k8s_openapi::api::core::v1::ObjectReference;
use k8s_openapi::api::events::v1::Event;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use kube::api::PostParams;
use kube::{Api, Client};
use tokio::task::JoinSet;
use tracing::Instrument;

use crate::client::with_causes;

/// The longest time that an Event takes. It is a courtesy for people, so the program does not wait for long.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The bytes of a note that servers accept.
const LONGEST_NOTE: usize = 1024;

/// The bytes of the name of an instance that servers accept.
const LONGEST_INSTANCE: usize = 128;

/// The beginning of a text with at most this many bytes.
fn shortened(mut text: String, most: usize) -> String {
    if text.len() > most {
        let end = (0..=most).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or_default());
    }
    text
}

/// Writes Events on the Lease.
pub(super) struct Announcer {
    events: Api<Event>,
    settings: Settings,
    controller: String,
    /// The term that was announced, and the reason for its end as it is known by now.
    term: Option<(Term, String)>,
    under_way: JoinSet<()>,
}

impl Announcer {
    pub(super) fn new(client: &Client, settings: &Settings, controller: String) -> Self {
        Self {
            events: Api::namespaced(client.clone(), &settings.namespace),
            settings: settings.clone(),
            controller,
            term: None,
            under_way: JoinSet::new(),
        }
    }

    /// Announces the beginning or the end of a term if this state is such a change.
    pub(super) fn follow(&mut self, state: &State) {
        match (state, &mut self.term) {
            (State::Leading(_), Some(_)) => {}
            (State::Leading(term), None) => {
                self.term = Some((term.clone(), String::new()));
                self.announce(term, "became leader");
            }
            (State::Stopping(_, cause), Some((_, reason))) => *reason = cause.to_string(),
            _ => {
                if let Some((term, reason)) = self.term.take() {
                    self.announce(&term, &format!("stopped leading: {reason}"));
                }
            }
        }
    }

    /// Writes an Event about a term, in the background.
    fn announce(&mut self, term: &Term, what: &str) {
        let Settings { namespace, lease_name, identity, .. } = &self.settings;
        let regarding = ObjectReference {
            api_version: Some("coordination.k8s.io/v1".to_owned()),
            kind: Some("Lease".to_owned()),
            namespace: Some(namespace.clone()),
            name: Some(lease_name.clone()),
            uid: Some(term.token().uid.to_string()),
            ..ObjectReference::default()
        };
        let metadata = ObjectMeta {
            generate_name: Some(format!("{lease_name}-")),
            namespace: Some(namespace.clone()),
            ..ObjectMeta::default()
        };
        let event = Event {
            metadata,
            event_time: Some(MicroTime(jiff::Timestamp::now())),
            type_: Some("Normal".to_owned()),
            reason: Some("LeaderElection".to_owned()),
            action: Some("LeaderElection".to_owned()),
            note: Some(shortened(format!("{identity} {what}"), LONGEST_NOTE)),
            regarding: Some(regarding),
            reporting_controller: Some(self.controller.clone()),
            reporting_instance: Some(shortened(identity.clone(), LONGEST_INSTANCE)),
            ..Event::default()
        };
        let events = self.events.clone();
        // A set keeps its tasks, also those that have ended, until they are joined.
        while self.under_way.try_join_next().is_some() {}
        let create = async move {
            let parameters = PostParams::default();
            match tokio::time::timeout(TIMEOUT, events.create(&parameters, &event)).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => {
                    tracing::warn!(error = said(&error), "the Event on the Lease was not created");
                }
                Err(_) => tracing::warn!("the Event on the Lease was not created in time"),
            }
        };
        self.under_way.spawn(create.in_current_span());
    }

    /// Waits for the Events under way.
    pub(super) async fn finish(self) {
        self.under_way.join_all().await;
    }
}

/// The message of a server's refusal; the client shows the whole `Status`.
fn said(error: &kube::Error) -> String {
    match error {
        kube::Error::Api(status) => status.message.clone(),
        other => with_causes(other),
    }
}

#[cfg(test)]
mod tests {
    use super::{said, shortened};

    #[test]
    fn a_refusal_is_its_message() {
        let status = kube::core::Status::failure("events is forbidden", "Forbidden").with_code(403);
        assert_eq!(said(&kube::Error::Api(status.boxed())), "events is forbidden");
    }

    #[test]
    fn texts_are_cut_between_letters() {
        for (text, most, expected) in [("abc", 4, "abc"), ("abc", 2, "ab"), ("a\u{e9}", 2, "a")] {
            assert_eq!(shortened(text.to_owned(), most), expected);
        }
    }
}
