//! The HTTP server: it passes the body of each request to the webhook, and answers with the webhook's answer.

use std::convert::Infallible;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use k8s_versioned::conversion::review::Webhook;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::Kinds;

/// The most bytes of a request. An API server sends all objects of a list in one request.
const LIMIT: usize = 32 << 20;

/// The webhook: the kinds that it converts.
pub fn webhook() -> Webhook {
    Webhook::of::<Kinds>()
}

/// Serves the requests of one connection.
///
/// # Errors
/// The connection breaks, or its client does not speak HTTP.
pub async fn serve<C>(connection: C, webhook: &Webhook) -> hyper::Result<()>
where
    C: AsyncRead + AsyncWrite + Unpin,
{
    let service =
        service_fn(|request| async move { Ok::<_, Infallible>(respond(webhook, request).await) });
    http1::Builder::new().serve_connection(TokioIo::new(connection), service).await
}

async fn respond(webhook: &Webhook, request: Request<Incoming>) -> Response<Full<Bytes>> {
    if request.uri().path() != "/convert" {
        return text(StatusCode::NOT_FOUND, "the webhook is at /convert");
    }
    if request.method() != Method::POST {
        return text(StatusCode::METHOD_NOT_ALLOWED, "send a ConversionReview with POST");
    }
    let body = match Limited::new(request.into_body(), LIMIT).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => return text(StatusCode::BAD_REQUEST, &error.to_string()),
    };
    match webhook.answer(&body) {
        Ok(reviewed) => {
            if let Some(failure) = &reviewed.failure {
                eprintln!("refused: {failure}");
            }
            // The status is 200 also if the conversion failed: the answer says so itself.
            response(StatusCode::OK, "application/json", reviewed.answer.into())
        }
        Err(error) => text(StatusCode::BAD_REQUEST, &error.to_string()),
    }
}

fn text(status: StatusCode, message: &str) -> Response<Full<Bytes>> {
    response(status, "text/plain", message.to_owned().into())
}

fn response(status: StatusCode, media_type: &'static str, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}
