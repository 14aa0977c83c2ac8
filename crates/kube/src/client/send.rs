//! Requests as plain data, sent with the client.

use futures_core::stream::BoxStream;
use futures_util::{StreamExt, stream};
use http_body_util::{BodyDataStream, BodyExt};
use k8s_coordination::operation::http::{self, HeaderValue, header};
use k8s_coordination::operation::{Answer, Event, Pages, Request, Response, Watch};
use kube::Client;
use kube::client::Body;
use serde::de::DeserializeOwned;

use super::Error;

/// The events of a watch as they come. It ends when the server ends the watch, or after an error.
pub type EventStream<E> = BoxStream<'static, Result<E, Error>>;

/// The number of times that a list begins anew because the server has forgotten the state of its pages.
const RESTARTS: usize = 3;

/// Sends a request and decodes the answer.
///
/// A watch goes to [`send_watch`]: here it would be read to its end first.
///
/// # Errors
///
/// The client failed, the server refused the request, or the answer cannot be read.
pub async fn send<A: Answer>(client: &Client, request: &Request<A>) -> Result<Response<A>, Error> {
    let (head, body) = exchange(client, request.to_http()?).await?;
    Ok(request.decode_parts(&head, &body)?)
}

/// Sends a list request with a `limit`, and the requests for the pages that follow.
///
/// If the server has forgotten the state of the pages, the list begins anew, up to three times.
///
/// # Errors
///
/// Those of [`send`].
pub async fn send_pages<P: Answer>(
    client: &Client,
    first: Request<P>,
) -> Result<Vec<Response<P>>, Error> {
    let (mut pages, mut received, mut restarts) = (Pages::new(first), Vec::new(), 0);
    while let Some(request) = pages.request() {
        let (head, body) = exchange(client, request.to_http()?).await?;
        match pages.receive(&http::Response::from_parts(head, body)) {
            Ok(page) => received.push(page),
            Err(error) if error.is_expired() && restarts < RESTARTS => {
                restarts += 1;
                received.clear();
                pages.restart();
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(received)
}

/// Sends the request for a watch.
///
/// # Errors
///
/// Those of [`send`], until the watch begins. Later ones come out of the stream: an event that cannot be read is one,
/// and the watch goes on; a connection that breaks is one, and the watch is at its end.
pub async fn send_watch<T>(
    client: &Client,
    request: &Request<Watch<T>>,
) -> Result<EventStream<Event<T>>, Error>
where
    T: DeserializeOwned + Send + 'static,
    Watch<T>: Answer,
{
    let mut http = request.to_http()?;
    // A compressed stream would be held back until a block of it is full.
    let identity = HeaderValue::from_static("identity");
    http.headers_mut().insert(header::ACCEPT_ENCODING, identity);
    let (head, body) = client.send(http.map(Body::from)).await?.into_parts();
    let mut body = body.into_data_stream();
    let mut start = Vec::new();
    if !head.status.is_success() {
        // It says why.
        while let Some(bytes) = body.next().await {
            start.extend_from_slice(&bytes?);
        }
    }
    let watch = request.decode_parts(&head, &start)?.body;
    let reader = Reader { body, watch };
    Ok(stream::unfold(Some(reader), |reader| async { reader?.next().await }).boxed())
}

/// The body of a watch that has not ended.
struct Reader<T> {
    body: BodyDataStream<Body>,
    watch: Watch<T>,
}

type Step<T> = (Result<Event<T>, Error>, Option<Reader<T>>);

impl<T: DeserializeOwned> Reader<T> {
    async fn next(mut self) -> Option<Step<T>> {
        loop {
            if let Some(event) = self.watch.next_event() {
                return Some((event.map_err(Error::from), Some(self)));
            }
            match self.body.next().await {
                Some(Ok(bytes)) => self.watch.push(&bytes),
                Some(Err(error)) => return Some((Err(error.into()), None)),
                None => return Some((Err(self.watch.finish().err()?.into()), None)),
            }
        }
    }
}

pub(crate) async fn exchange(
    client: &Client,
    request: http::Request<Vec<u8>>,
) -> Result<(http::response::Parts, Vec<u8>), Error> {
    let (head, body) = client.send(request.map(Body::from)).await?.into_parts();
    Ok((head, body.collect().await?.to_bytes().into()))
}
