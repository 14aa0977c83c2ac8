//! *List, then watch* of `docs/requests.md`.

use k8s_coordination::requests::{Event, ListParameters, Pages, http};
use k8s_coordination::{prelude::*, v1::Lease};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Your HTTP client.
trait Client {
    fn send(&self, request: http::Request<Vec<u8>>) -> Result<http::Response<Vec<u8>>>;
    /// Gives the head of the response, and the bytes of its body as they come.
    fn open(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<(http::response::Parts, impl Iterator<Item = Vec<u8>>)>;
}

/// Lists all Leases. Returns the version from which to watch.
fn list(client: &impl Client) -> Result<Option<String>> {
    let first = Lease::list("default", ListParameters::default().with_limit(500))?;
    let (mut pages, mut version) = (Pages::new(first), None);
    while let Some(request) = pages.request() {
        let page = pages.receive(&client.send(request.to_http()?)?)?.body;
        page.items.iter().for_each(|lease| println!("{:?}", lease.metadata.name));
        version = page.metadata.resource_version;
    }
    Ok(version)
}

/// Watches until the connection ends. Returns the version from which to continue; `None`: list again.
fn watch(client: &impl Client, mut version: String) -> Result<Option<String>> {
    let changes = ListParameters::default().with_resource_version(&*version);
    let request = Lease::watch("default", changes)?;
    let (head, mut body) = client.open(request.to_http()?)?;
    let is_watch = head.status.is_success();
    // The body of a refusal says why.
    let first = if is_watch { Vec::new() } else { body.by_ref().flatten().collect() };
    let mut watch = request.decode_parts(&head, &first)?.body;
    for bytes in body {
        watch.push(&bytes);
        while let Some(event) = watch.next_event() {
            match event? {
                Event::Added(lease) | Event::Modified(lease) | Event::Deleted(lease) => {
                    version = lease.metadata.resource_version.unwrap_or(version);
                }
                Event::Bookmark { resource_version, .. } => version = resource_version,
                Event::Error(error) if error.is_expired() => return Ok(None),
                Event::Error(error) => return Err(error.into()),
                _ => {} // A later release may know more events.
            }
        }
    }
    Ok(Some(version))
}

/// One step of the loop of a program, which pauses after an error.
fn follow(client: &impl Client, version: Option<String>) -> Result<Option<String>> {
    match version {
        None => list(client),
        Some(version) => watch(client, version),
    }
}

#[test]
fn it_continues_and_lists_again() {
    /// The query of each request, and the answer to it.
    const ANSWERS: [(&str, &str); 6] = [
        ("limit=500", r#"{"metadata": {"continue": "t"}, "items": [{"metadata": {"name": "a"}}]}"#),
        ("continue=t&limit=500", r#"{"metadata": {"resourceVersion": "7"}, "items": []}"#),
        (
            "resourceVersion=7&watch=true",
            r#"{"type": "ADDED", "object": {"metadata": {"resourceVersion": "8"}}}"#,
        ),
        (
            "resourceVersion=8&watch=true",
            r#"{"type": "ERROR", "object": {"kind": "Status", "code": 410, "reason": "Expired"}}"#,
        ),
        ("limit=500", r#"{"metadata": {"resourceVersion": "9"}, "items": []}"#),
        ("resourceVersion=9&watch=true", r#"{"kind": "Status", "code": 403, "message": "no"}"#),
    ];

    #[derive(Default)]
    struct Server(std::cell::Cell<usize>);

    impl Client for Server {
        fn send(&self, request: http::Request<Vec<u8>>) -> Result<http::Response<Vec<u8>>> {
            let (query, body) = ANSWERS[self.0.replace(self.0.get() + 1)];
            let mut sent: Vec<&str> = request.uri().query().unwrap().split('&').collect();
            sent.sort_unstable();
            assert_eq!(sent.join("&"), query);
            let code = if body.contains("403") { 403 } else { 200 };
            Ok(http::Response::builder().status(code).body(format!("{body}\n").into())?)
        }

        fn open(
            &self,
            request: http::Request<Vec<u8>>,
        ) -> Result<(http::response::Parts, impl Iterator<Item = Vec<u8>>)> {
            let (head, body) = self.send(request)?.into_parts();
            let chunks: Vec<Vec<u8>> = body.chunks(16).map(<[u8]>::to_vec).collect();
            Ok((head, chunks.into_iter()))
        }
    }

    let (server, mut version) = (Server::default(), None);
    for reached in [Some("7"), Some("8"), None, Some("9")] {
        version = follow(&server, version).unwrap();
        assert_eq!(version.as_deref(), reached);
    }
    let refused = follow(&server, version).unwrap_err();
    assert_eq!(refused.to_string(), "403 Forbidden: no");
}
