//! Answers as protobuf, and requests that ask for them.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::de::DeserializeOwned;

use super::content::{JSON, TypeName, media_type};
use super::request::Plain;
use super::{
    Answer, ApiError, BodyError, Deletion, ObjectError, Request, RequestError, ResponseError,
    TolerantList, Watch,
};
use crate::meta::v1::{DeleteOptions, ListMeta, Status};
use crate::protobuf::{
    CONTENT_TYPE, Envelope, Error, Field, Message, Sink, decode, decode_message, encode,
};
use crate::{Kind, List, Resource, json};

/// The accepted media types, best first.
const ACCEPT: &str = "application/vnd.kubernetes.protobuf,application/json";

/// Returns `true` if the header `Content-Type` names protobuf.
pub(super) fn is_protobuf(content_type: Option<&str>) -> bool {
    content_type
        .is_some_and(|content_type| media_type(content_type).eq_ignore_ascii_case(CONTENT_TYPE))
}

/// An [`Answer`] that can also come as protobuf.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no protobuf",
    label = "this answer is JSON alone",
    note = "custom resources have no protobuf: send the request without `protobuf`"
)]
pub trait ProtobufAnswer: Answer {
    /// The kind of the body of a request with this answer.
    type Sent: Kind + Message + serde::Serialize + DeserializeOwned;

    /// Decodes a body.
    ///
    /// # Errors
    ///
    /// The body is not such an answer.
    fn decode_protobuf(body: &[u8]) -> Result<Self, BodyError>;
}

impl<K: Kind + Message + serde::Serialize + DeserializeOwned> ProtobufAnswer for K {
    type Sent = K;

    fn decode_protobuf(body: &[u8]) -> Result<Self, BodyError> {
        Ok(decode(body)?)
    }
}

impl<A: ProtobufAnswer> ProtobufAnswer for Deletion<A> {
    type Sent = DeleteOptions;

    fn decode_protobuf(body: &[u8]) -> Result<Self, BodyError> {
        let is_status = |it: Envelope<'_>| it.kind == Status::KIND && it.check::<Status>().is_ok();
        // The error of a body that is cut off names the field.
        if Envelope::read(body).is_ok_and(is_status) {
            Ok(Self::Status(Box::new(decode(body)?)))
        } else {
            A::decode_protobuf(body).map(Self::Returned)
        }
    }
}

impl<T> ProtobufAnswer for Watch<T>
where
    T: Kind + Message + serde::Serialize + DeserializeOwned,
{
    type Sent = T;

    fn decode_protobuf(body: &[u8]) -> Result<Self, BodyError> {
        let mut watch = Self::protobuf();
        watch.push(body);
        Ok(watch)
    }
}

impl<T: Resource + Message> ProtobufAnswer for TolerantList<T> {
    type Sent = T;

    fn decode_protobuf(body: &[u8]) -> Result<Self, BodyError> {
        // Nearly every list is good.
        let wrong = match decode(body) {
            Ok(list) => return Ok(Self { list, errors: Vec::new() }),
            Err(wrong) => wrong,
        };
        let envelope = Envelope::read(body).map_err(|_| wrong)?;
        envelope.check::<List<T>>()?;
        let Tolerated { metadata, items, errors } = decode_message(envelope.object)?;
        Ok(Self { list: List::new(items).with_metadata(metadata), errors })
    }
}

/// The items of a list that decode, and the errors of the others.
struct Tolerated<T> {
    metadata: ListMeta,
    items: Vec<T>,
    errors: Vec<ObjectError>,
}

impl<T> Default for Tolerated<T> {
    fn default() -> Self {
        Self { metadata: ListMeta::default(), items: Vec::new(), errors: Vec::new() }
    }
}

impl<T: Message> Message for Tolerated<T> {
    const FIELDS: &'static [(u32, &'static str)] = &[(1, "metadata"), (2, "items")];

    fn merge_field(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        match field.number() {
            1 => field.value(&mut self.metadata),
            2 => {
                let item = field.bytes()?;
                let index = self.items.len() + self.errors.len();
                match decode_message(item) {
                    Ok(item) => self.items.push(item),
                    Err(error) => {
                        self.errors.push(ObjectError::of_message(Some(index), item, error));
                    }
                }
                Ok(())
            }
            _ => field.skip(),
        }
    }

    fn write_fields(&self, _: &mut impl Sink) {}
}

