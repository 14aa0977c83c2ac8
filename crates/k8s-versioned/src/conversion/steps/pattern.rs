//! Members of an object in one version that are other members in another, by patterns with variables.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Context, FieldLocations, FieldValue};
use crate::conversion::ConversionFinding;
use crate::conversion::context::json as to_json;
use crate::wire::{ZeroValue, is_zero};

/// The form of a value.
#[derive(Clone, Copy, Debug)]
pub enum PatternValue {
    /// Any value: the variable of this name.
    Variable(&'static str),
    /// A text of several pieces.
    Joined(&'static [TextPiece]),
    /// This text.
    Text(&'static str),
    /// This number.
    Number(i64),
    /// This boolean.
    Flag(bool),
    /// A list of items with these forms.
    List(&'static [Self]),
    /// A list of any number of items with this form. A variable in it is the list of its values.
    Each(&'static Self),
    /// An object with exactly these members.
    Object(PatternMembers),
}

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub enum TextPiece {
    /// This text.
    Literal(&'static str),
    /// The variable of this name: the text up to the next piece.
    Variable(&'static str),
}

/// Members of an object, with their forms.
pub type PatternMembers = &'static [(&'static str, PatternValue)];

/// Members of a version that hold the same values as members of other versions.
#[derive(Clone, Copy, Debug)]
pub struct Same {
    /// The version.
    pub version: &'static str,
    /// The members.
    pub members: PatternMembers,
}

/// Members as the type of their object holds them: one that this type requires is there, also inside of a value. See [`decoded`].
pub type Decoded = fn(&PatternSide, Map<String, Value>) -> Map<String, Value>;

/// The values of variables.
type Variables = BTreeMap<&'static str, Value>;

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct PatternRule {
    /// The path of the object in every version.
    pub around: FieldLocations,
    /// The members in every version.
    pub sides: &'static [PatternSide],
    /// The patterns.
    pub same: &'static [&'static [Same]],
}

/// The members of a version that a rule is about.
#[derive(Clone, Copy, Debug)]
pub struct PatternSide {
    /// The version, and the path under which they are kept.
    pub kept: FieldLocations,
    /// Their names.
    pub names: &'static [&'static str],
    /// Those that are always there, perhaps empty.
    pub required: &'static [&'static str],
    /// The defaults of the others, as JSON: servers fill them in where a write lacks them.
    pub defaults: &'static [(&'static str, &'static str)],
}

/// An optional member of the source; `None` if it is absent.
pub fn optional<T: ZeroValue + PartialEq + Serialize>(value: &T) -> Option<Value> {
    (!is_zero(value)).then(|| to_json(value))
}

/// A member of the source that is always there.
#[allow(clippy::unnecessary_wraps, reason = "the type of `optional`")]
pub fn required<T: Serialize>(value: &T) -> Option<Value> {
    Some(to_json(value))
}

/// Members as objects of a type hold them.
pub fn decoded<T: FieldValue>(
    side: &PatternSide,
    members: Map<String, Value>,
) -> Map<String, Value> {
    side.members_of(&T::deserialize(Value::Object(members)).unwrap_or_else(|_| T::zero_value()))
}

/// Converts members of an object into those of the target, as an object that has no others: by the first pattern that the members
/// have; without one, members of the same name keep their values. The annotation keeps members that do not come back, also over
/// other versions.
pub fn convert<T: FieldValue, P>(
    rule: &'static PatternRule,
    (from, to): (&str, &str),
    (members, decoded): (&[Option<Value>], Decoded),
    context: &mut Context<'_, P>,
) -> T {
    let (Some(own), Some(other)) = (rule.side(from), rule.side(to)) else {
        return T::zero_value();
    };
    let live = own.names.iter().zip(members);
    let live = live.filter_map(|(name, value)| Some(((*name).to_owned(), value.clone()?)));
    let live = Live { side: own, members: live.collect(), decoded };
    let mut made = rule.rewritten((from, to), &live.members);
    if let Some(kept) = context.take_kept::<Map<String, Value>>(other.kept) {
        let (unedited, shown) = (live.is_unedited(rule, (to, &kept)), live.to_value());
        made = context.restore(other.kept, kept, unedited, made, shown);
    }
    let carried = rule.carried(to, &live, context);
    if let Some((side, kept)) = &carried {
        made = rule.rewritten((side.version(), to), kept);
    }
    let is_lacking = |name: &&&str| !made.contains_key(**name);
    let lacking: Vec<&str> = other.required.iter().filter(is_lacking).copied().collect();
    context.report_lacking(rule.around, &lacking);
    // A value of any JSON can be one that the target cannot hold.
    let read = T::deserialize(Value::Object(made)).ok();
    let is_read = read.is_some();
    let object = read.unwrap_or_else(T::zero_value);
    let made = other.members_of(&object);
    if let Some((side, kept)) = &carried
        && rule.agree((to, &made), (side.version(), kept))
    {
        let _ = context.take_kept::<Value>(side.kept);
    }
    let comes_back = is_read && (carried.is_some() || live.is_of(rule, (to, &made)));
    context.reduce(own.kept, &live.members, comes_back);
    object
}

/// The members of the source.
struct Live<'a> {
    side: &'a PatternSide,
    members: Map<String, Value>,
    decoded: Decoded,
}

impl Live<'_> {
    /// Whether members of another version become these. The type of the source can add to what the patterns make: a field that it
    /// requires inside of a value.
    fn is_of(&self, rule: &PatternRule, (version, members): (&str, &Map<String, Value>)) -> bool {
        let Self { side, members: live, decoded } = self;
        let of_type = || {
            let made = rule.rewritten((version, side.version()), members);
            filled(decoded(side, made), side.required) == filled(live.clone(), side.required)
        };
        rule.agree((version, members), (side.version(), live)) || of_type()
    }

