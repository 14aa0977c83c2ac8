//! Recorded watches. The check `answer` decodes all of them.

use k8s_coordination::requests::{Event, Watch};
use k8s_coordination::v1::Lease;
use k8s_versioned_conformance::recordings::RecordedBody;
use serde_json::json;

use crate::recorded::recordings;

#[test]
fn the_end_of_the_initial_events_is_marked() {
    let (mut marked, mut expired) = (0, 0);
    for recording in recordings().filter(|recording| recording.path.version == "v1") {
        let Some(Some(RecordedBody::Events(events))) =
            recording.exchange().map(|exchange| &exchange.response.body)
        else {
            continue;
        };
        let mut watch = Watch::<Lease>::default();
        for event in events {
            let line = json!({"type": event.kind, "object": event.object});
            watch.push(format!("{line}\n").as_bytes());
            match watch.next_event().unwrap().unwrap() {
                Event::Bookmark { resource_version, initial_events_end, .. } => {
                    assert!(resource_version.parse::<u64>().is_ok());
                    marked += usize::from(initial_events_end);
                }
                Event::Error(error) => {
                    assert!(error.is_expired(), "{error}");
                    expired += 1;
                }
                _ => {}
            }
        }
    }
    assert_eq!((marked, expired), (4, 6));
}
