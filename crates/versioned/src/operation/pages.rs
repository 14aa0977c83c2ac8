//! Lists that come in pages.

use super::{Answer, ApiError, Request, Response, ResponseError, Tolerant};
use crate::{List, Resource};

/// A page of a list.
pub trait Page: Answer {
    /// The token that gets the next page; nothing on the last one.
    fn continue_token(&self) -> Option<&str>;
}

impl<T: Resource> Page for List<T> {
    fn continue_token(&self) -> Option<&str> {
        self.metadata.continue_token()
    }
}

impl<T: Resource> Page for Tolerant<T> {
    fn continue_token(&self) -> Option<&str> {
        self.metadata.continue_token()
    }
}

/// A list that comes in pages: gives the requests, takes the responses.
///
/// Start it with a list request that has a `limit`. While [`request`](Self::request) gives a request, send it and
/// hand the response to [`receive`](Self::receive).
///
/// All pages show the state that the first one showed. Servers keep that state for some minutes; after that they
/// answer [`Received::Expired`], and the caller chooses: [`restart`](Self::restart), which forgets the pages so
/// far, or [`continue_inconsistently`](Self::continue_inconsistently), where what is left comes in its newest
/// state.
#[derive(Clone, Debug)]
pub struct Pages<P> {
    first: Request<P>,
    state: State<P>,
    consistent: bool,
}

#[derive(Clone, Debug)]
enum State<P> {
    /// This request is next.
    Next(Request<P>),
    /// The state that the pages show is gone; perhaps there is a token for the newest one.
    Expired(Option<String>),
    /// All pages have come.
    Complete,
}

/// What came in response to a request for a page. There is no third case: whoever pages has to answer both.
#[derive(Debug)]
pub enum Received<P> {
    /// A page.
    Page(Response<P>),
    /// The state that the pages show is gone (410).
    Expired(Box<ApiError>),
}

impl<P: Page> Pages<P> {
    /// The pages of a list, from the request for the first one.
    pub fn new(first: Request<P>) -> Self {
        let state = State::Next(first.clone());
        Self { first, state, consistent: true }
    }

    /// The request to send next; nothing when all pages have come, or when the list has expired and the caller
    /// has not chosen yet.
    pub fn request(&self) -> Option<&Request<P>> {
        match &self.state {
            State::Next(request) => Some(request),
            State::Expired(_) | State::Complete => None,
        }
    }

    /// Takes the response to [`request`](Self::request).
    ///
    /// # Errors
    ///
    /// The request was refused, or the answer cannot be read. The request stays the next one.
    pub fn receive<B: AsRef<[u8]>>(
        &mut self,
        response: &http::Response<B>,
    ) -> Result<Received<P>, ResponseError> {
        match self.first.decode(response) {
            Ok(page) => {
                self.state = match page.body.continue_token() {
                    Some(token) => State::Next(self.request_from(token)),
                    None => State::Complete,
                };
                Ok(Received::Page(page))
            }
            Err(ResponseError::Api(error)) if error.is_expired() => {
                let token = error.continue_token();
                self.state = State::Expired(token.map(str::to_owned));
                Ok(Received::Expired(error))
            }
            Err(error) => Err(error),
        }
    }

    /// Begins again with the first page, in the newest state. The pages so far are void.
    ///
    /// A `resourceVersion` of the first request is left out: it may name the very state that is gone.
    pub fn restart(&mut self) {
        let mut request = self.first_in_any_state();
        request.query_mut().remove("continue");
        self.state = State::Next(request);
        self.consistent = true;
    }

    /// Goes on with what is left in its newest state. So an object that changed meanwhile may come in either
    /// state, twice, or not at all.
    ///
    /// Says whether the server offers that; if not, nothing changes.
    pub fn continue_inconsistently(&mut self) -> bool {
        let State::Expired(Some(token)) = &self.state else {
            return false;
        };
        self.state = State::Next(self.request_from(token));
        self.consistent = false;
        true
    }

    /// Whether all pages so far show the same state.
    pub fn is_consistent(&self) -> bool {
        self.consistent
    }

    /// The token holds the state that is wanted, and servers refuse a second way to say so.
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
