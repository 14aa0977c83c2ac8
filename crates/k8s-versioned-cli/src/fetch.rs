//! `fetch`: the documents of a release, from a folder, from CustomResourceDefinitions, or from a cluster.

use std::io::{Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Args;
use k8s_versioned_codegen::manifest::SourceKind;
use k8s_versioned_codegen::{Files, crd};
use k8s_versioned_names::Release;
use serde_json::{Map, Value};

use crate::error::Source;
use crate::project::is_below;
use crate::specs::Specs;
use crate::tree::Tree;
use crate::{Error, Project, import};

/// The largest answer of a cluster that is read, in bytes. The largest document of Kubernetes has 1.3 million.
const LIMIT: u64 = 64 << 20;

/// The most documents of one group that a cluster may name.
const DOCUMENTS: usize = 100;

/// The document whose schemas all definitions share.
const SHARED: &[u8] = include_bytes!("../../k8s-versioned/specs/v1.36/apis__meta_openapi.json");

/// The source of the documents.
#[derive(Clone, Debug, Args)]
pub struct FetchArgs {
    /// The release that serves the documents, for example `v1.36`.
    #[arg(long, value_name = "RELEASE")]
    pub release: Release,
    #[command(flatten)]
    from: From,
}

#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = false)]
struct From {
    /// A folder of OpenAPI v3 documents, such as `api/openapi-spec/v3` in a checkout of Kubernetes.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Files and folders of CustomResourceDefinitions in YAML or JSON.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    crds: Vec<PathBuf>,
    /// A context of the kubeconfig; `kubectl` reads the documents.
    #[arg(long, value_name = "CONTEXT")]
    context: Option<String>,
    /// The address of a `kubectl proxy`, such as `127.0.0.1:8001`.
    #[arg(long, value_name = "ADDRESS")]
    proxy: Option<String>,
}

/// Brings the documents of a release into the project.
///
/// # Errors
/// The source cannot be read, or the documents have problems. Nothing has been written then, unless a write failed.
pub fn run(
    project: &Project,
    args: &FetchArgs,
    progress: &dyn Fn(&str),
) -> Result<import::Report, Error> {
    let From { folder, crds, context, proxy } = &args.from;
    let (kind, source) = match (folder, context, proxy) {
        (Some(folder), ..) => (SourceKind::SourceTree, import::read_documents(folder)?),
        (_, Some(context), _) => {
            (SourceKind::Cluster, cluster(project, &kubectl(context), context, progress)?)
        }
        (.., Some(address)) => {
            (SourceKind::Cluster, cluster(project, &proxied(address), address, progress)?)
        }
        _ => (SourceKind::Cluster, definitions(crds)?),
    };
    import::run(project, &[], args.release, kind, &source)
}

/// The documents that a server publishes for definitions.
fn definitions(paths: &[PathBuf]) -> Result<Source, Error> {
    let mut manifests = Files::new();
    for path in paths {
        if path.is_dir() {
            let tree = Tree::top(path)?;
            for (name, bytes) in tree.read_all(is_manifest)? {
                manifests.insert(path.join(name).display().to_string(), bytes);
            }
        } else {
            let bytes = std::fs::read(path).map_err(Error::io("read", path))?;
            manifests.insert(path.display().to_string(), bytes);
        }
    }
    let shared: Value = serde_json::from_slice(SHARED).unwrap_or_default();
    let schemas = shared.pointer("/components/schemas").and_then(Value::as_object);
    let files = crd::documents(&manifests, schemas.unwrap_or(&Map::new())).map_err(|problems| {
        let files = manifests.clone();
        Error::refused(problems, vec![Source { shown: String::new(), files }])
    })?;
    if files.is_empty() {
        let message = "no CustomResourceDefinition found in the files";
        return Err(Error::Refusal(message.to_owned()));
    }
    Ok(Source { shown: "the CustomResourceDefinitions".to_owned(), files })
}

fn is_manifest(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|found| found.to_str());
    matches!(extension, Some("yaml" | "yml" | "json"))
}

/// Gets the body at a path of a server.
type Get<'a> = dyn Fn(&str) -> Result<Vec<u8>, Error> + 'a;

