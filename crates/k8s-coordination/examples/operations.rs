//! Lists the Leases of a namespace with any HTTP client: here the standard library, through `kubectl proxy`.
//!
//! `cargo run -p k8s-coordination --example operations -- 127.0.0.1:8001 kube-system`

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use k8s_coordination::prelude::*;
use k8s_coordination::requests::http;
use k8s_coordination::v1::Lease;

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let mut args = std::env::args().skip(1);
    let (Some(server), Some(namespace)) = (args.next(), args.next()) else {
        return Err("usage: operations ADDRESS NAMESPACE".into());
    };
    let request = Lease::list(&namespace, ())?;
    let response = request.decode(&send(&server, &request.to_http()?)?)?;
    for lease in response.body.items {
        println!("{:?} is held by {:?}", lease.metadata.name, lease.spec.holder_identity);
    }
    Ok(())
}

/// Stands for an HTTP client: any one that takes a method, a path, headers and a body will do.
fn send(server: &str, request: &http::Request<Vec<u8>>) -> Result<http::Response<Vec<u8>>, Error> {
    let mut stream = TcpStream::connect(server)?;
    let accept = request.headers().get("accept").and_then(|value| value.to_str().ok());
    let (method, uri) = (request.method(), request.uri());
    let head = format!(
        "{method} {uri} HTTP/1.0\r\nhost: {server}\r\naccept: {}\r\n\r\n",
        accept.unwrap_or("application/json")
    );
    stream.write_all(head.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").ok_or("no head")?;
    let (head, body) = answer.split_at(end);
    let status = str::from_utf8(head)?.split(' ').nth(1).ok_or("no status")?;
    let response = http::Response::builder().status(status.parse::<u16>()?);
    Ok(response.body(body.get(4..).unwrap_or_default().to_vec())?)
}