    /// The same of the members without those that have their default, which a server may have filled in.
    fn is_unedited(&self, rule: &PatternRule, kept: (&str, &Map<String, Value>)) -> bool {
        self.is_of(rule, kept) || {
            let members = self.side.without_defaults(&self.members);
            members.len() < self.members.len() && Live { members, ..*self }.is_of(rule, kept)
        }
    }

    fn to_value(&self) -> Value {
        Value::Object(self.members.clone())
    }
}

impl PatternRule {
    fn side(&self, version: &str) -> Option<&PatternSide> {
        self.sides.iter().find(|side| side.version() == version)
    }

    /// The members that the annotation keeps for a third version, if the live ones are their result. Others are stale.
    fn carried<P>(
        &'static self,
        to: &str,
        live: &Live<'_>,
        context: &mut Context<'_, P>,
    ) -> Option<(&'static PatternSide, Map<String, Value>)> {
        let from = live.side.version();
        let mut others = self.sides.iter().filter(|side| ![from, to].contains(&side.version()));
        others.find_map(|side| {
            let version = side.version();
            let kept = context.kept_object(side.kept)?;
            if !live.is_unedited(self, (version, &kept)) {
                let _ = context.take_kept::<Value>(side.kept);
                let (kept, live) = (Value::Object(kept), live.to_value());
                context.report_target(self.around, ConversionFinding::Stale { kept, live });
                return None;
            }
            Some((side, kept))
        })
    }

    /// Whether members of one version become those of another.
    fn agree(
        &self,
        (from, own): (&str, &Map<String, Value>),
        (to, other): (&str, &Map<String, Value>),
    ) -> bool {
        let required = self.side(to).map_or(&[][..], |side| side.required);
        filled(self.rewritten((from, to), own), required) == filled(other.clone(), required)
    }

