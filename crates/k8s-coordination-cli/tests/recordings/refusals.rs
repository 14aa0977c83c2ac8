//! Recorded refusals.

use std::borrow::Cow;
use std::collections::BTreeMap;

use k8s_coordination::Kinds;
use k8s_versioned_conformance::json_of;
use k8s_versioned_conformance::recordings::Exchange;
use serde_json::Value;

use crate::recorded::recordings;

/// The refusals, each with its body.
fn refusals() -> impl Iterator<Item = (&'static Exchange, Cow<'static, Value>)> {
    let exchanges = recordings().filter_map(|recording| recording.exchange());
    exchanges.filter(|exchange| exchange.response.status >= 400).filter_map(|exchange| {
        match exchange.response.body.as_ref() {
            None => Some((exchange, Cow::Owned(Value::Null))),
            body => Some((exchange, json_of(&Kinds, body)?)),
        }
    })
}

const CODES_AND_REASONS: &str = "\
400 BadRequest: 697
401 Unauthorized: 20
403 Forbidden: 10
404 NotFound: 56
405 MethodNotAllowed: 10
406 NotAcceptable: 10
409 AlreadyExists: 25
409 Conflict: 98
410 Expired: 23
415 UnsupportedMediaType: 15
422 Invalid: 1618
500 none: 20
504 Timeout: 16
";

/// The status codes and reasons of servers. A table in the tests of `k8s-coordination` has each.
#[test]
fn codes_and_reasons() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (exchange, body) in refusals() {
        let reason = body["reason"].as_str().unwrap_or("none");
        let line = format!("{} {reason}", exchange.response.status);
        *counts.entry(line).or_default() += 1;
        assert!(reason != "NotFound" || body["details"]["name"].is_string(), "{body}");
    }
    let lines = counts.iter().map(|(line, count)| format!("{line}: {count}\n"));
    assert_eq!(lines.collect::<String>(), CODES_AND_REASONS);
}
