//! Sending requests with the client.

use futures_core::stream::BoxStream;
use futures_util::{StreamExt, stream};
use http_body_util::{BodyDataStream, BodyExt};
use k8s_versioned::requests::http::{self, HeaderValue, header};
use k8s_versioned::requests::{Answer, BodyForm, Event, ProtobufAnswer, Request, Response, Watch};
use kube::Client;
use kube::client::Body;
use serde::de::DeserializeOwned;

use super::Error;

/// The events of a watch. It ends when the server ends the watch, or when the connection breaks.
pub type EventStream<E> = BoxStream<'static, Result<E, Error>>;

/// Sends a request and decodes the answer.
///
/// Use [`send_watch`] for a watch: this function would read it to its end first.
///
/// # Errors
///
/// The client failed, the server refused the request, or the answer cannot be decoded.
pub async fn send<A: Answer>(client: &Client, request: &Request<A>) -> Result<Response<A>, Error> {
    let (head, body) = exchange(client, request.to_http()?).await?;
    Ok(request.decode_parts(&head, &body)?)
}

/// Sends a request in the form that the server accepts: as protobuf, and again as JSON if the server refuses that
/// (406, 415). `form` remembers it.
///
/// ```
/// use k8s_versioned::protobuf::Message;
/// use k8s_versioned::{Namespaced, Resource, Serves, verbs};
/// use k8s_versioned_kube::client::{Error, in_form, send};
/// use k8s_versioned::requests::{BodyForm, Verbs};
///
/// async fn count<K>(client: &kube::Client, form: &BodyForm) -> Result<usize, Error>
/// where
///     K: Resource<Scope = Namespaced> + Serves<verbs::List> + Message,
/// {
///     let request = K::list_all_namespaces(())?;
///     let send = |request| async move { send(client, &request).await };
///     Ok(in_form(form, request, send).await?.body.items.len())
/// }
/// ```
///
/// # Errors
///
/// The errors of `send`, which is one of the functions of this module.
pub async fn in_form<A: ProtobufAnswer, T, F>(
    form: &BodyForm,
    request: Request<A>,
    send: impl Fn(Request<A>) -> F,
) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    let request = form.request(request)?;
    let answer = send(request.clone()).await;
    let json = match &answer {
        Err(Error::Response(error)) => form.json_after(&request, error),
        _ => None,
    };
    match json {
        Some(json) => send(json).await,
        None => answer,
    }
}

/// Sends the request for a watch.
///
/// # Errors
///
/// The errors of [`send`], until the watch begins. The stream gives later errors: after an event that cannot be decoded the
/// watch continues; after a broken connection it ends.
pub async fn send_watch<T>(
    client: &Client,
    request: &Request<Watch<T>>,
) -> Result<EventStream<Event<T>>, Error>
where
    T: DeserializeOwned + Send + 'static,
    Watch<T>: Answer,
{
    let mut http = request.to_http()?;
    // Compression would delay events until a block is full.
    let identity = HeaderValue::from_static("identity");
    http.headers_mut().insert(header::ACCEPT_ENCODING, identity);
    let (head, body) = client.send(http.map(Body::from)).await?.into_parts();
    let mut body = body.into_data_stream();
    let mut start = Vec::new();
    if !head.status.is_success() {
        // The body has the reason of the refusal.
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

/// Sends an HTTP request and reads the whole answer.
///
/// # Errors
///
/// The client failed.
pub async fn exchange(
    client: &Client,
    request: http::Request<Vec<u8>>,
) -> Result<(http::response::Parts, Vec<u8>), Error> {
    let (head, body) = client.send(request.map(Body::from)).await?.into_parts();
    Ok((head, body.collect().await?.to_bytes().into()))
}
