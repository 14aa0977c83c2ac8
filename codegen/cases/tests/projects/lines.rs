//! Objects, and what a project's own code makes of them.

use std::path::Path;
use std::{env, fs};

use serde::Deserialize;
use serde_json::Value;
use testing::specs::projects;

/// A line of a file.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Line {
    /// The kind of the object.
    pub(crate) kind: String,
    /// The version of the object.
    pub(crate) from: String,
    /// The version to which it is converted.
    pub(crate) to: String,
    /// The object.
    pub(crate) input: Value,
    /// The object as the project's types for its own version write it, where that differs.
    pub(crate) norm: Option<Value>,
    /// What the project's code converts it to.
    pub(crate) output: Option<Value>,
    /// What the project's code makes of that in the version of the object, where it is another object.
    pub(crate) back: Option<Value>,
    /// Whether the project's conversion back gives the object again.
    #[serde(default)]
    pub(crate) back_same: bool,
    /// Why the project's code does not convert it.
    pub(crate) error: Option<String>,
}

impl Line {
    /// What the project's code converts: the object as its types write it.
    pub(crate) fn source(&self) -> &Value {
        self.norm.as_ref().unwrap_or(&self.input)
    }

    /// What the project's code converts it to, also where it fails on the way back; `None` if it does not convert it.
    pub(crate) fn converted(&self) -> Option<&Value> {
        let fails = self.error.as_ref().is_some_and(|error| !error.starts_with("back: "));
        self.output.as_ref().filter(|_| !fails)
    }
}

/// The sample of a kind, in the folder of its project.
pub(crate) fn sample(project: &str, kind: &str) -> Vec<Line> {
    let lines = projects::lines(&projects::folder(project).join("lines.jsonl.gz"));
    read(lines.iter().map(String::as_str)).into_iter().filter(|line| line.kind == kind).collect()
}

/// The objects of a kind that people wrote, in the folder of its project: what the lines of random objects do not show.
pub(crate) fn by_hand(project: &str, kind: &str) -> Vec<Line> {
    let text = fs::read_to_string(projects::folder(project).join("by-hand.jsonl"));
    let lines = read(text.unwrap_or_default().lines());
    lines.into_iter().filter(|line| line.kind == kind).collect()
}

/// All lines of a kind, in the folder `ORACLE`.
pub(crate) fn of_folder(project: &str, kind: &str) -> Vec<Line> {
    let folder = env::var("ORACLE").expect("ORACLE names the folder of the lines");
    let path = Path::new(&folder).join(format!("{project}-{kind}.jsonl"));
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    read(text.lines())
}

fn read<'l>(lines: impl IntoIterator<Item = &'l str>) -> Vec<Line> {
    lines.into_iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}
