//! The recipes of `docs/guides/cookbook.md` and `docs/guides/requests.md` that need a cluster, each run with a server in this process.

#![allow(clippy::default_trait_access, reason = "a recipe is short")]

mod choose;
mod custom;
mod elect;
mod fence;
mod fence_object;
mod requests;
mod watch;

/// A recipe is the text between the first line of its file and the test.
#[test]
fn the_page_shows_the_recipes() {
    let pages = [
        include_str!("../../../../../docs/guides/cookbook.md"),
        include_str!("../../../../../docs/guides/requests.md"),
    ];
    let files = [
        include_str!("choose.rs"),
        include_str!("custom.rs"),
        include_str!("elect.rs"),
        include_str!("fence.rs"),
        include_str!("fence_object.rs"),
        include_str!("requests.rs"),
        include_str!("watch.rs"),
    ];
    for file in files {
        let (_, rest) = file.split_once("\n\n").unwrap();
        let (recipe, _) = rest.split_once("\n#[test]\n").unwrap();
        let block = format!("```rust,no_run\n{recipe}```\n");
        assert!(pages.iter().any(|page| page.contains(&block)), "{recipe}");
    }
}
