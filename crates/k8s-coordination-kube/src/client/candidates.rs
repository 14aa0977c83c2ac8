//! A client for candidates of any version.

use std::marker::PhantomData;

use futures_util::StreamExt;
use k8s_coordination::List;
use k8s_coordination::conversion::{
    AnyLeaseCandidate, ConversionReport, ConvertObject, LeaseCandidatePolicies,
    LeaseCandidateVersion, Options,
};
use k8s_coordination::meta::v1::{DeleteOptions, ListMeta, MicroTime};
use k8s_coordination::prelude::*;
use k8s_coordination::requests::{
    Answer, Event, ListParameters, Patch, Request, Response, Warning, Watch, WriteParameters,
    http::StatusCode,
};
use k8s_coordination::{v1alpha1, v1alpha2, v1beta1, with_candidate_kind};
use kube::Client;
use serde_json::{Value, json};

use super::{Error, EventStream, send, send_pages, send_watch};

/// `LeaseCandidate` in the form that a program uses: a plain kind of one version, or [`AnyLeaseCandidate`].
///
/// Other types cannot implement this trait.
pub trait CandidateKind: sealed::Sealed + Into<AnyLeaseCandidate> {
    /// Converts from any version, and adds the findings to `report`.
    fn from_any(
        candidate: AnyLeaseCandidate,
        options: &Options<LeaseCandidatePolicies>,
        report: &mut ConversionReport,
    ) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! candidate_kind {
    ($Kind:ty) => {
        impl sealed::Sealed for $Kind {}

        impl CandidateKind for $Kind {
            fn from_any(
                candidate: AnyLeaseCandidate,
                options: &Options<LeaseCandidatePolicies>,
                report: &mut ConversionReport,
            ) -> Self {
                candidate.convert_reporting(options, report)
            }
        }
    };
}

candidate_kind!(v1alpha1::LeaseCandidate);
candidate_kind!(v1alpha2::LeaseCandidate);
candidate_kind!(v1beta1::LeaseCandidate);

impl sealed::Sealed for AnyLeaseCandidate {}

impl CandidateKind for AnyLeaseCandidate {
    fn from_any(
        candidate: Self,
        _: &Options<LeaseCandidatePolicies>,
        _: &mut ConversionReport,
    ) -> Self {
        candidate
    }
}

/// The answer to a request, in the version of the program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reply<T> {
    /// The body.
    pub body: T,
    /// The HTTP status code.
    pub code: StatusCode,
    /// The warnings of the server.
    pub warnings: Vec<Warning>,
    /// The report of the conversion of the object that was sent.
    pub sent: ConversionReport,
    /// The report of the conversion of the answer. In that of a list, paths begin with `items[…]`.
    pub received: ConversionReport,
}

/// The candidates that a list request returns.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Listed<K> {
    /// The candidates.
    pub items: Vec<K>,
    /// The metadata of the list. A watch continues from its `resourceVersion`.
    pub metadata: ListMeta,
}

/// A client for candidates. The program uses the kind `K`; requests and answers have the version that the cluster serves.
///
/// `K` is a plain kind such as [`v1beta1::LeaseCandidate`], or [`AnyLeaseCandidate`] for objects as the cluster has
/// them. An object that is read, changed and replaced keeps what `K` cannot hold: an annotation holds it.
#[derive(Clone)]
pub struct Candidates<K> {
    client: Client,
    version: LeaseCandidateVersion,
    options: Options<LeaseCandidatePolicies>,
    kind: PhantomData<fn() -> K>,
}

