//! Servers in this process, for clients of `kube` and, on a socket, for other processes.

use std::net::SocketAddr;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use k8s_coordination::requests::http::{self, header, request};
use kube::client::Body;
use serde::Serialize;
use tokio::net::TcpListener;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, ServiceExt, service_fn};

pub type Response = http::Response<StreamBody<BoxStream<'static, Frame>>>;
pub type Frame = Result<http_body::Frame<Bytes>, BoxError>;

/// A server for requests of `kube`.
pub type Server = BoxCloneSyncService<http::Request<Body>, Response, BoxError>;

/// A server with this function for answers.
pub fn server<F>(
    answer: impl Fn(request::Parts, Bytes) -> F + Clone + Send + Sync + 'static,
) -> Server
where
    F: Future<Output = Result<Response, BoxError>> + Send,
{
    Server::new(service_fn(move |request: http::Request<Body>| {
        let answer = answer.clone();
        async move {
            let (head, body) = request.into_parts();
            answer(head, body.collect().await?.to_bytes()).await
        }
    }))
}

/// A body in one piece.
pub fn once(bytes: impl Into<Bytes>) -> BoxStream<'static, Frame> {
    stream::iter([Ok(http_body::Frame::data(bytes.into()))]).boxed()
}

/// An answer in JSON.
pub fn json_response(code: u16, body: &impl Serialize) -> Response {
    let body = StreamBody::new(once(serde_json::to_vec(body).unwrap()));
    let response = http::Response::builder().status(code);
    response.header(header::CONTENT_TYPE, "application/json").body(body).unwrap()
}

/// Listens until the runtime ends.
pub async fn serve(server: Server) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let server = server.clone();
            let answer = hyper::service::service_fn(move |request: http::Request<Incoming>| {
                let server = server.clone();
                async move {
                    let (head, body) = request.into_parts();
                    let body = Body::from(body.collect().await?.to_bytes());
                    server.oneshot(http::Request::from_parts(head, body)).await
                }
            });
            let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
            tokio::spawn(connection);
        }
    });
    address
}