    /// The members of one version in another.
    fn rewritten(
        &self,
        (from, to): (&str, &str),
        members: &Map<String, Value>,
    ) -> Map<String, Value> {
        let of = |same: &[Same], version: &str| {
            same.iter().find(|side| side.version == version).map(|side| side.members)
        };
        let mut same = self.same.iter().filter_map(|same| Some((of(same, from)?, of(same, to)?)));
        let by_pattern = same.find_map(|(own, other)| {
            let mut variables = Variables::new();
            let fits = fits(own, members, &mut variables);
            // The pattern counts only if this side binds all variables of the other.
            let is_known = fits && names(other).all(|name| variables.contains_key(name));
            is_known.then(|| make(other, &variables))
        });
        by_pattern.unwrap_or_else(|| {
            let names = self.side(to).map_or(&[][..], |side| side.names);
            let mut members = members.clone();
            members.retain(|name, _| names.contains(&name.as_str()));
            members
        })
    }
}

impl PatternSide {
    fn version(&self) -> &'static str {
        self.kept.first().map_or("", |(version, _)| version)
    }

    /// The members that have another value than their default.
    fn without_defaults(&self, members: &Map<String, Value>) -> Map<String, Value> {
        let is_default = |name: &str, value: &Value| {
            let default = self.defaults.iter().find(|(of, _)| *of == name);
            default.is_some_and(|(_, json)| serde_json::from_str(json).ok().as_ref() == Some(value))
        };
        let others = members.iter().filter(|(name, value)| !is_default(name, value));
        others.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The members of an object. Optional ones are absent if they are empty.
    fn members_of<T: FieldValue>(&self, object: &T) -> Map<String, Value> {
        let empty = to_json(&T::zero_value());
        let Value::Object(mut members) = to_json(object) else {
            return Map::new();
        };
        members.retain(|name, value| {
            let name = name.as_str();
            let is_there = self.required.contains(&name) || empty.get(name) != Some(value);
            is_there && self.names.contains(&name)
        });
        members
    }
}

/// The members without the required ones that are empty.
fn filled(mut members: Map<String, Value>, required: &[&str]) -> Map<String, Value> {
    let empty = [json!(""), json!(0), json!(0.0), json!(false), json!([]), json!({}), Value::Null];
    members.retain(|name, value| !(required.contains(&name.as_str()) && empty.contains(value)));
    members
}

/// Whether an object has exactly these members, with these variables.
fn fits(forms: PatternMembers, members: &Map<String, Value>, variables: &mut Variables) -> bool {
    let mut fits = |(name, form): &(&str, PatternValue)| {
        members.get(*name).is_some_and(|value| form.fits(value, variables))
    };
    forms.len() == members.len() && forms.iter().all(&mut fits)
}

/// The names of the variables of members.
fn names(forms: PatternMembers) -> impl Iterator<Item = &'static str> {
    forms.iter().flat_map(|(_, form)| form.names())
}

/// The object of these members.
fn make(forms: PatternMembers, variables: &Variables) -> Map<String, Value> {
    forms.iter().map(|(name, form)| ((*name).to_owned(), form.make(variables))).collect()
}

/// Binds a variable, which has one value wherever it occurs.
fn bind(variables: &mut Variables, name: &'static str, value: Value) -> bool {
    variables.get(name).is_none_or(|found| *found == value) && {
        variables.insert(name, value);
        true
    }
}

impl PatternValue {
    fn fits(&self, value: &Value, variables: &mut Variables) -> bool {
        match (self, value) {
            (Self::Variable(name), _) => bind(variables, name, value.clone()),
            (Self::Joined(pieces), Value::String(text)) => split(pieces, text, variables),
            (Self::Text(text), _) => value == text,
            (Self::Number(number), _) => value == number,
            (Self::Flag(flag), _) => value == flag,
            (Self::List(forms), Value::Array(items)) => {
                let mut pairs = forms.iter().zip(items);
                forms.len() == items.len() && pairs.all(|(form, item)| form.fits(item, variables))
            }
            (Self::Each(form), Value::Array(items)) => form.fits_each(items, variables),
            (Self::Object(forms), Value::Object(members)) => fits(forms, members, variables),
            _ => false,
        }
    }

