//! Kinds whose fields are all combinations of a rule, the versions that have its field in the older form, and the versions that require
//! the field: what a rule does in one of them, a walk over all versions shows.

use k8s_versioned_codegen::Files;
use serde_json::{Map, Value, json};

/// The versions of each kind, lowest first.
const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];

/// The group of the kinds.
const GROUP: &str = "combined.example.dev";

/// A form of a field: its path in the object around it, and its schema.
struct Form {
    path: &'static str,
    schema: fn() -> Value,
}

/// A rule with the two forms of a field.
struct Shape {
    /// The name of the kind.
    kind: &'static str,
    forms: [Form; 2],
    /// The rules of a field in these forms.
    rules: fn(&Field<'_>) -> Vec<String>,
    required_in: RequiredIn,
    /// The text beside the field that the versions require, instead of the field.
    required: Option<&'static str>,
    /// Other texts beside the field, in all versions.
    others: &'static [&'static str],
    /// The schema of these, and whether all versions require them.
    other: (fn() -> Value, bool),
    /// Other texts in the object that has the field, and whether all versions require them.
    siblings: &'static [(&'static str, bool)],
    /// The forms of which a version can have one, or none.
    lacks: Lacks,
}

/// Whether versions can lack a field.
#[derive(Clone, Copy, PartialEq)]
enum Lacks {
    /// Each version has one of the forms.
    None,
    /// Some versions have the first form, and others lack the field.
    Some,
    /// One version lacks the field, and the others have one form each.
    One,
}

/// Which versions can require a field.
#[derive(Clone, Copy, PartialEq)]
enum RequiredIn {
    /// Any of them.
    Any,
    /// Those with one of the forms, or all of them.
    Forms,
    /// None of them.
    None,
    /// Some of those with the field, or none.
    Some,
    /// All or none.
    All,
}

/// A field of a kind: the form in each version, if it has the field, and whether it requires it.
struct Field<'s> {
    shape: &'s Shape,
    around: Around,
    index: usize,
    versions: [(Option<usize>, bool); 3],
}

/// The object around a field.
#[derive(Clone, Copy, PartialEq)]
enum Around {
    /// The spec.
    Spec,
    /// The spec, which all versions require.
    RequiredSpec,
    /// An object of its own.
    Object,
    /// An item of a list.
    Item,
}

fn text() -> Value {
    json!({"type": "string"})
}

fn any_json() -> Value {
    json!({"x-kubernetes-preserve-unknown-fields": true})
}

fn with_default() -> Value {
    json!({"type": "string", "default": "x"})
}

fn number() -> Value {
    json!({"type": "integer", "format": "int32"})
}

fn texts() -> Value {
    json!({"type": "array", "items": text()})
}

fn nullable(mut schema: Value) -> Value {
    schema["nullable"] = json!(true);
    schema
}

fn wide() -> Value {
    json!({"type": "integer", "format": "int64"})
}

fn words(words: &[&str]) -> Value {
    json!({"type": "string", "enum": words})
}

fn object() -> Value {
    json!({"type": "object", "properties": {"size": number(), "colour": text()}})
}

fn optional_text() -> Value {
    json!({"type": "object", "properties": {"s": text(), "u": text()}})
}

fn required_text() -> Value {
    let mut object = optional_text();
    object["required"] = json!(["s"]);
    object
}

fn named(name: &str) -> Value {
    json!({"type": "object", "required": [name], "properties": {name: text(), "size": number(), "colour": text()}})
}

fn objects() -> Value {
    json!({"type": "array", "items": object()})
}

const fn form(path: &'static str, schema: fn() -> Value) -> Form {
    Form { path, schema }
}

const SHAPE: Shape = Shape {
    kind: "",
    forms: [form("", text), form("", text)],
    rules: |_| Vec::new(),
    required_in: RequiredIn::Any,
    required: None,
    others: &[],
    other: (text, false),
    siblings: &[],
    lacks: Lacks::None,
};