impl<A: Answer> Request<A> {
    /// The same request as protobuf: it sends its body as protobuf, and accepts protobuf or else JSON. A patch stays
    /// JSON, and so does a body whose kind differs from the answer, such as an eviction: then only the answer is
    /// protobuf. The answer is decoded by its media type.
    ///
    /// A server without protobuf for the resource answers 415 to a body: see [`BodyForm`].
    ///
    /// # Errors
    ///
    /// The body cannot be read as its kind, which [`with_json`](Self::with_json) can cause.
    pub fn protobuf(mut self) -> Result<Self, RequestError>
    where
        // Here, the error of the compiler says why there is none.
        A: ProtobufAnswer,
    {
        if self.plain.may_be_json_of(A::Sent::API_VERSION, A::Sent::KIND) {
            let sent = serde_json::from_slice::<A::Sent>(&self.plain.body);
            self.plain.send_instead(encode(&sent.map_err(RequestError::Protobuf)?));
        }
        self.plain.accept = ACCEPT.into();
        self.decode = |content_type, body| {
            if is_protobuf(content_type) {
                A::decode_protobuf(body)
            } else {
                A::decode(content_type, body)
            }
        };
        Ok(self)
    }

    /// The same request as JSON: what it was before [`protobuf`](Self::protobuf).
    #[must_use]
    pub fn json(self) -> Self {
        Self { plain: self.plain.json(), decode: A::decode }
    }
}

impl Plain {
    /// Returns `false` if the body is not JSON, or names another kind.
    fn may_be_json_of(&self, api_version: &str, kind: &str) -> bool {
        let names = |name: TypeName| name.may_be(api_version, kind);
        self.content_type == Some(JSON) && json::read(&self.body).map_or(true, names)
    }

    /// Sends a body in protobuf, and keeps the JSON.
    fn send_instead(&mut self, protobuf: Vec<u8>) {
        self.json = Some(mem::replace(&mut self.body, protobuf));
        self.content_type = Some(CONTENT_TYPE);
    }

    fn json(mut self) -> Self {
        if let Some(json) = self.json.take() {
            self.body = json;
            self.content_type = Some(JSON);
        }
        self.accepting(JSON.into())
    }
}

/// The form of the bodies for one server: protobuf until the server refuses it, then JSON.
///
/// The program makes it, and decides how long it holds: for one request, for a connection, or for the process. Nothing
/// else remembers what a server takes.
///
/// ```
/// use k8s_versioned::requests::BodyForm;
///
/// let form = BodyForm::protobuf();
/// // For each request: `let request = form.request(request)?;`, then send it. If the answer is an error and
/// // `form.json_after(&request, &error)` gives a request, the server takes no protobuf: send that one.
/// assert!(form.is_protobuf());
/// ```
#[derive(Debug)]
pub struct BodyForm {
    protobuf: AtomicBool,
}

impl BodyForm {
    /// Protobuf until the server refuses it.
    pub const fn protobuf() -> Self {
        Self { protobuf: AtomicBool::new(true) }
    }

    /// A server that has no protobuf: every request is JSON.
    pub const fn json() -> Self {
        Self { protobuf: AtomicBool::new(false) }
    }

    /// Returns `true` if requests are protobuf.
    pub fn is_protobuf(&self) -> bool {
        self.protobuf.load(Ordering::Relaxed)
    }

    /// The request in this form.
    ///
    /// # Errors
    ///
    /// The errors of [`Request::protobuf`].
    pub fn request<A: ProtobufAnswer>(
        &self,
        request: Request<A>,
    ) -> Result<Request<A>, RequestError> {
        if self.is_protobuf() { request.protobuf() } else { Ok(request.json()) }
    }

    /// The same request as JSON, to send once, if the server refused it because it is protobuf (406, 415). Later requests
    /// are also JSON.
    pub fn json_after<A: Answer>(
        &self,
        request: &Request<A>,
        error: &ResponseError,
    ) -> Option<Request<A>> {
        let refused = error.api().is_some_and(ApiError::is_unsupported);
        if !refused || request.plain.accept != ACCEPT {
            return None;
        }
        self.protobuf.store(false, Ordering::Relaxed);
        Some(request.clone().json())
    }
}

impl Default for BodyForm {
    /// JSON.
    fn default() -> Self {
        Self::json()
    }
}
