//! Documents from clusters: over TLS by a context of the kubeconfig, and from servers whose answers are wrong on purpose.

use std::fs;
#[cfg(unix)]
use std::io::Read as _;
use std::path::Path;
use std::process::Command;

use crate::command::call;
use crate::support::{Documents, answer, documents, server};
#[cfg(unix)]
use rustix::pty::{self, OpenptFlags};
use tempfile::TempDir;
use testing::specs::groups::published_as;
use testing::tls;

/// Runs `new` with these arguments in a folder, with a kubeconfig; its output, `Err` if it fails.
pub(crate) fn new(folder: &Path, arguments: &str) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
    command.args(["new", "some-types"]).args(arguments.split(' ')).current_dir(folder);
    let output = command.env("KUBECONFIG", folder.join("kubeconfig")).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn a_context_is_reached_over_tls() {
    let folder = TempDir::new().unwrap();
    let documents = documents("v1.36");
    tls::serve(&folder.path().join("kubeconfig"), move |mut connection| {
        answer(&mut connection, &documents)
    });
    // An authority that nobody trusts, and a context that does not exist.
    for (context, message) in [
        (tls::UNTRUSTED_CONTEXT, "certificate"),
        ("none", "error: the kubeconfig has no context `none`; "),
    ] {
        let output = new(folder.path(), &format!("--context {context}")).unwrap_err();
        assert!(output.contains(message), "{output}");
        assert!(!folder.path().join("some-types").exists());
    }
    let output = new(folder.path(), &format!("--group batch --context {}", tls::CONTEXT)).unwrap();
    assert!(output.contains("v1.36: 2 documents written"), "{output}");
    let manifest = folder.path().join("some-types/specs/manifest.toml");
    assert!(fs::read_to_string(manifest).unwrap().contains("source = \"cluster\""));
}

/// Each failure names its reason once, says what to do, and leaves nothing behind.
#[test]
fn a_server_that_cannot_be_reached() {
    let folder = TempDir::new().unwrap();
    let kubeconfig = |server: &str| {
        format!(
            "{{apiVersion: v1, kind: Config, clusters: [{{name: c, cluster: {{server: {server:?}}}}}], \
             contexts: [{{name: c, context: {{cluster: c, user: u}}}}], users: [{{name: u, user: {{}}}}]}}"
        )
    };
    for (server, arguments, message) in [
        ("", "--server batch", "has no `http://` or `https://`"),
        ("", "--server 127.0.0.1:8001", "has no `http://` or `https://`"),
        ("", "--server http://", "write an address such as"),
        ("127.0.0.1:8001", "--context c", "has no `http://` or `https://`"),
        ("", "--server http://127.0.0.1:1", "/version of http://127.0.0.1:1: "),
        ("https://127.0.0.1:1", "--context c", "/version of c: "),
        ("https://127.0.0.1:1", "--context d", "get-contexts"),
    ] {
        fs::write(folder.path().join("kubeconfig"), kubeconfig(server)).unwrap();
        let output = new(folder.path(), arguments).unwrap_err();
        assert!(output.starts_with("error: ") && output.contains(message), "{arguments}: {output}");
        assert!(output.contains("; "), "{arguments}: {output}");
        assert!(
            !output.contains("(Connect)") && !output.contains("ServiceError"),
            "{arguments}: {output}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

/// What servers that speak TLS alone answer to a request without it: Go's, nginx, and an alert.
#[test]
fn a_port_that_speaks_tls() {
    let answers: [&[u8]; 3] = [
        b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n",
        b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\nThe plain HTTP request was sent to HTTPS port",
        b"\x15\x03\x01\x00\x02\x02\x16",
    ];
    for answer in answers {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = std::io::Read::read(&mut stream, &mut [0; 1024]);
                let _ = std::io::Write::write_all(&mut stream, answer);
            }
        });
        let folder = TempDir::new().unwrap();
        let output = new(folder.path(), &format!("--server http://{address}")).unwrap_err();
        let expected =
            format!("error: http://{address}: the server speaks TLS: write `https://{address}`");
        assert!(output.starts_with(&expected), "{output}");
    }
}

/// Versions whose names are not like `v1beta1`, with their modules.
const NAMED: [(&str, &str); 8] = [
    ("v0", "v0"),
    ("v1alpha08", "v1alpha08"),
    ("v1api20220801", "v1api20220801"),
    ("v1api20220801storage", "v1api20220801storage"),
    ("stable", "stable"),
    ("a-b", "a_b"),
    ("a--b", "a__b"),
    ("v1beta0", "v1beta0"),
];

