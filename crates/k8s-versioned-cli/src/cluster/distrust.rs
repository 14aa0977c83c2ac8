//! Certificates that one side refuses, and what to do about them.

use std::error::Error;
use std::io;
use std::iter::successors;

use rustls::{AlertDescription as Alert, CertificateError};

/// The reason why this program and a server do not trust each other.
#[derive(Debug, thiserror::Error)]
#[error("{reason}; {hint}")]
pub(crate) struct Distrust {
    reason: rustls::Error,
    hint: &'static str,
}

impl Distrust {
    /// The distrust among the causes of a failure.
    pub(super) fn among(failure: &(dyn Error + 'static)) -> Option<Self> {
        let reason = successors(Some(failure), |&cause| cause.source()).find_map(of_tls)?;
        Some(Self { reason: reason.clone(), hint: hint(reason)? })
    }
}

/// The error of TLS that a cause is, or that is inside it: the source of an `io::Error` is the source of the error in it.
fn of_tls<'e>(cause: &'e (dyn Error + 'static)) -> Option<&'e rustls::Error> {
    let inside = || of_tls(cause.downcast_ref::<io::Error>()?.get_ref()?);
    cause.downcast_ref::<rustls::Error>().or_else(inside)
}

/// What to do about a handshake that fails; `None` if the certificates are not the reason.
fn hint(reason: &rustls::Error) -> Option<&'static str> {
    use CertificateError::{
        BadSignature, Expired, ExpiredContext, NotValidForName, NotValidForNameContext,
        NotValidYet, NotValidYetContext, UnknownIssuer,
    };
    Some(match reason {
        rustls::Error::InvalidCertificate(reason) => match reason {
            UnknownIssuer | BadSignature => {
                "the authority that signed it is not trusted: `certificate-authority` of the cluster in the \
                 kubeconfig names one that is"
            }
            NotValidForName | NotValidForNameContext { .. } => {
                "`tls-server-name` of the cluster in the kubeconfig is the name in the certificate, if the \
                 address has another"
            }
            Expired | ExpiredContext { .. } | NotValidYet | NotValidYetContext { .. } => {
                "check the clock of this machine; else the server needs a new certificate"
            }
            _ => "the server needs another certificate",
        },
        rustls::Error::AlertReceived(
            Alert::CertificateRequired
            | Alert::HandshakeFailure
            | Alert::BadCertificate
            | Alert::UnsupportedCertificate
            | Alert::CertificateRevoked
            | Alert::CertificateExpired
            | Alert::CertificateUnknown
            | Alert::UnknownCA
            | Alert::AccessDenied
            | Alert::DecryptError,
        ) => {
            "the server wants another certificate of the client: `client-certificate` and `client-key` of the \
             user in the kubeconfig"
        }
        _ => return None,
    })
}
