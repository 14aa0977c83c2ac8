//! Requests that are sent again.

use std::time::Duration;

use k8s_coordination::requests::http::{Request, Response};
use kube::client::Body;
use kube::client::retry::RetryPolicy;
use tokio::time::{Instant, Sleep};
use tower::BoxError;
use tower::retry::Policy;

/// The retries of the client of `kube` (429, 503, 504), as long as they fit into a time. Then the refusal is the answer.
#[derive(Clone)]
pub(super) struct Retries {
    policy: RetryPolicy,
    limit: Duration,
    /// Set by the first refusal.
    until: Option<Instant>,
}

impl Retries {
    pub(super) fn new(limit: Duration) -> Self {
        Self { policy: RetryPolicy::server_retry(), limit, until: None }
    }
}

impl<B> Policy<Request<Body>, Response<B>, BoxError> for Retries {
    type Future = Sleep;

    fn retry(
        &mut self,
        request: &mut Request<Body>,
        result: &mut Result<Response<B>, BoxError>,
    ) -> Option<Sleep> {
        let until = *self.until.get_or_insert_with(|| Instant::now() + self.limit);
        self.policy.retry(request, result).filter(|sleep| sleep.deadline() <= until)
    }

    fn clone_request(&mut self, request: &Request<Body>) -> Option<Request<Body>> {
        Policy::<_, Response<B>, _>::clone_request(&mut self.policy, request)
    }
}
