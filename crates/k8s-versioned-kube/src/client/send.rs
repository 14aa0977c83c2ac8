//! Sending requests with the client.

use futures_core::Stream;
use futures_core::stream::BoxStream;
use futures_util::{StreamExt, stream};
use http_body_util::{BodyDataStream, BodyExt as _};
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
    let refusal = if head.status.is_success() {
        Vec::new()
    } else {
        // The body has the reason.
        read_refusal(&mut body).await?
    };
    let watch = request.decode_parts(&head, &refusal)?.body;
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
    let mut body = body.into_data_stream();
    let bytes = if head.status.is_success() {
        read_answer(&mut body, ANSWER_BYTES).await?
    } else {
        read_refusal(&mut body).await?
    };
    Ok((head, bytes))
}

/// The most bytes of an answer: more than any list that API servers send.
const ANSWER_BYTES: usize = 1 << 30;

/// The most bytes of a refusal that are read: more than any `Status`. What follows is not read: a proxy can send anything.
const REFUSAL_BYTES: usize = 4 << 20;

/// Reads an answer to its end.
async fn read_answer(
    body: &mut (impl Stream<Item = Result<impl AsRef<[u8]>, kube::Error>> + Unpin),
    limit: usize,
) -> Result<Vec<u8>, Error> {
    let mut read = Vec::new();
    while let Some(bytes) = body.next().await {
        read.extend_from_slice(bytes?.as_ref());
        if read.len() > limit {
            return Err(Error::TooLarge { limit });
        }
    }
    Ok(read)
}

/// Reads the start of the body of a refusal.
async fn read_refusal(
    body: &mut (impl Stream<Item = Result<impl AsRef<[u8]>, kube::Error>> + Unpin),
) -> Result<Vec<u8>, Error> {
    let mut read = Vec::new();
    while read.len() < REFUSAL_BYTES
        && let Some(bytes) = body.next().await
    {
        read.extend_from_slice(bytes?.as_ref());
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, stream};

    use super::{REFUSAL_BYTES, read_answer, read_refusal};
    use crate::client::Error;

    /// Bodies of proxies can have no end.
    #[test]
    fn bodies_are_bounded() {
        let endless = || stream::repeat_with(|| Ok(vec![b'a'; 1 << 16]));
        let refusal = read_refusal(&mut endless()).now_or_never().unwrap().unwrap();
        assert_eq!(refusal.len(), REFUSAL_BYTES);
        let refused = read_answer(&mut endless(), 1 << 20).now_or_never().unwrap();
        assert!(matches!(refused, Err(Error::TooLarge { limit: 1_048_576 })));
    }
}
