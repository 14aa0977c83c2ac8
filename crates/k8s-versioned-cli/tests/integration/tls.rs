//! Handshakes over TLS: whom the command trusts, and how it says who it is.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair,
};
use rustls::RootCertStore;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::server::{ServerConfig, WebPkiClientVerifier};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use tempfile::TempDir;
use testing::tls;

use crate::cluster::new;
use crate::support::{answer, documents};

/// What the command prints when it has read the documents of a cluster.
const DONE: &str = "2 documents written";

/// Authorities that are unknown to everybody else.
type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority(name: &str) -> Authority {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// A certificate for an address of this machine, valid until the end of a year.
fn signed(authority: &Authority, key: &KeyPair, year: i32) -> Certificate {
    let mut params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    params.not_after = rcgen::date_time_ymd(year, 12, 31);
    params.signed_by(key, authority).unwrap()
}

/// A server of an authority. If it has an authority for clients, it wants a certificate from them.
fn server(of: &Authority, year: i32, clients: Option<&Authority>) -> SocketAddr {
    let key = KeyPair::generate().unwrap();
    let certificate = signed(of, &key, year).der().clone();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let builder = match clients {
        Some(clients) => {
            let mut roots = RootCertStore::empty();
            roots.add(clients.der().clone()).unwrap();
            let provider = Arc::new(ring::default_provider());
            let verifier = WebPkiClientVerifier::builder_with_provider(roots.into(), provider);
            tls::builder().with_client_cert_verifier(verifier.build().unwrap())
        }
        None => tls::builder().with_no_client_auth(),
    };
    serve(builder.with_single_cert(vec![certificate], key).unwrap())
}

fn serve(config: ServerConfig) -> SocketAddr {
    let documents = documents("v1.36");
    tls::serve_as(config, move |mut connection| answer(&mut connection, &documents))
}

/// Reads documents from a cluster: what the kubeconfig says about it, and about the user.
fn read(folder: &Path, cluster: &str, user: &str) -> Result<String, String> {
    let config = format!(
        "{{contexts: [{{name: c, context: {{cluster: c, user: u}}}}], \
         clusters: [{{name: c, cluster: {{{cluster}}}}}], users: [{{name: u, user: {{{user}}}}}]}}"
    );
    fs::write(folder.join("kubeconfig"), config).unwrap();
    let read = new(folder, "--group batch --context c");
    let _ = fs::remove_dir_all(folder.join("some-types"));
    read
}

/// Compares what the command prints with a part of it. A failure has a hint that is about certificates.
#[track_caller]
fn expect(read: Result<String, String>, case: &str, expected: &str) {
    match read {
        Ok(printed) => assert!(expected == DONE && printed.contains(DONE), "{case}: {printed}"),
        Err(error) => {
            assert!(expected != DONE && error.contains(expected), "{case}: {error}");
            assert!(error.contains("; ") && !error.contains("kubectl"), "{case}: {error}");
        }
    }
}

fn base64(text: &str) -> String {
    BASE64_STANDARD.encode(text)
}

#[test]
fn the_kubeconfig_says_whom_to_trust() {
    let (known, stranger) = (authority("known"), authority("stranger"));
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("known.pem"), known.pem()).unwrap();
    let both = stranger.pem() + &known.pem();
    let (valid, expired) = (server(&known, 2100, None), server(&known, 2020, None));
    let at = |host: &str, rest: &str| format!("server: 'https://{host}:{}', {rest}", valid.port());
    let data = |pem: &str| format!("certificate-authority-data: {}", base64(pem));
    let file = "certificate-authority: known.pem";
    let skip = "insecure-skip-tls-verify: true";
    let expired = |rest: &str| format!("server: 'https://{expired}', {rest}");
    for (cluster, expected) in [
        (at("127.0.0.1", file), DONE),
        (at("127.0.0.1", &data(&both)), DONE),
        (at("127.0.0.1", &data(&stranger.pem())), "UnknownIssuer; the authority that signed it is"),
        (at("127.0.0.1", &data("x")), "UnknownIssuer; the authority that signed it is"),
        (at("localhost", file), "only valid for"),
        (at("localhost", file), "; `tls-server-name` of the cluster in the kubeconfig"),
        (at("localhost", &format!("{file}, tls-server-name: 127.0.0.1")), DONE),
        (at("127.0.0.1", &format!("{file}, tls-server-name: a.example")), "a.example"),
        (
            at("127.0.0.1", &format!("{file}, tls-server-name: a b")),
            "invalid server name: invalid dns name; correct the kubeconfig",
        ),
        (at("127.0.0.1", skip), DONE),
        (at("localhost", skip), DONE),
        (expired(file), "; check the clock of this machine"),
        (expired(skip), DONE),
    ] {
        expect(read(folder.path(), &cluster, ""), &cluster, expected);
    }
}

