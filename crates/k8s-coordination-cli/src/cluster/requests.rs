//! The name of a cluster in errors, and the request that failed.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use k8s_coordination::Quoted;
use k8s_coordination::requests::http::{Request, Response};
use kube::Config;
use tower::{Layer, Service};

use crate::Error;

/// The requests to a cluster.
#[derive(Clone, Debug)]
pub(super) struct Requests {
    /// The context of the kubeconfig.
    context: String,
    /// The address of the API server.
    server: String,
    /// The method and URL of the last request that failed, or of the last request if none failed.
    last: Arc<Mutex<String>>,
}

impl Requests {
    pub(super) fn new(context: Option<&str>, config: &Config) -> Self {
        let server = config.cluster_url.to_string().trim_end_matches('/').to_owned();
        Self { context: context_name(context), server, last: Arc::default() }
    }

    fn note(&self, request: String) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = request;
    }

    /// The error, with the context; the error of a request also with its method and URL.
    pub(super) fn name(&self, error: Error) -> Error {
        let (context, server) = (&self.context, &self.server);
        match error {
            Error::Request { message, hint } => {
                let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
                let request = if last.is_empty() { server } else { &*last };
                Error::Request { message: format!("{context}: {request}: {message}"), hint }
            }
            other => other.of_cluster(&format!("{context}, {server}")),
        }
    }
}

/// A context for messages.
pub(super) fn context_name(context: Option<&str>) -> String {
    match context {
        Some(context) => format!("context {}", Quoted(context)),
        None => "the current context".to_owned(),
    }
}

impl<S> Layer<S> for Requests {
    type Service = Noting<S>;

    fn layer(&self, inner: S) -> Noting<S> {
        Noting { inner, requests: self.clone() }
    }
}

/// A service that notes its requests.
#[derive(Clone, Debug)]
pub(super) struct Noting<S> {
    inner: S,
    requests: Requests,
}

impl<S, A, B> Service<Request<A>> for Noting<S>
where
    S: Service<Request<A>, Response = Response<B>>,
    S::Future: Send + 'static,
{
    type Response = Response<B>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<A>) -> Self::Future {
        let requests = self.requests.clone();
        let line = format!("{} {}{}", request.method(), requests.server, request.uri());
        requests.note(line.clone());
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await;
            // Another request may have been sent since.
            if !answer.as_ref().is_ok_and(|answer| answer.status().is_success()) {
                requests.note(line);
            }
            answer
        })
    }
}
