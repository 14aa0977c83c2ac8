//! The explanations of recorded elections. The check `elect` compares the Leases.

use std::collections::BTreeMap;

use k8s_coordination_cli::conformance::RecordedElection;
use k8s_versioned::MicroTime;

use crate::recorded::recordings;

/// The explanation of every recorded election, without its times. Equal ones are shown once.
#[test]
fn explanations() {
    let mut explanations: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    let elections = recordings().filter_map(|recording| {
        let election = RecordedElection::from_recording(recording)?;
        Some((recording, without_times(&election.outcome().to_string())))
    });
    for (recording, text) in elections {
        let (release, version) = (recording.path.release, &*recording.path.version);
        let releases = explanations.entry((&*recording.name, text)).or_default();
        releases.push(format!("{release} {version}"));
    }
    let explanations = explanations.iter().map(|((name, text), releases)| {
        let releases = releases.join(", ");
        format!("# {name} ({releases})\n{text}\n")
    });
    insta::assert_snapshot!(explanations.collect::<String>());
}

fn without_times(text: &str) -> String {
    let words = text.split_inclusive([' ', '\n']);
    let replaced = words.map(|word| {
        let bare = word.trim_end_matches([' ', '\n', ':', ',']);
        if bare.parse::<MicroTime>().is_ok() {
            word.replace(bare, "<time>")
        } else {
            word.to_owned()
        }
    });
    replaced.collect()
}