/// Certificates of version 1 have no names, and cannot be verified.
#[test]
fn a_certificate_that_cannot_be_verified() {
    let provider = ring::default_provider();
    let key = provider.key_provider.load_private_key(tls::key()).unwrap();
    let key = CertifiedKey::new(vec![tls::old_certificate()], key);
    let resolver = Arc::new(SingleCertAndKey::from(key));
    let address = serve(tls::builder().with_no_client_auth().with_cert_resolver(resolver));
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.pem"), authority("a").pem()).unwrap();
    for (rest, expected) in [
        ("certificate-authority: a.pem", "; the server needs another certificate"),
        ("insecure-skip-tls-verify: true", DONE),
    ] {
        let cluster = format!("server: 'https://{address}', {rest}");
        expect(read(folder.path(), &cluster, ""), rest, expected);
    }
}

/// The keys of a client, in the forms in which kubeconfigs have them.
const KEYS: [(&str, &str); 4] = [
    (include_str!("keys/ec.pem"), include_str!("keys/ec.pem")),
    (include_str!("keys/ec.pem"), include_str!("keys/ec-sec1.pem")),
    (include_str!("keys/rsa.pem"), include_str!("keys/rsa.pem")),
    (include_str!("keys/rsa.pem"), include_str!("keys/rsa-pkcs1.pem")),
];

#[test]
fn a_certificate_says_who_the_client_is() {
    let (known, stranger) = (authority("known"), authority("stranger"));
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("known.pem", &known.pem());
    let cluster = format!(
        "server: 'https://{}', certificate-authority: known.pem",
        server(&known, 2100, Some(&known))
    );
    let pair = |certificate: &str, key: &str| {
        let (certificate, key) = (base64(certificate), base64(key));
        format!("client-certificate-data: {certificate}, client-key-data: {key}")
    };
    for (key, form) in KEYS {
        let certificate = signed(&known, &KeyPair::from_pem(key).unwrap(), 2100).pem();
        expect(read(folder.path(), &cluster, &pair(&certificate, form)), form, DONE);
    }
    let [(ec, _), _, (rsa, _), _] = KEYS;
    let certificate_of =
        |authority, year| signed(authority, &KeyPair::from_pem(ec).unwrap(), year).pem();
    write("client.pem", &certificate_of(&known, 2100));
    write("client.key", ec);
    let wanted = "; the server wants another certificate of the client";
    for (user, expected) in [
        ("client-certificate: client.pem, client-key: client.key".to_owned(), DONE),
        (pair(&certificate_of(&stranger, 2100), ec), wanted),
        (pair(&certificate_of(&known, 2020), ec), wanted),
        ("token: a".to_owned(), wanted),
        (
            "client-certificate: client.pem".to_owned(),
            "failed to load client key: no base64 data or file; ",
        ),
        ("client-certificate: client.pem, client-key: none.key".to_owned(), "none.key"),
        (pair(&certificate_of(&known, 2100), rsa), "KeyMismatch"),
        (pair("x", ec), "identity PEM is missing certificate"),
        (pair(&certificate_of(&known, 2100), "x"), "identity PEM is missing a private key"),
    ] {
        expect(read(folder.path(), &cluster, &user), &user, expected);
    }
}
