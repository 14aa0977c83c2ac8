//! The shapes of fields: a rule with the forms that it joins.

use serde_json::json;

use super::field::*;

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

pub(super) const SHAPES: [Shape; 69] = [
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
        kind: "FilledBesideKept",
        forms: [
            form("o", optional_text),
            form("o", || {
                let mut object = required_text();
                object["properties"]["k"] = text();
                object
            }),
        ],
        rules: |field| {
            let kept = field.kept_only_in(1, &(field.path("o") + ".k"));
            let rules = field.optional_object("", "fill = \"x\", reason = \"-\"");
            rules.into_iter().chain([kept]).collect()
        },
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
