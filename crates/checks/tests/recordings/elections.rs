//! The explanations of recorded elections. The check `elect` compares what they write.

use std::collections::BTreeMap;

use k8s_coordination_conformance::RecordedElection;
use k8s_versioned::MicroTime;

use crate::recorded::recordings;

/// The explanation of every recorded election, without its times. Equal ones are shown once.
#[test]
fn stories() {
    let mut stories: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    let elections = recordings().filter_map(|recording| {
        let election = RecordedElection::of(recording)?;
        Some((recording, without_times(&election.outcome().to_string())))
    });
    for (recording, story) in elections {
        let (release, version) = (recording.place.release, &*recording.place.version);
        let releases = stories.entry((&*recording.name, story)).or_default();
        releases.push(format!("{release} {version}"));
    }
    let stories = stories.iter().map(|((name, story), releases)| {
        let releases = releases.join(", ");
        format!("# {name} ({releases})\n{story}\n")
    });
    insta::assert_snapshot!(stories.collect::<String>());
}

fn without_times(story: &str) -> String {
    let words = story.split_inclusive([' ', '\n']);
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
