//! Plays the API server: sends its requests to the webhook, and judges the answers by its rules.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use bytes::Bytes;
use example_webhook::conversion::AnyBackup;
use example_webhook::server::{serve, webhook};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use k8s_versioned::conversion::review::check;
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::walks::{Schemas, walk};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Sends a body as an API server does, over a connection of its own.
async fn send(path: &str, body: Vec<u8>) -> (StatusCode, Vec<u8>) {
    let (client, server) = tokio::io::duplex(1 << 16);
    let webhook = webhook();
    let (answered, ended) = tokio::join!(send_over(client, path, body), serve(server, &webhook));
    ended.unwrap();
    answered
}

async fn send_over<C>(client: C, path: &str, body: Vec<u8>) -> (StatusCode, Vec<u8>)
where
    C: AsyncRead + AsyncWrite + Unpin,
{
    let (mut sender, connection) = http1::handshake(TokioIo::new(client)).await.unwrap();
    let request = Request::post(path).header("content-type", "application/json");
    let request = request.body(Full::new(Bytes::from(body))).unwrap();
    let answered = async {
        let response = sender.send_request(request).await.unwrap();
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes().to_vec();
        drop(sender);
        (status, body)
    };
    let (answered, connection) = tokio::join!(answered, connection);
    connection.unwrap();
    answered
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The request of this name, written by hand in the form of a server's, and the webhook's answer.
async fn answer(name: &str) -> (Value, Value) {
    let body = fs::read(folder("tests/requests").join(name)).unwrap();
    let request = serde_json::from_slice(&body).unwrap();
    let (status, answer) = send("/convert?timeout=30s", body).await;
    assert_eq!(status, StatusCode::OK, "{}", String::from_utf8_lossy(&answer));
    (request, serde_json::from_slice(&answer).unwrap())
}

/// The server accepts the answers, and the objects are as the rules say.
#[tokio::test]
async fn servers_accept_the_answers() {
    for name in ["list-v1.json", "list-v1beta1-review.json", "pruned.json"] {
        let (request, answer) = answer(name).await;
        assert_eq!(check(&request, &answer), [], "{name}");
    }
    let (_, answer) = answer("list-v1.json").await;
    let objects = &answer["response"]["convertedObjects"];
    assert_eq!(
        objects[0]["spec"],
        json!({
            "schedule": "0 3 * * *", "mode": "Full",
            "targets": [
                {"name": "home", "source": {"path": "/home", "bucket": "b"}, "retentionDays": 7},
                {"name": "etc", "source": {"path": "/etc"}},
            ],
        })
    );
    assert_eq!(
        objects[0]["metadata"]["annotations"]["conversion.storage.example.com/backup"],
        r#"{"fields":{"v1alpha1":{"spec.targets[\"home\"].priority":3}},"format":2}"#
    );
}

/// The program itself, with a certificate of the tests' authority.
#[tokio::test]
async fn the_program_serves_tls() {
    let tls = folder("../../crates/testing/src/tls");
    let mut program = Command::new(env!("CARGO_BIN_EXE_example-webhook"));
    program.args([Path::new("127.0.0.1:0"), &tls.join("server.pem"), &tls.join("server.key")]);
    let mut program = program.stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(program.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address: SocketAddr = line.trim().strip_prefix("listening on ").unwrap().parse().unwrap();

    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(tls.join("ca.pem")).unwrap()).unwrap();
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let connector = TlsConnector::from(Arc::new(config));
    let stream = TcpStream::connect(address).await.unwrap();
    let stream = connector.connect(ServerName::from(address.ip()), stream).await.unwrap();
    let request = fs::read(folder("tests/requests/list-v1.json")).unwrap();
    let (status, answer) = send_over(stream, "/convert", request.clone()).await;
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(status, StatusCode::OK);
    let [request, answer] = [request, answer].map(|it| serde_json::from_slice(&it).unwrap());
    assert_eq!(check(&request, &answer), []);
}

/// A value that would be lost in the server fails the whole request, with the reason.
#[tokio::test]
async fn a_loss_fails() {
    let (request, answer) = answer("unknown-field.json").await;
    let errors: Vec<String> = check(&request, &answer).iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "response.result.status: not `Success`: \"objects[0] (`default`/`nightly`): spec.typo: this webhook \
             does not know the field: is it older than the definition?\""
        ]
    );
}

#[tokio::test]
async fn other_requests() {
    assert_eq!(send("/", Vec::new()).await.0, StatusCode::NOT_FOUND);
    assert_eq!(send("/convert", b"{}".to_vec()).await.0, StatusCode::BAD_REQUEST);
}

#[test]
fn nothing_is_lost() {
    let (kind, schemas) =
        (Convertible::new::<AnyBackup>(), Schemas::load(folder("specs")).unwrap());
    for seed in 0..500 {
        walk(&kind, &schemas, seed).unwrap_or_else(|error| panic!("{error}"));
    }
}
