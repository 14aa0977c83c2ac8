//! Objects that versions take apart, and fields that move into or out of objects.

use k8s_versioned_codegen::tools::draft::Drafter;
use k8s_versioned_codegen::{Files, Plans};

use super::{assert_guesses, drafted, guesses, kind_of};

/// Two objects with fields of one name, which another version has beside them: the better guess is taken, and of equally good
/// ones none. By rules for both, a field would be in two places.
#[test]
fn a_field_beside_two_objects() {
    let text = |names: &[&str]| {
        names.iter().map(|name| format!("{name}: {{type: string}}")).collect::<Vec<_>>().join(", ")
    };
    let object = |names: &[&str]| format!("{{type: object, properties: {{{}}}}}", text(names));
    let specs = |one: &[&str], other: &[&str], rules: &str| {
        let old = text(&["url", "tenant", "querier", "token"]);
        let new = format!("manual: {}, simple: {}", object(one), object(other));
        let schema = |server: &str| {
            format!(
                "{{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object, properties: {{server: {{type: object, properties: {{{server}}}}}}}}}}}}}}}"
            )
        };
        let definition = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.dev}}\n\
             spec:\n  group: example.dev\n  scope: Namespaced\n  names: {{kind: Widget, plural: widgets}}\n  versions:\n  \
             - {{name: v1alpha1, served: true, storage: false, schema: {}}}\n  - {{name: v1, served: true, storage: true, schema: {}}}\n",
            schema(&old),
            schema(&new),
        );
        let files = [("widgets.yaml", definition), ("conversions.toml", rules.to_owned())];
        files.into_iter().map(|(path, text)| (path.to_owned(), text.into())).collect::<Files>()
    };
    let all: &[&str] = &["url", "tenant", "querier"];
    for (simple, nested) in [(&["url", "tenant"][..], 1), (all, 0), (&["token"], 2)] {
        let plans = Plans::read(&specs(all, simple, "")).unwrap();
        let rules = Drafter::new(&plans).drafts(false).unwrap().concat();
        assert_eq!(rules.matches("rule = \"nest\"").count(), nested, "{rules}");
        Plans::read(&specs(all, simple, &rules)).unwrap();
    }
    let rule = |of: &str| {
        format!(
            "\n[[kind.field]]\nrule = \"nest\"\nnames = {{ v1alpha1 = \"spec.server\", v1 = \"spec.server.{of}\" }}\nreason = \"a\"\n"
        )
    };
    let rules = format!(
        "[[kind]]\nkind = \"Widget\"\nversions = [\"v1alpha1\", \"v1\"]\n{}{}",
        rule("manual"),
        rule("simple")
    );
    let problems = Plans::read(&specs(all, &["url"], &rules)).unwrap_err().to_string();
    let why = "`spec.server.url` of v1alpha1 would be in `spec.server.manual` and in `spec.server.simple` of v1";
    assert!(problems.contains(why), "{problems}");
}

