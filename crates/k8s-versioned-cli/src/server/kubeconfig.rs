//! The kubeconfig: the files that `kubectl` reads. A context names a cluster and a user; of two entries with the same name, the one in
//! the first file counts. A path in a file is relative to its folder.
//!
//! The format: <https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/>.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hyper::header::{HeaderName, HeaderValue};
use k8s_versioned_source::{Limits, documents};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::credentials::{self, Plugin, Source, User};
use super::tls::{Identity, Trust};

/// The letters that the name of a header cannot have, and `%`.
const NOT_IN_NAMES: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'*')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// The reason why a kubeconfig cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KubeconfigError {
    /// A file that a file names, or a kubeconfig itself, cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// A file is not YAML.
    #[error("{0}")]
    Syntax(String),
    /// A value has another type.
    #[error("{}: the {kind} `{name}`: {source}", path.display())]
    Entry { path: PathBuf, kind: &'static str, name: String, source: serde_json::Error },
    /// No file has the entry.
    #[error("the kubeconfig has no {0} `{1}`")]
    Missing(&'static str, String),
    /// A value is not base64.
    #[error("`{0}` of the kubeconfig is not base64: {1}")]
    Base64(&'static str, base64::DecodeError),
    /// A certificate has no key.
    #[error("`client-certificate` of the kubeconfig has no `client-key`")]
    Key,
    /// A value cannot be in a header.
    #[error("`{0}` of the kubeconfig cannot be sent in a header")]
    Header(&'static str),
    /// This program cannot do it.
    #[error(
        "`{0}` of the kubeconfig is not supported: name the address of `kubectl proxy` with `--server`"
    )]
    Unsupported(String),
}

/// What a context says about its cluster and its user.
#[derive(Debug, Default)]
pub(super) struct Access {
    /// The address.
    pub(super) server: String,
    pub(super) trust: Trust,
    pub(super) user: User,
    /// Headers that say who to act as.
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
}

impl Access {
    /// What the context of this name says, in the files of `$KUBECONFIG`, else in `~/.kube/config`.
    pub(super) fn of_context(context: &str) -> Result<Self, KubeconfigError> {
        let files = paths().into_iter().filter_map(|path| File::read(path).transpose());
        Self::in_files(&files.collect::<Result<Vec<_>, _>>()?, context)
    }

    fn in_files(files: &[File], context: &str) -> Result<Self, KubeconfigError> {
        let (_, context): (_, Context) = entry(files, "contexts", "context", context)?;
        let (folder, cluster): (_, Cluster) =
            entry(files, "clusters", "cluster", &context.cluster)?;
        let mut access = Self { server: cluster.server.clone(), ..Self::default() };
        access.trust = cluster.trust(folder)?;
        if let Some(name) = context.user.filter(|name| !name.is_empty()) {
            let (folder, user): (_, AuthInfo) = entry(files, "users", "user", &name)?;
            access.headers = user.headers()?;
            let identity = user.identity(folder)?;
            let for_plugins = || cluster.for_plugins(&access.trust);
            access.user = User { source: user.source(folder, for_plugins)?, identity };
        }
        Ok(access)
    }
}

/// The paths of the files, the first of which decides.
fn paths() -> Vec<PathBuf> {
    match env::var_os("KUBECONFIG").filter(|paths| !paths.is_empty()) {
        Some(paths) => {
            env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty()).collect()
        }
        None => env::home_dir().map(|home| home.join(".kube/config")).into_iter().collect(),
    }
}

/// A file of the kubeconfig.
struct File {
    path: PathBuf,
    content: Value,
}

impl File {
    /// Reads a file; `None` if it does not exist, as one that `kubectl` would create.
    fn read(path: PathBuf) -> Result<Option<Self>, KubeconfigError> {
        match fs::read(&path) {
            Ok(bytes) => Self::parse(path, &bytes).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(KubeconfigError::Unreadable { path, source }),
        }
    }

