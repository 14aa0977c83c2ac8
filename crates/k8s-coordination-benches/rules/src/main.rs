//! The time of rules in CEL beside the crates `cel` and `cel-interpreter`, and beside `cel-go` if its program is named.
//!
//! Ten rules as projects write them are evaluated on one object, and three rules on growing lists. The sides run in turn in one
//! process, and a figure is the median of the rounds. *Made once* means that a peer has its value of the object before the
//! clock starts; this package reads the JSON as it is in both columns. The peers check no types and count no costs. The argument `ours`
//! with the number of a row runs one side and nothing else, for a profiler; any other argument is the program of `go`, which reads the same rules from its
//! standard input.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use k8s_cel::{Release, Rules, RuleScope};
use serde_json::{Value, json};

const ROUNDS: usize = 15;

const RULES: [&str; 10] = [
    "self.minReplicas <= self.maxReplicas",
    "!has(self.schedule) || self.schedule.size() > 0",
    "self.mode == 'Auto' ? self.interval > 10 : self.interval == 0",
    "self.name.size() <= 63 && self.name.startsWith('web')",
    "self.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
    "self.type in ['ClusterIP', 'NodePort', 'LoadBalancer']",
    "self.ports.all(p, p.port > 0 && p.port < 65536)",
    "self.ports.exists(p, p.name == 'https')",
    "self.ports.filter(p, p.protocol == 'TCP').size() <= 8",
    "self.routes.all(r, r.paths.all(p, p.startsWith('/')))",
];

const LISTS: [&str; 3] = [
    "self.ports.all(p, p.port > 0 && p.port < 65536)",
    "self.ports.map(p, p.port + p.port).all(x, x > 0)",
    "self.ports.exists(p, p.name == 'none') || self.ports.size() > 0",
];

fn schema(rules: &[&str]) -> Value {
    let text = || json!({"type": "string"});
    let port = json!({"type": "object", "properties": {
        "name": text(), "port": {"type": "integer"}, "protocol": text(),
    }});
    let rules: Vec<Value> = rules.iter().map(|rule| json!({"rule": rule})).collect();
    json!({
        "type": "object",
        "properties": {
            "name": text(), "mode": text(), "type": text(), "schedule": text(),
            "minReplicas": {"type": "integer"}, "maxReplicas": {"type": "integer"}, "interval": {"type": "integer"},
            "ports": {"type": "array", "items": port},
            "routes": {"type": "array", "items": {"type": "object", "properties": {
                "paths": {"type": "array", "items": text()},
            }}},
        },
        "x-kubernetes-validations": rules,
    })
}

fn object(ports: usize) -> Value {
    let port = |index: usize| json!({"name": format!("port-{index}"), "port": 8000 + index, "protocol": "TCP"});
    let mut ports: Vec<Value> = (0..ports.saturating_sub(1)).map(port).collect();
    ports.push(json!({"name": "https", "port": 443, "protocol": "TCP"}));
    json!({
        "name": "web-frontend", "mode": "Auto", "type": "ClusterIP",
        "minReplicas": 2, "maxReplicas": 5, "interval": 30,
        "ports": ports,
        "routes": [{"paths": ["/", "/a"]}, {"paths": ["/b/c"]}],
    })
}

/// Rules, and the object that they are evaluated on.
struct Row {
    name: String,
    rules: Vec<&'static str>,
    object: Value,
}

/// The seconds of one evaluation: the median of so many, so that the load of the machine shows little.
fn seconds(times: usize, side: impl Fn()) -> f64 {
    side();
    median((0..times).map(|_| {
        let start = Instant::now();
        side();
        start.elapsed().as_secs_f64()
    }))
}

impl Row {
    fn ours(&self) -> Rules {
        let scope = RuleScope { release: Release::new(1, 36), is_root: false };
        Rules::compile(&schema(&self.rules), scope).expect("the rules compile")
    }

