//! TLS: whom to trust, and a certificate of the client.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::sync::Arc;

use rustls::AlertDescription as Alert;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, InvalidDnsNameError, PrivateKeyDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Whom to trust.
#[derive(Debug, Default)]
pub(super) struct Trust {
    /// The certificates of authorities, in PEM; without them the authorities of this system.
    pub(super) authorities: Option<Vec<u8>>,
    /// The name that the certificate of the server must have, if it is not the host of the address.
    pub(super) server_name: Option<String>,
    /// Whether any certificate is accepted.
    pub(super) anyone: bool,
}

/// The certificate of a client and its key, in PEM.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) certificates: Vec<u8>,
    pub(super) key: Vec<u8>,
}

/// The reason why TLS cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TlsError {
    /// The host is neither a name nor an address.
    #[error("`{0}` cannot be the name of a server: {1}")]
    Name(String, InvalidDnsNameError),
    /// A text is not PEM.
    #[error("the {0} cannot be read: {1}")]
    Pem(&'static str, pem::Error),
    /// A text has no certificate.
    #[error("the {0} has no certificate in PEM")]
    Empty(&'static str),
    /// This system has no authorities.
    #[error("this system has no certificates of authorities: name them in the kubeconfig")]
    NoRoots,
    /// The certificates or the key cannot be used.
    #[error(transparent)]
    Rustls(#[from] rustls::Error),
}

/// The reason why this program and a server do not trust each other.
#[derive(Debug, thiserror::Error)]
#[error("{reason}; {hint}")]
pub(crate) struct Distrust {
    reason: rustls::Error,
    hint: &'static str,
}

impl Distrust {
    /// The distrust among the causes of a failure.
    pub(super) fn from_failure(failure: &(dyn Error + 'static)) -> Option<Self> {
        let reason = successors(Some(failure), |&cause| cause.source()).find_map(|cause| {
            // The source of an `io::Error` is the source of the error in it.
            let inside = || cause.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref();
            cause.downcast_ref::<rustls::Error>().or_else(inside)
        })?;
        Some(Self { reason: reason.clone(), hint: hint(reason)? })
    }
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

/// How to speak TLS with one server.
pub(super) struct Tls {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl Tls {
    pub(super) fn new(
        host: &str,
        trust: &Trust,
        identity: Option<Identity>,
    ) -> Result<Self, TlsError> {
        let name = trust.server_name.as_deref().unwrap_or(host).to_owned();
        let name =
            ServerName::try_from(name.clone()).map_err(|error| TlsError::Name(name, error))?;
        let provider = Arc::new(ring::default_provider());
        let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let config = if trust.anyone {
            config.dangerous().with_custom_certificate_verifier(Arc::new(Anyone(provider)))
        } else {
            config.with_root_certificates(roots(trust.authorities.as_deref())?)
        };
        let config = match identity {
            Some(identity) => {
                let key = PrivateKeyDer::from_pem_slice(&identity.key);
                let key = key.map_err(|error| TlsError::Pem("key of the client", error))?;
                let what = "certificate of the client";
                config.with_client_auth_cert(certificates(what, &identity.certificates)?, key)?
            }
            None => config.with_no_client_auth(),
        };
        Ok(Self { connector: Arc::new(config).into(), name })
    }

    pub(super) async fn connect(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        self.connector.connect(self.name.clone(), stream).await
    }
}

fn certificates(what: &'static str, text: &[u8]) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(text).collect();
    let all = all.map_err(|error| TlsError::Pem(what, error))?;
    if all.is_empty() { Err(TlsError::Empty(what)) } else { Ok(all) }
}

fn roots(authorities: Option<&[u8]>) -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    if let Some(text) = authorities {
        for certificate in certificates("certificate of the authority", text)? {
            roots.add(certificate)?;
        }
        return Ok(roots);
    }
    // If one certificate of a system cannot be read, the others are trusted all the same.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() { Err(TlsError::NoRoots) } else { Ok(roots) }
}

/// Accepts each certificate: the kubeconfig says `insecure-skip-tls-verify`. Signatures are not verified, either: whoever stands
/// between has a certificate and its key, and the certificates of some servers are too old to be parsed.
#[derive(Debug)]
struct Anyone(Arc<CryptoProvider>);

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