    fn parse(path: PathBuf, bytes: &[u8]) -> Result<Self, KubeconfigError> {
        let document = documents(path.display().to_string(), bytes, &Limits::OBJECTS).next();
        let document =
            document.transpose().map_err(|error| KubeconfigError::Syntax(error.to_string()))?;
        let content = document.map(|document| document.root().to_json()).unwrap_or_default();
        Ok(Self { path, content })
    }
}

/// The first entry of a name in the lists of the files, as a type, with the folder of its file.
fn entry<'f, T: DeserializeOwned>(
    files: &'f [File],
    list: &str,
    kind: &'static str,
    name: &str,
) -> Result<(&'f Path, T), KubeconfigError> {
    let (path, value) = find(files, list, kind, name)?;
    let value = T::deserialize(value).map_err(|source| {
        let (path, name) = (path.to_owned(), name.to_owned());
        KubeconfigError::Entry { path, kind, name, source }
    })?;
    Ok((path.parent().unwrap_or(path), value))
}

/// The first entry of a name in the lists of the files, with its file.
fn find<'f>(
    files: &'f [File],
    list: &str,
    kind: &'static str,
    name: &str,
) -> Result<(&'f Path, Value), KubeconfigError> {
    for file in files {
        let items = file.content.get(list).and_then(Value::as_array);
        let named = |item: &&Value| item.get("name").and_then(Value::as_str) == Some(name);
        let Some(item) = items.and_then(|items| items.iter().find(named)) else {
            continue;
        };
        let value = item.get(kind).filter(|value| !value.is_null()).cloned();
        return Ok((&file.path, value.unwrap_or_else(|| Map::new().into())));
    }
    Err(KubeconfigError::Missing(kind, name.to_owned()))
}

/// A pair of a cluster and a user.
#[derive(Deserialize)]
struct Context {
    cluster: String,
    user: Option<String>,
}

/// How to reach a cluster.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Cluster {
    server: String,
    tls_server_name: Option<String>,
    insecure_skip_tls_verify: Option<bool>,
    certificate_authority: Option<PathBuf>,
    certificate_authority_data: Option<String>,
    proxy_url: Option<String>,
    extensions: Option<Vec<Extension>>,
}

#[derive(Deserialize)]
struct Extension {
    name: String,
    extension: Value,
}

impl Cluster {
    fn trust(&self, folder: &Path) -> Result<Trust, KubeconfigError> {
        if self.proxy_url.as_ref().is_some_and(|url| !url.is_empty()) {
            return Err(KubeconfigError::Unsupported("proxy-url".to_owned()));
        }
        Ok(Trust {
            authorities: pem(
                "certificate-authority-data",
                self.certificate_authority_data.as_deref(),
                self.certificate_authority.as_deref(),
                folder,
            )?,
            server_name: self.tls_server_name.clone().filter(|name| !name.is_empty()),
            anyone: self.insecure_skip_tls_verify == Some(true),
        })
    }

    /// What a plugin learns about the cluster if it asks.
    fn for_plugins(&self, trust: &Trust) -> Value {
        let mut told = Map::from_iter([("server".to_owned(), json!(self.server))]);
        let mut tell = |name: &str, value: Value| told.insert(name.to_owned(), value);
        if let Some(name) = &trust.server_name {
            tell("tls-server-name", json!(name));
        }
        if trust.anyone {
            tell("insecure-skip-tls-verify", json!(true));
        }
        if let Some(pem) = &trust.authorities {
            tell("certificate-authority-data", json!(BASE64_STANDARD.encode(pem)));
        }
        let of_plugins =
            |extension: &&Extension| extension.name == "client.authentication.k8s.io/exec";
        if let Some(config) = self.extensions.iter().flatten().find(of_plugins) {
            tell("config", config.extension.clone());
        }
        told.into()
    }
}

/// Who the user is.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct AuthInfo {
    client_certificate: Option<PathBuf>,
    client_certificate_data: Option<String>,
    client_key: Option<PathBuf>,
    client_key_data: Option<String>,
    token: Option<String>,
    #[serde(rename = "tokenFile")]
    token_file: Option<PathBuf>,
    #[serde(rename = "as")]
    act_as: Option<String>,
    as_uid: Option<String>,
    as_groups: Option<Vec<String>>,
    as_user_extra: Option<BTreeMap<String, Vec<String>>>,
    username: Option<String>,
    password: Option<String>,
    auth_provider: Option<AuthProvider>,
    exec: Option<Exec>,
}

