//! Drivers that break one rule each. The simulation catches each of them; the story shows how.

use super::participant::Broken;
use super::schedule::Schedule;
use super::shrink::shrink;
use super::world::World;

/// The story of the first schedule with this violation, made as small as possible.
fn caught(broken: Broken, violation: &str) -> Option<String> {
    let fails = |schedule: &Schedule| {
        let found = World::new(schedule).breaking(broken).run().0;
        found.violation.is_some_and(|found| found.contains(violation))
    };
    let plain = |schedule: &Schedule| !schedule.coordinated;
    let found = (0..5_000).map(Schedule::new).filter(plain).find(fails)?;
    World::new(&shrink(found, &fails)).breaking(broken).with_story().run().1
}

#[test]
fn each_broken_rule_is_caught() {
    let table = [
        ("a_merge_patch", Broken::MergePatch, "both believe"),
        ("a_merge_patch_over_a_later_term", Broken::MergePatch, "sets the term back"),
        ("the_wall_clock", Broken::WallClock, "both believe"),
        ("releasing_before_stopping", Broken::ReleaseFirst, "both believe"),
        ("counting_from_the_answer", Broken::FromTheAnswer, "both believe"),
        ("a_counted_token_where_counting_ends", Broken::CountedToken, "8 begins after"),
        ("a_counted_token_beside_others", Broken::CountedToken, "of another program begins after"),
    ];
    for (name, broken, violation) in table {
        let story = caught(broken, violation).expect(name);
        insta::assert_snapshot!(name, story);
    }
}