/// What is in a renamed list is compared with what was in it, and of two lists the one with more in common is taken.
#[test]
fn fields_in_renamed_lists() {
    let list = |name: &str, fields: &str| {
        format!(
            "{name}: {{type: array, items: {{type: object, required: [name], properties: {{name: {{type: string}}, {fields}}}}}}}"
        )
    };
    let res = |name: &str| {
        format!(
            "{name}: {{type: object, properties: {{cpu: {{type: string}}, memory: {{type: string}}}}}}"
        )
    };
    let text = drafted(&kind_of(&[
        ("v1beta1", &list("stepOverrides", &res("resources"))),
        ("v1", &list("stepSpecs", &res("computeResources"))),
    ]));
    let found = guesses(&text).join("\n");
    for names in [
        r#"{ v1beta1 = "spec.stepOverrides", v1 = "spec.stepSpecs" }"#,
        r#"{ v1beta1 = "spec.stepOverrides[].resources", v1 = "spec.stepSpecs[].computeResources" }"#,
    ] {
        assert!(found.contains(names), "{text}");
    }
    let typed = "type: {type: string}, value: {type: string}";
    let old =
        [list("taskResults", typed), list("resourcesResult", "digest: {type: string}")].join("\n");
    let text = drafted(&kind_of(&[("v1beta1", &old), ("v1", &list("results", typed))]));
    let found = guesses(&text).join("\n");
    assert!(found.contains(r#"{ v1beta1 = "spec.taskResults", v1 = "spec.results" }"#), "{text}");
}

/// Objects that projects took apart, each with fields that have other names or forms now.
#[test]
fn objects_that_projects_take_apart() {
    let limits = "type: array, items: {type: object, properties: {kind: {type: string}, timeout: {type: string}}}";
    let seconds = limits.replace("timeout: {type: string}", "timeoutSeconds: {type: integer}");
    let keys = "bootTimeout: {type: string}, trips: {type: integer}, lateTrips: {type: integer}, brokenHullLimits:";
    for (old, new, rules) in [
        // Durations, of which one has the name of the object, too.
        (
            "refitTimeout: {type: string}\nrefitDrainTimeout: {type: string}".to_owned(),
            "refit: {type: object, properties: {refitTimeoutSeconds: {type: integer}, refitDrainTimeoutSeconds: {type: integer}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.refit" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.refitTimeout", v1 = "spec.refit.refitTimeoutSeconds" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.refitDrainTimeout", v1 = "spec.refit.refitDrainTimeoutSeconds" }"#,
            ],
        ),
        // Flags.
        (
            "hullReady: {type: boolean}\nready: {type: boolean}".to_owned(),
            "launch: {type: object, properties: {hullProvisioned: {type: boolean}, completed: {type: boolean}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.launch" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.hullReady", v1 = "spec.launch.hullProvisioned" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.ready", v1 = "spec.launch.completed" }"#,
            ],
        ),
        // An object with another name, whose fields are in sub-objects now.
        (
            format!("hullHealthCheck: {{type: object, properties: {{enable: {{type: boolean}}, {keys} {{{limits}}}}}}}"),
            format!(
                "healthCheck: {{type: object, properties: {{enabled: {{type: boolean}}, checks: {{type: object, properties: {{bootTimeoutSeconds: {{type: integer}}, brokenHullLimits: {{{seconds}}}}}}}, remedy: {{type: object, properties: {{trips: {{type: integer}}, at: {{type: object, properties: {{lateInTrips: {{type: integer}}}}}}}}}}}}}}"
            ),
            vec![
                r#"rule = "move" names = { v1beta1 = "spec.hullHealthCheck", v1 = "spec.healthCheck" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.hullHealthCheck", v1 = "spec.healthCheck.checks" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.hullHealthCheck.bootTimeout", v1 = "spec.healthCheck.checks.bootTimeoutSeconds" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.hullHealthCheck.brokenHullLimits[].timeout", v1 = "spec.healthCheck.checks.brokenHullLimits[].timeoutSeconds" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.hullHealthCheck.enable", v1 = "spec.healthCheck.enabled" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.hullHealthCheck", v1 = "spec.healthCheck.remedy" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.hullHealthCheck", v1 = "spec.healthCheck.remedy.at" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.hullHealthCheck.lateTrips", v1 = "spec.healthCheck.remedy.at.lateInTrips" }"#,
            ],
        ),
        // An object that moved out, to a place that could hold anything.
        (
            "hull: {type: object, properties: {pace: {type: string}, state: {type: object, properties: {keel: {type: string}, mast: {type: string}}}}}\nstate: {type: object, x-kubernetes-preserve-unknown-fields: true}".to_owned(),
            "hull: {type: object, properties: {pace: {type: string}}}\nstate: {type: object, properties: {keel: {type: string}, mast: {type: string}}}".to_owned(),
            vec![r#"rule = "move" names = { v1beta1 = "spec.hull.state", v1 = "spec.state" }"#],
        ),
    ] {
        assert_guesses((&old, &new), &rules);
    }
}