/// What plugins inside of clients did until Kubernetes 1.25. A token that one has stored still counts.
#[derive(Deserialize)]
struct AuthProvider {
    name: String,
    config: Option<BTreeMap<String, String>>,
}

/// A plugin for credentials.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Exec {
    api_version: Option<String>,
    command: PathBuf,
    args: Option<Vec<String>>,
    env: Option<Vec<Variable>>,
    install_hint: Option<String>,
    interactive_mode: Option<String>,
    #[serde(default)]
    provide_cluster_info: bool,
}

#[derive(Deserialize)]
struct Variable {
    name: String,
    value: String,
}

impl AuthInfo {
    /// The certificate of the client, if it has one.
    fn identity(&self, folder: &Path) -> Result<Option<Identity>, KubeconfigError> {
        let certificates = pem(
            "client-certificate-data",
            self.client_certificate_data.as_deref(),
            self.client_certificate.as_deref(),
            folder,
        )?;
        let key = pem(
            "client-key-data",
            self.client_key_data.as_deref(),
            self.client_key.as_deref(),
            folder,
        )?;
        match (certificates, key) {
            (Some(certificates), Some(key)) => Ok(Some(Identity { certificates, key })),
            (Some(_), None) => Err(KubeconfigError::Key),
            (None, _) => Ok(None),
        }
    }

    /// What goes into the header `authorization`.
    fn source(
        self,
        folder: &Path,
        for_plugins: impl FnOnce() -> Value,
    ) -> Result<Source, KubeconfigError> {
        let fixed = |value: Result<HeaderValue, _>, name| {
            value.map(Source::Fixed).map_err(|_| KubeconfigError::Header(name))
        };
        let present = |text: Option<String>| text.filter(|text| !text.is_empty());
        if let Some(provider) = self.auth_provider {
            let mut config = provider.config.unwrap_or_default();
            let token = config.remove("id-token").or_else(|| config.remove("access-token"));
            return match token {
                Some(token) => fixed(credentials::bearer(&token), "auth-provider"),
                None => {
                    Err(KubeconfigError::Unsupported(format!("auth-provider: {}", provider.name)))
                }
            };
        }
        if let (Some(name), Some(password)) = (present(self.username), present(self.password)) {
            return fixed(credentials::basic(&name, &password), "password");
        }
        if let Some(token) = present(self.token) {
            return fixed(credentials::bearer(&token), "token");
        }
        if let Some(file) = self.token_file.filter(|path| !path.as_os_str().is_empty()) {
            return Ok(Source::File(folder.join(file)));
        }
        let Some(exec) = self.exec else {
            return Ok(Source::None);
        };
        Ok(Source::Plugin(exec.plugin(folder, for_plugins)))
    }

    fn headers(&self) -> Result<Vec<(HeaderName, HeaderValue)>, KubeconfigError> {
        let mut headers = Vec::new();
        let mut add = |field, name: &str, value: &str| {
            let name = HeaderName::from_bytes(name.as_bytes()).ok();
            let header = name.zip(HeaderValue::from_str(value).ok());
            headers.push(header.ok_or(KubeconfigError::Header(field))?);
            Ok(())
        };
        if let Some(user) = &self.act_as {
            add("as", "impersonate-user", user)?;
        }
        if let Some(uid) = &self.as_uid {
            add("as-uid", "impersonate-uid", uid)?;
        }
        for group in self.as_groups.iter().flatten() {
            add("as-groups", "impersonate-group", group)?;
        }
        for (key, values) in self.as_user_extra.iter().flatten() {
            let key = utf8_percent_encode(key, NOT_IN_NAMES);
            for value in values {
                add("as-user-extra", &format!("impersonate-extra-{key}"), value)?;
            }
        }
        Ok(headers)
    }
}