    /// Whether all items of a list have this form. Each variable is the list of its values.
    fn fits_each(&self, items: &[Value], variables: &mut Variables) -> bool {
        let each = items.iter().map(|item| {
            let mut own = Variables::new();
            self.fits(item, &mut own).then_some(own)
        });
        let Some(each) = each.collect::<Option<Vec<Variables>>>() else {
            return false;
        };
        self.names().into_iter().all(|name| {
            let values = each.iter().filter_map(|own| own.get(name).cloned()).collect();
            bind(variables, name, Value::Array(values))
        })
    }

    fn make(&self, variables: &Variables) -> Value {
        match self {
            Self::Variable(name) => variables.get(name).cloned().unwrap_or_default(),
            Self::Joined(pieces) => Value::String(joined(pieces, variables)),
            Self::Text(text) => Value::from(*text),
            Self::Number(number) => Value::from(*number),
            Self::Flag(flag) => Value::from(*flag),
            Self::List(forms) => forms.iter().map(|form| form.make(variables)).collect(),
            Self::Each(form) => form.make_each(variables),
            Self::Object(forms) => Value::Object(make(forms, variables)),
        }
    }

    /// The list that has an item for each value of the variables.
    fn make_each(&self, variables: &Variables) -> Value {
        let names = self.names();
        let lists = names.iter().filter_map(|name| Some((*name, variables.get(name)?.as_array()?)));
        let lists: Vec<(&'static str, &Vec<Value>)> = lists.collect();
        let count = lists.iter().map(|(_, list)| list.len()).max().unwrap_or_default();
        let item = |index: usize| {
            let own =
                lists.iter().filter_map(|(name, list)| Some((*name, list.get(index)?.clone())));
            self.make(&own.collect())
        };
        (0..count).map(item).collect()
    }

    /// The names of its variables.
    fn names(&self) -> Vec<&'static str> {
        match self {
            Self::Variable(name) => vec![name],
            Self::Joined(pieces) => {
                let name = |piece: &TextPiece| match piece {
                    TextPiece::Variable(name) => Some(*name),
                    TextPiece::Literal(_) => None,
                };
                pieces.iter().filter_map(name).collect()
            }
            Self::Text(_) | Self::Number(_) | Self::Flag(_) => Vec::new(),
            Self::List(forms) => forms.iter().flat_map(Self::names).collect(),
            Self::Each(form) => form.names(),
            Self::Object(forms) => names(forms).collect(),
        }
    }
}

/// Whether a text consists of these pieces.
fn split(pieces: &[TextPiece], text: &str, variables: &mut Variables) -> bool {
    let Some((first, others)) = pieces.split_first() else {
        return text.is_empty();
    };
    match (first, others.first()) {
        (TextPiece::Literal(literal), _) => {
            text.strip_prefix(literal).is_some_and(|rest| split(others, rest, variables))
        }
        (TextPiece::Variable(name), Some(TextPiece::Literal(end))) => {
            text.split_once(end).is_some_and(|(value, _)| {
                let rest = text.get(value.len()..).unwrap_or_default();
                bind(variables, name, Value::from(value)) && split(others, rest, variables)
            })
        }
        (TextPiece::Variable(name), _) => bind(variables, name, Value::from(text)),
    }
}

