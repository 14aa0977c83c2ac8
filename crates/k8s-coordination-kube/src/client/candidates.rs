//! A client for candidates of any version.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use futures_core::future::BoxFuture;
use futures_util::StreamExt;
use k8s_coordination::List;
use k8s_coordination::conversion::generic::{AnyMessage, FromAny, MessageVisitor, VersionOf};
use k8s_coordination::conversion::{
    AnyLeaseCandidate, AnyVersion, ConversionReport, LeaseCandidatePolicies, LeaseCandidateVersion,
    Options,
};
use k8s_coordination::meta::v1::{DeleteOptions, ListMeta, MicroTime};
use k8s_coordination::prelude::*;
use k8s_coordination::protobuf::Message;
use k8s_coordination::requests::{
    BodyForm, Event, ListParameters, Patch, ProtobufAnswer, Request, RequestError, Response,
    Warning, WriteParameters, http::StatusCode,
};
use kube::Client;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Error, EventStream, in_form, send, send_pages, send_watch};

/// The answer to a request, in the version of the program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reply<T> {
    /// The object or list of the answer.
    pub body: T,
    /// The HTTP status code.
    pub code: StatusCode,
    /// The warnings of the server.
    pub warnings: Vec<Warning>,
    /// The conversion report of the sent object.
    pub sent: ConversionReport,
    /// The conversion report of the answer. For a list, paths begin with `items[…]`.
    pub received: ConversionReport,
}

/// The candidates that a list request returns.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Listed<K> {
    /// The candidates of all pages.
    pub items: Vec<K>,
    /// The metadata of the list. A watch continues from its `resourceVersion`.
    pub metadata: ListMeta,
}

/// A client for candidates. The program uses the kind `K`; requests and answers have the version that the cluster serves.
///
/// `K` is a plain kind such as
/// [`v1beta1::LeaseCandidate`](k8s_coordination::v1beta1::LeaseCandidate), or [`AnyLeaseCandidate`] for objects as the cluster has
/// them. An object that is read, changed and replaced keeps what `K` cannot hold: an annotation holds it.
#[derive(Clone)]
pub struct Candidates<K> {
    client: Client,
    form: Arc<BodyForm>,
    version: LeaseCandidateVersion,
    options: Options<LeaseCandidatePolicies>,
    kind: PhantomData<fn() -> K>,
}