    /// Seconds: ours, `cel` made once and each time, `cel-interpreter` made once and each time.
    fn round(&self, times: usize) -> [f64; 5] {
        let ours = self.ours();
        let run = || assert!(black_box(ours.judge(&self.object, None)).is_empty());
        let first = seconds(times, run);

        let programs: Vec<_> =
            self.rules.iter().map(|rule| cel::Program::compile(rule).expect("compiles")).collect();
        let mut context = cel::Context::default();
        context.add_variable("self", cel::to_value(&self.object).expect("a value")).expect("added");
        let run = |context: &cel::Context<'_, '_>| {
            for program in &programs {
                assert!(black_box(program.execute(context)) == Ok(cel::Value::Bool(true)));
            }
        };
        let once = seconds(times, || run(&context));
        let each = seconds(times, || {
            let mut context = cel::Context::default();
            context
                .add_variable("self", cel::to_value(&self.object).expect("a value"))
                .expect("added");
            run(&context);
        });

        let programs: Vec<_> = self
            .rules
            .iter()
            .map(|rule| cel_interpreter::Program::compile(rule).expect("compiles"))
            .collect();
        let value = || cel_interpreter::to_value(&self.object).expect("a value");
        let mut context = cel_interpreter::Context::default();
        context.add_variable("self", value()).expect("added");
        let run = |context: &cel_interpreter::Context<'_>| {
            for program in &programs {
                let result = black_box(program.execute(context));
                assert!(result == Ok(cel_interpreter::Value::Bool(true)));
            }
        };
        let old_once = seconds(times, || run(&context));
        let old_each = seconds(times, || {
            let mut context = cel_interpreter::Context::default();
            context.add_variable("self", value()).expect("added");
            run(&context);
        });
        [first, once, each, old_once, old_each]
    }
}

fn rows() -> Vec<Row> {
    let mut rows =
        vec![Row { name: "ten rules".to_owned(), rules: RULES.to_vec(), object: object(4) }];
    for count in [10, 100, 1000] {
        let name = format!("three rules, a list of {count}");
        rows.push(Row { name, rules: LISTS.to_vec(), object: object(count) });
    }
    rows
}

/// The seconds of the program in Go, by the names of the rows.
fn go(program: &str, rows: &[Row]) -> HashMap<String, f64> {
    let mut input = String::new();
    for row in rows {
        let line = json!({"name": row.name, "rules": row.rules, "object": row.object});
        writeln!(input, "{line}").expect("written");
    }
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("an input").write_all(input.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("an output");
    let text = String::from_utf8(output.stdout).expect("a text");
    let row = |line: &str| {
        let (name, nanoseconds) = line.split_once('\t')?;
        Some((name.to_owned(), nanoseconds.parse::<f64>().ok()? / 1e9))
    };
    text.lines().filter_map(row).collect()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let rows = rows();
    let program = std::env::args().nth(1);
    if program.as_deref() == Some("ours") {
        let row = &rows[std::env::args().nth(2).map_or(0, |row| row.parse().expect("a number"))];
        let ours = row.ours();
        (0..20_000).for_each(|_| assert!(ours.judge(&row.object, None).is_empty()));
        return;
    }
    println!("| row | ours, µs | cel, once | each | cel-interpreter, once | each | cel-go, once |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for row in &rows {
        let times = 1000 / row.object["ports"].as_array().map_or(1, Vec::len) + 5;
        let (mut rounds, mut others) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            rounds.push(row.round(times));
            if let Some(program) = program.as_deref().filter(|_| others.len() < 7) {
                others.extend(go(program, std::slice::from_ref(row)).get(&row.name));
            }
        }
        let ours = median(rounds.iter().map(|round| round[0]));
        print!("| {} | {:.2} ", row.name, ours * 1e6);
        for side in 1..5 {
            print!("| {:.2} ", median(rounds.iter().map(|round| round[0] / round[side])));
        }
        match others.is_empty() {
            true => println!("| |"),
            false => println!("| {:.2} |", ours / median(others.into_iter())),
        }
    }
}
