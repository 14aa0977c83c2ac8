//! What our conversions make of the lines of a kind.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Write as _};

use k8s_versioned::conversion::generic::{ConvertibleVisitor, Convertibles};
use k8s_versioned::conversion::{AnyVersion, ConversionFinding, Options, Severity};
use k8s_versioned_conformance::check::Convertible;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::compare::{Difference, differences, sort};
use crate::differences::{KNOWN, UNORDERED};
use crate::lines::Line;

/// A project whose conversions are compiled.
pub(crate) struct Project {
    pub(crate) name: &'static str,
    /// The folder of its definitions.
    pub(crate) specs: String,
    pub(crate) kinds: Vec<Kind>,
}

/// A kind of a project.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) convert: Convert,
    pub(crate) walked: Convertible,
}

/// Converts an object to the version of this name; strictly, it fails where a webhook does.
type Convert = fn(&Value, &str, bool) -> Result<Value, String>;

/// A project by the type that lists its kinds.
pub(crate) fn project<K: Convertibles>(name: &'static str) -> Project {
    let mut kinds = Kinds(Vec::new());
    K::visit(&mut kinds);
    let module = testing::specs::projects::module(name);
    let specs = format!("{}/of-projects/{module}/specs", env!("OUT_DIR"));
    Project { name, specs, kinds: kinds.0 }
}

struct Kinds(Vec<Kind>);

impl ConvertibleVisitor for Kinds {
    fn kind<A>(&mut self)
    where
        A: AnyVersion<Policies: Send + Sync + 'static> + Clone + PartialEq + Debug + 'static,
    {
        let walked = Convertible::new::<A>();
        self.0.push(Kind { name: A::KIND, convert: convert::<A>, walked });
    }
}

fn convert<A: AnyVersion>(object: &Value, to: &str, is_strict: bool) -> Result<Value, String> {
    let to = A::VERSIONS.iter().copied().find(|version| version.to_string() == to);
    let to = to.ok_or("no such version")?;
    let converted = A::convert_value(object, to, &Options::default());
    let (object, report) = converted.map_err(|error| error.to_string())?;
    // A webhook passes on what is of another type, such as a route that is none.
    let lost = report.at_least(Severity::Warning);
    let mut lost =
        lost.iter().filter(|(_, finding)| !matches!(finding, ConversionFinding::OtherType { .. }));
    match lost.next() {
        Some((path, finding)) if is_strict => Err(format!("{path}: {finding}")),
        _ => Ok(object),
    }
}

/// What became of the lines of a kind in one direction.
#[derive(Clone, Default, Deserialize, Serialize)]
pub(crate) struct Counts {
    pub(crate) lines: usize,
    /// Lines that the project's code converts.
    pub(crate) converted: usize,
    pub(crate) equal: usize,
    /// Lines that are equal but for the differences that we know.
    pub(crate) explained: usize,
    pub(crate) refused: usize,
    pub(crate) come_back: usize,
    pub(crate) go_come_back: usize,
    /// Objects of the project's webhook with annotations in which it kept values.
    #[serde(default)]
    pub(crate) with_annotations: usize,
    /// Those that are the original objects again, empty values aside.
    #[serde(default)]
    pub(crate) changed_over: usize,
    /// Those of which the project's code makes the original objects.
    #[serde(default)]
    pub(crate) go_changed_over: usize,
}

impl Counts {
    /// For the page.
    pub(crate) fn row(&self) -> String {
        let Self { lines, converted, equal, explained, refused, come_back, go_come_back, .. } =
            self;
        format!(
            "{lines} | {refused} | {equal} of {converted} | {explained} of {converted} | {come_back} | {go_come_back}"
        )
    }

    /// For the table of objects with annotations of the project's webhook.
    pub(crate) fn changed_over_row(&self) -> String {
        let Self { with_annotations, changed_over, go_changed_over, .. } = self;
        format!("{with_annotations} | {changed_over} | {go_changed_over}")
    }

    /// Adds the counts of other objects.
    pub(crate) fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.converted += other.converted;
        self.equal += other.equal;
        self.explained += other.explained;
        self.refused += other.refused;
        self.come_back += other.come_back;
        self.go_come_back += other.go_come_back;
        self.with_annotations += other.with_annotations;
        self.changed_over += other.changed_over;
        self.go_changed_over += other.go_changed_over;
    }
}

/// The verdict on a kind.
pub(crate) struct Verdict {
    pub(crate) name: String,
    /// By direction.
    pub(crate) counts: BTreeMap<String, Counts>,
    /// What is wrong, with how often and the first example.
    wrong: BTreeMap<String, (usize, String)>,
    /// How often each difference that we know occurs, by its index.
    pub(crate) known: BTreeMap<usize, usize>,
}

/// Converts all lines of a kind.
pub(crate) fn judge(project: &Project, kind: &Kind, lines: &[Line]) -> Verdict {
    let name = format!("{} {}", project.name, kind.name);
    let mut verdict =
        Verdict { name, counts: BTreeMap::new(), wrong: BTreeMap::new(), known: BTreeMap::new() };
    for line in lines {
        verdict.add(kind, line);
    }
    verdict
}

/// Annotations in which a conversion keeps values: ours, and those of the projects.
fn is_kept(key: &str) -> bool {
    key.starts_with("conversion.")
        || key == "cluster.x-k8s.io/conversion-data"
        || key.starts_with("tekton.dev/v1beta1")
}

