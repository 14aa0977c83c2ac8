//! The rule `pattern`: members of an object that say together what other members say in another version.

use k8s_versioned::conversion::{AnyVersion, ConversionReport, Options, Severity};
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::walks::{Schemas, walk};
use serde_json::{Value, json};
use testing::walk::seeds;

use crate::emitted::patterns::conversion::{AnyRun, RunVersion};
use crate::support::folder;

fn convert(run: &Value, to: RunVersion) -> (Value, ConversionReport) {
    let run: AnyRun = serde_json::from_value(run.clone()).unwrap();
    let mut report = ConversionReport::new();
    let converted = run.convert_to_reporting(to, &Options::default(), &mut report);
    (serde_json::to_value(converted).unwrap(), report)
}

/// Converts a spec to a version and back: the result is the object again. Returns the other spec, and whether it has an annotation.
fn there_and_back(from: RunVersion, to: RunVersion, spec: &Value) -> (Value, bool) {
    let run = json!({
        "apiVersion": format!("run.example.dev/{}", from.as_str()), "kind": "Run", "metadata": {"name": "a"}, "spec": spec,
    });
    let (mut there, report) = convert(&run, to);
    let lost = report.at_least(Severity::Warning);
    assert!(lost.is_empty(), "{lost}");
    assert_eq!(convert(&there, from).0, run, "{there}");
    (there["spec"].take(), there["metadata"].get("annotations").is_some())
}

/// The two specs say the same, and the annotation keeps nothing.
fn same(below: &Value, above: &Value) {
    use RunVersion::{V1, V1beta1};

    assert_eq!(there_and_back(V1beta1, V1, below), (above.clone(), false), "{below}");
    assert_eq!(there_and_back(V1, V1beta1, above), (below.clone(), false), "{above}");
}

/// A spec of v1beta1 becomes one that does not say all of it.
fn kept(below: &Value, above: &Value) {
    let there = there_and_back(RunVersion::V1beta1, RunVersion::V1, below);
    assert_eq!(there, (above.clone(), true), "{below}");
}

/// A spec of v1 becomes one that does not say all of it.
fn kept_below(above: &Value, below: &Value) {
    let there = there_and_back(RunVersion::V1, RunVersion::V1beta1, above);
    assert_eq!(there, (below.clone(), true), "{above}");
}

#[test]
fn a_text_and_a_constant_with_items_of_a_list() {
    let params = |params: Value| json!({"task": {"resolver": "bundles", "params": params}});
    same(&json!({"task": {"bundle": "b"}}), &params(json!([{"name": "bundle", "value": "b"}])));
    same(
        &json!({"task": {"bundle": "b", "name": "n"}}),
        &params(json!([{"name": "bundle", "value": "b"}, {"name": "name", "value": "n"}])),
    );
    same(&json!({"task": {"name": "n"}}), &json!({"task": {"name": "n"}}));
    kept_below(&json!({"task": {"name": "n", "resolver": "git"}}), &json!({"task": {"name": "n"}}));
    kept_below(
        &params(json!([{"name": "bundle", "value": {"x": [1]}}, {"name": "x"}])),
        &json!({"task": {}}),
    );
}

#[test]
fn two_fields_are_one() {
    same(&json!({"timeouts": {"run": "1h"}}), &json!({"timeouts": {"run": "1h"}}));
    kept(&json!({"timeout": "1h"}), &json!({"timeouts": {"run": "1h"}}));
    kept(
        &json!({"timeout": "1h", "timeouts": {"finally": "1s"}}),
        &json!({"timeouts": {"finally": "1s"}}),
    );
    let source = |source: &str| json!({"classSource": format!("{source}example.dev/class"), "className": "c"});
    same(
        &source("run."),
        &json!({"classRef": {"group": "run.example.dev", "kind": "RunClass", "name": "c"}}),
    );
    same(&source(""), &json!({"classRef": {"group": "example.dev", "kind": "Class", "name": "c"}}));
    kept(&json!({"className": "c"}), &json!({}));
    kept(&json!({"classSource": ""}), &json!({}));
    kept_below(&json!({"classRef": {"group": "g", "kind": "Class", "name": "c"}}), &json!({}));
}

