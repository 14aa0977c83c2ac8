//! A list in pages, from its beginning to its end.

use std::collections::HashSet;

use k8s_versioned::requests::http;
use k8s_versioned::requests::{Answer, Pages, Request, Response};
use kube::Client;

use super::Error;
use super::send::exchange;

/// The number of times that a list starts again because its `continue` token has expired.
const RESTARTS: usize = 3;

/// Sends a list request with a `limit`, and the requests for the pages that follow.
///
/// If the `continue` token expires (410), the list starts again, up to three times.
///
/// # Errors
///
/// The errors of [`send`](super::send).
pub async fn send_pages<P: Answer>(
    client: &Client,
    first: Request<P>,
) -> Result<Vec<Response<P>>, Error> {
    let (mut pages, mut received, mut restarts) = (Pages::new(first), Vec::new(), 0);
    let mut tokens = HashSet::new();
    while let Some(request) = pages.request() {
        let (head, body) = exchange(client, request.to_http()?).await?;
        match pages.receive(&http::Response::from_parts(head, body)) {
            Ok(page) => {
                if page.body.continue_token().is_some_and(|token| !tokens.insert(token.to_owned()))
                {
                    return Err(Error::EndlessList);
                }
                received.push(page);
            }
            Err(error) if error.is_expired() && restarts < RESTARTS => {
                restarts += 1;
                received.clear();
                tokens.clear();
                pages.restart();
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(received)
}
