//! Values that rules state or make up, and that servers reject.

use k8s_versioned_codegen::{Plans, Problem};

use crate::drafts::{kind_of, project};

/// What the generator says of rules between these fields of two versions, of which servers require those of `required`.
fn said(fields: [&str; 2], required: &str, rules: &str) -> Vec<String> {
    let all = all_said(fields, required, rules).into_iter();
    all.filter(|message| !message.contains("have no limit")).collect()
}

/// The same, with the kept fields that have no limit.
fn all_said(fields: [&str; 2], required: &str, rules: &str) -> Vec<String> {
    let [old, new] = fields.map(|fields| {
        let fields = fields.replace('\n', "\n    ");
        format!("of:\n  type: object\n  required: [{required}]\n  properties:\n    {fields}")
    });
    // What only the newer version requires.
    let old = old.replace(&format!("required: [{required}]"), "required: []");
    let definition = kind_of(&[("v1beta1", &old), ("v1", &new)]);
    let rules = format!(
        "[[kind]]\nkind = \"Widget\"\nversions = [\"v1beta1\", \"v1\"]\nannotation = \"conversion.example.dev/widget\"\nfield = [\n{rules}\n]\n"
    );
    let problems = match Plans::read(&project(&definition, &rules)) {
        Ok(plans) => plans.warnings,
        Err(problems) => problems,
    };
    problems.iter().map(Problem::message).collect()
}

/// Each rule that can leave a zero or nothing where servers reject it.
#[test]
fn zeros_that_servers_refuse() {
    let table = [
        (
            ["a: {type: string}", "a: {type: integer, minimum: 1}"],
            r#"{ rule = "units", names = "spec.of.a", units = { v1beta1 = "duration", v1 = "seconds" } }"#,
        ),
        (
            ["a: {type: string}", "a: {type: string, minLength: 1}"],
            r#"{ rule = "part-of-text", names = "spec.of.a", separator = "/", part = { v1 = "before" }, rest = { default = "v1" }, reason = "." }"#,
        ),
        (
            [
                "a: {type: array, items: {type: object, properties: {b: {type: string}}}}",
                "a: {type: array, minItems: 1, items: {type: object, properties: {b: {type: string}}}}",
            ],
            r#"{ rule = "absent-to-zero", names = "spec.of.a" }"#,
        ),
    ];
    let said: Vec<String> = table
        .iter()
        .map(|(fields, rules)| format!("{rules}\n  {}\n", said(*fields, "a", rules).join("\n  ")))
        .collect();
    insta::assert_snapshot!(said.concat());
}

/// A warning about such a value advises what the rule can state, and nothing else.
#[test]
fn hints_about_zeros() {
    let list = "a: {type: array, items: {type: object, properties: {b: {type: string}}}}";
    for (old, new, rule, hint, fill) in [
        (
            list,
            &*list.replace("items", "minItems: 1, items"),
            r#"{ rule = "absent-to-zero", names = "spec.of.a" FILL }"#,
            "`fill = []` for a list",
            ", fill = [], reason = \".\"",
        ),
        (
            "a: {type: string}",
            "a: {type: string, minLength: 1}",
            r#"{ rule = "absent-to-zero", names = "spec.of.a" FILL }"#,
            "state a value as `fill` of the rule",
            ", fill = \"\", reason = \".\"",
        ),
        (
            "a: {type: string}",
            "a: {type: integer, minimum: 1}",
            r#"{ rule = "text", names = "spec.of.a" FILL }"#,
            "state another value as `fallback` of the rule",
            ", fallback = { v1 = 2 }, reason = \".\"",
        ),
        (
            "a: {type: string}",
            "a: {type: integer, minimum: 1}",
            r#"{ rule = "units", names = "spec.of.a", units = { v1beta1 = "duration", v1 = "seconds" } FILL }"#,
            "no conversion fails",
            "",
        ),
        (
            "a: {type: string}",
            "a: {type: string, minLength: 1}",
            r#"{ rule = "part-of-text", names = "spec.of.a", separator = "/", part = { v1 = "before" }, rest = "v1", reason = "." FILL }"#,
            "state what an absent value is as `fill` of the rule",
            ", fill = \"\"",
        ),
    ] {
        let both = rule.contains("\"text\"");
        let of = |fields: &str, required: &str| {
            format!("of: {{type: object, required: [{required}], properties: {{{fields}}}}}")
        };
        // The rule `text` takes fields that are both required.
        let old = of(old, if both { "a" } else { "" });
        let definition = kind_of(&[("v1beta1", &old), ("v1", &of(new, "a"))]);
        let hints = |fill: &str| -> Vec<String> {
            let rule = rule.replace(" FILL", fill);
            let rules = format!(
                "[[kind]]\nkind = \"Widget\"\nversions = [\"v1beta1\", \"v1\"]\nannotation = \"conversion.example.dev/widget\"\nfield = [{rule}]\n"
            );
            let plans = Plans::read(&project(&definition, &rules))
                .unwrap_or_else(|problems| panic!("{rules}\n{problems}"));
            let made_up =
                plans.warnings.iter().filter(|problem| problem.id() == "made-up-rejected");
            made_up.map(Problem::hint).collect()
        };
        let [said] = &hints("")[..] else { panic!("{rule}: one warning") };
        assert!(said.contains(hint), "{rule}: {said}");
        // What the hint says helps.
        assert!(fill.is_empty() || hints(fill).is_empty(), "{rule}{fill}");
    }
}