const SHAPES: [Shape; 68] = [
    Shape {
        kind: "Nest",
        forms: [form("s", text), form("b.s", text)],
        rules: |field| {
            let nest = field.rule("nest", "", |form| ["", "b"][form]);
            [nest].into_iter().chain(field.absent_to_zero("")).collect()
        },
        ..SHAPE
    },
    Shape {
        kind: "NestFilled",
        forms: [form("s", text), form("b.s", text)],
        rules: |field| {
            let nest = field.rule("nest", "", |form| ["", "b"][form]);
            let fill = "fill = \"x\", reason = \"-\"";
            [nest].into_iter().chain(field.absent_to_zero(fill)).collect()
        },
        ..SHAPE
    },
    Shape {
        kind: "NestBeside",
        forms: [form("s", text), form("b.s", text)],
        rules: |field| {
            let nest = field.rule("nest", "", |form| ["", "b"][form]);
            let fill = "fill = \"x\", reason = \"-\"";
            [nest].into_iter().chain(field.absent_to_zero(fill)).collect()
        },
        siblings: &[("u", false)],
        ..SHAPE
    },
    Shape {
        kind: "NestRequired",
        forms: [form("s", text), form("b.s", text)],
        rules: |field| {
            let nest = field.rule("nest", "", |form| ["", "b"][form]);
            let fill = "fill = \"x\", reason = \"-\"";
            [nest].into_iter().chain(field.absent_to_zero(fill)).collect()
        },
        siblings: &[("u", true)],
        ..SHAPE
    },
    Shape {
        kind: "NestKeepFilled",
        forms: [form("s", text), form("b.s", text)],
        rules: |field| {
            let nest = field.nest_in_all("b");
            let fill = "fill = \"x\", reason = \"-\"";
            let rule = field.absent_to_zero(fill);
            vec![nest, rule.unwrap_or_else(|| field.main("keep-aside", fill))]
        },
        lacks: Lacks::One,
        ..SHAPE
    },
    Shape {
        kind: "Object",
        forms: [form("o", optional_text), form("o", required_text)],
        rules: |field| field.optional_object("", ""),
        ..SHAPE
    },
    Shape {
        kind: "ObjectFilled",
        forms: [form("o", optional_text), form("o", required_text)],
        rules: |field| field.optional_object("", "fill = \"x\", reason = \"-\""),
        ..SHAPE
    },
    Shape {
        kind: "ObjectOfFilled",
        forms: [
            form("o", || json!({"type": "object", "properties": {"p": optional_text()}})),
            form(
                "o",
                || json!({"type": "object", "required": ["p"], "properties": {"p": required_text()}}),
            ),
        ],
        rules: |field| {
            let fill = "fill = \"x\", reason = \"-\"";
            let inner = field.optional_object(".p", fill).into_iter();
            inner.chain([field.rule_at("absent-to-zero", "", ".p")]).collect()
        },
        ..SHAPE
    },
    Shape {
        kind: "ObjectOfPart",
        forms: [
            form("o", || json!({"type": "object", "properties": {"whole": text(), "u": text()}})),
            form(
                "o",
                || json!({"type": "object", "required": ["part"], "properties": {"part": text(), "u": text()}}),
            ),
        ],
        rules: |field| {
            let names = field.by_version(|form| field.path("o") + [".whole", ".part"][form]);
            let part = field.part_of_text(&names);
            field.absent_to_zero("").into_iter().chain([part]).collect()
        },
        required_in: RequiredIn::Forms,
        ..SHAPE
    },
    Shape {
        kind: "NestEmpty",
        forms: [form("s", text), form("b.s", text)],
        rules: |field| {
            let nest = field.rule("nest", "", |form| ["", "b"][form]);
            let fill = "fill = \"\", reason = \"-\"";
            [nest].into_iter().chain(field.absent_to_zero(fill)).collect()
        },
        ..SHAPE
    },
    Shape {
        kind: "NestPresent",
        forms: [form("s", text), form("b.s", text)],
        rules: |field| {
            let nest = field.rule("nest", "present = true", |form| ["", "b"][form]);
            [nest].into_iter().chain(field.absent_to_zero("")).collect()
        },
        ..SHAPE
    },
    Shape {
        kind: "NestUnits",
        forms: [form("t", text), form("b.tSeconds", number)],
        rules: |field| {
            let nest = field.rule("nest", "", |form| ["", "b"][form]);
            vec![nest, field.units()]
        },
        ..SHAPE
    },
    Shape {
        kind: "NestTwice",
        forms: [form("s", text), form("b.c.s", text)],
        rules: |field| {
            let nest = field.rule("nest", "", |form| ["", "b.c"][form]);
            [nest].into_iter().chain(field.absent_to_zero("")).collect()
        },
        ..SHAPE
    },
    Shape {
        kind: "Units",
        forms: [form("t", text), form("tSeconds", number)],
        rules: |field| vec![field.units()],
        ..SHAPE
    },
    Shape {
        kind: "UnitsAside",
        forms: [form("t", text), form("tSeconds", number)],
        rules: |field| vec![field.units()],
        lacks: Lacks::One,
        ..SHAPE
    },
    Shape {
        kind: "Move",
        forms: [form("a", text), form("c", text)],
        rules: |field| {
            let rule = field.absent_to_zero("");
            vec![rule.unwrap_or_else(|| field.main("move", ""))]
        },
        ..SHAPE
    },
    Shape {
        kind: "MoveOver",
        forms: [form("p.a", text), form("q.c", text)],
        rules: |field| vec![field.main("move", "")],
        others: &["p.m", "q.n"],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "MoveOutOfFilled",
        forms: [form("p.a", text), form("q.c", text)],
        rules: |field| field.with_filled(field.main("move", ""), "p.m"),
        others: &["p.m", "q.n"],
        required: Some("p.m"),
        ..SHAPE
    },
    Shape {
        kind: "MoveBesideConstant",
        forms: [form("p.a", text), form("q.c", text)],
        rules: |field| {
            let constants =
                [0, 1].map(|form| field.kept_only_in(form, &field.path(["p.k", "q.k"][form])));
            [field.main("move", "")].into_iter().chain(constants).collect()
        },
        others: &["p.m", "q.n"],
        siblings: &[("k", true)],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "MoveBesideDefault",
        forms: [form("p.a", text), form("q.c", text)],
        rules: |field| vec![field.main("move", "")],
        others: &["p.m", "q.m"],
        other: (with_default, true),
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "MoveText",
        forms: [form("p.a", text), form("q.c", number)],
        rules: |field| vec![field.main("text", "")],
        others: &["p.m", "q.n"],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "MoveUnits",
        forms: [form("p.t", text), form("q.tSeconds", number)],
        rules: |field| vec![field.units()],
        others: &["p.m", "q.n"],
        ..SHAPE
    },
    Shape {
        kind: "FirstOfList",
        forms: [form("many", texts), form("one", text)],
        rules: |field| vec![field.main("first-of-list", "")],
        required_in: RequiredIn::Forms,
        ..SHAPE
    },
    Shape {
        kind: "FirstFilled",
        forms: [form("many", texts), form("one", text)],
        rules: |field| {
            let requires = |(form, required): &(Option<usize>, bool)| *form == Some(1) && *required;
            let fills = field.versions.iter().any(requires);
            vec![
                field
                    .main("first-of-list", if fills { "fill = \"x\", reason = \"-\"" } else { "" }),
            ]
        },
        required_in: RequiredIn::Any,
        ..SHAPE
    },
    Shape {
        kind: "FirstObject",
        forms: [form("many", objects), form("one", object)],
        rules: |field| vec![field.main("first-of-list", "")],
        required_in: RequiredIn::Forms,
        ..SHAPE
    },
    Shape {
        kind: "FirstObjectFilled",
        forms: [
            form("many", || json!({"type": "array", "items": optional_text()})),
            form("one", || {
                let mut object = required_text();
                object["required"] = json!(["s", "k"]);
                object["properties"]["k"] = text();
                object
            }),
        ],
        rules: |field| {
            let text = |form: usize| field.path(["many", "one"][form]) + ["[].s", ".s"][form];
            let names = field.by_version(text);
            let fill = "fill = \"x\", reason = \"-\"";
            vec![
                field.main("first-of-list", ""),
                format!("{{ rule = \"absent-to-zero\", names = {names}, {fill} }}"),
                field.kept_only_in(1, &(field.path("one") + ".k")),
            ]
        },
        required_in: RequiredIn::Forms,
        ..SHAPE
    },
    Shape {
        kind: "PartOfText",
        forms: [form("whole", text), form("part", text)],
        rules: |field| {
            let names = field.by_version(|form| field.path(["whole", "part"][form]));
            vec![field.part_of_text(&names)]
        },
        required_in: RequiredIn::Any,
        ..SHAPE
    },
    Shape {
        kind: "PartFilled",
        forms: [form("whole", text), form("part", text)],
        rules: |field| {
            vec![field.part_of_text_or_fill(&field.both_forms(["whole", "part"]), "a/v2")]
        },
        ..SHAPE
    },
    Shape {
        kind: "PartEmpty",
        forms: [form("whole", text), form("part", text)],
        rules: |field| vec![field.part_of_text_or_fill(&field.both_forms(["whole", "part"]), "")],
        ..SHAPE
    },
    Shape {
        kind: "PartAside",
        forms: [form("whole", text), form("part", text)],
        rules: |field| {
            vec![field.part_of_text_or_fill(&field.both_forms(["whole", "part"]), "a/v1")]
        },
        lacks: Lacks::One,
        ..SHAPE
    },
    Shape {
        kind: "PartAsideEmpty",
        forms: [form("whole", text), form("part", text)],
        rules: |field| vec![field.part_of_text_or_fill(&field.both_forms(["whole", "part"]), "")],
        lacks: Lacks::One,
        ..SHAPE
    },
    Shape {
        kind: "PartOfCore",
        forms: [form("whole", text), form("part", text)],
        rules: |field| vec![field.part_of_text_or_fill(&field.both_forms(["whole", "part"]), "v2")],
        ..SHAPE
    },
    Shape {
        kind: "NestPartFilled",
        forms: [form("whole", text), form("b.part", text)],
        rules: |field| {
            let nest = field.rule("nest", "", |form| ["", "b"][form]);
            let names = field.both_forms(["whole", "b.part"]);
            vec![nest, field.part_of_text_or_fill(&names, "a/v2")]
        },
        ..SHAPE
    },
    Shape {
        kind: "NestPartAside",
        forms: [form("whole", text), form("b.part", text)],
        rules: |field| {
            let names = field.both_forms(["whole", "b.part"]);
            vec![field.nest_in_all("b"), field.part_of_text_or_fill(&names, "a/v1")]
        },
        lacks: Lacks::One,
        required_in: RequiredIn::Some,
        ..SHAPE
    },
    Shape {
        kind: "ObjectOfPartFilled",
        forms: [
            form("o", || json!({"type": "object", "properties": {"whole": text(), "u": text()}})),
            form(
                "o",
                || json!({"type": "object", "required": ["part"], "properties": {"part": text(), "u": text()}}),
            ),
        ],
        rules: |field| {
            let names = field.by_version(|form| field.path("o") + [".whole", ".part"][form]);
            let part = field.part_of_text_or(&names, ", fill = \"a/v2\"");
            // An object that is made for a value of another type has an empty part.
            let part = part.replace("rest = \"v1\"", "rest = \"\"");
            field.absent_to_zero("").into_iter().chain([part]).collect()
        },
        required_in: RequiredIn::Forms,
        ..SHAPE
    },
    Shape {
        kind: "ObjectOfWholeFilled",
        forms: [
            form("o", || json!({"type": "object", "properties": {"part": text(), "u": text()}})),
            form(
                "o",
                || json!({"type": "object", "required": ["whole"], "properties": {"whole": text(), "u": text()}}),
            ),
        ],
        rules: |field| {
            let names = field.by_version(|form| field.path("o") + [".part", ".whole"][form]);
            let part = field.part_of_text_in(0, &names, ", fill = \"a/v2\"");
            field.absent_to_zero("").into_iter().chain([part]).collect()
        },
        required_in: RequiredIn::Forms,
        ..SHAPE
    },
    Shape {
        kind: "KeepAside",
        forms: [form("k", text), form("k", text)],
        rules: |field| {
            let rule = field.absent_to_zero("");
            vec![rule.unwrap_or_else(|| field.main("keep-aside", ""))]
        },
        lacks: Lacks::Some,
        ..SHAPE
    },
    Shape {
        kind: "KeepObject",
        forms: [form("k", object), form("k", object)],
        rules: |field| {
            let rule = field.absent_to_zero("");
            vec![rule.unwrap_or_else(|| field.main("keep-aside", ""))]
        },
        lacks: Lacks::Some,
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "KeepFilled",
        forms: [form("k", text), form("k", text)],
        rules: |field| {
            let fill = "fill = \"x\", reason = \"-\"";
            let rule = field.absent_to_zero(fill);
            vec![rule.unwrap_or_else(|| field.main("keep-aside", fill))]
        },
        lacks: Lacks::Some,
        ..SHAPE
    },
    Shape {
        kind: "Words",
        forms: [
            form("w", || words(&["Slow", "Fast"])),
            form("w", || words(&["slow", "Fast", "Gentle"])),
        ],
        rules: |field| {
            let words = field.lists(|form| [["Slow"], ["slow"]][form].to_vec());
            let fallback = field.table(|form| (form == 0).then(|| "Slow".to_owned()));
            vec![
                field.main(
                    "words",
                    &format!("words = {words}, fallback = {fallback}, reason = \"-\""),
                ),
            ]
        },
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "Text",
        forms: [form("n", text), form("n", number)],
        rules: |field| vec![field.main("text", "")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "WordsAside",
        forms: [
            form("w", || words(&["Slow", "Fast"])),
            form("v", || words(&["slow", "Fast", "Gentle"])),
        ],
        rules: |field| {
            let words = field.lists(|form| [["Slow"], ["slow"]][form].to_vec());
            let fallback = field.table(|form| (form == 0).then(|| "Slow".to_owned()));
            let fill = field.fill_where_required("\"Fast\"");
            vec![field.main(
                "words",
                &format!("words = {words}, fallback = {fallback}{fill}, reason = \"-\""),
            )]
        },
        lacks: Lacks::One,
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "NamesAside",
        forms: [form("w", || words(&["Slow", "Fast"])), form("w", || words(&["slow", "Fast"]))],
        rules: |field| {
            let words = field.lists(|form| [["Slow"], ["slow"]][form].to_vec());
            let fill = field.fill_where_required("\"Fast\"");
            vec![field.main("words", &format!("words = {words}, reason = \"-\"{fill}"))]
        },
        lacks: Lacks::One,
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "TextAside",
        forms: [form("n", text), form("m", number)],
        rules: |field| {
            let fill = field.fill_where_required("\"5\"");
            vec![field.main("text", &format!("reason = \"-\"{fill}"))]
        },
        lacks: Lacks::One,
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "TextAsideFilled",
        forms: [form("n", text), form("n", number)],
        rules: |field| vec![field.main("text", "fill = \"5\", reason = \"-\"")],
        lacks: Lacks::One,
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "NarrowAside",
        forms: [form("n", wide), form("n", number)],
        rules: |field| {
            let fill = field.fill_where_required("5");
            vec![field.main("narrow", &format!("reason = \"-\"{fill}"))]
        },
        lacks: Lacks::One,
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "Nullable",
        forms: [form("t", || nullable(text())), form("t", text)],
        rules: |field| vec![field.main("absent-to-zero", "")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "NullableWords",
        forms: [
            form("w", || nullable(json!({"type": "string", "enum": ["Slow", "Fast", null]}))),
            form("w", || words(&["Slow", "Fast", "Gentle"])),
        ],
        rules: |field| vec![field.main("absent-to-zero", "")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "NullableObject",
        forms: [form("k", || nullable(object())), form("k", optional_text)],
        rules: |field| {
            let aside = |name: &str, form: usize| {
                let only = |of: usize| (of == form).then(|| format!("{}.{name}", field.path("k")));
                format!("{{ rule = \"keep-aside\", names = {} }}", field.table(only))
            };
            let inner = [("size", 0), ("colour", 0), ("s", 1), ("u", 1)];
            let inner = inner.into_iter().map(|(name, form)| aside(name, form));
            [field.main("absent-to-zero", "")].into_iter().chain(inner).collect()
        },
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "NullWordItems",
        forms: [
            form("x", || {
                let word = json!({"type": "string", "enum": ["Slow", "Fast", null]});
                json!({"type": "array", "items": nullable(word)})
            }),
            form("x", || json!({"type": "array", "items": words(&["Slow", "Fast", "Gentle"])})),
        ],
        rules: |field| vec![field.of_items("absent-to-zero")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "NullItems",
        forms: [
            form("x", || json!({"type": "array", "items": nullable(text())})),
            form("x", texts),
        ],
        rules: |field| vec![field.of_items("absent-to-zero")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "NullObjects",
        forms: [
            form("x", || json!({"type": "array", "items": nullable(optional_text())})),
            form("x", || json!({"type": "array", "items": required_text()})),
        ],
        rules: |field| field.nullable_objects(),
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "NullObjectValues",
        forms: [
            form(
                "x",
                || json!({"type": "object", "additionalProperties": nullable(optional_text())}),
            ),
            form("x", || json!({"type": "object", "additionalProperties": optional_text()})),
        ],
        rules: |field| vec![field.of_items("absent-to-zero")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "NullValues",
        forms: [
            form("x", || json!({"type": "object", "additionalProperties": nullable(number())})),
            form("x", || json!({"type": "object", "additionalProperties": number()})),
        ],
        rules: |field| vec![field.of_items("absent-to-zero")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "Narrow",
        forms: [form("n", wide), form("n", number)],
        rules: |field| vec![field.main("narrow", "")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "Wrap",
        forms: [form("x", text), form("x", || named("name"))],
        rules: |field| vec![field.main("wrap", "field = \"name\"")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "WrapDefault",
        forms: [
            form("x", text),
            form("x", || {
                let mut object = named("name");
                object["required"] = json!(["name", "colour"]);
                object["properties"]["colour"]["default"] = json!("red");
                object
            }),
        ],
        rules: |field| vec![field.main("wrap", "field = \"name\"")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "KeyedList",
        forms: [
            form("x", || json!({"type": "object", "additionalProperties": object()})),
            form("x", || json!({"type": "array", "items": named("name")})),
        ],
        rules: |field| vec![field.main("keyed-list", "field = \"name\"")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "NamedValues",
        forms: [
            form("x", || json!({"type": "object", "additionalProperties": text()})),
            form(
                "x",
                || json!({"type": "array", "items": {"type": "object", "required": ["name"], "properties": {"name": text(), "value": text()}}}),
            ),
        ],
        rules: |field| vec![field.main("named-values", "field = \"name\"")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "Schema",
        forms: [form("x", any_json), form("x", || named("name"))],
        rules: |field| vec![field.main("schema", "")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "Custom",
        forms: [form("x", text), form("x", number)],
        rules: |field| vec![field.main("custom", "with = \"crate::any_form\"")],
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "Pattern",
        forms: [form("class", text), form("ref.name", text)],
        rules: |field| {
            if field.is_in_spec() {
                let index = field.index;
                let same = field.raw(|form| {
                    [
                        format!("{{ class{index} = \"$a\" }}"),
                        format!("{{ ref{index} = {{ name{index} = \"$a\" }} }}"),
                    ][form]
                        .clone()
                });
                return vec![field.rule("pattern", &format!("same = [{same}]"), |_| "")];
            }
            let same = field
                .raw(|form| ["{ class = \"$a\" }", "{ ref = { name = \"$a\" } }"][form].to_owned());
            vec![field.rule("pattern", &format!("same = [{same}]"), |_| "")]
        },
        ..SHAPE
    },
    Shape {
        kind: "InMetadata",
        forms: [form("k", text), form("k", text)],
        rules: |field| {
            vec![
                field
                    .main("in-metadata", &format!("annotation = \"example.dev/k{}\"", field.index)),
            ]
        },
        lacks: Lacks::Some,
        required_in: RequiredIn::All,
        ..SHAPE
    },
    Shape {
        kind: "EmptyText",
        forms: [form("x", text), form("x", || json!({"type": "string", "minLength": 1}))],
        required_in: RequiredIn::None,
        ..SHAPE
    },
    Shape {
        kind: "EmptyTexts",
        forms: [
            form("x", texts),
            form("x", || json!({"type": "array", "minItems": 1, "items": text()})),
        ],
        required_in: RequiredIn::None,
        ..SHAPE
    },
    Shape {
        kind: "EmptyObject",
        forms: [
            form("x", || {
                let inner = json!({"type": "object", "properties": {"s": text(), "k": text()}});
                json!({"type": "object", "properties": {"i": inner, "u": text()}})
            }),
            form("x", || {
                let inner =
                    json!({"type": "object", "minProperties": 1, "properties": {"s": text()}});
                let texts = json!({"type": "string", "minLength": 1});
                json!({"type": "object", "minProperties": 1, "properties": {"i": inner, "u": texts}})
            }),
        ],
        rules: |field| {
            let names = field.table(|form| (form == 0).then(|| field.path("x") + ".i.k"));
            vec![format!("{{ rule = \"keep-aside\", names = {names} }}")]
        },
        required_in: RequiredIn::None,
        ..SHAPE
    },
    Shape {
        kind: "EmptyObjects",
        forms: [
            form("x", objects),
            form("x", || json!({"type": "array", "minItems": 1, "items": object()})),
        ],
        required_in: RequiredIn::None,
        ..SHAPE
    },
    Shape {
        kind: "InMetadataCopied",
        forms: [form("k", text), form("k", text)],
        rules: |field| {
            let fill = if field.index % 2 == 0 { ", fill = \"x\", reason = \"-\"" } else { "" };
            let key = format!("label = \"example.dev/k{}\", copy = true{fill}", field.index);
            vec![field.main("in-metadata", &key)]
        },
        lacks: Lacks::Some,
        required_in: RequiredIn::All,
        ..SHAPE
    },
];

impl Field<'_> {
    /// The path of a place in the object around the field.
    fn path(&self, inner: &str) -> String {
        let index = self.index;
        let around = match self.around {
            Around::Spec | Around::RequiredSpec => {
                // The fields of all indices are in one object.
                let names = inner.split('.').filter(|name| !name.is_empty());
                return names.fold("spec".to_owned(), |path, name| format!("{path}.{name}{index}"));
            }
            Around::Object => format!("spec.o{index}"),
            Around::Item => format!("spec.l{index}[]"),
        };
        if inner.is_empty() { around } else { format!("{around}.{inner}") }
    }

    /// A table with the text of each version that has the field.
    fn table(&self, text: impl Fn(usize) -> Option<String>) -> String {
        let versions = self.versions.iter().zip(VERSIONS);
        let texts = versions
            .filter_map(|((form, _), version)| Some(format!("{version} = {:?}", text((*form)?)?)));
        format!("{{ {} }}", texts.collect::<Vec<_>>().join(", "))
    }

    /// Whether the fields of all indices are in the spec.
    fn is_in_spec(&self) -> bool {
        matches!(self.around, Around::Spec | Around::RequiredSpec)
    }

    /// The paths of the forms.
    fn both_forms(&self, names: [&str; 2]) -> String {
        self.by_version(|form| self.path(names[form]))
    }

    fn by_version(&self, text: impl Fn(usize) -> String) -> String {
        self.table(|form| Some(text(form)))
    }

    /// A table with the value of each version.
    fn raw(&self, value: impl Fn(usize) -> String) -> String {
        let versions = self.versions.iter().zip(VERSIONS);
        let values = versions
            .filter_map(|((form, _), version)| Some(format!("{version} = {}", value((*form)?))));
        format!("{{ {} }}", values.collect::<Vec<_>>().join(", "))
    }

    fn lists(&self, list: impl Fn(usize) -> Vec<&'static str>) -> String {
        self.raw(|form| format!("{:?}", list(form)))
    }

    /// The rule of a text of which versions with the second form have the part before a separator.
    fn part_of_text(&self, names: &str) -> String {
        self.part_of_text_or(names, "")
    }

    /// The rule, with the text in place of an absent one where only some versions require it.
    fn part_of_text_or_fill(&self, names: &str, fill: &str) -> String {
        let having = || self.versions.iter().filter(|(form, _)| form.is_some());
        let required = having().filter(|(_, required)| *required).count();
        let is_needed = required > 0 && (required < having().count() || having().count() < 3);
        self.part_of_text_or(
            names,
            &if is_needed { format!(", fill = {fill:?}") } else { String::new() },
        )
    }

    fn part_of_text_or(&self, names: &str, fill: &str) -> String {
        self.part_of_text_in(1, names, fill)
    }

    /// The rule of a text of which versions with one of the forms have a part.
    fn part_of_text_in(&self, of_part: usize, names: &str, fill: &str) -> String {
        let part = self.table(|form| (form == of_part).then(|| "before".to_owned()));
        format!(
            "{{ rule = \"part-of-text\", names = {names}, separator = \"/\", rest = \"v1\", part = {part}{fill}, reason = \"-\" }}"
        )
    }

    /// The rule of an amount that is a text in its first form, and a number of seconds in the second.
    fn units(&self) -> String {
        let units = self.by_version(|form| ["duration", "seconds"][form].to_owned());
        self.main("units", &format!("units = {units}"))
    }

    fn rule(&self, name: &str, more: &str, inner: fn(usize) -> &'static str) -> String {
        let names = self.by_version(|form| self.path(inner(form)));
        let more = if more.is_empty() { String::new() } else { format!(", {more}") };
        format!("{{ rule = {name:?}, names = {names}{more} }}")
    }

    /// The rule of a text that is `x` where it is absent, and that only versions with one of the forms have.
    fn kept_only_in(&self, only: usize, path: &str) -> String {
        let names = self.table(|form| (form == only).then(|| path.to_owned()));
        format!("{{ rule = \"keep-aside\", names = {names}, fill = \"x\", reason = \"-\" }}")
    }

    /// The `fill` of a rule, after other keys, if versions require the field.
    fn fill_where_required(&self, value: &str) -> String {
        let is_required = self.versions.iter().any(|(_, required)| *required);
        if is_required { format!(", fill = {value}") } else { String::new() }
    }

    /// A rule about the field.
    fn main(&self, name: &str, more: &str) -> String {
        self.rule_at(name, more, "")
    }

    /// A rule about the items of the field.
    fn of_items(&self, name: &str) -> String {
        self.rule_at(name, "", "[]")
    }

    fn rule_at(&self, name: &str, more: &str, end: &str) -> String {
        let path = |form: usize| self.path(self.shape.forms[form].path);
        let names = self.by_version(|form| format!("{}{end}", path(form)));
        let more = if more.is_empty() { String::new() } else { format!(", {more}") };
        format!("{{ rule = {name:?}, names = {names}{more} }}")
    }

    /// The rules of an object that only some versions require, and of a text in it that only those with the second form require.
    fn optional_object(&self, inner: &str, fill: &str) -> Vec<String> {
        let text = self.rule_at("absent-to-zero", fill, &format!("{inner}.s"));
        [text].into_iter().chain(self.absent_to_zero("")).collect()
    }

    /// The rules of objects in a list that can be `null` in some versions, and of a text in them that others require.
    fn nullable_objects(&self) -> Vec<String> {
        let fill = "fill = \"x\", reason = \"-\"";
        vec![self.of_items("absent-to-zero"), self.rule_at("absent-to-zero", fill, "[].s")]
    }

    /// The rule of a field that only some of its versions require.
    fn absent_to_zero(&self, more: &str) -> Option<String> {
        let has_field = self.versions.iter().filter(|(form, _)| form.is_some());
        let required: Vec<bool> = has_field.map(|(_, required)| *required).collect();
        let is_required_in_some = required.contains(&true) && required.contains(&false);
        is_required_in_some.then(|| self.main("absent-to-zero", more))
    }

    /// The rule of the object around the second form, which the versions without it have the fields of.
    fn nest_in_all(&self, object: &str) -> String {
        let names = self.versions.iter().zip(VERSIONS).map(|((form, _), version)| {
            let inner = if *form == Some(1) { object } else { "" };
            format!("{version} = {:?}", self.path(inner))
        });
        let names: Vec<String> = names.collect();
        format!("{{ rule = \"nest\", names = {{ {} }} }}", names.join(", "))
    }

    /// The rules of a field beside which some of the versions require a text.
    fn with_filled(&self, rule: String, text: &'static str) -> Vec<String> {
        let required = self.versions.map(|(_, required)| required);
        let is_required_in_some = required.contains(&true) && required.contains(&false);
        let path = self.path(text);
        let fill = || {
            format!(
                "{{ rule = \"absent-to-zero\", names = {path:?}, fill = \"x\", reason = \"-\" }}"
            )
        };
        [rule].into_iter().chain(is_required_in_some.then(fill)).collect()
    }

    /// Adds the field to the schema of the spec of a version.
    fn add_to(&self, spec: &mut Value, version: usize) {
        let (form, is_required) = self.versions[version];
        let around = match self.around {
            Around::Spec | Around::RequiredSpec => spec,
            Around::Object => {
                let name = format!("o{}", self.index);
                entry(spec, &name, json!({"type": "object", "properties": {"other": text()}}))
            }
            Around::Item => {
                let name = format!("l{}", self.index);
                let item = json!({"type": "object", "properties": {"other": text()}});
                &mut entry(spec, &name, json!({"type": "array", "items": item}))["items"]
            }
        };
        let suffix = if self.is_in_spec() { self.index.to_string() } else { String::new() };
        for other in self.shape.others {
            let is_required = is_required && self.shape.required == Some(other);
            let (schema, is_in_all) = self.shape.other;
            add(around, (other, &suffix), schema(), is_required || is_in_all);
        }
        if let Some(form) = form.map(|form| &self.shape.forms[form]) {
            let is_required = is_required && self.shape.required.is_none();
            add(around, (form.path, &suffix), (form.schema)(), is_required);
            let parent = form.path.rsplit_once('.').map_or("", |(parent, _)| parent);
            for (name, is_required) in self.shape.siblings {
                let path = format!("{parent}.{name}");
                add(around, (path.trim_start_matches('.'), &suffix), text(), *is_required);
            }
        }
    }
}

/// Adds a property at a path to an object.
fn add(around: &mut Value, (path, suffix): (&str, &str), schema: Value, is_required: bool) {
    let (objects, last) = path.rsplit_once('.').unwrap_or(("", path));
    let names = objects.split('.').filter(|name| !name.is_empty());
    let object = json!({"type": "object", "properties": {}});
    let parent =
        names.fold(around, |at, name| entry(at, &format!("{name}{suffix}"), object.clone()));
    let last = format!("{last}{suffix}");
    entry(parent, &last, schema);
    if is_required {
        let names = parent["required"].take();
        let names = names.as_array().cloned().unwrap_or_default();
        parent["required"] = names.into_iter().chain([json!(last)]).collect();
    }
}

/// A property of an object.
fn entry<'v>(object: &'v mut Value, name: &str, schema: Value) -> &'v mut Value {
    let properties = object["properties"].as_object_mut().unwrap();
    properties.entry(name).or_insert(schema)
}

/// The fields of a kind: all that the shape can be.
fn fields(shape: &Shape, around: Around) -> Vec<Field<'_>> {
    let forms: &[Option<usize>] = match shape.lacks {
        Lacks::None => &[Some(0), Some(1)],
        Lacks::Some => &[None, Some(0)],
        Lacks::One => &[None, Some(0), Some(1)],
    };
    let mut all = Vec::new();
    for of in 0..forms.len().pow(3) {
        let of_versions =
            [0, 1, 2].map(|version| forms[of / forms.len().pow(version) % forms.len()]);
        let is_wanted = match shape.lacks {
            Lacks::One => forms.iter().all(|form| of_versions.contains(form)),
            _ => of_versions.iter().any(|form| *form != of_versions[0]),
        };
        for required in (0..8_usize).filter(|_| is_wanted) {
            let is_required = |version: usize| required >> version & 1 == 1;
            let has_required = |form: Option<usize>| form.is_some() || shape.required.is_some();
            let versions = [0, 1, 2].map(|version| {
                let form = of_versions[version];
                (form, has_required(form) && is_required(version))
            });
            // A version that lacks the field does not require it.
            let is_new = (0..3).all(|version| versions[version].1 == is_required(version));
            let takes = match shape.required_in {
                RequiredIn::Any => true,
                RequiredIn::None => required == 0,
                RequiredIn::Some => {
                    let mut having = versions.iter().filter(|(form, _)| form.is_some());
                    having.any(|(_, required)| !required)
                }
                RequiredIn::Forms => (0..3).all(|one| {
                    (0..3).all(|other| {
                        let (one, other) = (versions[one], versions[other]);
                        one.0 != other.0 || one.1 == other.1
                    })
                }),
                RequiredIn::All => {
                    let mut having = versions.iter().filter(|(form, _)| form.is_some());
                    let first = having.next().is_some_and(|(_, required)| *required);
                    having.all(|(_, required)| *required == first)
                }
            };
            if is_new && takes {
                all.push(Field { shape, around, index: all.len(), versions });
            }
        }
    }
    all
}

/// What is around the fields of a kind, and the end of its name.
const AROUND: [(Around, &str); 4] = [
    (Around::Spec, "InSpec"),
    (Around::RequiredSpec, "InRequiredSpec"),
    (Around::Object, "InObject"),
    (Around::Item, "InItem"),
];

/// The kinds that are compiled unless `COMBINATIONS` names others.
const COMPILED: [&str; 30] = [
    "CustomInObject",
    "EmptyObjectInSpec",
    "FirstFilledInObject",
    "FirstObjectFilledInObject",
    "FirstObjectInItem",
    "InMetadataCopiedInObject",
    "KeepAsideInSpec",
    "KeepFilledInSpec",
    "MoveBesideConstantInObject",
    "MoveBesideDefaultInItem",
    "MoveOutOfFilledInObject",
    "MoveUnitsInObject",
    "NestFilledInSpec",
    "NestInObject",
    "NestKeepFilledInItem",
    "NestPartFilledInObject",
    "NestTwiceInItem",
    "NestUnitsInSpec",
    "NullObjectsInObject",
    "ObjectFilledInObject",
    "ObjectOfFilledInItem",
    "ObjectOfPartFilledInSpec",
    "ObjectOfPartInObject",
    "PartAsideInObject",
    "PartFilledInItem",
    "TextAsideFilledInObject",
    "TextAsideInItem",
    "UnitsInItem",
    "WordsAsideInObject",
    "WrapDefaultInSpec",
];

/// Whether a kind is compiled: `COMBINATIONS` is `all`, or has the beginnings of names with commas between them.
pub fn is_compiled(kind: &str) -> bool {
    match std::env::var("COMBINATIONS").as_deref() {
        Ok("all") => true,
        Ok(named) => named.split(',').any(|named| kind.starts_with(named)),
        Err(_) => COMPILED.contains(&kind),
    }
}

/// The rule files and definitions of the kinds whose names `is_wanted` takes.
pub fn files(is_wanted: impl Fn(&str) -> bool) -> Files {
    let mut files = Files::new();
    let mut rules = String::new();
    for shape in &SHAPES {
        for (around, name) in AROUND {
            let kind = format!("{}{name}", shape.kind);
            // Objects of one version with the same fields are of one type, which has the limits that all of them have.
            let is_possible = match around {
                Around::Object => !shape.kind.starts_with("Empty"),
                Around::Item => {
                    !["InMetadata", "Empty"].iter().any(|kind| shape.kind.starts_with(kind))
                }
                Around::Spec | Around::RequiredSpec => true,
            };
            if !is_possible || !is_wanted(&kind) {
                continue;
            }
            let fields = fields(shape, around);
            rules += &rules_of(&kind, &fields);
            let definition = definition(&kind, around, &fields).to_string().into_bytes();
            files.insert(format!("v1.1/{}.yaml", kind.to_lowercase()), definition);
        }
    }
    files.insert("conversions.toml".to_owned(), rules.into_bytes());
    let group =
        format!("group = {GROUP:?}\ndescriptions = \"documents\"\nfeatures = []\nverbs = false\n");
    files.insert("group.toml".to_owned(), group.into_bytes());
    files
}

fn rules_of(kind: &str, fields: &[Field<'_>]) -> String {
    let lines = fields.iter().flat_map(|field| (field.shape.rules)(field));
    let lines: String = lines.map(|line| format!("  {line},\n")).collect();
    format!(
        "[[kind]]\nkind = {kind:?}\nversions = {VERSIONS:?}\nannotation = \"conversion.example.dev/{}\"\nleave-out-empty = true\nfield = [\n{lines}]\n\n",
        kind.to_lowercase()
    )
}

fn definition(kind: &str, around: Around, fields: &[Field<'_>]) -> Value {
    let plural = format!("{}s", kind.to_lowercase());
    let version = |index: usize| {
        let mut spec = json!({"type": "object", "properties": Map::new()});
        fields.iter().for_each(|field| field.add_to(&mut spec, index));
        let mut schema = json!({"type": "object", "properties": {"spec": spec}});
        if around == Around::RequiredSpec {
            schema["required"] = json!(["spec"]);
        }
        json!({
            "name": VERSIONS[index], "served": true, "storage": index == 2,
            "schema": {"openAPIV3Schema": schema},
        })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.{GROUP}")},
        "spec": {
            "group": GROUP, "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural, "listKind": format!("{kind}List")},
            "versions": [version(0), version(1), version(2)],
        },
    })
}
