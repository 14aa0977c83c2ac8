//! Counts steps in tests, so that a test sees how work grows; elsewhere it does nothing.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts a step of work that grows with the input.
#[inline]
pub(crate) fn step() {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + 1));
}

/// The steps that a function takes.
#[cfg(test)]
pub(crate) fn steps(function: impl FnOnce()) -> u64 {
    let before = STEPS.with(std::cell::Cell::get);
    function();
    STEPS.with(std::cell::Cell::get) - before
}

/// How work grows: each row doubles an input, and counts the steps and the bytes that are allocated.
#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use allocation_counter::measure;
    use serde_json::{Map, Value, json};

    use super::steps;
    use crate::definition::judge;
    use crate::{Definition, NEWEST, ServerAnswer, WriteRequest};

    fn definition(spec: &Value) -> Definition {
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        let version = json!({"name": "v1", "served": true, "schema": {"openAPIV3Schema": schema}});
        let names = json!({"kind": "Widget", "plural": "widgets"});
        let spec = json!({"group": "example.com", "scope": "Cluster", "names": names, "versions": [version]});
        Definition::compile(&json!({"spec": spec})).unwrap()
    }

    fn object(metadata: &Value, spec: &Value) -> Value {
        json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": spec})
    }

    fn create(definition: &Definition, object: &Value) -> ServerAnswer {
        definition.admit(&WriteRequest::create("v1", "", object.to_string().as_bytes()))
    }

    /// The exponent of the work for inputs of four doubled sizes.
    fn exponent(first: usize, work: impl Fn(usize) -> u64) -> f64 {
        let (small, large) = (work(first), work(8 * first));
        #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
        let ratio = large as f64 / small as f64;
        ratio.log(8.0)
    }

    #[track_caller]
    fn is_linear(first: usize, work: impl Fn(usize) -> u64) {
        let exponent = exponent(first, work);
        assert!(exponent < 1.2, "{exponent}");
    }

    fn bytes(function: impl FnOnce()) -> u64 {
        measure(function).bytes_total
    }

    #[test]
    fn unique_items() {
        let definition = definition(&json!({"type": "array", "uniqueItems": true}));
        is_linear(500, |count| {
            let items: Vec<usize> = (0..count).collect();
            let object = object(&json!({"name": "a"}), &json!(items));
            steps(|| assert!(create(&definition, &object).is_accepted()))
        });
    }

    /// The object has each property of a schema whose names begin with the same bytes.
    #[test]
    fn properties_with_one_prefix() {
        is_linear(500, |count| {
            let names = || (0..count).map(|at| format!("property{at:06}"));
            let properties: Map<_, _> =
                names().map(|name| (name, json!({"type": "integer"}))).collect();
            let definition = definition(&json!({"type": "object", "properties": properties}));
            let spec: Map<_, _> = names().map(|name| (name, json!(1))).collect();
            let object = object(&json!({"name": "a"}), &spec.into());
            steps(|| assert!(create(&definition, &object).is_accepted()))
        });
    }

    /// Values of each type are looked up among the listed values.
    #[test]
    fn items_of_a_long_enumeration() {
        let value = |of_type: &str, at: usize| match of_type {
            "string" => json!(format!("w{at}")),
            "integer" => json!(at),
            "number" => json!(f64::from(u32::try_from(at).unwrap()) + 0.5),
            _ => json!({"a": [at]}),
        };
        for of_type in ["string", "integer", "number", "object"] {
            is_linear(100, |count| {
                let listed: Vec<Value> = (0..count).map(|at| value(of_type, at)).collect();
                let mut item = json!({"type": of_type, "enum": listed});
                if of_type == "object" {
                    item["x-kubernetes-preserve-unknown-fields"] = json!(true);
                }
                let definition = definition(&json!({"type": "array", "items": item}));
                let object = object(&json!({"name": "a"}), &json!(listed));
                steps(|| assert!(create(&definition, &object).is_accepted(), "{of_type}")) + 1
            });
        }
    }

    #[test]
    fn values_that_do_not_fit() {
        let definition = definition(&json!({"type": "array", "items": {"type": "string"}}));
        is_linear(500, |count| {
            let object = object(&json!({"name": "a"}), &json!(vec![1; count]));
            bytes(|| assert_eq!(create(&definition, &object).causes.len(), count))
        });
        let object = object(&json!({"name": "a"}), &json!(vec![1; 12_000]));
        let answer = create(&definition, &object);
        assert_eq!((answer.status, answer.causes.len()), (422, crate::answer::MOST_CAUSES));
        assert!(!answer.is_complete());
    }

    /// Each branch shows the whole value.
    #[test]
    fn causes_that_show_the_whole_object() {
        let branches: Vec<Value> =
            (0..200).map(|most| json!({"enum": [format!("w{most}")]})).collect();
        let definition = definition(&json!({"type": "string", "allOf": branches}));
        let object = object(&json!({"name": "a"}), &json!("x".repeat(1 << 20)));
        let answer = create(&definition, &object);
        let shown: usize = answer.causes.iter().map(|cause| cause.message.len()).sum();
        assert!(shown < 20 << 20 && !answer.is_complete(), "{shown}");
    }

    /// Each branch would have the types of all fields for its rule.
    #[test]
    fn rules_of_branches() {
        is_linear(50, |count| {
            let fields = (0..count).map(|at| (format!("f{at}"), json!({"type": "string"})));
            let fields: Map<String, Value> = fields.collect();
            let rule = json!({"x-kubernetes-validations": [{"rule": "true"}]});
            let schema =
                json!({"type": "object", "properties": fields, "allOf": vec![rule; count]});
            bytes(|| drop(definition(&schema)))
        });
    }

    /// Each level would be tried twice: once to see whether it fits, and once to report it.
    #[test]
    fn alternatives_in_alternatives() {
        let work = |depth: usize| {
            let innermost = json!({"minimum": 1});
            let nested = (0..depth).fold(innermost, |inner, _| json!({"anyOf": [inner]}));
            let definition = definition(&json!({"type": "integer", "allOf": [nested]}));
            let object = object(&json!({"name": "a"}), &json!(0));
            steps(|| assert_eq!(create(&definition, &object).status, 422))
        };
        // Each level tries the levels below. Schemas have at most 200 of them.
        assert!(exponent(10, work) < 2.1);
    }

    /// All items are compared with the old list, for each item that breaks a rule.
    #[test]
    fn rules_of_items_that_did_not_change() {
        let rules = json!([{"rule": "self == 'b'"}]);
        let item = json!({"type": "string", "maxLength": 9, "x-kubernetes-validations": rules});
        let definition = definition(&json!({"type": "array", "maxItems": 9999, "items": item}));
        is_linear(100, |count| {
            let metadata = json!({"name": "a", "resourceVersion": "1"});
            let stored = object(&metadata, &json!(vec!["a"; count]));
            let body = stored.to_string();
            let request = WriteRequest::update("v1", &stored, body.as_bytes());
            let compared = steps(|| {
                let answer = definition.admit(&request);
                assert!(answer.is_accepted() && !answer.warnings.is_empty(), "{}", answer.message);
            });
            compared + bytes(|| _ = definition.admit(&request)) / 1000
        });
    }

    /// The long name is in the path of each field.
    #[test]
    fn unknown_fields_below_a_long_name() {
        let values = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let definition = definition(&json!({"type": "object", "additionalProperties": values}));
        let members = (0..5_000).fold(String::new(), |mut members, at| {
            _ = write!(members, r#""b{at}":1,"#);
            members
        });
        let (head, name) =
            (r#""apiVersion":"example.com/v1","kind":"Widget""#, "n".repeat(1 << 18));
        let body = format!(
            r#"{{{head},"metadata":{{"name":"a"}},"spec":{{"{name}":{{{members}"a":"b"}}}}}}"#
        );
        let used = bytes(|| {
            let answer = definition.admit(&WriteRequest::create("v1", "", body.as_bytes()));
            assert!(answer.is_accepted() && !answer.is_complete());
        });
        assert!(used < 64 << 20, "{used}");
    }

    /// Each item lacks a default that is as large as the definition.
    #[test]
    fn large_defaults_of_many_items() {
        let default = json!({"type": "string", "default": "d".repeat(1 << 16)});
        let item = json!({"type": "object", "properties": {"a": default}});
        let definition = definition(&json!({"type": "array", "items": item}));
        let object = object(&json!({"name": "a"}), &json!(vec![json!({}); 10_000]));
        let used = bytes(|| {
            let answer = create(&definition, &object);
            assert!(answer.is_accepted() && !answer.is_complete());
        });
        assert!(used < 256 << 20, "{used}");
    }

    /// Each of many items lacks each of many properties: with a default, and with one inside.
    #[test]
    fn defaults_of_many_properties_of_many_items() {
        let text = json!({"type": "string", "default": "d"});
        let around = json!({"type": "object", "properties": {"a": text}});
        for property in [text, around] {
            is_linear(1_000, |size| {
                let names = (0..size).map(|at| (format!("f{at}"), property.clone()));
                let item = json!({"type": "object", "properties": names.collect::<Map<_, _>>()});
                let definition = definition(&json!({"type": "array", "items": item}));
                let object = object(&json!({"name": "a"}), &json!(vec![json!({}); 8 * size]));
                steps(|| assert!(create(&definition, &object).is_accepted()))
            });
        }
    }

    /// Servers compare each item with each part of the schema. Here the comparisons are bounded, and parts that were not compared
    /// are not faults: each of these objects is valid.
    #[test]
    fn a_schema_times_an_object() {
        const PARTS: usize = 1_000;
        let words = |first: usize| json!({"enum": (first..first + 16).collect::<Vec<_>>()});
        let (fits, not) = (words(0), words(1));
        let mut branches = vec![not.clone(); PARTS];
        branches.push(fits.clone());
        let text = json!({"type": "string", "allOf": vec![json!({"minLength": 9}); 4 * PARTS]});
        let pattern = json!({"type": "string", "allOf": vec![json!({"pattern": "^a+$"}); PARTS]});
        let long = json!("a".repeat(1 << 17));
        let list = |item: Value| json!({"type": "array", "items": item});
        let keys: Vec<String> = (0..PARTS).map(|at| format!("k{at}")).collect();
        let mut keyed =
            list(json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}));
        keyed["x-kubernetes-list-type"] = json!("map");
        keyed["x-kubernetes-list-map-keys"] = json!(keys);
        let rows = [
            (list(json!({"type": "integer", "allOf": vec![fits; PARTS]})), json!(vec![0; PARTS])),
            (list(json!({"type": "integer", "anyOf": branches})), json!(vec![0; PARTS])),
            (list(json!({"type": "integer", "oneOf": branches})), json!(vec![0; PARTS])),
            (
                list(json!({"type": "integer", "not": {"allOf": vec![not; PARTS]}})),
                json!(vec![0; PARTS]),
            ),
            (keyed, (0..2 * PARTS).map(|at| json!({"k0": at.to_string()})).collect()),
            (text, long.clone()),
            (pattern, long),
        ];
        for (schema, spec) in rows {
            let definition = definition(&schema);
            let answer = create(&definition, &object(&json!({"name": "a"}), &spec));
            assert!(answer.is_accepted(), "{schema:.100}: {:.200}", answer.message);
            let not_judged: Vec<&str> =
                answer.not_judged.iter().map(|not_judged| &*not_judged.rule).collect();
            assert_eq!(not_judged, [crate::meter::TOO_MANY_STEPS], "{schema:.100}");
        }
    }

    /// Each rule of each item takes steps that servers do not count. Once the steps are spent, the answer does not grow with the rest.
    #[test]
    fn rules_that_are_not_judged() {
        let rule = json!({"rule": "self.matches('((a{30}){30})b')"});
        let item = json!({"type": "string", "x-kubernetes-validations": vec![rule; 40]});
        let definition = definition(&json!({"type": "array", "items": item}));
        let object = object(&json!({"name": "a"}), &json!(vec!["a".repeat(100); 2_000]));
        let answer = create(&definition, &object);
        assert!((1..100).contains(&answer.not_judged.len()), "{}", answer.not_judged.len());
    }

    /// Equal patterns are compiled once. Different ones are compiled up to a number of states; the rest is not judged.
    #[test]
    fn hundreds_of_patterns() {
        let pattern = |at: usize| json!({"pattern": format!("^(a{{100}}){{10}}{at}?|^a")});
        let definition_of =
            |patterns: Vec<Value>| definition(&json!({"type": "string", "allOf": patterns}));
        let spec = json!("a".repeat(8));
        let answer =
            |definition: &Definition| create(definition, &object(&json!({"name": "a"}), &spec));
        let mut used = [0; 2];
        for (used, same) in used.iter_mut().zip([true, false]) {
            let patterns = (0..400).map(|at| pattern(if same { 0 } else { at })).collect();
            *used = bytes(|| {
                let answer = answer(&definition_of(patterns));
                assert!(answer.is_accepted(), "{:.200}", answer.message);
                assert_eq!(answer.is_complete(), same);
            });
        }
        assert!(used[0] < 32 << 20 && used[1] < 256 << 20, "{used:?}");
    }

    #[test]
    fn owners_that_all_control() {
        let definition = definition(&json!({"type": "object"}));
        let owner = |at: usize| json!({"apiVersion": "v1", "kind": "A", "name": "a", "uid": at.to_string(), "controller": true});
        let owners: Vec<Value> = (0..4_000).map(owner).collect();
        let object = object(&json!({"name": "a", "ownerReferences": owners}), &json!({}));
        let used = bytes(|| assert_eq!(create(&definition, &object).status, 422));
        assert!(used < 256 << 20, "{used}");
    }

    #[test]
    fn keys_of_a_list_that_its_items_lack() {
        let mut definition = crate::definition::tests::with_field(&json!({
            "type": "array", "x-kubernetes-list-type": "map",
            "items": {"type": "object", "properties": {"a": {"type": "string"}}},
        }));
        let keys: Vec<String> = (0..4_000).map(|at| format!("key{at}")).collect();
        let field = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/f";
        definition.pointer_mut(field).unwrap()["x-kubernetes-list-map-keys"] = json!(keys);
        let used = bytes(|| {
            let answer = judge(&definition, NEWEST).answer;
            assert!(answer.status == 422 && !answer.is_complete());
        });
        assert!(used < 256 << 20, "{used}");
    }
}