// Not derived: a derive would need the same trait for `K`, and the client has none.
impl<K> fmt::Debug for Candidates<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Candidates")
            .field("form", &self.form)
            .field("version", &self.version)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<K: FromAny<AnyLeaseCandidate>> Candidates<K> {
    /// A client for a cluster that serves this version: see [`Served::choose`](super::Served::choose).
    pub fn new(client: Client, version: LeaseCandidateVersion) -> Self {
        let (options, kind) = (Options::default(), PhantomData);
        Self { client, form: Arc::default(), version, options, kind }
    }

    /// Sets the form of requests and answers, which clients can share. The default is JSON.
    ///
    /// As protobuf, a request that the server refuses (406, 415) is sent once more as JSON, and the form remembers it.
    #[must_use]
    pub fn with_form(self, form: Arc<BodyForm>) -> Self {
        Self { form, ..self }
    }

    /// Sets the options for conversions. By default, conversions always succeed.
    #[must_use]
    pub fn with_options(self, options: Options<LeaseCandidatePolicies>) -> Self {
        Self { options, ..self }
    }

    /// The version on the wire.
    pub fn version(&self) -> LeaseCandidateVersion {
        self.version
    }

    /// Creates a candidate.
    ///
    /// # Errors
    ///
    /// The request fails (see [`send`]), or the options refuse the conversion.
    pub async fn create(
        &self,
        namespace: &str,
        object: K,
        parameters: &WriteParameters,
    ) -> Result<Reply<K>, Error> {
        let (object, sent) = self.to_wire(object)?;
        self.object(namespace, Action::Create(object, parameters), sent).await
    }

    /// Reads a candidate.
    ///
    /// # Errors
    ///
    /// The request fails (see [`send`]), or the options refuse the conversion.
    pub async fn get(&self, namespace: &str, name: &str) -> Result<Reply<K>, Error> {
        self.object(namespace, Action::Get(name), ConversionReport::new()).await
    }

    /// Lists all candidates of a namespace, page by page.
    ///
    /// # Errors
    ///
    /// The request fails (see [`send`]), or the options refuse the conversion.
    pub async fn list(
        &self,
        namespace: &str,
        parameters: &ListParameters,
    ) -> Result<Reply<Listed<K>>, Error> {
        self.objects(Some(namespace), parameters).await
    }

    /// Lists all candidates of all namespaces, page by page.
    ///
    /// # Errors
    ///
    /// The request fails (see [`send`]), or the options refuse the conversion.
    pub async fn list_all_namespaces(
        &self,
        parameters: &ListParameters,
    ) -> Result<Reply<Listed<K>>, Error> {
        self.objects(None, parameters).await
    }

    /// Sets only `renewTime`.
    ///
    /// # Errors
    ///
    /// The request fails (see [`send`]), or the options refuse the conversion.
    pub async fn renew(
        &self,
        namespace: &str,
        name: &str,
        time: MicroTime,
    ) -> Result<Reply<K>, Error> {
        let patch = Patch::Merge(json!({"spec": {"renewTime": time}}));
        let action = Action::Patch(name, &patch, &WriteParameters::default());
        self.object(namespace, action, ConversionReport::new()).await
    }

    /// Replaces a candidate. Keep its `resourceVersion` as it was read: the server answers 409 if the object has changed
    /// since.
    ///
    /// # Errors
    ///
    /// The request fails (see [`send`]), or the options refuse the conversion.
    pub async fn replace(
        &self,
        namespace: &str,
        name: &str,
        object: K,
        parameters: &WriteParameters,
    ) -> Result<Reply<K>, Error> {
        let (object, sent) = self.to_wire(object)?;
        self.object(namespace, Action::Replace(name, object, parameters), sent).await
    }

    /// Deletes a candidate. Returns the candidate if finalizers delay the deletion.
    ///
    /// # Errors
    ///
    /// The request fails (see [`send`]), or the options refuse the conversion.
    pub async fn delete(
        &self,
        namespace: &str,
        name: &str,
        options: &DeleteOptions,
    ) -> Result<Reply<Option<K>>, Error> {
        let response = self.requests().delete([namespace, name], options).await?;
        self.reply(response, ConversionReport::new(), |object, report| {
            object.map(|object| self.convert(object, report))
        })
    }

    /// Watches the candidates of a namespace. Each event comes with the report of its conversion.
    ///
    /// # Errors
    ///
    /// The errors of [`send_watch`]. Strict options refuse no event.
    pub async fn watch(
        &self,
        namespace: &str,
        parameters: &ListParameters,
    ) -> Result<EventStream<(Event<K>, ConversionReport)>, Error> {
        self.events(Some(namespace), parameters).await
    }

    /// Watches the candidates of all namespaces. Each event comes with the report of its conversion.
    ///
    /// # Errors
    ///
    /// The errors of [`send_watch`]. Strict options refuse no event.
    pub async fn watch_all_namespaces(
        &self,
        parameters: &ListParameters,
    ) -> Result<EventStream<(Event<K>, ConversionReport)>, Error> {
        self.events(None, parameters).await
    }

    /// The requests of the version on the wire.
    fn requests<'a>(&'a self) -> Box<dyn CandidateRequests<'a> + Send + 'a> {
        let transport = Transport { client: &self.client, form: &self.form };
        AnyLeaseCandidate::visit_message(self.version, transport)
    }

    async fn object(
        &self,
        namespace: &str,
        action: Action<'_>,
        sent: ConversionReport,
    ) -> Result<Reply<K>, Error> {
        let response = self.requests().object(namespace, action).await?;
        self.reply(response, sent, |object, report| self.convert(object, report))
    }

    async fn objects(
        &self,
        namespace: Option<&str>,
        parameters: &ListParameters,
    ) -> Result<Reply<Listed<K>>, Error> {
        let (mut items, mut warnings, mut last) = (Vec::new(), Vec::new(), None);
        for page in self.requests().list(namespace, parameters).await? {
            let (objects, metadata) = page.body;
            warnings.extend(page.warnings);
            items.extend(objects);
            last = Some((page.code, metadata));
        }
        let mut received = ConversionReport::new();
        let convert = |(index, item): (usize, AnyLeaseCandidate)| {
            received.of_item(index, |report| self.convert(item, report))
        };
        let items: Vec<K> = items.into_iter().enumerate().map(convert).collect();
        let (code, metadata) = last.unwrap_or((StatusCode::OK, ListMeta::default()));
        Ok(Reply {
            body: Listed { items, metadata },
            code,
            warnings,
            sent: ConversionReport::new(),
            received: self.options.accept(received)?,
        })
    }

    async fn events(
        &self,
        namespace: Option<&str>,
        parameters: &ListParameters,
    ) -> Result<EventStream<(Event<K>, ConversionReport)>, Error> {
        let options = self.options.clone();
        let events = self.requests().watch(namespace, parameters).await?;
        let convert = move |event: Event<AnyLeaseCandidate>| {
            let mut report = ConversionReport::new();
            let event = event.map(|object| K::from_any(object, &options, &mut report));
            (event, report)
        };
        Ok(events.map(move |event| event.map(&convert)).boxed())
    }

    /// The object in the version on the wire.
    fn to_wire(&self, object: K) -> Result<(AnyLeaseCandidate, ConversionReport), Error> {
        Ok(object.into().convert_to_with(self.version, &self.options)?)
    }

    fn convert(&self, candidate: AnyLeaseCandidate, report: &mut ConversionReport) -> K {
        K::from_any(candidate, &self.options, report)
    }

    fn reply<A: Clone + Serialize, T>(
        &self,
        response: Response<A>,
        sent: ConversionReport,
        convert: impl FnOnce(A, &mut ConversionReport) -> T,
    ) -> Result<Reply<T>, Error> {
        let Response { code, warnings, body, .. } = response;
        let mut received = ConversionReport::new();
        let converted = convert(body.clone(), &mut received);
        let received = self.options.accept(received).map_err(|reason| {
            // A write has happened: the caller gets what the server has now.
            let body = serde_json::to_value(body).unwrap_or_default();
            Error::Answer { code, body, reason }
        })?;
        Ok(Reply { body: converted, code, warnings, sent, received })
    }
}

