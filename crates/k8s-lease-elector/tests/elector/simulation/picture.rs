//! `docs/pictures/elector.svg`: the states of an elector, and the changes that the simulation meets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use testing::picture::Picture;

use super::participant::Change;
use super::schedule::Schedule;
use super::world::World;

/// The states, with their places and what a program does meanwhile.
const STATES: [(&str, (i32, i32), &str); 5] = [
    ("Following", (3, 0), "the work does not run"),
    ("Leading", (6, 0), "the work runs"),
    ("Stopping", (6, 4), "the work has to stop"),
    ("Releasing", (3, 4), "the work has stopped"),
    ("Released", (0, 4), "the process may end"),
];

#[test]
fn the_picture_has_the_states() {
    let changes: BTreeSet<Change> =
        (0..500).flat_map(|seed| World::new(&Schedule::new(seed)).run().0.changes).collect();
    let mut labels: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for (before, after, cause) in changes {
        labels.entry((before, after)).or_default().extend(cause);
    }
    let mut picture = Picture::new("The states of an elector");
    for (state, place, note) in STATES {
        picture.add(state, place, note);
    }
    for ((before, after), causes) in labels {
        picture.arrow(before, after, &causes.join("\n"));
    }
    picture.check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures/elector.svg"));
}