/// Objects with new objects around and inside of them, and fields whose new place their words or a reference say.
#[test]
fn fields_that_move_into_new_objects() {
    for (old, new, rules) in [
        // Two objects inside of one with another name.
        (
            "check: {type: object, properties: {bootTimeout: {type: string}, mostBroken: {type: string}, range: {type: string}, enable: {type: boolean}}}".to_owned(),
            "hullCheck: {type: object, properties: {enabled: {type: boolean}, at: {type: object, properties: {bootTimeoutSeconds: {type: integer}}}, remedy: {type: object, properties: {ifAny: {type: object, properties: {mostBroken: {type: string}, range: {type: string}}}}}}}".to_owned(),
            vec![
                r#"rule = "move" names = { v1beta1 = "spec.check", v1 = "spec.hullCheck" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.check.enable", v1 = "spec.hullCheck.enabled" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.check", v1 = "spec.hullCheck.at" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.check.bootTimeout", v1 = "spec.hullCheck.at.bootTimeoutSeconds" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.check", v1 = "spec.hullCheck.remedy.ifAny" }"#,
            ],
        ),
        // An object with a new object around it, and new ones in it.
        (
            "hull: {type: object, properties: {keel: {type: string}, mast: {type: string}, oars: {type: integer}, crew: {type: integer}}}".to_owned(),
            "ship: {type: object, properties: {hull: {type: object, properties: {wood: {type: object, properties: {keel: {type: string}, mast: {type: string}}}, men: {type: object, properties: {oars: {type: integer}, crew: {type: integer}}}}}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.ship" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.hull", v1 = "spec.ship.hull.wood" }"#,
                r#"rule = "nest" names = { v1beta1 = "spec.hull", v1 = "spec.ship.hull.men" }"#,
            ],
        ),
        // Words say that it is one field.
        (
            "deletePolicy: {type: string, enum: [Random, Newest, Oldest]}".to_owned(),
            "deletion: {type: object, properties: {order: {type: string, enum: [Random, Newest, Oldest]}, note: {type: string}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.deletion" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.deletePolicy", v1 = "spec.deletion.order" }"#,
            ],
        ),
        // Of two flags, the one with more words of the new one.
        (
            "ready: {type: boolean}\ninitialized: {type: boolean}".to_owned(),
            "launch: {type: object, properties: {hullInitialized: {type: boolean}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.launch" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.initialized", v1 = "spec.launch.hullInitialized" }"#,
            ],
        ),
        // The name of a reference that has more fields.
        (
            "classOfShipName: {type: string}".to_owned(),
            "classOfShipRef: {type: object, required: [group, kind, name], properties: {group: {type: string}, kind: {type: string}, name: {type: string}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.classOfShipRef" }"#,
                r#"rule = "absent-to-zero" names = { v1beta1 = "spec.classOfShipName", v1 = "spec.classOfShipRef.name" }"#,
            ],
        ),
        // The built-in kind of a reference.
        (
            "nodeRef: {type: object, properties: {kind: {type: string}, name: {type: string}, namespace: {type: string}}}".to_owned(),
            "nodeRef: {type: object, properties: {name: {type: string}}}".to_owned(),
            vec![r#"rule = "keep-aside" names = { v1beta1 = "spec.nodeRef.kind" }"#],
        ),
        // A field of another object, which the names of the new object and its field say.
        (
            "join: {type: object, properties: {lookup: {type: object, properties: {timeout: {type: string}, more: {type: boolean}}}}}".to_owned(),
            "join: {type: object, properties: {lookup: {type: object, properties: {more: {type: boolean}}}, timeouts: {type: object, properties: {lookupSeconds: {type: integer}, bootSeconds: {type: integer}}}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec.join", v1 = "spec.join.timeouts" }"#,
                r#"rule = "units" names = { v1beta1 = "spec.join.lookup.timeout", v1 = "spec.join.timeouts.lookupSeconds" }"#,
            ],
        ),
        (
            "ship: {type: object, properties: {crewPerBoat: {type: integer}, name: {type: string}}}".to_owned(),
            "ship: {type: object, properties: {name: {type: string}}}\nboatNeeds: {type: object, properties: {crewCount: {type: integer}, oars: {type: boolean}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.boatNeeds" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.ship.crewPerBoat", v1 = "spec.boatNeeds.crewCount" }"#,
            ],
        ),
    ] {
        assert_guesses((&old, &new), &rules);
    }
}

