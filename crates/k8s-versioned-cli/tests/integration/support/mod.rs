//! Documents of Kubernetes, and a server that publishes them.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    dead_code,
    reason = "tests use a part each"
)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::thread;

use flate2::read::GzDecoder;
use serde_json::{Map, Value, json};

pub(crate) type Documents = BTreeMap<String, Vec<u8>>;

/// The documents of all groups of a release by file name, without descriptions.
pub(crate) fn documents(release: &str) -> Documents {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../codegen/cases/groups/documents.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    let mut documents = Documents::new();
    for line in lines.map(Result::unwrap) {
        // The name is before the document, so that most lines are not parsed.
        let name = line.split('"').nth(3).unwrap();
        if let Some(name) = name.strip_prefix(&format!("{release}/")) {
            let name = name.to_owned();
            let mut value: Value = serde_json::from_str(&line).unwrap();
            documents.insert(name, value["document"].take().to_string().into_bytes());
        }
    }
    assert!(!documents.is_empty(), "{release}");
    documents
}

/// Starts a server of release 1.36 with these documents, and returns its address. Other keys are paths with their answers.
pub(crate) fn server(documents: Documents) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = answer(&mut stream.unwrap(), &documents);
        }
    });
    address
}

/// Answers one request on a connection.
pub(crate) fn answer(
    stream: &mut (impl Read + Write),
    documents: &Documents,
) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut buffer = [0; 1024];
    while !request.windows(4).any(|four| four == b"\r\n\r\n") {
        let read = stream.read(&mut buffer)?;
        if read == 0 {
            return Ok(());
        }
        request.extend_from_slice(&buffer[..read]);
    }
    let request = String::from_utf8_lossy(&request);
    let body = body(request.split(' ').nth(1).unwrap_or_default(), documents);
    let status = if body.is_some() { "200 OK" } else { "404 Not Found" };
    let body = body.unwrap_or_default();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)?;
    stream.flush()
}

fn body(path: &str, documents: &Documents) -> Option<Vec<u8>> {
    match path {
        "/version" => Some(br#"{"major": "1", "minor": "36"}"#.to_vec()),
        "/openapi/v3" => {
            let names = documents.keys().filter_map(|name| name.strip_suffix("_openapi.json"));
            let paths =
                names.map(|name| (name.replace("__", "/"), json!({"serverRelativeURL": "/evil"})));
            Some(json!({ "paths": paths.collect::<Map<_, _>>() }).to_string().into_bytes())
        }
        _ if documents.contains_key(path) => documents.get(path).cloned(),
        _ => {
            let name = path.strip_prefix("/openapi/v3/")?.replace('/', "__");
            documents.get(&format!("{name}_openapi.json")).cloned()
        }
    }
}
