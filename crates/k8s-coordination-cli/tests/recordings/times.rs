//! The table of times in the documentation of `MicroTime`, against the recordings that it names.

use k8s_versioned::MicroTime;
use k8s_versioned_conformance::Recording;
use k8s_versioned_conformance::recordings::{Exchange, RecordedBody};
use serde_json::Value;

use crate::recorded::RECORDINGS;

/// The rows of the table: a text, what a server does, what this crate does, and the name of the recordings.
fn rows() -> Vec<[String; 4]> {
    let docs = include_str!("../../../k8s-versioned/src/values/time.rs");
    let rows = docs.lines().filter_map(|line| line.strip_prefix("/// | `"));
    let cell = |cell: &str| cell.trim().replace('`', "");
    let rows = rows.map(|row| row.split('|').map(cell).take(4).collect::<Vec<_>>());
    rows.map(|row| row.try_into().unwrap()).collect()
}

/// The text of a time that was sent, and the text that the server stored.
fn sent_and_stored<'a>(exchange: &'a Exchange, field: &str) -> [Option<&'a Value>; 2] {
    let field_of = |body: &'a Value| body.get("spec")?.get(field);
    let sent = match &exchange.request.body {
        Some(RecordedBody::Json(body)) => field_of(body),
        _ => None,
    };
    let stored = match &exchange.response.body {
        Some(RecordedBody::Json(body)) => field_of(body),
        _ => None,
    };
    [sent, stored]
}

#[test]
fn every_row_has_its_recordings() {
    let rows = rows();
    assert!(rows.len() > 25);
    for [text, server, here, name] in rows {
        let recordings: Vec<&Recording> =
            RECORDINGS.iter().filter(|recording| recording.name == name).collect();
        assert!(recordings.len() >= 2, "{name} in 1.31 and 1.36");
        for recording in recordings {
            let exchange = recording.exchange().unwrap();
            let [sent, stored] = sent_and_stored(exchange, name.split('-').nth(1).unwrap());
            assert_eq!(sent.unwrap(), &text, "{name}");
            let accepted = exchange.response.status == 201;
            assert_eq!(accepted, !server.starts_with("refuses"), "{name}: {server}");
            let read: Result<MicroTime, _> = text.parse();
            let strict = MicroTime::parse_as_server(&text);
            assert_eq!(strict.is_ok(), accepted, "{name}");
            let same = here == "the same";
            assert_eq!(read.is_ok(), accepted || !same, "{name}: {here}");
            if accepted && same {
                assert_eq!(stored.unwrap(), &read.unwrap().to_string(), "{name}");
            }
        }
    }
}
