//! Checks the types against recordings of a server.

use downstream::KINDS;
use k8s_versioned_conformance::{Documents, Recordings, Suite};

#[test]
fn types_survive_the_recordings() -> Result<(), Box<dyn std::error::Error>> {
    let recordings = Recordings::load("tests/recordings")?;
    let report = Suite::general(&KINDS, &Documents::default()).run(&recordings);
    assert!(report.is_success() && report.recordings > 0, "{report}");
    Ok(())
}
