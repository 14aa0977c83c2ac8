//! Rules that problems ask for, as text with the paths of the fields: a person checks it, and copies it into the rule files.

use std::collections::BTreeSet;

use litemap::LiteMap;
use toml::Value;

use super::written::{IN_SHARED, named, quoted, rule_in, sorted};
use crate::conversion::{RuleKind, names};
use crate::gather::Gather;
use crate::input::toml_file::key;
use crate::problem::{
    Cause, ConversionCause, FoundType, NamedRule, Problem, Remedy, RuleCause, Undescribed,
    found_types,
};
use crate::rules::PRESENCE;
use crate::rules::paths::{is_of_items, split_last};
use crate::text::join;

/// The rules that solve these problems without losing a value, for the rule files; empty if a person must find out
/// something first.
pub fn proposals(problems: &[Problem]) -> String {
    let (mut all, mut unmatched, mut wider) = (Proposals::default(), Vec::new(), Wider::new());
    for problem in problems {
        match &problem.cause {
            Cause::Conversion(cause) => all.conversion(cause, &mut unmatched, &mut wider),
            Cause::Rule(cause) => all.fact(cause),
            _ => {}
        }
    }
    for ((kind, rule, field), names) in wider {
        let names = names.iter().map(|(version, path)| (version.as_str(), path.as_str()));
        let what = format!("the `names` of the rule `{rule}` about `{field}`");
        all.by_hand(kind, &what, &named(names));
    }
    for (kind, rule) in kept_aside(&unmatched) {
        all.rule(kind, &rule);
    }
    all.text()
}

/// The fields of a rule that is to be about more versions, by kind, rule and field.
type Wider<'p> = LiteMap<(&'p str, &'p str, &'p str), LiteMap<String, String>>;

/// The rules by their place in a rule file.
#[derive(Default)]
struct Proposals(LiteMap<String, LiteMap<Table, BTreeSet<String>>>);