/// Fields that their words, a word of both names or a namespace beside them pair.
#[test]
fn fields_that_move_by_their_words() {
    for (old, new, rules) in [
        // The same words, in another object.
        (
            "strategy: {type: object, properties: {rolling: {type: object, properties: {deletePolicy: {type: string, enum: [Random, Newest, Oldest]}, surge: {type: string}}}}}\nremoval: {type: object, properties: {grace: {type: integer}}}".to_owned(),
            "strategy: {type: object, properties: {rolling: {type: object, properties: {surge: {type: string}}}}}\nremoval: {type: object, properties: {order: {type: string, enum: [Random, Newest, Oldest]}, grace: {type: integer}}}".to_owned(),
            vec![
                r#"rule = "move" names = { v1beta1 = "spec.strategy.rolling.deletePolicy", v1 = "spec.removal.order" }"#,
            ],
        ),
        // The same words, in a new object.
        (
            "strategy: {type: object, properties: {deletePolicy: {type: string, enum: [Random, Newest, Oldest]}, surge: {type: string}}}".to_owned(),
            "strategy: {type: object, properties: {surge: {type: string}}}\nremoval: {type: object, properties: {order: {type: string, enum: [Random, Newest, Oldest]}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.removal" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.strategy.deletePolicy", v1 = "spec.removal.order" }"#,
            ],
        ),
        // A word of both names, of a type that no other field has.
        (
            "maxLeaky: {x-kubernetes-int-or-string: true}\nrange: {type: string}".to_owned(),
            "remedy: {type: object, properties: {ifAny: {type: object, properties: {leakyAtMost: {x-kubernetes-int-or-string: true}, range: {type: string}}}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.remedy.ifAny" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.maxLeaky", v1 = "spec.remedy.ifAny.leakyAtMost" }"#,
            ],
        ),
        // A name and its namespace.
        (
            "dock: {type: string}\ndockNamespace: {type: string}".to_owned(),
            "dockRef: {type: object, properties: {name: {type: string}, namespace: {type: string}}}".to_owned(),
            vec![
                r#"rule = "nest" names = { v1beta1 = "spec", v1 = "spec.dockRef" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.dock", v1 = "spec.dockRef.name" }"#,
                r#"rule = "move" names = { v1beta1 = "spec.dockNamespace", v1 = "spec.dockRef.namespace" }"#,
            ],
        ),
    ] {
        assert_guesses((&old, &new), &rules);
    }
}

/// Of two new objects, none is chosen if their names say the same: the comment names both.
#[test]
fn new_objects_that_are_equally_good() {
    let kind = |more: &str, others: &str| {
        let side = |name: &str| {
            format!("{name}: {{type: object, properties: {{keel: {{type: boolean}}{others}}}}}")
        };
        format!("{more}\n{}\n{}", side("fore"), side("rear"))
    };
    let old = kind(
        "ship: {type: object, properties: {limitOfCrew: {type: string}, a: {type: boolean}}}",
        "",
    );
    let new = kind(
        "ship: {type: object, properties: {a: {type: boolean}}}",
        ", limits: {type: object, properties: {crewSeconds: {type: integer}, ropeSeconds: {type: integer}}}",
    );
    let text = drafted(&kind_of(&[("v1beta1", &old), ("v1", &new)]));
    assert!(guesses(&text).is_empty(), "{text}");
    let both = "# undecided: `spec.fore.limits.crewSeconds` and `spec.rear.limits.crewSeconds` are equally like it";
    assert!(text.contains(both), "{text}");
}
