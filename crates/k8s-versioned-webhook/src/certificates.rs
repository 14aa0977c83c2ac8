//! The certificate of a server, and the certificates that replace it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, io};

use thiserror::Error;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};

/// A certificate cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file has no certificate, or no key, in PEM.
    #[error("{}: not in PEM: {source}", path.display())]
    Pem {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: pem::Error,
    },
    /// The key does not belong to the certificate, or is of a kind that is not supported.
    #[error("{} and {} do not belong together: {source}", certificate.display(), key.display())]
    Pair {
        /// The file of the certificate.
        certificate: PathBuf,
        /// The file of the key.
        key: PathBuf,
        /// The reason.
        source: rustls::Error,
    },
    /// The TLS library has no protocol in common with the provider of its cryptography.
    #[error(transparent)]
    Tls(rustls::Error),
}

/// The certificate of a server, from the files of a Secret of the type `kubernetes.io/tls`.
#[derive(Clone, Debug)]
pub struct Certificates {
    config: Arc<ServerConfig>,
    figures: Arc<Figures>,
}

/// What metrics say about the certificate.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    /// Certificates that were taken, with the first.
    pub(crate) taken: AtomicU64,
    /// Changed files that could not be used.
    pub(crate) failures: AtomicU64,
    /// When the certificate was taken, in seconds since 1970.
    pub(crate) since: AtomicU64,
}

impl Figures {
    fn taken(&self) {
        self.taken.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.since.store(now.as_secs(), Ordering::Relaxed);
    }
}

impl Certificates {
    /// Reads the certificate chain and its key, and reads them again each `period`: connections that begin after a change have
    /// the new certificate. The kubelet brings a renewed one within two minutes, weeks before the last one expires. Changed files
    /// that cannot be used are a warning in each period, and the last certificate stays.
    ///
    /// # Errors
    /// The files cannot be read, or are not a certificate and its key.
    ///
    /// # Panics
    /// It is called outside of a runtime of `tokio`.
    pub fn watch(
        certificate: impl Into<PathBuf>,
        key: impl Into<PathBuf>,
        period: Duration,
    ) -> Result<Self, CertificateError> {
        let paths = Paths { certificate: certificate.into(), key: key.into() };
        let provider = Arc::new(default_provider());
        let read = paths.read()?;
        let (current, newest) = watch::channel(paths.pair(&read, &provider)?);
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(CertificateError::Tls)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(Newest(newest)));
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let figures = Arc::new(Figures::default());
        figures.taken();
        let renewal = Renewal { paths, read, provider, current, figures: Arc::clone(&figures) };
        tokio::spawn(renewal.run(period));
        Ok(Self { config: Arc::new(config), figures })
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.config))
    }

    pub(crate) fn figures(&self) -> Arc<Figures> {
        Arc::clone(&self.figures)
    }
}

/// Gives each connection the newest certificate.
#[derive(Debug)]
struct Newest(watch::Receiver<Arc<CertifiedKey>>);

impl ResolvesServerCert for Newest {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.borrow()))
    }
}

#[derive(Clone, Debug)]
struct Paths {
    certificate: PathBuf,
    key: PathBuf,
}

/// The contents of both files.
#[derive(PartialEq, Eq)]
struct Files {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Paths {
    fn read(&self) -> Result<Files, CertificateError> {
        let read = |path: &Path| {
            let unread = |source| CertificateError::Read { path: path.to_owned(), source };
            fs::read(path).map_err(unread)
        };
        Ok(Files { certificate: read(&self.certificate)?, key: read(&self.key)? })
    }

    fn pair(
        &self,
        files: &Files,
        provider: &CryptoProvider,
    ) -> Result<Arc<CertifiedKey>, CertificateError> {
        let not_pem = |path: &Path| {
            let path = path.to_owned();
            |source| CertificateError::Pem { path, source }
        };
        let chain = CertificateDer::pem_slice_iter(&files.certificate).collect::<Result<_, _>>();
        let chain: Vec<_> = chain.map_err(not_pem(&self.certificate))?;
        if chain.is_empty() {
            return Err(not_pem(&self.certificate)(pem::Error::NoItemsFound));
        }
        let key = PrivateKeyDer::from_pem_slice(&files.key).map_err(not_pem(&self.key))?;
        let pair = CertifiedKey::from_der(chain, key, provider);
        let pair = pair.map_err(|source| {
            let (certificate, key) = (self.certificate.clone(), self.key.clone());
            CertificateError::Pair { certificate, key, source }
        });
        Ok(Arc::new(pair?))
    }
}

/// Looks for a new certificate.
struct Renewal {
    paths: Paths,
    /// The files of the current certificate.
    read: Files,
    provider: Arc<CryptoProvider>,
    current: watch::Sender<Arc<CertifiedKey>>,
    figures: Arc<Figures>,
}

impl Renewal {
    /// Runs until there is no server any more.
    async fn run(mut self, period: Duration) {
        loop {
            tokio::select! {
                () = self.current.closed() => return,
                () = tokio::time::sleep(period) => {}
            }
            if let Err(error) = self.look().await {
                self.figures.failures.fetch_add(1, Ordering::Relaxed);
                tracing::warn!(%error, "the new certificate cannot be used: the last one stays");
            }
        }
    }

    async fn look(&mut self) -> Result<(), CertificateError> {
        let paths = self.paths.clone();
        // A file system that hangs holds up no connection.
        let Ok(read) = spawn_blocking(move || paths.read()).await else { return Ok(()) };
        let read = read?;
        if read != self.read {
            self.current.send_replace(self.paths.pair(&read, &self.provider)?);
            self.read = read;
            self.figures.taken();
            tracing::info!("serves with a new certificate");
        }
        Ok(())
    }
}