/// The documents of the project's groups in a cluster.
fn cluster(
    project: &Project,
    get: &Get<'_>,
    name: &str,
    progress: &dyn Fn(&str),
) -> Result<Source, Error> {
    let specs = Specs::read(project)?;
    let refused =
        |problems| Error::refused(problems, vec![Source::specs(project, specs.files.clone())]);
    let rules = k8s_versioned_codegen::rules::read_group(&specs.files).map_err(refused)?;
    progress("/openapi/v3");
    let index: Value = serde_json::from_slice(&get("/openapi/v3")?)
        .map_err(|error| Error::Refusal(format!("{name}: /openapi/v3 is not JSON: {error}")))?;
    let paths = index.get("paths").and_then(Value::as_object);
    let mut files = Files::new();
    for (path, entry) in paths.into_iter().flatten() {
        let Some(file) = document_name(path, &rules.groups) else {
            continue;
        };
        // The address that the server names has a hash, and could lead anywhere: the path says the same.
        let _ = entry;
        if files.len() == DOCUMENTS {
            let message = format!("{name}: more than {DOCUMENTS} documents of the groups");
            return Err(Error::Refusal(message));
        }
        progress(path);
        files.insert(file, get(&format!("/openapi/v3/{path}"))?);
    }
    if files.is_empty() {
        let message =
            format!("{name} has no documents of the groups in {}/group.toml", project.specs);
        return Err(Error::Refusal(message));
    }
    Ok(Source { shown: name.to_owned(), files })
}

/// The name of the file for a path in a server's list of documents, such as `apis/batch/v1`; `None` for other groups.
fn document_name(path: &str, groups: &std::collections::BTreeSet<String>) -> Option<String> {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-./".contains(&byte);
    if !path.bytes().all(known) || !is_below(path) {
        return None;
    }
    let group = match path.split('/').collect::<Vec<_>>().as_slice() {
        ["api", _] => "",
        ["apis", group] | ["apis", group, _] => *group,
        _ => return None,
    };
    let name = format!("{}_openapi.json", path.replace('/', "__"));
    (groups.is_empty() || groups.contains(group)).then_some(name)
}

/// Reads through `kubectl`, which knows the kubeconfig.
fn kubectl(context: &str) -> impl Fn(&str) -> Result<Vec<u8>, Error> {
    move |path| {
        let mut command = Command::new("kubectl");
        command.args(["get", "--raw", path, "--context", context]).stdin(Stdio::null());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(Error::io("run", Path::new("kubectl")))?;
        let body = child.stdout.take().map(limited).transpose()?;
        let output = child.wait_with_output().map_err(Error::io("run", Path::new("kubectl")))?;
        if output.status.success() {
            return Ok(body.unwrap_or_default());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(Error::Refusal(format!("kubectl get --raw {path}: {}", said.trim())))
    }
}

/// Reads over HTTP from `kubectl proxy`.
fn proxied(address: &str) -> impl Fn(&str) -> Result<Vec<u8>, Error> {
    move |path| {
        let failed = |error: std::io::Error| {
            Error::Refusal(format!("{address}: {error}; does `kubectl proxy` run there?"))
        };
        let found = address.to_socket_addrs().map_err(failed)?.next();
        let found = found.ok_or_else(|| failed(std::io::ErrorKind::NotFound.into()))?;
        let timeout = Duration::from_secs(30);
        let mut stream = TcpStream::connect_timeout(&found, timeout).map_err(failed)?;
        stream.set_read_timeout(Some(timeout)).map_err(failed)?;
        // HTTP 1.0: the answer ends with the connection, and is not in chunks.
        let request =
            format!("GET {path} HTTP/1.0\r\nHost: {address}\r\nAccept: application/json\r\n\r\n");
        stream.write_all(request.as_bytes()).map_err(failed)?;
        let answer = limited(stream)?;
        let head = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let (head, body) = answer.split_at(head.map_or(answer.len(), |at| at + 4));
        let status =
            String::from_utf8_lossy(head.split(|byte| *byte == b'\r').next().unwrap_or_default());
        if status.split(' ').nth(1) == Some("200") {
            Ok(body.to_vec())
        } else {
            Err(Error::Refusal(format!("{address}{path}: {status}")))
        }
    }
}

/// All bytes, up to [`LIMIT`].
fn limited(from: impl std::io::Read) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = from.take(LIMIT + 1).read_to_end(&mut bytes);
    read.map_err(|error| Error::Refusal(format!("the answer ends early: {error}")))?;
    if bytes.len() as u64 > LIMIT {
        return Err(Error::Refusal(format!("the answer is larger than {LIMIT} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::document_name;

    #[test]
    fn names_of_a_hostile_cluster_stay_in_the_folder() {
        let groups = BTreeSet::from(["batch".to_owned()]);
        let name = |path| document_name(path, &groups);
        assert_eq!(name("apis/batch/v1").as_deref(), Some("apis__batch__v1_openapi.json"));
        assert_eq!(name("apis/batch").as_deref(), Some("apis__batch_openapi.json"));
        for path in [
            "apis/apps/v1",
            "../batch/v1",
            "apis/../batch",
            "/apis/batch/v1",
            "apis/batch/v1/..",
            "apis/batch/v1 HTTP/1.1",
            "",
        ] {
            assert_eq!(name(path), None, "{path}");
        }
    }
}
