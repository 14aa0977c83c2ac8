//! The draft of the rules of one kind.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use k8s_versioned_core::syntax::AnnotationKey;
use litemap::LiteMap;
use toml::Value;

use super::draft_rules::Draft;
use super::guesses::{Guess, Guesser, Names};
use super::replaced::Replaced;
use super::rule::Rule;
use super::written::{IN_KIND, quoted, rule_in};
use crate::Problems;
use crate::conversion::{self, Embedded, KindConversion, RuleKind, Unconverted, names};
use crate::gather::Gather;
use crate::problem::{Cause, ConversionCause, FoundType, Problem, Remedy, RuleCause};
use crate::rules::{paths, read_conversions};
use crate::text::join;

const ROUNDS: usize = 10;

/// A draft as text, and the byte at which each rule begins.
pub(super) struct Written {
    pub(super) text: String,
    rules: Vec<usize>,
}

/// The most bytes of the name of a key.
const LONGEST_NAME: usize = 46;

/// The domain of annotations of projects without one.
const EXAMPLE: &str = "example.com";

impl Draft<'_> {
    /// Adds rules until the generator reports no problem. Each round answers the problems that the rules before it uncovered.
    /// Returns `None` if problems remain for a person.
    pub(super) fn complete(&mut self) -> Result<Option<KindConversion>, Problems> {
        for _ in 0..ROUNDS {
            let written = self.written(None);
            let Some(rule) = read_conversions(&written.text)?.into_iter().next() else { break };
            self.work.set(self.work.get() + self.rules.len() + 1);
            match conversion::plan_kind(&rule, &self.kind.group, self.structs) {
                Ok(planned) if self.fill(&planned.warnings) => {}
                Ok(planned) => return Ok(Some(planned)),
                Err(problems) if self.answer(&problems, &written.rules) => {}
                Err(_) => break,
            }
        }
        Ok(None)
    }

    /// The rules; with a guesser, the types of each field as comments.
    pub(super) fn written(&self, explains: Option<&Guesser<'_>>) -> Written {
        let Unconverted { kind, versions, .. } = self.kind;
        let mut text = format!("[[kind]]\nkind = {}\n", quoted(kind));
        if let Some(group) = self.group {
            let _ = writeln!(text, "group = {}", quoted(group));
        }
        let versions: Vec<Value> =
            versions.iter().map(|version| Value::String(version.clone())).collect();
        let _ = writeln!(text, "versions = {}", Value::Array(versions));
        if self.annotation {
            let key = self.annotation_key();
            if !key.contains(&format!(".{}/", self.kind.group)) {
                let _ = writeln!(
                    text,
                    "# Write a domain of your own instead of `{EXAMPLE}`: `{}` is too long for a key.",
                    self.kind.group
                );
            }
            let _ = writeln!(text, "annotation = {}", quoted(&key));
        }
        let mut starts = Vec::new();
        for rule in &self.rules {
            let [comments, written] = self.written_rule(rule, IN_KIND, explains);
            let _ = write!(text, "\n{comments}");
            starts.push(text.len());
            text.push_str(&written);
        }
        for question in &self.questions {
            text.push('\n');
            text.push_str(&question.written());
        }
        Written { text, rules: starts }
    }

    /// The comments of a rule and its table, as lines.
    pub(super) fn written_rule(
        &self,
        rule: &Rule,
        table: &str,
        explains: Option<&Guesser<'_>>,
    ) -> [String; 2] {
        let mut comments = String::new();
        let custom = self.is_of_several_types(rule).then(|| {
            format!(
                "if its types mean the same, functions of your program convert it: the rule `{}`",
                names::CUSTOM
            )
        });
        for line in rule.comments(explains).into_iter().chain(custom) {
            let _ = writeln!(comments, "# {line}");
        }
        let names = rule.names.iter().map(|(version, path)| (version.as_str(), path.as_str()));
        let written = rule_in(table, rule.kind, names, &rule.keys, &self.reason(rule));
        [comments, written + "\n"]
    }

    /// A key of the group's domain, unless that is too long.
    fn annotation_key(&self) -> String {
        // A key has ASCII only, with a letter or digit at both ends.
        let is_of_key = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
        let name: String = self.kind.kind.chars().filter(is_of_key).take(LONGEST_NAME).collect();
        let name = match name.trim_matches('-') {
            "" => "kind".to_owned(),
            name => name.to_lowercase(),
        };
        let under = |domain: &str| format!("conversion.{domain}/{name}");
        let own = under(&self.kind.group);
        if own.parse::<AnnotationKey>().is_ok() { own } else { under(EXAMPLE) }
    }

    /// Guesses what a person would write instead of rules that keep fields aside, and for words that versions refuse. A guess
    /// is kept if generation succeeds with it. Each guess can uncover fields for further guesses.
    ///
    /// `planned` is the plan of the rules so far. To plan many rules takes long, so each plan is made once.
    pub(super) fn guess(
        &mut self,
        guesser: &Guesser<'_>,
        mut planned: Option<KindConversion>,
    ) -> Result<(), Problems> {
        let mut tried: BTreeSet<(Vec<Names>, BTreeSet<String>)> = BTreeSet::new();
        for _ in 0..ROUNDS {
            for rule in &mut self.rules {
                rule.undecided = None;
            }
            let is_open =
                |rule: &&Rule| rule.kind == names::KEEP_ASIDE && !rule.is_guess_of_value();
            let (kept, others): (Vec<&Rule>, Vec<&Rule>) = self.rules.iter().partition(is_open);
            let [kept, others] = [kept, others]
                .map(|all| all.into_iter().map(|rule| rule.names.clone()).collect::<Vec<_>>());
            let (mut decided, open): (Vec<Guess>, Vec<Guess>) = guesser
                .about_kept(&kept, &others)
                .into_iter()
                .partition(|guess| !guess.rules.is_empty());
            decided.retain(|guess| tried.insert((guess.joins.clone(), guess.apart.clone())));
            self.take(&decided, &mut planned)?;
            self.leave_open(&open);
            if decided.is_empty() {
                break;
            }
        }
        self.guess_words(guesser, planned)
    }

    /// Guesses about the words that versions refuse.
    fn guess_words(
        &mut self,
        guesser: &Guesser<'_>,
        mut planned: Option<KindConversion>,
    ) -> Result<(), Problems> {
        let (rules, positions) = (self.names(), self.positions());
        let paths = guesser.paths(&rules);
        let mut refused: BTreeSet<Names> = BTreeSet::new();
        for problem in planned.iter().flat_map(|kind| kind.warnings.iter()) {
            if let Cause::Conversion(ConversionCause::WordsRejected { field, .. }) = &problem.cause
            {
                refused.insert(self.names_of(field, &positions, &paths));
            }
        }
        let about_words = refused.iter().filter_map(|names| guesser.about_words(names));
        self.take(&about_words.collect::<Vec<_>>(), &mut planned)?;
        if let Some(planned) = planned {
            self.note_values(&planned, guesser);
        }
        Ok(())
    }

    /// Notes why nothing is guessed about fields.
    fn leave_open(&mut self, guesses: &[Guess]) {
        let reasons: HashMap<&Names, &String> = guesses
            .iter()
            .flat_map(|guess| guess.joins.iter().map(|names| (names, &guess.reason)))
            .collect();
        for rule in self.rules.iter_mut().filter(|rule| rule.kind == names::KEEP_ASIDE) {
            if let Some(reason) = reasons.get(&rule.names) {
                rule.undecided = Some((*reason).clone());
            }
        }
    }

    /// Keeps the guesses with which generation succeeds: tries all of them at once, then each half. So the number of plans grows
    /// with the wrong guesses, not with all. `planned` is the plan of the rules, before and after.
    fn take(
        &mut self,
        guesses: &[Guess],
        planned: &mut Option<KindConversion>,
    ) -> Result<(), Problems> {
        if guesses.is_empty() {
            return Ok(());
        }
        let mut replaced = Replaced::new(&self.rules);
        for guess in guesses {
            replaced.replace(guess);
        }
        let mut with = Self { rules: replaced.into_rules(), ..self.clone() };
        with.sort();
        let rules_of = |draft: &Self| {
            draft.rules.iter().filter(|rule| rule.guess.is_some()).cloned().collect::<Vec<_>>()
        };
        let before = rules_of(&with);
        let planned_with = with.complete()?;
        if planned_with.is_some() && rules_of(&with) == before {
            (*self, *planned) = (with, planned_with);
            return Ok(());
        }
        if let (one, other @ [_, ..]) = guesses.split_at(guesses.len() / 2)
            && !one.is_empty()
        {
            self.take(one, planned)?;
            self.take(other, planned)?;
        }
        Ok(())
    }

    /// Whether a value of any JSON is guessed to be an object of a kind.
    pub(super) fn has_embedded(&self) -> bool {
        self.rules.iter().any(|rule| rule.kind == names::EMBEDDED)
    }

    /// Removes such a rule.
    pub(super) fn take_back(&mut self, embedded: &Embedded) -> Result<(), Problems> {
        let is_it = |rule: &Rule| {
            let mut places = embedded.keep.iter();
            rule.kind == names::EMBEDDED
                && places.all(|(version, path)| {
                    rule.names.get(version).is_some_and(|own| *own == **path)
                })
        };
        self.rules.retain(|rule| !is_it(rule));
        self.complete()?;
        self.sort();
        Ok(())
    }

    fn sort(&mut self) {
        self.rules.sort_by(Rule::by_path);
    }

    /// What the documents show.
    fn reason(&self, rule: &Rule) -> String {
        if rule.evidence().is_some() || !rule.keys.is_empty() {
            return "A guess: check it.".to_owned();
        }
        let why = match rule.kind {
            names::KEEP_ASIDE => self.why_kept(rule),
            names::ABSENT_TO_ZERO => "optional in some versions".to_owned(),
            names::SCHEMA => "any JSON in some versions".to_owned(),
            _ => "of another form in some versions".to_owned(),
        };
        format!("A draft: {why}.")
    }

    /// The versions that lack a field, and those in which it has another type.
    fn why_kept(&self, rule: &Rule) -> String {
        let others = self.kind.versions.iter().filter(|version| !rule.names.contains_key(*version));
        let (others, lacking): (Vec<&String>, Vec<&String>) =
            others.partition(|version| self.has_same_path(version, rule));
        let of = |what: &str, versions: &[&String]| {
            (!versions.is_empty()).then(|| format!("{what} {}", join(versions, " and ")))
        };
        let why = [of("not in", &lacking), of("of another type or meaning in", &others)];
        join(why.into_iter().flatten(), ", ")
    }

    /// Returns `true` for the first of the rules that keep aside a field which all versions have, each with a type of its own.
    fn is_of_several_types(&self, rule: &Rule) -> bool {
        let is_lowest = |(version, path): (&String, &String)| {
            self.kind.versions.first() == Some(version)
                && rule.names.values().all(|name| name == path)
        };
        let mut others = self.kind.versions.iter().filter(|other| !rule.names.contains_key(*other));
        rule.kind == names::KEEP_ASIDE
            && rule.evidence().is_none()
            && rule.names.len() < self.kind.versions.len()
            && rule.names.iter().any(is_lowest)
            && others.all(|version| self.has_same_path(version, rule))
    }

    /// Returns `true` if a version has a field at the path of a rule in other versions.
    fn has_same_path(&self, version: &str, rule: &Rule) -> bool {
        let path = rule.names.values().next();
        let object = self.objects.get(version);
        path.zip(object).is_some_and(|(path, root)| self.structs.at(root, path).is_some())
    }

    /// Adds or changes the rules that solve these problems. Returns `false` if no rule changed.
    fn answer(&mut self, problems: &[Problem], starts: &[usize]) -> bool {
        let before = (self.annotation, self.rules.clone());
        self.correct(problems, starts);
        // Thousands of fields may have no rule yet: they are not looked for among the rules.
        let mut named: HashSet<String> = self.positions().into_keys().collect();
        let missing = without_counterpart(problems);
        for problem in problems {
            let Cause::Conversion(cause) = &problem.cause else {
                continue;
            };
            match cause {
                ConversionCause::FieldTypesDiffer { found, others, remedy, .. } => {
                    for found in [found].into_iter().chain(others) {
                        let field = found.last().map_or("", |found| found.path.as_str());
                        if !is_in_any(field, &missing) {
                            self.convert(field, found, *remedy, &mut named);
                        }
                    }
                }
                ConversionCause::NoCounterpart { field, others, version, remedy, .. } => {
                    let fields = [field].into_iter().chain(others);
                    for field in fields.filter(|field| !is_in_any(field, &missing)) {
                        self.keep(field, version, *remedy == Remedy::OwnRule, &mut named);
                    }
                }
                ConversionCause::NoAnnotationKey(_) => self.annotation = true,
                ConversionCause::AnnotationNotNeeded(_) => self.annotation = false,
                _ => {}
            }
        }
        self.sort();
        before != (self.annotation, self.rules.clone())
    }

    /// Replaces the rules that do not fit, and removes those without an effect.
    fn correct(&mut self, problems: &[Problem], starts: &[usize]) {
        let wrong = problems.iter().filter_map(|problem| {
            let in_vain = match &problem.cause {
                Cause::Rule(RuleCause::WithoutEffect(..)) => true,
                Cause::Conversion(
                    ConversionCause::RuleDoesNotFit { .. } | ConversionCause::NamesNoField { .. },
                ) => false,
                _ => return None,
            };
            let place = problem.place.span.as_ref()?.start;
            let index = starts.partition_point(|start| *start < place).checked_sub(1)?;
            Some((self.rules.get(index)?.clone(), in_vain))
        });
        for (rule, in_vain) in wrong.collect::<Vec<_>>() {
            let Some(index) = self.rules.iter().position(|known| *known == rule) else {
                continue;
            };
            if in_vain {
                self.rules.remove(index);
                continue;
            }
            let is_around = |other: &Rule| other.kind == names::SCHEMA && rule.is_inside(other);
            let around = self.rules.iter().position(is_around);
            self.keep_each(around.unwrap_or(index));
        }
    }

    /// Keeps a field aside where other versions lack it: in one rule for all versions that have it, or in its `own`. `named` has the
    /// paths that rules name.
    fn keep(&mut self, field: &str, version: &str, own: bool, named: &mut HashSet<String>) {
        if named.insert(paths::without_items(field).to_owned()) {
            self.rules.push(Rule::kept(version, field));
            return;
        }
        let is_kept = |rule: &Rule| {
            rule.kind == names::KEEP_ASIDE
                && rule.names.get(version).is_some_and(|path| path == field)
        };
        if self.rules.iter().any(is_kept) {
            return;
        }
        // A rule that has another name in this version is about another field.
        let is_same = |index: &usize| {
            let named = self.rules.get(*index).and_then(|rule| rule.names.get(version));
            named.is_none_or(|path| paths::without_items(path) == field)
        };
        let Some(index) = self.position(field).filter(|index| !own && is_same(index)) else {
            self.rules.push(Rule::kept(version, field));
            return;
        };
        if let Some(rule) = self.rules.get_mut(index) {
            rule.names.insert(version.to_owned(), field.to_owned());
            // Of several types, and not in all versions.
            if rule.kind != names::KEEP_ASIDE {
                self.keep_each(index);
            }
        }
    }

    /// Converts a field between its types, by the rule that can. `named` has the paths that rules name.
    fn convert(
        &mut self,
        field: &str,
        found: &[FoundType],
        remedy: Remedy,
        named: &mut HashSet<String>,
    ) {
        let kind = match remedy {
            Remedy::Rule { name, .. } => RuleKind::named(name).filter(|kind| kind.is_plain()),
            _ => None,
        };
        let rule = kind.map(|kind| kind.name);
        let of_items =
            kind.is_some_and(|kind| kind.of_items) && found.iter().all(|found| found.holds_items);
        let before = named.contains(field).then(|| self.position(field)).flatten();
        let before = before.map(|index| self.rules.remove(index));
        // By type, if no rule converts one into another.
        let mut groups: LiteMap<String, LiteMap<String, String>> = LiteMap::new();
        for FoundType { version, path, of_any_version, .. } in found {
            let group = if rule.is_some() { "" } else { of_any_version };
            named.insert(paths::without_items(path).to_owned());
            let path = path.to_owned() + if of_items { "[]" } else { "" };
            groups.entry(group.to_owned()).or_default().insert(version.clone(), path);
        }
        let rule = rule.unwrap_or(names::KEEP_ASIDE);
        self.rules.extend(groups.into_iter().map(|(_, names)| Rule::new(rule, names)));
        // Not in all versions.
        for (version, path) in before.iter().flat_map(|rule| &rule.names) {
            self.keep(path, version, false, named);
        }
    }

    /// Replaces a rule by one for each version, which keeps the field aside.
    fn keep_each(&mut self, index: usize) {
        if self
            .rules
            .get(index)
            .is_none_or(|rule| rule.kind == names::KEEP_ASIDE && rule.names.len() == 1)
        {
            return;
        }
        let names = self.rules.remove(index).names;
        let each = names.iter().map(|(version, path)| Rule::kept(version, path));
        self.rules.extend(each);
    }
}

/// The fields that have no counterpart. What is inside of them may have none either, which shows when they have a rule.
fn without_counterpart(problems: &[Problem]) -> BTreeSet<&str> {
    let fields = problems.iter().filter_map(|problem| match &problem.cause {
        Cause::Conversion(ConversionCause::NoCounterpart { field, others, .. }) => {
            Some([field].into_iter().chain(others))
        }
        _ => None,
    });
    fields.flatten().map(String::as_str).gather()
}

/// Returns `true` if a field is inside of one of these.
fn is_in_any(field: &str, around: &BTreeSet<&str>) -> bool {
    let mut parent = paths::split_last(field).0;
    while !parent.is_empty() {
        if around.contains(paths::without_items(parent)) {
            return true;
        }
        parent = paths::split_last(parent).0;
    }
    false
}