/// What is wrong with the `fill` of a part of a text.
#[test]
fn fills_of_parts() {
    let text = "{type: string}";
    let short = "{type: string, maxLength: 1}";
    let said = |versions: &[(&str, &str, bool)], rule: &str| {
        let specs = versions.iter().map(|(version, field, is_required)| {
            let required = if *is_required { "[a]" } else { "[]" };
            let fields = if field.is_empty() {
                "b: {type: string}".to_owned()
            } else {
                format!("b: {{type: string}}, a: {field}")
            };
            (
                *version,
                format!("of: {{type: object, required: {required}, properties: {{{fields}}}}}"),
            )
        });
        let specs: Vec<(&str, String)> = specs.collect();
        let specs: Vec<(&str, &str)> =
            specs.iter().map(|(version, spec)| (*version, &**spec)).collect();
        let names: Vec<&str> = versions
            .iter()
            .map(|(_, field, _)| if field.is_empty() { "" } else { "spec.of.a" })
            .collect();
        let all: Vec<&str> = versions.iter().map(|(version, ..)| *version).collect();
        let rules = format!(
            "[[kind]]\nkind = \"Widget\"\nversions = {all:?}\nannotation = \"conversion.example.dev/widget\"\nfield = [{{ rule = \"part-of-text\", names = {names:?}, separator = \"/\", part = {{ v1 = \"before\" }}, {rule}, reason = \".\" }}]\n"
        );
        let problems = match Plans::read(&project(&kind_of(&specs), &rules)) {
            Ok(plans) => plans.warnings,
            Err(problems) => problems,
        };
        let said: Vec<String> = problems.iter().map(Problem::message).collect();
        said.into_iter().filter(|message| !message.contains("have no limit")).collect::<Vec<_>>()
    };
    let (optional, required) = (("v1beta1", text, false), ("v1", text, true));
    let rest = "rest = \"v1\"";
    let table: [(&[_], &str, &[&str]); 9] = [
        (&[optional, required], "fill = \"a/v1\"", &[]),
        (&[optional, ("v1", "{type: string, minLength: 1}", true)], "fill = \"\"", &[]),
        (
            &[optional, ("v1", "{type: string, minLength: 1}", true)],
            "fill = \"a/v1\"",
            &["becomes \"\" if no value fits"],
        ),
        (
            &[("v1beta1", "{type: string, minLength: 1}", true), ("v1", text, false)],
            "",
            &["becomes \"\" if no value fits"],
        ),
        (&[optional, required], "fill = 5", &["must be of type `String`: 5"]),
        (&[optional, ("v1", short, true)], "fill = \"ab/v1\"", &["breaks `maxLength: 1`: \"ab\""]),
        (&[optional, ("v1", text, false)], "fill = \"a/v1\"", &["no version requires the field"]),
        (
            &[("v1alpha1", "", false), ("v1beta1", text, true), required],
            "fill = \"a/v2\"",
            &["the part of `fill` becomes another text"],
        ),
        (
            &[("v1alpha1", "", false), optional, required],
            "",
            &["`spec.of.a` requires the value, and v1alpha1 lacks it"],
        ),
    ];
    for (versions, fill, expected) in table {
        let keys: Vec<&str> = [rest, fill].into_iter().filter(|key| !key.is_empty()).collect();
        let said = said(versions, &keys.join(", "));
        assert_eq!(said.len(), expected.len(), "{fill}: {said:?}");
        for (said, expected) in said.iter().zip(expected) {
            assert!(said.contains(expected), "{fill}: {said}");
        }
    }
}

