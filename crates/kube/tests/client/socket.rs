//! The servers of the tests on a socket of this machine, for programs of their own.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body::Body as HttpBody;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use k8s_coordination::operation::http;
use kube::client::Body;
use tokio::net::TcpListener;
use tower::{BoxError, Service, ServiceExt};

/// A server in this process: answers requests of `kube`.
pub(crate) trait Server<R>:
    Service<http::Request<Body>, Response = R, Error = BoxError, Future: Send>
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<R, S> Server<R> for S where
    S: Service<http::Request<Body>, Response = R, Error = BoxError, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static
{
}

/// Listens until the runtime ends.
pub(crate) async fn serve<B>(server: impl Server<http::Response<B>>) -> SocketAddr
where
    B: HttpBody<Data = Bytes, Error = BoxError> + Send + 'static,
{
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let server = server.clone();
            let answer = hyper::service::service_fn(move |request: http::Request<Incoming>| {
                let server = server.clone();
                async move {
                    let (head, body) = request.into_parts();
                    let body = Body::from(body.collect().await?.to_bytes().to_vec());
                    server.oneshot(http::Request::from_parts(head, body)).await
                }
            });
            let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
            tokio::spawn(connection);
        }
    });
    address
}
