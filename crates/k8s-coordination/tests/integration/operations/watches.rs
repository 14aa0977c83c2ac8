//! The memory that a watch takes.

use k8s_coordination::requests::{Event, Watch};
use k8s_coordination::v1;

/// An error that is not a `Status` is kept as it came and nothing is made of it: as values, these zeros would take many
/// times their length.
#[test]
fn errors_of_zeros_take_little_memory() {
    let zeros = "0,".repeat(1 << 20);
    for object in [
        format!("[{zeros}0]"),
        format!(r#"{{"kind": "Other", "zeros": [{zeros}0]}}"#),
        format!(r#"{{"kind": "Status", "zeros": [{zeros}0]}}"#),
    ] {
        let line = format!(r#"{{"type": "ERROR", "object": {object}}}"#) + "\n";
        let mut watch = Watch::<v1::Lease>::default();
        watch.push(line.as_bytes());
        let measured = allocation_counter::measure(|| {
            assert!(matches!(watch.next_event(), Some(Ok(Event::Error(_)))));
        });
        assert!(measured.bytes_max < 2 * line.len() as u64, "{measured:?}");
    }
}