/// Each word that the other version lacks, also of an enum without a name for Rust, whatever step passes it on.
#[test]
fn words_that_servers_refuse() {
    let kept = r#"{ rule = "keep-aside", names = ["", "spec.of.b"] }"#;
    let mut all = Vec::new();
    let filled = r#"{ rule = "absent-to-zero", names = "spec.of.a", fill = "2.3", reason = "." }"#;
    let fallback =
        r#"{ rule = "words", names = "spec.of.a", fallback = { v1 = "B" }, reason = "." }"#;
    for (old, new, required, rule) in [
        (r#"["2.3", "", "-"]"#, r#"["2.3"]"#, "", ""),
        (r#"["2.3"]"#, r#"["2.3", "", "-"]"#, "", ""),
        (r#"["2.3", "2.4"]"#, r#"["2.3"]"#, "a", filled),
        (r#"["2.3", fast]"#, r#"["2.3"]"#, "", ""),
        (r#"["2.3"]"#, r#"["2.3"]"#, "", ""),
        ("[A, B]", "[B, C]", "", fallback),
    ] {
        let field = |words: &str| format!("a: {{type: string, enum: {words}}}");
        let fields = [&*field(old), &format!("{}\nb: {{type: boolean}}", field(new))];
        let rules = [kept, rule].join(",\n");
        let said = said(fields, required, rules.trim_end_matches(",\n"));
        all.push(format!("{old} and {new}: {rule}\n  {}\n", said.join("\n  ")));
    }
    insta::assert_snapshot!(all.concat());
}

/// Formats and rules in CEL of a field count for values that a rule states, and for those that a conversion makes up.
#[test]
fn values_that_formats_and_rules_refuse() {
    let rule = |text: &str| format!("x-kubernetes-validations: [{{rule: '{text}'}}]");
    let text = format!("type: string, {}", rule("self.size() > 0"));
    let number = format!("type: integer, {}", rule("self > 1"));
    let list =
        format!("type: array, items: {{{text}}}, {}", rule("self.exists(item, item == \"x\")"));
    let filled = |fill: &str| {
        format!(
            r#"{{ rule = "absent-to-zero", names = "spec.of.a", fill = {fill}, reason = "." }}"#
        )
    };
    let plain = r#"{ rule = "absent-to-zero", names = "spec.of.a" }"#.to_owned();
    for (of, rules, expected) in [
        (
            &*text,
            plain.clone(),
            Some(
                "`spec.of.a` of v1 Widget becomes \"\" if no value fits, and servers reject that: `rule: self.size() > 0`",
            ),
        ),
        (&*text, filled("\"x\""), None),
        (
            &*number,
            plain.clone(),
            Some(
                "`spec.of.a` of v1 Widget becomes 0 if no value fits, and servers reject that: `rule: self > 1`",
            ),
        ),
        (
            &*number,
            filled("1"),
            Some(
                "the rule `absent-to-zero` does not fit: `fill` of `spec.of.a` breaks `rule: self > 1`: 1",
            ),
        ),
        (&*number, filled("2"), None),
        (&*list, filled("[\"x\"]"), None),
        (
            &*list,
            filled("[\"x\", \"\"]"),
            Some(
                "the rule `absent-to-zero` does not fit: `fill` of `spec.of.a` breaks `rule: self.size() > 0`: [\"x\",\"\"]",
            ),
        ),
        (
            &*list,
            filled("[\"y\"]"),
            Some(
                "the rule `absent-to-zero` does not fit: `fill` of `spec.of.a` breaks `rule: self.exists(item, item == \"x\")`: [\"y\"]",
            ),
        ),
        (
            "type: string, format: uuid",
            filled("\"x\""),
            Some(
                "the rule `absent-to-zero` does not fit: `fill` of `spec.of.a` breaks `format: \"uuid\"`: \"x\"",
            ),
        ),
        // Servers compare an earlier value, of which a new object has none.
        ("type: integer, x-kubernetes-validations: [{rule: self == oldSelf}]", plain, None),
    ] {
        let field = format!("a: {{{of}}}");
        assert_eq!(
            said([&field, &field], "a", &rules).first().map(String::as_str),
            expected,
            "{of} {rules}"
        );
    }
}

/// Empty lists, maps and objects that a rule passes on or makes.
#[test]
fn empty_values_that_servers_refuse() {
    let map = "m: {type: object, required: [a], properties: {a: {type: object, additionalProperties: {type: object, properties: {v: {type: string}}}}}}";
    let texts = "m: {type: object, required: [a], properties: {a: {type: object, additionalProperties: {type: string}}}}";
    let list = "m: {type: object, required: [a], properties: {a: {type: array, minItems: 1, items: {type: object, required: [name], properties: {name: {type: string}, v: {type: string}}}}}}";
    let full = map.replace("a: {type: object,", "a: {type: object, minProperties: 1,");
    let keyed = r#"{ rule = "keyed-list", names = "spec.of.m.a", field = "name" }"#;
    let named = r#"{ rule = "named-values", names = "spec.of.m.a", field = "name", value = "v" }"#;
    let sub = "sub: {type: object, minProperties: 1, properties: {a: {type: string}}}";
    let nest = r#"{ rule = "nest", names = ["spec.of", "spec.of.sub"] }"#;
    let nest_and_keep = r#"{ rule = "nest", names = ["spec.of", "spec.of.sub"] }, { rule = "keep-aside", names = ["spec.of.b", ""] }"#;
    let present = r#"{ rule = "nest", names = ["spec.of", "spec.of.sub"], present = true }"#;
    let said: Vec<String> = [
        ([map, list], "", keyed),
        ([&*full, list], "", keyed),
        ([texts, list], "", named),
        (["a: {type: string}", sub], "", nest),
        (["a: {type: string}", sub], "", present),
        (["a: {type: string}\nb: {type: string}", sub], "sub", nest_and_keep),
    ]
    .into_iter()
    .map(|(fields, required, rules)| {
        format!(
            "{} to {}\n  {}\n",
            fields[0],
            fields[1],
            said(fields, required, rules).join("\n  ")
        )
    })
    .collect();
    insta::assert_snapshot!(said.concat());
}

/// The kept fields that have no limit: not those of which only an empty value is kept, but members of patterns.
#[test]
fn kept_fields_without_a_limit() {
    let fields = ["a: {type: string}\nb: {type: string}", "a: {type: string}\nc: {type: string}"];
    let rules = r#"{ rule = "absent-to-zero", names = "spec.of.a", fill = "", reason = "." },
        { rule = "pattern", names = "spec.of", same = [{ v1beta1 = { b = "$b" }, v1 = { c = "-$b" } }] }"#;
    let said = all_said(fields, "a", rules);
    let limits: Vec<String> =
        said.into_iter().filter(|said| said.contains("have no limit")).collect();
    insta::assert_snapshot!(limits.join("\n"));
}

/// A pattern whose values servers reject never fits.
#[test]
fn patterns_that_servers_refuse() {
    let fields = [
        "a: {type: string}",
        "src: {type: string, enum: [a, b]}\nref:\n  type: object\n  required: [kind, name]\n  properties: {kind: {type: string, enum: [A]}, name: {type: string}}\n\
         list: {type: array, items: {type: integer, minimum: 1}}",
    ];
    let patterns = [
        r#"{ src = "c" }"#,
        r#"{ ref = { name = "$a" } }"#,
        r#"{ ref = { kind = "B", name = "$a" } }"#,
        r"{ list = [0] }",
        r#"{ ref = { kind = "A", name = "$a" } }"#,
    ];
    let said = patterns.map(|pattern| {
        let rule = format!(
            r#"{{ rule = "pattern", names = "spec.of", same = [{{ v1beta1 = {{ a = "$a" }}, v1 = {pattern} }}] }}, {{ rule = "keep-aside", names = ["", "spec.of.src"] }}, {{ rule = "keep-aside", names = ["", "spec.of.ref"] }}, {{ rule = "keep-aside", names = ["", "spec.of.list"] }}"#
        );
        let own = pattern.split_whitespace().nth(1).unwrap_or_default();
        let other = format!(r#"{{ rule = "keep-aside", names = ["", "spec.of.{own}"] }}"#);
        let rule = rule.replace(&format!(", {other}"), "");
        format!("{pattern}\n  {}\n", said(fields, "", &rule).join("\n  "))
    });
    insta::assert_snapshot!(said.concat());
}

/// Each value of any size counts, also inside lists, maps and objects; formats only if they limit a text.
#[test]
fn values_without_a_limit() {
    let table = [
        (
            "type: array, maxItems: 5, items: {type: string}",
            Some("`spec.of.a[]` of v1beta1 (maxLength)"),
        ),
        ("type: array, maxItems: 5, items: {type: string, maxLength: 5}", None),
        ("type: array, items: {type: boolean}", Some("`spec.of.a` of v1beta1 (maxItems)")),
        (
            "type: object, maxProperties: 2, additionalProperties: {type: string}",
            Some("`spec.of.a[]` of v1beta1 (maxLength)"),
        ),
        ("type: string, format: byte", Some("`spec.of.a` of v1beta1 (maxLength)")),
        ("type: string, format: byte, maxLength: 9", None),
        ("type: string, format: uri", Some("`spec.of.a` of v1beta1 (maxLength)")),
        ("type: string, format: date-time", None),
        ("type: string, format: uuid", None),
        ("type: string, format: ipv4", None),
        ("type: array, maxItems: 5, items: {type: string, format: uuid}", None),
        ("type: string, enum: [a, b]", None),
        ("type: integer", None),
        (
            "type: object, properties: {b: {type: boolean}, c: {type: object, properties: {d.e: {type: string}}}}",
            Some("`spec.of.a.c[\"d.e\"]` of v1beta1 (maxLength)"),
        ),
        ("x-kubernetes-preserve-unknown-fields: true", Some("`spec.of.a` of v1beta1 (any JSON)")),
        (
            "type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: boolean}}",
            Some("`spec.of.a.*` of v1beta1 (any JSON)"),
        ),
    ];
    for (schema, expected) in table {
        let fields = [&*format!("a: {{{schema}}}\nb: {{type: boolean}}"), "b: {type: boolean}"];
        let rules = r#"{ rule = "keep-aside", names = ["spec.of.a", ""] }"#;
        let said = all_said(fields, "", rules);
        let expected = expected
            .map(|it| format!("annotations keep fields of `Widget` that have no limit: {it}"));
        assert_eq!(said, expected.into_iter().collect::<Vec<_>>(), "{schema}");
    }
}

/// A rule states a value of the format of a field.
#[test]
fn fills_of_a_format() {
    let table = [
        ("date", "tomorrow", true),
        ("date", "2026-01-02", false),
        ("date-time", "yesterday", true),
        ("date-time", "2026-01-02T03:04:05Z", false),
        ("invented", "anything", false),
    ];
    for (format, fill, is_refused) in table {
        let fields = [
            &*format!("a: {{type: string, format: {format}}}\nb: {{type: boolean}}"),
            "b: {type: boolean}",
        ];
        let rules = format!(
            r#"{{ rule = "keep-aside", names = ["spec.of.a", ""], fill = "{fill}", reason = "." }}"#
        );
        let said = said(fields, "", &rules).into_iter();
        let said: Vec<_> = said.filter(|said| !said.contains("servers do not know it")).collect();
        let expected = format!(
            "the rule `keep-aside` does not fit: `fill` of `spec.of.a` breaks `format: \"{format}\"`: \"{fill}\""
        );
        assert_eq!(said, is_refused.then_some(expected).into_iter().collect::<Vec<_>>());
    }
}

/// A variable has one value, so it is of one type.
#[test]
fn variables_of_two_types() {
    let fields = [
        "r: {type: integer, maximum: 9}",
        "p: {type: string, maxLength: 9}\nq: {type: integer, maximum: 9}",
    ];
    let rule = |same: &str| {
        format!(
            r#"{{ rule = "pattern", names = "spec.of", same = [{{ v1beta1 = {{ r = "$x" }}, v1 = {same} }}] }}"#
        )
    };
    let said = all_said(fields, "", &rule(r#"{ p = "$x", q = "$x" }"#));
    assert_eq!(
        said,
        [
            "the rule `pattern` does not fit: `q` of v1: `$x` is `i64` here, and `String` in another place"
        ]
    );
    // Without it, another rule is missing.
    let said = all_said(fields, "", &rule(r#"{ q = "$x" }"#));
    assert!(
        matches!(&*said, [problem] if problem.contains("`spec.of.p` of v1 Widget")),
        "{said:?}"
    );
}

/// Two objects of fields can have one new object around them.
#[test]
fn objects_between_are_shared() {
    let text = "{type: string, maxLength: 5}";
    let inner = |name: &str| format!("{{type: object, properties: {{{name}: {text}}}}}");
    let new = format!("a: {{type: object, properties: {{b: {}, c: {}}}}}", inner("x"), inner("z"));
    let old = format!("x: {text}\nz: {text}");
    let rules = ["b", "c"].map(|name| {
        format!(
            r#"{{ rule = "nest", names = {{ v1beta1 = "spec.of", v1 = "spec.of.a.{name}" }} }}"#
        )
    });
    assert_eq!(all_said([&old, &new], "", &rules.join(",\n")), Vec::<String>::new());
}

/// A path with a keyword is not a path of a module.
#[test]
fn modules_of_custom() {
    let fields = ["a: {type: integer}", "a: {type: boolean}"];
    let rule =
        r#"{ rule = "custom", names = "spec.of.a", with = "crate::type::fn", reason = "." }"#;
    assert_eq!(
        all_said(fields, "", rule),
        [
            "the rule `custom` does not fit: `with` is the path of a Rust module, not `crate::type::fn`"
        ]
    );
}

/// The second release of the product has no word `a` in `v1` any more: servers of it refuse the word.
#[test]
fn words_that_a_later_release_drops() {
    let of = |words: &str, required: &str| {
        format!(
            "of: {{type: object, required: [{required}], properties: {{a: {{type: string, enum: {words}}}}}}}"
        )
    };
    let release = |new: &str| {
        kind_of(&[("v1beta1", &of("[a, b, c]", "")), ("v1", &of(new, "a"))]).into_bytes()
    };
    let said = |fill: &str| -> Vec<String> {
        let rules = format!(
            "[[kind]]\nkind = \"Widget\"\nversions = [\"v1beta1\", \"v1\"]\nannotation = \"conversion.example.dev/widget\"\n\
             field = [{{ rule = \"absent-to-zero\", names = \"spec.of.a\", fill = \"{fill}\", reason = \".\" }}]\n"
        );
        let mut files = project("", &rules);
        files.retain(|path, _| path.ends_with(".toml"));
        files.insert("v1.0/widgets.yaml".to_owned(), release("[a, b, c]"));
        files.insert("v1.1/widgets.yaml".to_owned(), release("[b, c]"));
        let problems = match Plans::read(&files) {
            Ok(plans) => plans.warnings,
            Err(problems) => problems,
        };
        problems.iter().map(|problem| format!("{}: {}", problem.id(), problem.message())).collect()
    };
    insta::assert_snapshot!(
        ["a", "b"].map(|fill| format!("{fill}\n  {}\n", said(fill).join("\n  "))).concat()
    );
}

/// Equal objects are one type in Rust. A warning names the field that it is about, and has the place of that field.
#[test]
fn warnings_are_at_the_fields_that_they_name() {
    let object = |required: &str| {
        format!(
            "{{type: object, required: [{required}], properties: {{mode: {{type: string, minLength: 1}}, size: {{type: string}}}}}}"
        )
    };
    let spec = |first: &str, second: &str| {
        let (first, second) = (object(first), object(second));
        format!("first: {first}\n\"a/second\": {second}\nthird: {{type: array, items: {second}}}")
    };
    let definition = kind_of(&[("v1beta1", &spec("mode", "")), ("v1", &spec("mode", "mode"))]);
    let rules = r#"
        [[kind]]
        kind = "Widget"
        versions = ["v1beta1", "v1"]
        annotation = "conversion.example.dev/widget"
        field = [
            { rule = "absent-to-zero", names = "spec[\"a/second\"].mode" },
            { rule = "absent-to-zero", names = "spec.third[].mode" },
        ]
    "#;
    let specs = project(&definition, rules);
    let warnings = Plans::read(&specs).unwrap().warnings;
    let placed = warnings.iter().filter(|warning| warning.id() == "made-up-rejected");
    let placed: Vec<_> = placed
        .map(|Problem { place, .. }| {
            let text = &specs[&*place.file];
            let line = text[..place.span.clone().unwrap().start].split(|byte| *byte == b'\n');
            (place.pointer.clone(), line.count())
        })
        .collect();
    insta::assert_debug_snapshot!(placed);
}
