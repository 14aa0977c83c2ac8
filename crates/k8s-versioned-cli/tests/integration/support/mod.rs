//! Documents of Kubernetes, and a server that publishes them.

#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use serde_json::{Map, json};
use testing::specs::groups;

pub(crate) type Documents = BTreeMap<String, Vec<u8>>;

/// The documents of all groups of a release by file name, without descriptions.
pub(crate) fn documents(release: &str) -> Documents {
    let of_release = format!("{release}/");
    let files = groups::documents(|path| path.starts_with(&of_release)).into_iter();
    let documents: Documents =
        files.map(|(path, text)| (path.replace(&of_release, ""), text)).collect();
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