/// A field that the value of a variable lacks and the other version requires is made up. An object without it comes back.
#[test]
fn a_required_field_inside_of_a_variable() {
    same(&json!({"plan": {"checks": []}}), &json!({"plan": {"checks": []}}));
    kept(&json!({"plan": {}}), &json!({"plan": {"checks": []}}));
    kept(&json!({"plan": {"name": "n"}}), &json!({"plan": {"name": "n", "checks": []}}));
    kept(&json!({"planned": ["a"]}), &json!({"plan": {"checks": [{"name": "a"}]}}));
    kept(&json!({"planned": []}), &json!({"plan": {"checks": []}}));
}

#[test]
fn words_lists_and_texts() {
    same(&json!({"mode": "fast"}), &json!({"modes": ["fast"]}));
    kept_below(&json!({"modes": ["fast", "slow"]}), &json!({}));
    kept_below(&json!({"modes": []}), &json!({}));
    same(&json!({"checks": ["a", "b"]}), &json!({"checkRules": [{"name": "a"}, {"name": "b"}]}));
    same(&json!({"checks": []}), &json!({"checkRules": []}));
    kept_below(&json!({"checkRules": [{"name": "a", "flavors": ["x"]}]}), &json!({}));
    same(&json!({"image": "a:1:2"}), &json!({"imageName": "a", "tag": "1:2"}));
    kept(&json!({"image": "a"}), &json!({}));
    // An edit wins.
    let run = json!({"apiVersion": "run.example.dev/v1", "kind": "Run", "metadata": {"name": "a"}, "spec": {"modes": ["a", "b"]}});
    let (mut below, _) = convert(&run, RunVersion::V1beta1);
    below["spec"]["mode"] = json!("c");
    assert_eq!(convert(&below, RunVersion::V1).0["spec"]["modes"], json!(["c"]));
}

#[test]
fn items_of_lists() {
    let matcher = |rest: Value| {
        let mut matcher = json!({"name": "m"});
        matcher.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        json!({"matchers": [matcher]})
    };
    kept(&matcher(json!({"regex": true})), &matcher(json!({"type": "=~"})));
    same(&matcher(json!({"regex": false, "type": "=~"})), &matcher(json!({"type": "=~"})));
    same(&matcher(json!({"regex": false, "type": "!="})), &matcher(json!({"type": "!="})));
    kept(&matcher(json!({"regex": false})), &matcher(json!({"type": "="})));
    kept(&matcher(json!({"regex": true, "type": "="})), &matcher(json!({"type": "="})));
    let params = |kind: Option<&str>| json!({"params": [{"name": "p", "type": kind, "more": "m"}]});
    let absent = json!({"params": [{"name": "p", "more": "m"}]});
    same(&absent, &params(Some("string")));
    same(&params(Some("array")), &params(Some("array")));
    kept(&params(Some("number")), &params(Some("string")));
    kept(&params(Some("string")), &params(Some("string")));
}

/// A stored value of another type counts, and not the constant of the pattern for an object without the member.
#[test]
fn a_value_of_another_type_takes_the_place_of_a_constant() {
    let run = json!({"apiVersion": "run.example.dev/v1", "kind": "Run", "metadata": {"name": "a"},
        "spec": {"params": [{"name": "p", "type": "x"}, {"name": "q", "type": 7}]}});
    let convert = |run: &Value, to| AnyRun::convert_value(run, to, &Options::default()).unwrap();
    for through in [RunVersion::V1beta1, RunVersion::V1beta2] {
        let (below, _) = convert(&run, through);
        let (back, _) = convert(&below, RunVersion::V1);
        assert_eq!(back["spec"]["params"], run["spec"]["params"]);
        // An edit wins.
        let mut edited = below.clone();
        edited["spec"]["params"][1]["type"] = json!("array");
        let (edited, _) = convert(&edited, RunVersion::V1);
        assert_eq!(edited["spec"]["params"][1]["type"], "array");
    }
}

#[test]
fn nothing_is_lost() {
    let schemas = Schemas::load(folder("good/patterns")).unwrap();
    for seed in seeds() {
        walk(&Convertible::new::<AnyRun>(), &schemas, seed)
            .unwrap_or_else(|error| panic!("{error}"));
    }
}