impl Exec {
    fn plugin(self, folder: &Path, for_plugins: impl FnOnce() -> Value) -> Plugin {
        // A name alone is looked for in `PATH`.
        let is_name = self.command.components().count() == 1;
        let command = if is_name { self.command } else { folder.join(self.command) };
        let env = self.env.unwrap_or_default();
        Plugin {
            command,
            args: self.args.unwrap_or_default(),
            env: env.into_iter().map(|variable| (variable.name, variable.value)).collect(),
            api_version: self
                .api_version
                .unwrap_or_else(|| "client.authentication.k8s.io/v1".to_owned()),
            may_ask: self.interactive_mode.as_deref() != Some("Never"),
            cluster: self.provide_cluster_info.then(for_plugins),
            install_hint: self.install_hint,
        }
    }
}

/// A text in PEM: in the kubeconfig as base64, else in a file.
fn pem(
    field: &'static str,
    data: Option<&str>,
    file: Option<&Path>,
    folder: &Path,
) -> Result<Option<Vec<u8>>, KubeconfigError> {
    if let Some(data) = data.filter(|data| !data.is_empty()) {
        let decoded = BASE64_STANDARD.decode(data.trim());
        return decoded.map(Some).map_err(|error| KubeconfigError::Base64(field, error));
    }
    let Some(file) = file.filter(|file| !file.as_os_str().is_empty()) else {
        return Ok(None);
    };
    let path = folder.join(file);
    fs::read(&path).map(Some).map_err(|source| KubeconfigError::Unreadable { path, source })
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use serde_json::json;

    use super::super::credentials::{Credentials, Source};
    use super::{Access, File, KubeconfigError};

    const FIRST: &str = "
contexts:
- {name: token, context: {cluster: c, user: token}}
- {name: nobody, context: {cluster: c}}
- {name: file, context: {cluster: c, user: file}}
- {name: basic, context: {cluster: c, user: basic}}
- {name: plugin, context: {cluster: told, user: plugin}}
- {name: other, context: {cluster: c, user: other}}
- {name: lost, context: {cluster: none, user: token}}
- {name: provider, context: {cluster: c, user: provider}}
- {name: proxy, context: {cluster: proxy}}
clusters:
- {name: c, cluster: {server: 'https://a.example:6443', insecure-skip-tls-verify: true, tls-server-name: b.example}}
- name: told
  cluster:
    server: https://a.example
    certificate-authority-data: YQ==
    extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: x}}]
- {name: proxy, cluster: {server: 'https://a.example', proxy-url: 'http://localhost:3128'}}
users:
- {name: token, user: {token: first, as: anna, as-groups: [ops, dev], as-user-extra: {example.com/a b: ['1']}}}
- {name: file, user: {tokenFile: secrets/token}}
- {name: basic, user: {username: anna, password: secret}}
- name: plugin
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: bin/plugin
      args: [get-token]
      env: [{name: A, value: b}]
      interactiveMode: Never
      provideClusterInfo: true