impl<K: CandidateKind> Candidates<K> {
    /// A client for a cluster that serves this version: see [`Served::choose`](super::Served::choose).
    pub fn new(client: Client, version: LeaseCandidateVersion) -> Self {
        let (options, kind) = (Options::default(), PhantomData);
        Self { client, version, options, kind }
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
    /// Those of [`send`], and a conversion that the options refuse.
    pub async fn create(
        &self,
        namespace: &str,
        object: K,
        parameters: &WriteParameters,
    ) -> Result<Reply<K>, Error> {
        with_candidate_kind!(self.version, Wire => {
            let (object, sent) = self.to_wire::<Wire>(object)?;
            self.object(&Wire::create(namespace, &object, parameters)?, sent).await
        })
    }

    /// Reads a candidate.
    ///
    /// # Errors
    ///
    /// Those of [`send`], and a conversion that the options refuse.
    pub async fn get(&self, namespace: &str, name: &str) -> Result<Reply<K>, Error> {
        with_candidate_kind!(self.version, Wire => {
            self.object(&Wire::get(namespace, name)?, ConversionReport::new()).await
        })
    }

    /// Lists the candidates of a namespace, all pages of them.
    ///
    /// # Errors
    ///
    /// Those of [`send`], and a conversion that the options refuse.
    pub async fn list(
        &self,
        namespace: &str,
        parameters: &ListParameters,
    ) -> Result<Reply<Listed<K>>, Error> {
        with_candidate_kind!(self.version, Wire => self.objects(Wire::list(namespace, parameters)?).await)
    }

    /// Lists the candidates of all namespaces, all pages of them.
    ///
    /// # Errors
    ///
    /// Those of [`send`], and a conversion that the options refuse.
    pub async fn list_all_namespaces(
        &self,
        parameters: &ListParameters,
    ) -> Result<Reply<Listed<K>>, Error> {
        with_candidate_kind!(self.version, Wire => self.objects(Wire::list_all_namespaces(parameters)?).await)
    }

    /// Sets `renewTime`, and no other field.
    ///
    /// # Errors
    ///
    /// Those of [`send`], and a conversion that the options refuse.
    pub async fn renew(
        &self,
        namespace: &str,
        name: &str,
        time: MicroTime,
    ) -> Result<Reply<K>, Error> {
        let patch = Patch::Merge(json!({"spec": {"renewTime": time}}));
        self.patch(namespace, name, &patch, &WriteParameters::default(), ConversionReport::new())
            .await
    }

    /// Replaces a candidate. Keep its `resourceVersion` as it was read: the server answers 409 if the object has changed
    /// since.
    ///
    /// # Errors
    ///
    /// Those of [`send`], and a conversion that the options refuse.
    pub async fn replace(
        &self,
        namespace: &str,
        name: &str,
        object: K,
        parameters: &WriteParameters,
    ) -> Result<Reply<K>, Error> {
        with_candidate_kind!(self.version, Wire => {
            let (object, sent) = self.to_wire::<Wire>(object)?;
            self.object(&Wire::replace(namespace, name, &object, parameters)?, sent).await
        })
    }

    /// Deletes a candidate. Returns it if it stays until its finalizers are removed.
    ///
    /// # Errors
    ///
    /// Those of [`send`], and a conversion that the options refuse.
    pub async fn delete(
        &self,
        namespace: &str,
        name: &str,
        options: &DeleteOptions,
    ) -> Result<Reply<Option<K>>, Error> {
        with_candidate_kind!(self.version, Wire => {
            let request = Wire::delete(namespace, name, options)?;
            let response = send(&self.client, &request).await?;
            let response = response.map(|deletion| deletion.into_returned().map(Into::into));
            self.reply(response, ConversionReport::new(), |object, report| {
                object.map(|object| self.convert(object, report))
            })
        })
    }

    /// Watches the candidates of a namespace. Each event comes with the report of its conversion.
    ///
    /// # Errors
    ///
    /// Those of [`send_watch`]. Strict options refuse no event.
    pub async fn watch(
        &self,
        namespace: &str,
        parameters: &ListParameters,
    ) -> Result<EventStream<(Event<K>, ConversionReport)>, Error> {
        with_candidate_kind!(self.version, Wire => self.events(Wire::watch(namespace, parameters)?).await)
    }

    /// Watches the candidates of all namespaces. Each event comes with the report of its conversion.
    ///
    /// # Errors
    ///
    /// Those of [`send_watch`]. Strict options refuse no event.
    pub async fn watch_all_namespaces(
        &self,
        parameters: &ListParameters,
    ) -> Result<EventStream<(Event<K>, ConversionReport)>, Error> {
        with_candidate_kind!(self.version, Wire => self.events(Wire::watch_all_namespaces(parameters)?).await)
    }

    async fn patch(
        &self,
        namespace: &str,
        name: &str,
        patch: &Patch,
        parameters: &WriteParameters,
        sent: ConversionReport,
    ) -> Result<Reply<K>, Error> {
        with_candidate_kind!(self.version, Wire => {
            self.object(&Wire::patch(namespace, name, patch, parameters)?, sent).await
        })
    }

    async fn object<W>(
        &self,
        request: &Request<W>,
        sent: ConversionReport,
    ) -> Result<Reply<K>, Error>
    where
        W: Answer + Into<AnyLeaseCandidate>,
    {
        let response = send(&self.client, request).await?;
        self.reply(response, sent, |object, report| self.convert(object.into(), report))
    }

    async fn objects<W>(&self, first: Request<List<W>>) -> Result<Reply<Listed<K>>, Error>
    where
        W: Resource + Into<AnyLeaseCandidate>,
    {
        let (mut items, mut warnings, mut last) = (Vec::new(), Vec::new(), None);
        for page in send_pages(&self.client, first).await? {
            warnings.extend(page.warnings);
            items.extend(page.body.items);
            last = Some((page.code, page.body.metadata));
        }
        let mut received = ConversionReport::new();
        let convert = |(index, item): (usize, W)| {
            received.of_item(index, |report| self.convert(item.into(), report))
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

    async fn events<W>(
        &self,
        request: Request<Watch<W>>,
    ) -> Result<EventStream<(Event<K>, ConversionReport)>, Error>
    where
        W: Resource + Into<AnyLeaseCandidate>,
        Watch<W>: Answer,
    {
        let options = self.options.clone();
        let events = send_watch(&self.client, &request).await?;
        let convert = move |event: Event<W>| {
            let mut report = ConversionReport::new();
            let event = event.map(|object| K::from_any(object.into(), &options, &mut report));
            (event, report)
        };
        Ok(events.map(move |event| event.map(&convert)).boxed())
    }

    fn to_wire<W>(&self, object: K) -> Result<(W, ConversionReport), Error>
    where
        AnyLeaseCandidate: ConvertObject<W, Policies = LeaseCandidatePolicies>,
    {
        Ok(object.into().convert_with(&self.options)?)
    }

    fn convert(&self, candidate: AnyLeaseCandidate, report: &mut ConversionReport) -> K {
        K::from_any(candidate, &self.options, report)
    }

    fn reply<A, T>(
        &self,
        response: Response<A>,
        sent: ConversionReport,
        convert: impl FnOnce(A, &mut ConversionReport) -> T,
    ) -> Result<Reply<T>, Error> {
        let Response { code, warnings, body, .. } = response;
        let mut received = ConversionReport::new();
        let body = convert(body, &mut received);
        Ok(Reply { body, code, warnings, sent, received: self.options.accept(received)? })
    }
}

impl<K: CandidateKind + Resource> Candidates<K> {
    /// Applies a candidate: sets the fields in `fields`, converted to the version that the cluster serves.
    ///
    /// A field that this version cannot hold is applied as an annotation. An empty string or list in the spec is not applied.
    ///
    /// # Errors
    ///
    /// Those of [`send`]. Strict options refuse `fields` without a field that the version requires.
    pub async fn apply(
        &self,
        namespace: &str,
        name: &str,
        fields: &K::Apply,
        parameters: &WriteParameters,
    ) -> Result<Reply<K>, Error> {
        let object = serde_json::to_value(fields).and_then(serde_json::from_value);
        let object: K = object.map_err(Error::Apply)?;
        let (fields, sent) = with_candidate_kind!(self.version, Wire => {
            let (object, sent) = self.to_wire::<Wire>(object)?;
            (set_fields(&object).map_err(Error::Apply)?, sent)
        });
        self.patch(namespace, name, &Patch::Apply(fields), parameters, sent).await
    }
}

/// The fields of an object without the empty strings and lists of its spec: the conversion adds them.
fn set_fields(object: &impl serde::Serialize) -> Result<Value, serde_json::Error> {
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
