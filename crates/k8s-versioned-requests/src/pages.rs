//! Lists that come in pages.

use super::{Answer, ApiError, Request, Response, ResponseError};

/// A list that comes in pages: gives the requests, takes the responses.
///
/// Start it with a list request that has a `limit`. While [`request`](Self::request) gives a request, send it and
/// hand the response to [`receive`](Self::receive).
///
/// All pages show the state that the first one showed. Servers keep that state for some minutes; after that they answer
/// that it [is expired](ResponseError::is_expired), and the caller chooses: [`restart`](Self::restart) begins again;
/// [`continue_inconsistently`](Self::continue_inconsistently) gets the rest in its newest state.
#[derive(Clone, Debug)]
pub struct Pages<P> {
    first: Request<P>,
    /// `None` after the last page.
    next: Option<Request<P>>,
    /// The token for the rest in its newest state, if the server has offered one.
    newest: Option<String>,
    consistent: bool,
}

impl<P: Answer> Pages<P> {
    /// The pages of a list, from the request for the first one.
    pub fn new(first: Request<P>) -> Self {
        let next = Some(first.clone());
        Self { first, next, newest: None, consistent: true }
    }

    /// The request to send next; `None` after the last page.
    pub fn request(&self) -> Option<&Request<P>> {
        self.next.as_ref()
    }

    /// Takes the response to [`request`](Self::request).
    ///
    /// # Errors
    ///
    /// The request was refused, or the answer cannot be read. The request stays the next one. Where the error
    /// [is expired](ResponseError::is_expired), it will be refused again.
    pub fn receive<B: AsRef<[u8]>>(
        &mut self,
        response: &http::Response<B>,
    ) -> Result<Response<P>, ResponseError> {
        let received = self.first.decode(response);
        match &received {
            Ok(page) => {
                self.next = page.body.continue_token().map(|token| self.request_from(token));
            }
            Err(error) if error.is_expired() => {
                let token = error.api().and_then(ApiError::continue_token);
                self.newest = token.map(str::to_owned);
            }
            Err(_) => {}
        }
        received
    }

    /// Begins again with the first page, in the newest state. The pages so far are void.
    ///
    /// The request has no `resourceVersion`: the first request's may be the state that expired.
    pub fn restart(&mut self) {
        let mut request = self.first_in_any_state();
        request.query_mut().remove("continue");
        self.next = Some(request);
        self.newest = None;
        self.consistent = true;
    }

    /// Continues with the rest in its newest state. So an object that changed since the first page may come in either
    /// state, twice, or not at all.
    ///
    /// Returns `false`, without a change, if the server has offered no token for that.
    pub fn continue_inconsistently(&mut self) -> bool {
        let Some(token) = self.newest.take() else {
            return false;
        };
        self.next = Some(self.request_from(&token));
        self.consistent = false;
        true
    }

    /// Returns `true` if all pages so far show the same state.
    pub fn is_consistent(&self) -> bool {
        self.consistent
    }

    /// The token contains the state, and servers refuse parameters for the state beside it.
    fn request_from(&self, token: &str) -> Request<P> {
        self.first_in_any_state().with_parameter("continue", token)
    }

    fn first_in_any_state(&self) -> Request<P> {
        let mut request = self.first.clone();
        let query = request.query_mut();
        query.remove("resourceVersion");
        query.remove("resourceVersionMatch");
        request
    }
}