- {name: provider, user: {auth-provider: {name: azure}}}
";

    const SECOND: &str = "{clusters: null, users: [{name: token, user: {token: second}}, {name: other, user: {token: other}}]}";

    fn access(context: &str) -> Result<Access, KubeconfigError> {
        let file = |path, text: &str| File::parse(PathBuf::from(path), text.as_bytes()).unwrap();
        Access::in_files(&[file("one/config", FIRST), file("two/config", SECOND)], context)
    }

    fn header(context: &str) -> String {
        let Source::Fixed(header) = access(context).unwrap().user.source else {
            panic!("{context} has no fixed header");
        };
        header.to_str().unwrap().to_owned()
    }

    #[test]
    fn the_first_file_counts() {
        assert_eq!(header("token"), "Bearer first");
        assert_eq!(header("other"), "Bearer other");
        assert_eq!(header("basic"), "Basic YW5uYTpzZWNyZXQ=");
        assert!(matches!(access("nobody").unwrap().user.source, Source::None));
        let Source::File(path) = access("file").unwrap().user.source else { panic!("no file") };
        assert_eq!(path, Path::new("one/secrets/token"));
    }

    #[test]
    fn a_cluster_says_whom_to_trust() {
        let access = access("token").unwrap();
        assert_eq!(access.server, "https://a.example:6443");
        assert!(access.trust.anyone);
        assert_eq!(access.trust.server_name.as_deref(), Some("b.example"));
        let headers: Vec<String> =
            access.headers.iter().map(|header| format!("{header:?}")).collect();
        let expected = [
            r#"("impersonate-user", "anna")"#,
            r#"("impersonate-group", "ops")"#,
            r#"("impersonate-group", "dev")"#,
            r#"("impersonate-extra-example.com%2fa%20b", "1")"#,
        ];
        assert_eq!(headers, expected);
    }

    #[test]
    fn a_plugin_is_told_what_it_asks_for() {
        let Source::Plugin(plugin) = access("plugin").unwrap().user.source else {
            panic!("no plugin");
        };
        assert_eq!(plugin.command, Path::new("one/bin/plugin"));
        assert_eq!(plugin.args, ["get-token"]);
        assert_eq!(plugin.env, [("A".to_owned(), "b".to_owned())]);
        assert!(!plugin.may_ask);
        let told = json!({"server": "https://a.example", "certificate-authority-data": "YQ==", "config": {"audience": "x"}});
        assert_eq!(plugin.cluster, Some(told));
    }

    #[test]
    fn what_is_missing_is_named() {
        for (context, message) in [
            ("none", "the kubeconfig has no context `none`"),
            ("lost", "the kubeconfig has no cluster `none`"),
            ("provider", "`auth-provider: azure` of the kubeconfig is not supported"),
            ("proxy", "`proxy-url` of the kubeconfig is not supported"),
        ] {
            let error = access(context).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let file =
            File::parse("a".into(), b"contexts: [{name: c, context: {cluster: 1}}]").unwrap();
        let error = Access::in_files(&[file], "c").unwrap_err().to_string();
        assert!(error.starts_with("a: the context `c`: "), "{error}");
    }

    /// A plugin gives a token once, until the token expires.
    #[cfg(unix)]
    #[test]
    fn a_plugin_runs_again_before_its_token_expires() {
        for (expires, tokens) in
            [("2000-01-01T00:00:00Z", ["2", "3"]), ("2999-01-01T00:00:00Z", ["1", "1"])]
        {
            let folder = tempfile::tempdir().unwrap();
            let script = format!(
                "echo >>{0}/runs; n=$(wc -l <{0}/runs); \
                 echo \"{{kind: ExecCredential, status: {{token: '$((n))', expirationTimestamp: '{expires}'}}}}\"",
                folder.path().display()
            );
            let exec = json!({"command": "sh", "args": ["-c", script], "interactiveMode": "Never"});
            let config = json!({
                "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                "clusters": [{"name": "c", "cluster": {"server": "https://a.example"}}],
                "users": [{"name": "u", "user": {"exec": exec}}],
            });
            let file = File::parse("config".into(), config.to_string().as_bytes()).unwrap();
            let access = Access::in_files(&[file], "c").unwrap();
            let (credentials, _) = Credentials::new(access.user).unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            for token in tokens {
                let header = runtime.block_on(credentials.header()).unwrap().unwrap();
                assert_eq!(header, format!("Bearer {token}").as_str());
            }
        }
    }

    #[test]
    fn a_plugin_that_is_not_installed() {
        let config = "{contexts: [{name: c, context: {cluster: c, user: u}}], clusters: [{name: c, cluster: {server: 'https://a.example'}}],
            users: [{name: u, user: {exec: {command: no-such-plugin, installHint: install it}}}]}";
        let file = File::parse("config".into(), config.as_bytes()).unwrap();
        let access = Access::in_files(&[file], "c").unwrap();
        let error = Credentials::new(access.user).err().unwrap().to_string();
        assert!(error.starts_with("the plugin `no-such-plugin` for credentials: "), "{error}");
        assert!(error.ends_with("; install it"), "{error}");
    }
}