/// The text of these pieces.
fn joined(pieces: &[TextPiece], variables: &Variables) -> String {
    let text = |piece: &TextPiece| match piece {
        TextPiece::Literal(literal) => *literal,
        TextPiece::Variable(name) => {
            variables.get(name).and_then(Value::as_str).unwrap_or_default()
        }
    };
    pieces.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const V1: FieldLocations = &[("v1", "")];
    const V2: FieldLocations = &[("v2", "")];

    /// A rule with one pattern between two versions.
    macro_rules! rule {
        ($own:expr, $other:expr) => {
            PatternRule {
                around: &[],
                sides: &[
                    PatternSide { kept: V1, names: &["name"], required: &[], defaults: &[] },
                    PatternSide { kept: V2, names: &["name"], required: &[], defaults: &[] },
                ],
                same: &[&[
                    Same { version: "v1", members: $own },
                    Same { version: "v2", members: $other },
                ]],
            }
        };
    }

    const BUNDLE: PatternRule = rule!(
        &[("bundle", PatternValue::Variable("x"))],
        &[
            ("resolver", PatternValue::Text("bundles")),
            (
                "params",
                PatternValue::List(&[PatternValue::Object(&[
                    ("name", PatternValue::Text("bundle")),
                    ("value", PatternValue::Variable("x")),
                ])]),
            ),
        ]
    );
    const CHECKS: PatternRule = rule!(
        &[("checks", PatternValue::Each(&PatternValue::Variable("check")))],
        &[(
            "strategy",
            PatternValue::Each(&PatternValue::Object(&[("name", PatternValue::Variable("check"))]))
        )]
    );
    const IMAGE: PatternRule = rule!(
        &[(
            "image",
            PatternValue::Joined(&[
                TextPiece::Variable("name"),
                TextPiece::Literal(":"),
                TextPiece::Variable("tag"),
            ]),
        )],
        &[("name", PatternValue::Variable("name")), ("tag", PatternValue::Variable("tag"))]
    );

    #[test]
    fn members_are_rewritten_both_ways() {
        for (rule, one, other) in [
            (
                BUNDLE,
                json!({"bundle": "a"}),
                json!({"resolver": "bundles", "params": [{"name": "bundle", "value": "a"}]}),
            ),
            (
                CHECKS,
                json!({"checks": ["a", "b"]}),
                json!({"strategy": [{"name": "a"}, {"name": "b"}]}),
            ),
            (CHECKS, json!({"checks": []}), json!({"strategy": []})),
            (IMAGE, json!({"image": "a:b:c"}), json!({"name": "a", "tag": "b:c"})),
        ] {
            let there = rule.rewritten(("v1", "v2"), one.as_object().unwrap());
            assert_eq!(Value::Object(there.clone()), other);
            assert_eq!(Value::Object(rule.rewritten(("v2", "v1"), &there)), one);
        }
    }

    /// A server fills in a default where a client of the version has written the object: what is kept for the other one comes back.
    #[test]
    fn a_default_is_no_edit() {
        const CLASS: PatternRule = PatternRule {
            around: &[],
            sides: &[
                PatternSide {
                    kept: V1,
                    names: &["class", "source"],
                    required: &[],
                    defaults: &[("source", "\"\"")],
                },
                PatternSide { kept: V2, names: &["ref"], required: &[], defaults: &[] },
            ],
            same: &[],
        };
        let kept = json!({"ref": {"kind": "Other"}});
        let kept = ("v2", kept.as_object().unwrap());
        for (members, is_of, is_unedited) in [
            (json!({}), true, true),
            (json!({"source": ""}), false, true),
            (json!({"source": "x"}), false, false),
            (json!({"source": "", "class": "c"}), false, false),
        ] {
            let members = members.as_object().unwrap().clone();
            let live = Live { side: &CLASS.sides[0], members, decoded: |_, members| members };
            assert_eq!(live.is_of(&CLASS, kept), is_of, "{:?}", live.members);
            assert_eq!(live.is_unedited(&CLASS, kept), is_unedited, "{:?}", live.members);
        }
    }

    #[test]
    fn members_without_pattern_keep_their_values() {
        for members in [json!({"bundle": "a", "name": "b"}), json!({"name": "b"})] {
            let made = BUNDLE.rewritten(("v1", "v2"), members.as_object().unwrap());
            assert_eq!(Value::Object(made), json!({"name": "b"}));
        }
        let twice: PatternMembers =
            &[("a", PatternValue::Variable("x")), ("b", PatternValue::Variable("x"))];
        for (b, fits_both) in [(1, true), (2, false)] {
            let members = json!({"a": 1, "b": b});
            let found = fits(twice, members.as_object().unwrap(), &mut Variables::new());
            assert_eq!(found, fits_both);
        }
    }
}