/// A cluster that serves them, alone and among others: the package has them, and objects are judged by their schemas. What servers
/// refuse is left out, with a warning that names it.
#[test]
fn versions_of_any_name() {
    let named = NAMED.map(|(version, _)| published_as(version));
    let mut among = documents("v1.36");
    among.retain(|name, _| name.starts_with("apis__batch"));
    among.extend(named.clone());
    among.extend(["V1", "v1.2", "2026-01"].map(published_as));
    for (served, arguments, root) in [
        (Documents::from(named.clone()), "", ""),
        (among.clone(), "--group hnc.x-k8s.io", ""),
        (among, "", "hnc/"),
    ] {
        let is_among = served.len() > named.len();
        let folder = TempDir::new().unwrap();
        let arguments = format!("--server {} {arguments}", server(served));
        let output = new(folder.path(), arguments.trim()).unwrap();
        for refused in ["V1", "v1.2", "2026-01"] {
            let warning = format!(
                "warning: v1.36 has no document of `apis__hnc.x-k8s.io__{refused}_openapi.json`, which is left out"
            );
            assert_eq!(output.contains(&warning), is_among, "{refused}: {output}");
        }
        let package = folder.path().join("some-types");
        call(&package, "generate").unwrap();
        let mut objects = String::new();
        for (version, module) in NAMED {
            let file = format!("src/generated/{root}{module}/subnamespace_anchor.rs");
            assert!(package.join(&file).is_file(), "{file}");
            let object = format!(
                "apiVersion: hnc.x-k8s.io/{version}\nkind: SubnamespaceAnchor\nmetadata: {{name: a}}\nspec: {{labels: 1}}\n---\n"
            );
            objects += &object;
        }
        let file = folder.path().join("objects.yaml");
        fs::write(&file, &objects).unwrap();
        let output = call(&package, &format!("validate {}", file.display())).unwrap_err();
        assert!(output.contains("error: 8 objects are not valid, 8 findings"), "{output}");
        fs::write(&file, objects.replace("labels: 1", "labels: []")).unwrap();
        call(&package, &format!("validate {}", file.display())).unwrap();
    }
}

/// The same versions in definitions: in a file, in a folder with a file for each, and each alone.
#[test]
fn definitions_with_versions_of_any_name() {
    let definition = |versions: &[(&str, &str)]| {
        let version = |(name, _): &(&str, &str)| {
            format!(
                "\n  - {{name: {name}, served: true, storage: {}, schema: {{openAPIV3Schema: {{type: object, \
                 properties: {{spec: {{type: object, properties: {{size: {{type: integer}}}}}}}}}}}}}}",
                *name == "v0"
            )
        };
        let versions: String = versions.iter().map(version).collect();
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\n\
             spec:\n  group: example.com\n  scope: Cluster\n  names: {{kind: Widget, plural: widgets}}\n  versions:{versions}\n"
        )
    };
    let folder = TempDir::new().unwrap();
    let crds = folder.path().join("crds");
    fs::create_dir(&crds).unwrap();
    let file = folder.path().join("widgets.yaml");
    for one in &NAMED {
        fs::write(&file, definition(&[*one])).unwrap();
        fs::write(crds.join(format!("{}.yaml", one.0)), definition(&[*one])).unwrap();
        let types = call(folder.path(), &format!("show {}", file.display())).unwrap();
        assert!(types.starts_with(&format!("// example.com/{} Widget", one.0)), "{types}");
    }
    fs::write(&file, definition(&NAMED)).unwrap();
    for (name, path) in [("of-a-file", &file), ("of-a-folder", &crds)] {
        let package = folder.path().join(name);
        let new = format!("new {} --release 1.0.0 --crds {}", package.display(), path.display());
        call(folder.path(), &new).unwrap();
        call(&package, "generate").unwrap();
        let mut objects = String::new();
        for (version, module) in NAMED {
            let file = format!("src/generated/{module}/widget.rs");
            assert!(package.join(&file).is_file(), "{file}");
            let object = format!(
                "apiVersion: example.com/{version}\nkind: Widget\nmetadata: {{name: a}}\nspec: {{size: x}}\n---\n"
            );
            objects += &object;
        }
        let objects_file = folder.path().join("objects.yaml");
        fs::write(&objects_file, objects).unwrap();
        let validate = format!("validate {}", objects_file.display());
        let output = call(&package, &validate).unwrap_err();
        assert!(output.contains("error: 8 objects are not valid, 8 findings"), "{output}");
        let diff = call(&package, "diff 1.0.0/stable 1.0.0/v1api20220801").unwrap();
        assert!(diff.starts_with("1.0.0/stable → 1.0.0/v1api20220801: "), "{diff}");
        let draft = call(&package, "draft").unwrap();
        let order = "[\"v1api20220801storage\", \"v1api20220801\", \"stable\", \"a-b\", \"a--b\", \"v1alpha08\", \"v1beta0\", \"v0\"]";
        assert!(draft.contains(order), "{draft}");
    }
    for (refused, reason) in [
        ("2026-01", "servers take lower-case letters, digits and `-`, with a letter first"),
        ("V1", "servers take lower-case letters"),
        ("v1.2", "servers take lower-case letters"),
    ] {
        fs::write(&file, definition(&[(refused, "")])).unwrap();
        let output = call(folder.path(), &format!("show {}", file.display())).unwrap_err();
        assert!(output.contains(&format!("\"{refused}\" is not a version: {reason}")), "{output}");
    }
}

