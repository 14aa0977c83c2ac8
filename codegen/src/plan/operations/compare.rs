//! The differences between an operation and its verb.

use std::collections::BTreeSet;

use k8s_versioned_core::verb::{self, BodyContent, Verb};
use k8s_versioned_core::{Release, ReleaseForm};
use litemap::LiteMap;

use super::matching::{Index, Matched};
use crate::Problems;
use crate::gather::Gather;
use crate::input::toml_file::Layers;
use crate::plan::ObjectRole;
use crate::problem::PlanCause;
use crate::rules::Named;
use crate::spec::{Action, Body, Operation, Parameter, Releases, parameter_type};

/// Reports each difference.
pub(super) fn compare(
    id: &str,
    matched: &Matched<'_>,
    index: &Index<'_>,
    left_out: &Layers<Named>,
    problems: &mut Problems,
) {
    let mut differences = parameters(matched.operation, &matched.verb, left_out);
    differences.extend(method(matched));
    differences.extend(request(matched, index));
    differences.extend(responses(matched, index));
    for what in differences {
        let cause = PlanCause::UnlikeVerb { id: id.to_owned(), verb: matched.verb.name, what };
        problems.push(&matched.operation.place, cause);
    }
}

fn method(matched: &Matched<'_>) -> Option<String> {
    let (stated, known) = (matched.operation.method, matched.verb.method);
    // A connection can be opened by several methods, and a proxy takes all.
    let connects = matched.operation.action == Some(Action::Connect);
    (stated != known && !connects).then(|| format!("the method is {stated}, not {known}"))
}

/// The differences of the parameters in the query, release by release, without the parameters that rules leave out.
fn parameters(operation: &Operation, verb: &Verb, left_out: &Layers<Named>) -> Vec<String> {
    let left_out = |name: &str| left_out.iter().any(|rule| rule.name.value == name);
    let stated: LiteMap<&str, &Parameter> =
        operation.query().filter(|(name, _)| !left_out(name)).gather();
    let known: LiteMap<&str, &verb::Parameter> =
        verb.parameters().map(|known| (known.name, known)).gather();
    let names: BTreeSet<&str> = stated.keys().chain(known.keys()).copied().gather();
    // Another product has its own releases, and its servers have the parameters of some release of Kubernetes.
    let is_product = |release: Release| release.form() != ReleaseForm::Minor;
    let of_product = operation.custom || operation.releases.first().is_some_and(is_product);
    let mut differences = Vec::new();
    for name in names {
        let (stated, known) = (stated.get(name), known.get(name));
        let differ = |(stated, known): (&&Parameter, &&verb::Parameter)| {
            stated.schema != parameter_type(known.of_type)
        };
        if stated.zip(known).is_some_and(differ) {
            differences.push(format!("the parameter `{name}` has another type"));
        }
        let stated = stated.map(|stated| stated.releases.clone()).unwrap_or_default();
        let since = |parameter: &&&verb::Parameter| parameter.since.filter(|_| !of_product);
        let expected =
            known.map(|known| operation.releases.from(since(&known))).unwrap_or_default();
        let unknown = stated.without(&expected);
        let missing = if of_product { Releases::default() } else { expected.without(&stated) };
        for (releases, how) in [(unknown, "not known"), (missing, "missing")] {
            if releases.first().is_some() {
                differences.push(format!("the parameter `{name}` is {how} ({releases})"));
            }
        }
    }
    differences
}