impl<K: FromAny<AnyLeaseCandidate> + Resource> Candidates<K> {
    /// Applies a candidate: sets the fields in `fields`, converted to the version that the cluster serves.
    ///
    /// A field that this version cannot hold is applied as an annotation. An empty string or list in the spec is not applied.
    ///
    /// # Errors
    ///
    /// The errors of [`send`]. Strict options refuse `fields` without a field that the version requires.
    pub async fn apply(
        &self,
        namespace: &str,
        name: &str,
        fields: &K::Apply,
        parameters: &WriteParameters,
    ) -> Result<Reply<K>, Error> {
        let object = serde_json::to_value(fields).and_then(serde_json::from_value);
        let object: K = object.map_err(Error::Apply)?;
        let (object, sent) = self.to_wire(object)?;
        let patch = Patch::Apply(set_fields(&object).map_err(Error::Apply)?);
        self.object(namespace, Action::Patch(name, &patch, parameters), sent).await
    }
}

/// The fields of an object without the empty strings and lists of its spec: the conversion adds them.
fn set_fields(object: &impl Serialize) -> Result<Value, serde_json::Error> {
    let mut fields = serde_json::to_value(object)?;
    let is_set = |value: &Value| match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    if let Some(spec) = fields.get_mut("spec").and_then(Value::as_object_mut) {
        spec.retain(|_, value| is_set(value));
    }
    Ok(fields)
}

/// Where requests go, and in which form.
#[derive(Clone, Copy)]
struct Transport<'a> {
    client: &'a Client,
    form: &'a BodyForm,
}

impl Transport<'_> {
    async fn send<A: ProtobufAnswer>(self, request: Request<A>) -> Result<Response<A>, Error> {
        let send = |request| async move { send(self.client, &request).await };
        in_form(self.form, request, send).await
    }
}

