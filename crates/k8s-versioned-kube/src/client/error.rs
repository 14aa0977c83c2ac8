//! The errors of requests.

use k8s_versioned::conversion::ConversionError;
use k8s_versioned::requests::http::StatusCode;
use k8s_versioned::requests::{ApiError, BodyError, RequestError, ResponseError};
use k8s_versioned::text;
use serde_json::Value;
use thiserror::Error;

/// The errors of requests.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The request cannot be built, and was not sent.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The client failed: it cannot reach the server, or the connection broke. The server may have carried out a write.
    #[error("the client failed: {}", plain(.0.as_ref()))]
    Client(#[source] Box<kube::Error>),
    /// The server refused the request, or its answer cannot be decoded.
    #[error(transparent)]
    Response(#[from] ResponseError),
    /// An event of a watch cannot be decoded.
    #[error(transparent)]
    Watch(#[from] BodyError),
    /// The server gives a `continue` token of a list again: the pages have no end.
    #[error("the server repeats the `continue` token of the list")]
    EndlessList,
    /// The answer has more bytes than the client reads.
    #[error("the answer has more than {limit} bytes")]
    TooLarge {
        /// The most bytes.
        limit: usize,
    },
    /// The options refuse the conversion to or from the version that the cluster serves.
    #[error("the conversion is refused: {0}")]
    Conversion(#[from] ConversionError),
    /// The server carried out the request, and the options refuse the conversion of the object in its answer.
    #[error("{code}, and the conversion of the answer is refused: {reason}")]
    Answer {
        /// The HTTP status code of the success.
        code: StatusCode,
        /// The object as the server has it; `null` if the answer has none.
        body: Value,
        /// The findings that the options refuse.
        #[source]
        reason: ConversionError,
    },
    /// The cluster does not serve the API that the program needs.
    #[error(transparent)]
    NotServed(Box<dyn std::error::Error + Send + Sync>),
    /// The fields of an apply are not an object of the kind.
    #[error("the apply cannot be converted: {0}")]
    Apply(#[source] serde_json::Error),
}

impl Error {
    /// The server's refusal, if it was one.
    pub fn api(&self) -> Option<&ApiError> {
        match self {
            Self::Response(error) => error.api(),
            _ => None,
        }
    }

    /// What to do, if known: for problems with credentials, RBAC permissions, names, certificates and connections.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Client(error) => hint(error).map(str::to_owned),
            Self::Response(error) => error.hint(),
            _ => None,
        }
    }
}

/// An error with its causes in one line. A cause with which the line already ends is not repeated.
pub fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    text::with_causes(error, plain)
}

/// The text of an error, without the names that the client gives the variants of its error.
fn plain(error: &(dyn std::error::Error + 'static)) -> String {
    let text = error.to_string();
    let plain = text.strip_prefix("ServiceError: ").or_else(|| text.strip_prefix("HyperError: "));
    plain.map_or(text.clone(), str::to_owned)
}

/// What to do after an error of the client. Its causes have no types that all TLS libraries and resolvers share, so their
/// words count.
fn hint(error: &kube::Error) -> Option<&'static str> {
    if matches!(error, kube::Error::Auth(_)) {
        return Some(
            "the credentials cannot be read: log in again, or check the user of the kubeconfig",
        );
    }
    let table: [(&[&str], &str); 6] = [
        (
            &["dns error", "lookup address"],
            "the name of the API server has no address: check `server` in the kubeconfig, and the DNS",
        ),
        (
            &["tls required", "scheme is not http"],
            "HTTPS needs the features `rustls-tls` and `ring` of the crate `kube`",
        ),
        (
            &["certificate", "tls", "handshake"],
            "check `certificate-authority` and `server` in the kubeconfig: the certificate of the API server has to fit both",
        ),
        (&["refused"], "nothing listens at this address: does the API server run?"),
        (
            &["connection error: timed out", "from connection: timed out"],
            "the API server was reached, and then sent nothing: is it overloaded, or was the connection cut? If it is slow, a \
             longer time-out helps",
        ),
        (
            &["timed out", "deadline has elapsed", "no route", "unreachable"],
            "no connection comes about: does a firewall or a network policy block it?",
        ),
    ];
    let text = with_causes(error).to_lowercase();
    let has = |(words, _): &(&[&str], _)| words.iter().any(|word| text.contains(word));
    table.into_iter().find(has).map(|(_, hint)| hint)
}

impl From<kube::Error> for Error {
    fn from(error: kube::Error) -> Self {
        Self::Client(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, with_causes};

    #[test]
    fn an_error_of_the_client_has_a_hint() {
        let hint = |text: &str| Error::from(kube::Error::Service(text.into())).hint();
        let table = [
            (
                "client error (Connect): dns error: failed to lookup address information",
                "has no address",
            ),
            ("invalid peer certificate: UnknownIssuer", "has to fit both"),
            ("invalid URL, scheme is not http", "HTTPS needs"),
            ("tcp connect error: Connection refused (os error 111)", "does the API server run?"),
            ("client error (SendRequest): connection error: timed out", "then sent nothing"),
            ("error reading a body from connection: timed out", "then sent nothing"),
            ("client error (Connect): Connection timed out (os error 110)", "network policy"),
            ("tcp connect error: deadline has elapsed", "network policy"),
        ];
        for (error, expected) in table {
            let hint = hint(error).unwrap();
            assert!(hint.contains(expected), "{error}: {hint}");
        }
        assert_eq!(hint("connection reset"), None);
    }

    #[test]
    fn an_error_of_the_client_shows_no_name_of_a_variant() {
        let error = Error::from(kube::Error::Service("connection reset".into()));
        assert_eq!(error.to_string(), "the client failed: connection reset");
        assert_eq!(with_causes(&error), error.to_string());
    }

    /// A cause is shown also if its text is a part of another one.
    #[test]
    fn each_cause_is_shown_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("{0}")]
        struct Link(&'static str, #[source] Option<Box<Self>>);

        let chain = |texts: [&'static str; 3]| {
            let link = |cause, text| Some(Box::new(Link(text, cause)));
            with_causes(&*texts.into_iter().rev().fold(None, link).unwrap())
        };
        let shown = chain(["cannot reach node a-timeout-b", "timeout", "timeout"]);
        assert_eq!(shown, "cannot reach node a-timeout-b: timeout");
        assert_eq!(
            chain(["no answer: refused: os", "refused: os", "os"]),
            "no answer: refused: os"
        );
    }
}