/// The head of a table, and the list in it whose items are proposed; without a list, the lines of the table are.
type Table = (String, Option<&'static str>);

impl Proposals {
    fn add(&mut self, place: String, table: Table, line: Option<String>) {
        self.0.entry(place).or_default().entry(table).or_default().extend(line);
    }

    /// Adds what a problem of conversions asks for. A field without a counterpart becomes one of `unmatched`, or a
    /// field of a rule that is to be wider.
    fn conversion<'p>(
        &mut self,
        cause: &'p ConversionCause,
        unmatched: &mut Vec<Unmatched<'p>>,
        wider: &mut Wider<'p>,
    ) {
        match cause {
            ConversionCause::PairsMissing { kind, version, others } => {
                let versions = sorted(others.iter().chain([version]).map(String::as_str));
                let versions = versions.into_iter().map(Value::from).collect();
                let versions = format!("versions = {}", Value::Array(versions));
                self.by_hand(kind, "its `versions`", &versions);
            }
            ConversionCause::NoCounterpart {
                field, others, version, kind, missing, rule, ..
            } => {
                let Some(NamedRule { rule, names }) = rule else {
                    let fields = [field].into_iter().chain(others);
                    unmatched.extend(fields.map(|field| Unmatched {
                        kind,
                        version,
                        field,
                        missing,
                    }));
                    return;
                };
                let of_items = names.iter().all(|(_, name)| is_of_items(name));
                let path = field.to_owned() + if of_items { "[]" } else { "" };
                let names = names.iter().cloned().chain([(version.clone(), path)]);
                wider.entry((kind, rule.as_str(), field.as_str())).or_default().extend(names);
            }
            ConversionCause::FieldTypesDiffer { kind, found, others, remedy, .. } => {
                for found in [found].into_iter().chain(others) {
                    let field = found.last().map_or("", |found| found.path.as_str());
                    self.rule(kind, &between(field, found, *remedy));
                }
            }
            _ => {}
        }
    }

    /// Adds a rule about the conversions of a kind that has rules. The table can be at the end of the file, wherever the `[[kind]]` is and
    /// in whatever form its rules are.
    fn rule(&mut self, kind: &str, rule: &str) {
        let place = format!("specs/conversions.toml, for the kind {kind}");
        let head = format!("[[shared]]\nkinds = [{}]", quoted(kind));
        self.add(place, (head, None), Some(format!("\n{rule}")));
    }

    /// Adds a line in place of one that a kind has: a comment, because the end of the file is not its place.
    fn by_hand(&mut self, kind: &str, what: &str, line: &str) {
        let place = format!("specs/conversions.toml, in the [[kind]] {kind}, instead of {what}");
        self.add(place, (format!("# {line}"), None), None);
    }

    /// Adds the fact about a type or a field that a problem asks for.
    fn fact(&mut self, cause: &RuleCause) {
        match cause {
            RuleCause::NoPresence { schema, field } => {
                let place = format!("specs/{PRESENCE}, or in `values` if the Go type has no `*`");
                self.item(place, "pointers", schema, field);
            }
            RuleCause::NoFieldNumber { schema, field } => {
                let place = format!("specs/{PRESENCE}, if upstream's number is not known yet");
                self.item(place, "without-number", schema, field);
            }
            RuleCause::NoDescription(what) => self.description(what),
            _ => {}
        }
    }

    /// Adds a field, with its schema, to a list of the table of the schema.
    fn item(&mut self, place: String, list: &'static str, schema: &str, field: &str) {
        let table = (format!("[{}]", quoted(schema)), Some(list));
        self.add(place, table, Some(quoted(field).to_string()));
    }

    /// Adds the description of a type or a field.
    fn description(&mut self, what: &Undescribed) {
        let (module, name, field) = match what {
            Undescribed::Type { module, name } => (module, name, None),
            Undescribed::Field { module, name, field } => (module, name, Some(field)),
            Undescribed::Module(_) | Undescribed::EnumWord(_) => return,
        };
        let place = format!("specs/descriptions/{}.toml", module.replace("::", "."));
        let (table, line) = field.map_or_else(
            || (format!("[{}]", key(name)), "description = \"…\"".to_owned()),
            |field| (format!("[{}.fields]", key(name)), format!("{} = \"…\"", key(field))),
        );
        self.add(place, (table, None), Some(line));
    }

    fn text(&self) -> String {
        let table = |((head, list), lines): (&Table, &BTreeSet<String>)| match list {
            Some(list) => format!("{head}\n{list} = [{}]", join(lines, ", ")),
            None => join([head].into_iter().chain(lines), "\n"),
        };
        let of_place = self.0.iter().map(|(place, tables)| {
            format!("# {place}:\n\n{}\n", join(tables.iter().map(table), "\n\n"))
        });
        of_place.collect::<Vec<_>>().join("\n")
    }
}

/// The rule for a field that converts between its types.
fn between(field: &str, found: &[FoundType], remedy: Remedy) -> String {
    let names = found.iter().map(|found| (found.version.as_str(), found.path.as_str()));
    let kind = match remedy {
        Remedy::Rule { name, .. } => RuleKind::named(name).filter(|kind| kind.is_plain()),
        _ => None,
    };
    let Some(rule) = kind.map(|kind| kind.name) else {
        let each =
            names.map(|name| shared_rule(names::KEEP_ASIDE, [name], "Of another type there."));
        return each.collect::<Vec<_>>().join("\n\n");
    };
    shared_rule(rule, names, &format!("{}.", found_types(field, found)))
}

/// The table of a rule without keys, for the rules that kinds share.
fn shared_rule<'a>(
    rule: &str,
    names: impl IntoIterator<Item = (&'a str, &'a str)>,
    reason: &str,
) -> String {
    rule_in(IN_SHARED, rule, names, &[], reason)
}

/// A field that other versions lack.
struct Unmatched<'p> {
    kind: &'p str,
    version: &'p str,
    field: &'p str,
    missing: &'p [String],
}

impl<'p> Unmatched<'p> {
    /// What fields of several versions have in common that are probably one: the name, and the number of lists around it.
    fn likeness(&self) -> (&'p str, &'p str, usize, &'p [String]) {
        let (_, name) = split_last(self.field);
        (self.kind, name, self.field.matches("[]").count(), self.missing)
    }
}