/// The requests for candidates of one version. The objects in them are of any version.
trait CandidateRequests<'a> {
    fn object(&self, namespace: &'a str, action: Action<'a>) -> Sent<'a, AnyLeaseCandidate>;

    fn delete(
        &self,
        place: [&'a str; 2],
        options: &'a DeleteOptions,
    ) -> Sent<'a, Option<AnyLeaseCandidate>>;

    fn list(
        &self,
        namespace: Option<&'a str>,
        parameters: &'a ListParameters,
    ) -> BoxFuture<'a, Result<Vec<Response<Page>>, Error>>;

    fn watch(
        &self,
        namespace: Option<&'a str>,
        parameters: &'a ListParameters,
    ) -> BoxFuture<'a, Result<EventStream<Event<AnyLeaseCandidate>>, Error>>;
}

type Sent<'a, T> = BoxFuture<'a, Result<Response<T>, Error>>;
type Page = (Vec<AnyLeaseCandidate>, ListMeta);

/// A request about one candidate, which the server answers with the candidate.
enum Action<'a> {
    Get(&'a str),
    Create(AnyLeaseCandidate, &'a WriteParameters),
    Replace(&'a str, AnyLeaseCandidate, &'a WriteParameters),
    Patch(&'a str, &'a Patch, &'a WriteParameters),
}

/// The requests for objects of the type `K`.
struct VersionedRequests<'a, K>(Transport<'a>, PhantomData<fn() -> K>);

impl<'a, K: VersionOf<AnyLeaseCandidate> + Message> CandidateRequests<'a>
    for VersionedRequests<'a, K>
{
    fn object(&self, namespace: &'a str, action: Action<'a>) -> Sent<'a, AnyLeaseCandidate> {
        let own = |object| K::from_any(object, &Options::default(), &mut ConversionReport::new());
        let request = match action {
            Action::Get(name) => K::get(namespace, name),
            Action::Create(object, parameters) => K::create(namespace, &own(object), parameters),
            Action::Replace(name, object, parameters) => {
                K::replace(namespace, name, &own(object), parameters)
            }
            Action::Patch(name, patch, parameters) => K::patch(namespace, name, patch, parameters),
        };
        let transport = self.0;
        Box::pin(async move { Ok(transport.send(request?).await?.map(Into::into)) })
    }

    fn delete(
        &self,
        [namespace, name]: [&'a str; 2],
        options: &'a DeleteOptions,
    ) -> Sent<'a, Option<AnyLeaseCandidate>> {
        let transport = self.0;
        Box::pin(async move {
            let response = transport.send(K::delete(namespace, name, options)?).await?;
            Ok(response.map(|deletion| deletion.into_returned().map(Into::into)))
        })
    }

    fn list(
        &self,
        namespace: Option<&'a str>,
        parameters: &'a ListParameters,
    ) -> BoxFuture<'a, Result<Vec<Response<Page>>, Error>> {
        let transport = self.0;
        Box::pin(async move {
            let request: Result<Request<List<K>>, RequestError> = match namespace {
                Some(namespace) => K::list(namespace, parameters),
                None => K::list_all_namespaces(parameters),
            };
            let any =
                |list: List<K>| (list.items.into_iter().map(Into::into).collect(), list.metadata);
            let send = |request| send_pages(transport.client, request);
            let pages = in_form(transport.form, request?, send).await?;
            Ok(pages.into_iter().map(|page| page.map(any)).collect())
        })
    }

    fn watch(
        &self,
        namespace: Option<&'a str>,
        parameters: &'a ListParameters,
    ) -> BoxFuture<'a, Result<EventStream<Event<AnyLeaseCandidate>>, Error>> {
        let transport = self.0;
        Box::pin(async move {
            let request = match namespace {
                Some(namespace) => K::watch(namespace, parameters),
                None => K::watch_all_namespaces(parameters),
            };
            let send = |request| async move { send_watch(transport.client, &request).await };
            let events = in_form(transport.form, request?, send).await?;
            Ok(events.map(|event| Ok(event?.map(Into::into))).boxed())
        })
    }
}

/// Chooses the requests of a version.
impl<'a> MessageVisitor<AnyLeaseCandidate> for Transport<'a> {
    type Output = Box<dyn CandidateRequests<'a> + Send + 'a>;

    fn visit<K: VersionOf<AnyLeaseCandidate> + Message>(self) -> Self::Output {
        Box::new(VersionedRequests::<K>(self, PhantomData))
    }
}