fn request(matched: &Matched<'_>, index: &Index<'_>) -> Vec<String> {
    let body = matched.operation.body.as_ref();
    let (sends, stated) = (matched.verb.sends, body.map(|(body, _)| body));
    let mut differences = Vec::new();
    differences.extend(content("the request", sends, stated, matched, index));
    let needed = matches!(sends, BodyContent::Object | BodyContent::Patch);
    if body.is_some_and(|(_, required)| *required != needed) {
        differences.push(format!(
            "the body of the request is {}",
            if needed { "optional" } else { "required" }
        ));
    }
    let Some(body) = stated else {
        return differences;
    };
    let known = matched.verb.media_types;
    let stated = &body.media_types;
    // CBOR is out of scope.
    let is_known = |media_type: &str| {
        known.contains(&media_type) || media_type == "application/apply-patch+cbor"
    };
    let unknown = stated.keys().filter(|key| !is_known(key));
    differences.extend(unknown.map(|unknown| format!("the request can be `{unknown}`")));
    let missing = known.iter().filter(|known| !stated.contains_key(**known));
    differences.extend(missing.map(|missing| format!("the request cannot be `{missing}`")));
    differences
}

fn responses(matched: &Matched<'_>, index: &Index<'_>) -> Vec<String> {
    let (operation, verb) = (matched.operation, &matched.verb);
    let mut differences = Vec::new();
    let missing = verb.successes.iter();
    let missing = missing.filter(|code| !operation.responses.contains_key(code));
    differences.extend(missing.map(|code| format!("there is no response {code}")));
    for (code, body) in operation.responses.iter().filter(|(code, _)| **code < 400) {
        if !verb.successes.contains(code) {
            differences.push(format!("the response {code} is not known"));
            continue;
        }
        let of = format!("the response {code}");
        differences.extend(match (matched.deprecated, body) {
            (true, Some(body)) if body.schema.ends_with(".meta.v1.WatchEvent") => None,
            (true, _) => Some(format!("{of} is not a `WatchEvent`")),
            (false, body) => content(&of, verb.answers, body.as_ref(), matched, index),
        });
        let needed: &[&str] = match verb.answers {
            // What a log or a connection holds is not JSON.
            BodyContent::Text => &[],
            // The documents of custom resources do not state the stream.
            BodyContent::List if !operation.custom => {
                &["application/json", "application/json;stream=watch"]
            }
            _ => &["application/json"],
        };
        let stated = body.as_ref().map(|body| &body.media_types);
        let missing = needed.iter();
        let missing =
            missing.filter(|missing| stated.is_some_and(|stated| !stated.contains_key(*missing)));
        differences.extend(missing.map(|missing| format!("{of} cannot be `{missing}`")));
    }
    differences
}

/// The difference between the content of a body and the content of the verb.
fn content(
    of: &str,
    expected: BodyContent,
    stated: Option<&Body>,
    matched: &Matched<'_>,
    index: &Index<'_>,
) -> Option<String> {
    let Some(schema) = stated.map(|body| body.schema.as_str()) else {
        return (expected != BodyContent::Nothing).then(|| format!("{of} has no body"));
    };
    let (right, name) = match expected {
        BodyContent::Object => (is_object(schema, matched), "an object of the resource"),
        BodyContent::List => (is_list(schema, matched, index), "a list of the resource"),
        BodyContent::Patch => (schema.ends_with(".meta.v1.Patch"), "a `Patch`"),
        BodyContent::DeleteOptions => (index.is_meta(schema, "DeleteOptions"), "`DeleteOptions`"),
        BodyContent::Status => (
            index.is_meta(schema, "Status") || (matched.verb.named && is_object(schema, matched)),
            "a `Status`",
        ),
        BodyContent::Text => (schema.is_empty(), "text"),
        _ => (false, "nothing"),
    };
    (!right).then(|| format!("{of} holds `{schema}`, not {name}"))
}

fn is_object(schema: &str, matched: &Matched<'_>) -> bool {
    matched.object.is_some_and(|object| object.schema == schema)
}

fn is_list(schema: &str, matched: &Matched<'_>, index: &Index<'_>) -> bool {
    let object = matched.resource.object.as_ref();
    let Some(ObjectRole::Resource { list, .. }) = object.map(|object| &object.role) else {
        return false;
    };
    index.schemas.get(schema).is_some_and(|schema| Some(&schema.path) == list.as_ref())
}
