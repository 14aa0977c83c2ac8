//! The time of reading YAML beside the crate `serde_norway`.
//!
//! Both sides make a `serde_json::Value` of each document of a text, and the values are compared once. The sides run in turn in one
//! process, and a figure is the median of the rounds. The arguments `ours` or `peer` and the number of a row run one side and nothing
//! else, for a profiler.

use std::hint::black_box;
use std::time::Instant;

use k8s_versioned_source::{ReadLimits, documents};
use serde::Deserialize as _;
use serde_json::Value;

const ROUNDS: usize = 31;

/// The numbers of documents, and of the labels of each.
const ROWS: [(&str, usize, usize); 4] = [
    ("500 documents of 150 bytes", 500, 0),
    ("10,000 documents of 150 bytes", 10_000, 0),
    ("500 documents of 1.5 kB", 500, 40),
    ("a document of 1 MB", 1, 30_000),
];

fn text(documents: usize, labels: usize) -> String {
    let document = |at: usize| {
        let labels = (0..labels).map(|label| format!("    example.com/label-{label}: text {label}\n"));
        format!(
            "---\napiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: widget-{at}\n  labels:\n    app: web\n{}\
             spec:\n  replicas: {at}\n  image: \"example.com/web:1.0\"\n  paused: false\n",
            labels.collect::<String>()
        )
    };
    (0..documents).map(document).collect()
}

fn ours(text: &str) -> Vec<Value> {
    let read = documents("a.yaml", text.as_bytes(), &ReadLimits::MANIFESTS);
    read.map(|tree| tree.unwrap().root().to_json()).collect()
}

fn peer(text: &str) -> Vec<Value> {
    let read = serde_norway::Deserializer::from_str(text);
    read.map(|document| Value::deserialize(document).unwrap()).collect()
}

/// The least possible work for our side: the events of its parser, of which nothing is made.
fn events(text: &str) -> usize {
    granit_parser::Parser::new_from_str(text).map(|event| event.unwrap()).count()
}

fn time<T>(side: impl Fn(&str) -> T, text: &str) -> f64 {
    let start = Instant::now();
    black_box(side(text));
    start.elapsed().as_secs_f64()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [side, row] = arguments.as_slice() {
        let (_, documents, labels) = ROWS[row.parse::<usize>().unwrap()];
        let text = text(documents, labels);
        let side = if side == "ours" { ours } else { peer };
        (0..20).for_each(|_| drop(black_box(side(&text))));
        return;
    }
    println!("| text | of `serde_norway` | limit: the parser alone |\n|---|--:|--:|");
    for (name, documents, labels) in ROWS {
        let text = text(documents, labels);
        assert_eq!(ours(&text), peer(&text));
        let ours = median(|| time(ours, &text) / time(peer, &text));
        let limit = median(|| time(events, &text) / time(peer, &text));
        println!("| {name} | {ours:.2} | {limit:.2} |");
    }
}

fn median(ratio: impl Fn() -> f64) -> f64 {
    let mut ratios: Vec<f64> = (0..ROUNDS).map(|_| ratio()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ROUNDS / 2]
}