/// Rules that keep these fields aside, each with the kind: one for all versions that have the field.
fn kept_aside<'p>(unmatched: &[Unmatched<'p>]) -> Vec<(&'p str, String)> {
    let mut like: LiteMap<_, Vec<&Unmatched<'p>>> = LiteMap::new();
    for field in unmatched {
        like.entry(field.likeness()).or_default().push(field);
    }
    let mut rules = Vec::new();
    for ((kind, _, _, missing), fields) in like {
        let versions: BTreeSet<&str> = fields.iter().map(|field| field.version).gather();
        // Two fields of a version cannot be one: then equal paths are.
        let groups: Vec<Vec<&Unmatched<'p>>> = if versions.len() == fields.len() {
            vec![fields]
        } else {
            let mut by_path: LiteMap<&str, Vec<&Unmatched<'p>>> = LiteMap::new();
            for field in fields {
                by_path.entry(field.field).or_default().push(field);
            }
            by_path.into_iter().map(|(_, fields)| fields).collect()
        };
        let reason = format!("Not in {}.", join(missing, " and "));
        rules.extend(groups.iter().map(|group| {
            let names = group.iter().map(|field| (field.version, field.field));
            (kind, shared_rule(names::KEEP_ASIDE, names, &reason))
        }));
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::proposals;
    use crate::problem::{
        Cause, ConversionCause, FoundType, NamedRule, Place, Problem, Remedy, RuleCause,
        Undescribed,
    };

    fn problem(cause: impl Into<Cause>) -> Problem {
        Problem { place: Place::default(), cause: cause.into(), version: None }
    }

    fn unmatched(version: &str, field: &str) -> Problem {
        problem(ConversionCause::NoCounterpart {
            field: field.to_owned(),
            others: Vec::new(),
            version: version.to_owned(),
            kind: "Claim".to_owned(),
            missing: vec!["v1alpha3".to_owned()],
            remedy: Remedy::AnyRule,
            rule: None,
        })
    }

    fn status(version: &str, rust_type: &str) -> FoundType {
        FoundType {
            version: version.to_owned(),
            path: "status".to_owned(),
            rust_type: rust_type.to_owned(),
            of_any_version: rust_type.to_owned(),
            holds_items: false,
        }
    }

    #[test]
    fn rules_by_kind() {
        let text = |text: &str| text.to_owned();
        let problems = [
            unmatched("v1", "spec.requests[].exactly.derived"),
            unmatched("v1", "spec.requests[].first[].derived"),
            unmatched("v1beta1", "spec.requests[].derived"),
            unmatched("v1beta1", "spec.requests[].first[].derived"),
            problem(ConversionCause::NoCounterpart {
                field: text("spec.depth"),
                others: Vec::new(),
                version: text("v2"),
                kind: text("Rule"),
                missing: vec![text("v1")],
                remedy: Remedy::AnyRule,
                rule: Some(NamedRule {
                    rule: text("move"),
                    names: vec![
                        (text("v1"), text("spec.depth")),
                        (text("v1beta1"), text("spec.draft")),
                    ],
                }),
            }),
            problem(ConversionCause::PairsMissing {
                kind: text("Rule"),
                version: text("v1"),
                others: vec![text("v1alpha3"), text("v1beta2")],
            }),
            problem(ConversionCause::FieldTypesDiffer {
                kind: text("Rule"),
                field: text("status"),
                found: vec![status("v1", "Status"), status("v1beta2", "Option<Status>")],
                others: Vec::new(),
                remedy: Remedy::Rule { name: "absent-to-zero", hint: "" },
            }),
            unmatched("v1", "spec.other[\"x.b\"]"),
            unmatched("v2", "spec.other[\"y.b\"]"),
            problem(RuleCause::NoPresence {
                schema: text("dev.example.v1.Thing"),
                field: text("size"),
            }),
            problem(RuleCause::NoFieldNumber {
                schema: text("dev.example.v1.Thing"),
                field: text("a.size"),
            }),
            problem(RuleCause::NoDescription(Undescribed::Field {
                module: text("v1"),
                name: text("Thing"),
                field: text("x-a.b"),
            })),
            problem(RuleCause::NoDescription(Undescribed::Field {
                module: text("v1"),
                name: text("Thing"),
                field: text("$ref"),
            })),
            problem(RuleCause::NoDescription(Undescribed::Field {
                module: text("v1"),
                name: text("Thing"),
                field: text("size"),
            })),
            problem(RuleCause::NoDescription(Undescribed::Type {
                module: text("v1"),
                name: text("Thing"),
            })),
        ];
        insta::assert_snapshot!(proposals(&problems));
    }
}
