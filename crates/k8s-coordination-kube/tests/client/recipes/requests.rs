//! *List, then watch* of `docs/guides/requests.md`.

use k8s_coordination::requests::{BodyError, Event, ListParameters, Pages, http};
use k8s_coordination::{prelude::*, v1::Lease};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Your HTTP client.
trait Client {
    fn send(&self, request: http::Request<Vec<u8>>) -> Result<http::Response<Vec<u8>>>;
    /// Gives the head of the response, and the bytes of its body as they come. A broken connection is an error.
    fn open(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<(http::response::Parts, impl Iterator<Item = Result<Vec<u8>>>)>;
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

/// Watches until the connection ends. Returns `false` if the server no longer has `version`: list again.
/// `version` moves on with each event, so it is right also after an error.
fn watch(client: &impl Client, version: &mut String) -> Result<bool> {
    let changes = ListParameters::default().with_resource_version(&**version);
    let request = Lease::watch("default", changes.with_allow_watch_bookmarks(true))?;
    let (head, mut body) = client.open(request.to_http()?)?;
    let is_watch = head.status.is_success();
    // The body of a refusal says why.
    let first =
        if is_watch { Vec::new() } else { body.by_ref().collect::<Result<Vec<_>>>()?.concat() };
    let mut watch = match request.decode_parts(&head, &first) {
        Err(refusal) if refusal.is_expired() => return Ok(false),
        answer => answer?.body,
    };
    for bytes in body {
        watch.push(&bytes?);
        while let Some(event) = watch.next_event() {
            let reached = match event {
                Ok(Event::Added(lease) | Event::Modified(lease) | Event::Deleted(lease)) => {
                    lease.metadata.resource_version
                }
                Ok(Event::Bookmark { resource_version, .. }) => Some(resource_version),
                Ok(Event::Error(error)) if error.is_expired() => return Ok(false),
                Ok(Event::Error(error)) => return Err(error.into()),
                // Logged and passed over: a new watch would meet this object again.
                Err(BodyError::Object(error)) => {
                    eprintln!("{error}");
                    error.resource_version
                }
                Err(error) => return Err(error.into()), // Such as an event of an unknown type.
                Ok(_) => None,                          // `Event` is `#[non_exhaustive]`.
            };
            if let Some(reached) = reached {
                *version = reached;
            }
        }
    }
    watch.finish()?; // Was the last event complete?
    Ok(true)
}

/// One step of the loop of a program, which pauses after an error. `None`: list.
fn follow(client: &impl Client, version: &mut Option<String>) -> Result<()> {
    let Some(reached) = version else {
        *version = list(client)?;
        return Ok(());
    };
    if !watch(client, reached)? {
        *version = None;
    }
    Ok(())
}

#[test]
fn it_continues_and_lists_again() {
    struct Server(Step<'static>);

    impl Client for Server {
        fn send(&self, request: http::Request<Vec<u8>>) -> Result<http::Response<Vec<u8>>> {
            let Server((query, code, body, ..)) = self;
            let mut sent: Vec<&str> = request.uri().query().unwrap().split('&').collect();
            sent.sort_unstable();
            let sent = sent.join("&");
            let watch = format!("allowWatchBookmarks=true&resourceVersion={query}&watch=true");
            let (expected, body) = match (*query, &*sent) {
                (LIST, "limit=500") => ("limit=500", FIRST_PAGE),
                (LIST, _) => ("continue=t&limit=500", *body),
                _ => (&*watch, *body),
            };
            assert_eq!(sent, expected);
            let end = if body.ends_with(':') { "" } else { "\n" };
            Ok(http::Response::builder().status(*code).body(format!("{body}{end}").into())?)
        }

        fn open(
            &self,
            request: http::Request<Vec<u8>>,
        ) -> Result<(http::response::Parts, impl Iterator<Item = Result<Vec<u8>>>)> {
            let (head, body) = self.send(request)?.into_parts();
            let (body, error) = match body.strip_suffix(b"BROKEN\n") {
                Some(body) => (body.to_vec(), Some(Err("the connection broke".into()))),
                None => (body, None),
            };
            let chunks: Vec<Vec<u8>> = body.chunks(16).map(<[u8]>::to_vec).collect();
            Ok((head, chunks.into_iter().map(Ok).chain(error)))
        }
    }

    let mut version = None;
    for step in STEPS {
        let (.., body, reached, expected) = step;
        let error = follow(&Server(step), &mut version).err();
        assert_eq!(error.map(|error| error.to_string()).unwrap_or_default(), expected, "{body}");
        assert_eq!(version.as_deref(), reached, "{body}");
    }
}

/// The query of each request, the answer to it, the version that is reached, and the error.
type Step<'a> = (&'a str, u16, &'a str, Option<&'a str>, &'a str);
/// A list, whose answer is the second page.
const LIST: &str = "";
const FIRST_PAGE: &str =
    r#"{"metadata": {"continue": "t"}, "items": [{"metadata": {"name": "a"}}]}"#;
const STEPS: [Step<'_>; 12] = [
    (LIST, 200, r#"{"metadata": {"resourceVersion": "7"}, "items": []}"#, Some("7"), ""),
    // An object of another form, and one without a version, do not end the watch.
    (
        "7",
        200,
        concat!(
            r#"{"type": "ADDED", "object": {"metadata": {"resourceVersion": "8"}}}"#,
            "\n",
            r#"{"type": "ADDED", "object": {"metadata": {"resourceVersion": "9"}, "spec": 1}}"#,
            "\n",
            r#"{"type": "ADDED", "object": 1}"#,
        ),
        Some("9"),
        "",
    ),
    (
        "9",
        200,
        r#"{"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": "10"}}}"#,
        Some("10"),
        "",
    ),
    ("10", 200, "{\"type\":", Some("10"), "the watch was cut off in the middle of an event"),
    (
        "10",
        200,
        concat!(
            r#"{"type": "MODIFIED", "object": {"metadata": {"resourceVersion": "11"}}}"#,
            "\n",
            "BROKEN",
        ),
        Some("11"),
        "the connection broke",
    ),
    (
        "11",
        200,
        r#"{"type": "ERROR", "object": {"kind": "Status", "code": 410, "reason": "Expired"}}"#,
        None,
        "",
    ),
    (LIST, 200, r#"{"metadata": {"resourceVersion": "12"}, "items": []}"#, Some("12"), ""),
    ("12", 410, r#"{"kind": "Status", "code": 410, "reason": "Expired"}"#, None, ""),
    (LIST, 200, r#"{"metadata": {"resourceVersion": "13"}, "items": []}"#, Some("13"), ""),
    (
        "13",
        403,
        r#"{"kind": "Status", "code": 403, "message": "no"}"#,
        Some("13"),
        "403 Forbidden: no",
    ),
    (
        "13",
        200,
        r#"{"type": "NEW", "object": {}}"#,
        Some("13"),
        "the watch has an event of unknown type `NEW`",
    ),
    (
        "13",
        200,
        r#"{"type": "ERROR", "object": {"kind": "Status", "code": 500, "message": "no"}}"#,
        Some("13"),
        "500 Internal Server Error: no",
    ),
];