/// Names that lead out of the folder are not documents, and a file that is not a document writes nothing.
#[test]
fn a_hostile_server_writes_nothing() {
    let hostile =
        ["apis__..__..__evil", "apis__batch__..", "..__apis__batch__v1", "apis__batch__v1%2f.."];
    let named = |body: &[u8]| -> Documents {
        hostile.iter().map(|name| (format!("{name}_openapi.json"), body.to_vec())).collect()
    };
    let with =
        |body: &[u8]| Documents::from([("apis__batch__v1_openapi.json".to_owned(), body.to_vec())]);
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let many = "[0".to_owned() + &",0".repeat(1_000_000) + "]";
    let evil = br#"{"openapi":"3.0.0","info":{"title":"Kubernetes","version":"x"},"paths":{},"components":{"schemas":{
        "io.k8s.api.batch.v1./evil":{"type":"object","properties":{"a":{"type":"string"}}}}}}"#;
    for (documents, message) in [
        (named(b"{}"), "has no documents of `batch`"),
        (with(b"not JSON"), "JSON cannot be read"),
        (with(deep.as_bytes()), "nest more than"),
        (with(many.as_bytes()), "more than 1000000 values"),
        (with(b""), "the file is empty"),
    ] {
        let folder = TempDir::new().unwrap();
        let output = new(folder.path(), &format!("--group batch --server {}", server(documents)));
        let output = output.unwrap_err();
        assert!(output.contains(message), "{output}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
    // An index that no server has.
    let many = (0..80_000).map(|at| (format!("apis__batch__v{at}_openapi.json"), Vec::new()));
    let folder = TempDir::new().unwrap();
    let output = new(folder.path(), &format!("--group batch --server {}", server(many.collect())));
    let output = output.unwrap_err();
    assert!(output.contains("length limit exceeded"), "{output}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // A schema whose name is a path: nothing is generated.
    let folder = TempDir::new().unwrap();
    new(folder.path(), &format!("--group batch --server {}", server(with(evil)))).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
    command.args(["generate", "--format", "json"]).current_dir(folder.path().join("some-types"));
    let output = command.output().unwrap();
    assert!(!output.status.success());
    let output: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output["findings"][0]["id"], "not-an-identifier", "{output}");
    assert!(!folder.path().join("some-types/src").exists());
}

/// What a long command works on is shown on a terminal, and removed at the end; it is never in a file or a pipe.
#[cfg(unix)]
#[test]
fn progress_is_for_terminals() {
    let server = server(documents("v1.36"));
    let command = |folder: &TempDir| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
        let arguments = ["new", "some-types", "--group", "batch", "--server", &server];
        command.args(arguments).current_dir(folder.path()).env("TERM", "xterm");
        command
    };
    let folder = TempDir::new().unwrap();
    let piped = command(&folder).output().unwrap();
    assert!(piped.status.success() && piped.stderr.is_empty(), "{piped:?}");

    let (folder, mut terminal) = (TempDir::new().unwrap(), Terminal::new());
    let on_terminal = command(&folder).stderr(terminal.other_end()).output().unwrap();
    assert_eq!(on_terminal.stdout, piped.stdout);
    let output = terminal.read();
    assert!(output.contains("apis/batch/v1"), "{output:?}");
    assert!(output.ends_with("\r\u{1b}[2K"), "{output:?}");
}

#[cfg(unix)]
struct Terminal(fs::File);

#[cfg(unix)]
impl Terminal {
    fn new() -> Self {
        let terminal = pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        pty::grantpt(&terminal).unwrap();
        pty::unlockpt(&terminal).unwrap();
        Self(terminal.into())
    }

    /// The end that programs write to.
    fn other_end(&self) -> fs::File {
        let path = pty::ptsname(&self.0, Vec::new()).unwrap().into_string().unwrap();
        fs::File::options().read(true).write(true).open(path).unwrap()
    }

    /// What programs have written; the last of them has ended.
    fn read(&mut self) -> String {
        let mut output = Vec::new();
        // Linux reports the end as an error.
        drop(self.0.read_to_end(&mut output));
        String::from_utf8(output).unwrap()
    }
}