/// The differences between our result for an object and the result of the project's code. Lists in the random order of a Go map are
/// compared as sets.
fn differences_of(kind: &Kind, line: &Line, output: &Value) -> Vec<Difference> {
    let mut ours = (kind.convert)(line.source(), &line.to, false).unwrap_or_default();
    let mut theirs = output.clone();
    for set in UNORDERED.iter().filter(|set| (set.kind, set.from) == (kind.name, &line.from)) {
        sort(&mut ours, set.list, set.by);
        sort(&mut theirs, set.list, set.by);
    }
    differences(&ours, &theirs, is_kept)
}

impl Verdict {
    fn add(&mut self, kind: &Kind, line: &Line) {
        let direction = format!("{} to {}", line.from, line.to);
        let mut counts = self.counts.remove(&direction).unwrap_or_default();
        counts.lines += 1;
        counts.go_come_back += usize::from(line.back_same);
        let strict = (kind.convert)(&line.input, &line.to, true);
        if let Err(error) = &strict {
            counts.refused += 1;
            self.is_wrong(&direction, &format!("refused: {error}"), line.input.to_string());
        }
        let converted = strict.or_else(|_| (kind.convert)(&line.input, &line.to, false));
        match converted.and_then(|converted| (kind.convert)(&converted, &line.from, true)) {
            Ok(back) => {
                counts.come_back += usize::from(self.comes_back(kind, line, &direction, &back));
            }
            Err(error) => self.is_wrong(
                &direction,
                &format!("refused on the way back: {error}"),
                line.input.to_string(),
            ),
        }
        if let Some(output) = line.converted() {
            self.change_over(kind, line, &direction, output, &mut counts);
            counts.converted += 1;
            let found = differences_of(kind, line, output);
            counts.equal += usize::from(found.is_empty());
            let is_explained =
                found.iter().all(|found| self.explain(kind, line, &direction, found));
            counts.explained += usize::from(is_explained);
        }
        self.counts.insert(direction, counts);
    }

    /// Converts an object as the project's webhook has stored it back: with what that webhook kept in annotations.
    fn change_over(
        &mut self,
        kind: &Kind,
        line: &Line,
        direction: &str,
        stored: &Value,
        counts: &mut Counts,
    ) {
        let annotations = stored.pointer("/metadata/annotations").and_then(Value::as_object);
        let has_annotations = annotations.is_some_and(|all| all.keys().any(|key| is_kept(key)));
        // The sample of the lines has no other objects of the way back.
        if !has_annotations || line.back.is_none() && !line.back_same {
            return;
        }
        counts.with_annotations += 1;
        match (kind.convert)(stored, &line.from, false) {
            Ok(back) => {
                let found = differences(&back, line.source(), is_kept);
                counts.changed_over += usize::from(found.is_empty());
                let lost = line.back.as_ref().map(|back| differences(back, line.source(), is_kept));
                let lost: Vec<String> = lost.into_iter().flatten().map(|lost| lost.path).collect();
                counts.go_changed_over += usize::from(lost.is_empty());
                for found in found.into_iter().filter(|found| !lost.contains(&found.path)) {
                    self.is_wrong(
                        direction,
                        &format!("does not change over: {}", found.path),
                        format!("{found}\n {stored}"),
                    );
                }
            }
            Err(error) => self.is_wrong(
                direction,
                &format!("does not change over: {error}"),
                stored.to_string(),
            ),
        }
    }

    /// Whether an object is equal after the conversion to the other version and back.
    fn comes_back(&mut self, kind: &Kind, line: &Line, direction: &str, back: &Value) -> bool {
        let before = (kind.convert)(&line.input, &line.from, false).unwrap_or_default();
        if before == *back {
            return true;
        }
        let found = differences(back, &before, |_| false);
        let paths: Vec<&str> = found.iter().map(|found| &*found.path).collect();
        self.is_wrong(
            direction,
            &format!("does not come back: {}", paths.join(", ")),
            format!("{before}\n    {back}"),
        );
        false
    }

    fn explain(&mut self, kind: &Kind, line: &Line, direction: &str, found: &Difference) -> bool {
        let is_this =
            |known: &&crate::differences::Known| known.explains(kind.name, &line.from, found);
        if let Some(index) = KNOWN.iter().position(|known| is_this(&known)) {
            *self.known.entry(index).or_default() += 1;
            return true;
        }
        let what = match (&found.ours, &found.theirs) {
            (Some(_), None) => "only ours",
            (None, Some(_)) => "only theirs",
            _ => "other values",
        };
        self.is_wrong(direction, &format!("{}: {what}", found.path), found.to_string());
        false
    }

    fn is_wrong(&mut self, direction: &str, what: &str, example: String) {
        let (count, _) = self.wrong.entry(format!("{direction}: {what}")).or_insert((0, example));
        *count += 1;
    }

    /// What is wrong, a line each.
    pub(crate) fn failures(&self) -> String {
        let mut text = String::new();
        for (what, (count, example)) in &self.wrong {
            let example: String = example.chars().take(400).collect();
            let _ = writeln!(text, "{} {what} ({count} times): {example}", self.name);
        }
        text
    }

    /// Fails if anything is wrong.
    pub(crate) fn check(&self) {
        let failures = self.failures();
        assert!(failures.is_empty(), "{failures}");
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (direction, it) in &self.counts {
            writeln!(
                f,
                "{} {direction}: {} lines, {} refused; of {} equal {}, but for known differences {}; back {}, of the project {}; changed over {} of {}",
                self.name,
                it.lines,
                it.refused,
                it.converted,
                it.equal,
                it.explained,
                it.come_back,
                it.go_come_back,
                it.changed_over,
                it.with_annotations,
            )?;
        }
        Ok(())
    }
}
