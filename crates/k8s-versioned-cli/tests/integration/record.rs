//! The recorder between a client and a server of the test.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use k8s_versioned_cli::commands::record::{RecordArgs, serve};
use serde_json::{Value, json};
use tempfile::TempDir;
use testing::page;

const WIDGET: &str =
    r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":3}}"#;
const PATH: &str = "/apis/example.com/v1/namespaces/default/widgets";

/// The release of the product of the custom resource, and the folder of its recordings below.
const RELEASE: &str = "1.0.0";
const SET: &str = "example.com/v1/widgets";

/// The requests that the server was sent, as text.
type Seen = Arc<Mutex<Vec<String>>>;

/// A server with one widget. It waits at the barrier after each event of a watch.
fn server(between: Arc<Barrier>) -> (SocketAddr, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Seen::default();
    let log = Arc::clone(&seen);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let request = read_request(&stream);
            log.lock().unwrap().push(request.clone());
            if request.contains("watch=1") || request.contains("watch=True") {
                answer_watch(&mut stream, &between);
            } else {
                let head =
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nset-cookie: secret";
                let length = WIDGET.len();
                write!(stream, "{head}\r\ncontent-length: {length}\r\n\r\n{WIDGET}").unwrap();
            }
        }
    });
    (address, seen)
}

/// The head and the body of a request.
fn read_request(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut text = String::new();
    while !text.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut text).unwrap() > 0, "{text}");
    }
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    text + &String::from_utf8(body).unwrap()
}

fn answer_watch(stream: &mut TcpStream, between: &Barrier) {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked";
    write!(stream, "{head}\r\n\r\n").unwrap();
    for kind in ["ADDED", "DELETED"] {
        let event = format!("{{\"type\":\"{kind}\",\"object\":{WIDGET}}}\n");
        write!(stream, "{:x}\r\n{event}\r\n", event.len()).unwrap();
        between.wait();
    }
    write!(stream, "0\r\n\r\n").unwrap();
}

/// Starts a recorder in front of a server.
fn recorder(server: SocketAddr, to: &Path, allow_writes: bool) -> SocketAddr {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let listener = runtime.block_on(tokio::net::TcpListener::bind(any)).unwrap();
    let address = listener.local_addr().unwrap();
    let mut options = RecordArgs::new(RELEASE.parse().unwrap(), "example.com", "widgets", to);
    options.server = server.into();
    options.allow_writes = allow_writes;
    thread::spawn(move || runtime.block_on(serve(listener, options)));
    address
}

/// Sends a request with a credential, and returns the connection to read the answer from.
fn send(
    to: SocketAddr,
    method: &str,
    target: &str,
    name: &str,
    body: &str,
) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(to).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    write!(
        stream,
        "{method} {target} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer secret\r\n\
         accept: application/json\r\ncontent-type: application/json\r\naccept-encoding: gzip\r\n\
         x-recording-name: {name}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    BufReader::new(stream)
}

fn ask(to: SocketAddr, method: &str, target: &str, name: &str, body: &str) -> String {
    let mut answer = String::new();
    send(to, method, target, name, body).read_to_string(&mut answer).unwrap();
    answer
}

/// Waits for a recording, which is written after the client has the answer.
fn recording(folder: &Path, file: &str) -> Value {
    let start = Instant::now();
    let path = folder.join(RELEASE).join(SET).join(file);
    loop {
        let text = fs::read_to_string(&path).unwrap_or_default();
        if let Ok(value) = serde_json::from_str(&text) {
            assert!(!text.contains("secret"), "{text}");
            return value;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "no {}", path.display());
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_exchange_without_credentials() {
    let folder = TempDir::new().unwrap();
    let (server, seen) = server(Arc::new(Barrier::new(2)));
    let proxy = recorder(server, folder.path(), false);
    let target = format!("{PATH}/a?pretty=a%20b");
    let answer = ask(proxy, "GET", &target, "get-a", "");
    assert!(answer.ends_with(WIDGET), "{answer}");
    let sent = seen.lock().unwrap().concat();
    assert!(sent.contains("authorization: Bearer secret"), "{sent}");
    assert!(!sent.contains("x-recording-name") && !sent.contains("gzip"), "{sent}");
    let media_type = json!("application/json");
    let expected = json!({
        "name": "get-a",
        "request": {
            "method": "GET",
            "path": format!("{PATH}/a"),
            "query": {"pretty": "a b"},
            "headers": {"accept": media_type, "content-type": media_type},
        },
        "response": {
            "status": 200,
            "headers": {"content-type": media_type},
            "json": serde_json::from_str::<Value>(WIDGET).unwrap(),
        },
    });
    assert_eq!(recording(folder.path(), "001-get-a.json"), expected);
    // An object, not a watch: `watch` is its name.
    ask(proxy, "GET", &format!("{PATH}/watch?watch=false"), "get-watch", "");
    assert_eq!(recording(folder.path(), "002-get-watch.json")["response"], expected["response"]);
}

/// The folder of a recording has the version by its name.
#[test]
fn versions_of_any_name() {
    let folder = TempDir::new().unwrap();
    let (server, _) = server(Arc::new(Barrier::new(2)));
    let proxy = recorder(server, folder.path(), false);
    for version in ["stable", "a-b", "v1api20220801storage"] {
        ask(proxy, "GET", &format!("/apis/example.com/{version}/widgets/a"), version, "");
        let set = folder.path().join(RELEASE).join("example.com").join(version).join("widgets");
        let file = set.join(format!("001-{version}.json"));
        let start = Instant::now();
        while !file.exists() {
            assert!(start.elapsed() < Duration::from_secs(60), "no {}", file.display());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The client gets the first event before the server sends the second. If it disconnects, the events until then are
/// recorded.
#[test]
fn a_watch_passes_as_it_comes() {
    for (hangs_up, value) in [(false, "1"), (true, "True")] {
        let folder = TempDir::new().unwrap();
        let between = Arc::new(Barrier::new(2));
        let (server, _) = server(Arc::clone(&between));
        let proxy = recorder(server, folder.path(), false);
        let mut answer = send(proxy, "GET", &format!("{PATH}?watch={value}"), "watch", "");
        let mut text = String::new();
        while !text.contains("ADDED") {
            assert!(answer.read_line(&mut text).unwrap() > 0, "{text}");
        }
        if hangs_up {
            drop(answer);
            between.wait();
        } else {
            between.wait();
            between.wait();
            answer.read_to_string(&mut text).unwrap();
        }
        let recorded = recording(folder.path(), "001-watch.json");
        let events = recorded["response"]["events"].as_array().unwrap();
        let kinds: Vec<&Value> = events.iter().map(|event| &event["type"]).collect();
        assert_eq!(kinds[0], "ADDED");
        assert!(hangs_up || kinds[1..] == ["DELETED"], "{kinds:?}");
    }
}

#[test]
fn only_reads_pass_unless_writes_are_allowed() {
    let folder = TempDir::new().unwrap();
    let (server, seen) = server(Arc::new(Barrier::new(2)));
    let careful = recorder(server, folder.path(), false);
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let answer = ask(careful, method, PATH, "write", WIDGET);
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
        assert!(answer.contains("--allow-writes"), "{answer}");
    }
    assert_eq!(seen.lock().unwrap().len(), 0);
    let open = recorder(server, folder.path(), true);
    let answer = ask(open, "POST", PATH, "create", WIDGET);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let recorded = recording(folder.path(), "001-create.json");
    assert_eq!(recorded["request"]["json"]["kind"], "Widget");
}

/// Requests for other groups, and requests that the recorder refuses.
#[test]
fn requests_that_are_not_recorded() {
    let folder = TempDir::new().unwrap();
    let (server, _) = server(Arc::new(Barrier::new(2)));
    let proxy = recorder(server, folder.path(), false);
    let secrets = ask(proxy, "GET", "/api/v1/namespaces/default/secrets/a", "get", "");
    assert!(secrets.ends_with(WIDGET), "{secrets}");
    for (target, name, code) in
        [(format!("{PATH}/a"), "../a", "400"), (format!("{PATH}/a?x=1&x=2"), "twice", "400")]
    {
        let answer = ask(proxy, "GET", &target, name, "");
        assert!(answer.starts_with(&format!("HTTP/1.1 {code}")), "{answer}");
    }
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let lost = recorder(closed, folder.path(), false);
    let answer = ask(lost, "GET", PATH, "list", "");
    assert!(answer.starts_with("HTTP/1.1 502"), "{answer}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The set and the name identify a case. Requests without a name have the one of their method.
#[test]
fn a_name_is_used_once_in_a_set() {
    let folder = TempDir::new().unwrap();
    let (server, seen) = server(Arc::new(Barrier::new(2)));
    let proxy = recorder(server, folder.path(), false);
    ask(proxy, "GET", PATH, "list", "");
    recording(folder.path(), "001-list.json");
    let answer = ask(proxy, "GET", PATH, "list", "");
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert!(answer.contains("`list` is used in this set; choose another name"), "{answer}");
    assert_eq!(seen.lock().unwrap().len(), 1);
    // The end of another name.
    ask(proxy, "GET", PATH, "my-list", "");
    recording(folder.path(), "002-my-list.json");
    // As the refusal says.
    fs::remove_file(folder.path().join(RELEASE).join(SET).join("001-list.json")).unwrap();
    let answer = ask(proxy, "GET", PATH, "list", "");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

/// Names under which nothing could be recorded end the command at its start.
#[test]
fn names_that_cannot_be_folders_are_refused() {
    for (option, value, hint) in [
        ("--set", "a b", "write letters, digits, `-`, `_` and `.`, such as `leases`"),
        ("--set", "../x", "write letters, digits"),
        ("--set", "", "write letters, digits"),
        ("--group", "Storage", "write a group, such as `coordination.k8s.io`"),
        ("--group", "", "write a group, such as"),
        ("--group", "apps/v1", "write a group, such as"),
    ] {
        let names = ["--group", "example.com", "--set", "widgets"];
        let mut arguments = names.to_vec();
        let index = names.iter().position(|name| *name == option).unwrap();
        arguments[index + 1] = value;
        let command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"))
            // A command that starts all the same ends at this address.
            .args(["record", "--release", RELEASE, "--listen", "192.0.2.1:1"])
            .args(arguments)
            .output()
            .unwrap();
        let error = String::from_utf8(command.stderr).unwrap();
        assert_eq!(command.status.code(), Some(2), "{option} {value}: {error}");
        assert!(error.contains(option) && error.contains(hint), "{option} {value}: {error}");
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let refused = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        serve(listener, RecordArgs::new(RELEASE.parse().unwrap(), "example.com", "a b", "none"))
            .await
    });
    assert!(refused.unwrap_err().to_string().contains("write letters, digits"));
}

/// A server that gives one answer of these bytes, and closes the connection.
fn answering(body: &'static [u8], media_type: &'static str) -> (SocketAddr, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut request, mut byte) = (Vec::new(), [0]);
        while !request.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            request.extend(byte);
        }
        let head = String::from_utf8(request).unwrap();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut sent = vec![0; length.map_or(0, |length| length.parse().unwrap())];
        stream.read_exact(&mut sent).unwrap();
        *log.lock().unwrap() = sent;
        write!(
            stream,
            "HTTP/1.1 201 Created\r\ncontent-type: {media_type}\r\nconnection: close\r\n\r\n"
        )
        .unwrap();
        stream.write_all(body).unwrap();
    });
    (address, seen)
}

/// Sends a body as protobuf, and returns the answer.
fn ask_protobuf(to: SocketAddr, method: &str, target: &str, body: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(to).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let head = format!(
        "{method} {target} HTTP/1.1\r\nhost: localhost\r\naccept: {PROTOBUF}\r\ncontent-type: {PROTOBUF}\r\n\
         x-recording-name: sent\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

/// Bodies in protobuf pass and are recorded as bytes, also where they are text.
#[test]
fn protobuf_is_recorded_as_bytes() {
    for (body, base64) in [(b"k8s\0\n\xff" as &[u8], "azhzAAr/"), (b"k8s\0", "azhzAA==")] {
        let folder = TempDir::new().unwrap();
        let (server, seen) = answering(body, PROTOBUF);
        let proxy = recorder(server, folder.path(), true);
        let answer = ask_protobuf(proxy, "POST", PATH, body);
        assert_eq!(*seen.lock().unwrap(), body);
        // The answer has no length, so the recorder passes it in chunks.
        assert!(answer.windows(body.len()).any(|part| part == body), "{answer:?}");
        let recorded = recording(folder.path(), "001-sent.json");
        assert_eq!(recorded["request"]["base64"], base64);
        assert_eq!(recorded["request"]["headers"]["content-type"], PROTOBUF);
        assert_eq!(recorded["response"]["base64"], base64);
    }
}

/// A watch that ends inside of a frame, or of its length: the frames before are recorded.
#[test]
fn a_watch_that_is_cut_in_a_frame_keeps_the_whole_ones() {
    let cut: [&[u8]; 3] =
        [b"\0\0\0\x02ab\0\0\0\x05ab", b"\0\0\0\x02ab\0\0", b"\0\0\0\x02ab\xff\xff\xff\xff"];
    for body in cut {
        let folder = TempDir::new().unwrap();
        let media_type = "application/vnd.kubernetes.protobuf;stream=watch";
        let (server, _) = answering(body, media_type);
        let proxy = recorder(server, folder.path(), false);
        ask_protobuf(proxy, "GET", &format!("{PATH}?watch=1"), b"");
        let recorded = recording(folder.path(), "001-sent.json");
        assert_eq!(recorded["response"]["base64"], "AAAAAmFi");
        assert_eq!(recorded["response"]["headers"]["content-type"], media_type);
    }
}

/// The recorder writes the recordings of the package `downstream`.
#[test]
fn the_recordings_of_another_crate() {
    let folder = TempDir::new().unwrap();
    let (server, _) = server(Arc::new(Barrier::new(2)));
    let proxy = recorder(server, folder.path(), true);
    ask(proxy, "POST", PATH, "create-a", WIDGET);
    recording(folder.path(), "001-create-a.json");
    ask(proxy, "GET", &format!("{PATH}/a"), "get-a", "");
    recording(folder.path(), "002-get-a.json");

    let kept = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../k8s-versioned-conformance/downstream/tests/recordings");
    let set = format!("{RELEASE}/{SET}");
    for name in ["001-create-a.json", "002-get-a.json"] {
        let written = fs::read_to_string(folder.path().join(&set).join(name)).unwrap();
        page::check(&kept.join(&set).join(name), &written);
    }
}

/// The cluster of a context is reached over TLS with its own credentials, not with the client's.
#[test]
fn a_context_is_recorded_over_tls() {
    use testing::tls;

    let folder = TempDir::new().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    let seen = Seen::default();
    let log = Arc::clone(&seen);
    tls::serve(&kubeconfig, move |connection| {
        let mut request = Vec::new();
        let mut byte = [0];
        while !request.ends_with(b"\r\n\r\n") {
            connection.read_exact(&mut byte)?;
            request.extend(byte);
        }
        log.lock().unwrap().push(String::from_utf8(request).unwrap());
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
        write!(connection, "{head}\r\ncontent-length: {}\r\n\r\n{WIDGET}", WIDGET.len())?;
        connection.flush()
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
    command.args([
        "record",
        "--listen",
        "127.0.0.1:0",
        "--release",
        RELEASE,
        "--group",
        "example.com",
    ]);
    command.args(["--set", "widgets", "--context", tls::CONTEXT, "--to"]).arg(folder.path());
    command.env("KUBECONFIG", &kubeconfig).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut line).unwrap();
    let address = line.trim().rsplit("http://").next().unwrap().parse().expect(&line);
    let answer = ask(address, "GET", &format!("{PATH}/a"), "get-a", "");
    let recorded = recording(folder.path(), "001-get-a.json");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(answer.ends_with(WIDGET), "{answer}");
    assert_eq!(recorded["response"]["json"]["kind"], "Widget");
    let sent = seen.lock().unwrap().concat();
    assert!(sent.contains(&format!("Bearer {}", tls::TOKEN)), "{sent}");
    assert!(!sent.contains("Bearer secret"), "{sent}");
}

/// `--to` is a path from where the command runs, as every other path is; without it, the package says where its recordings are.
#[test]
fn where_recordings_go() {
    let folder = TempDir::new().unwrap();
    for name in ["plain", "own"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("own/k8s-versioned.toml"), "recordings = \"kept\"\n").unwrap();
    let written = Path::new("plain").join("tests/recordings");
    for (arguments, to) in [
        (&["--root", "own", "--to", "here"][..], Path::new("here")),
        (&["--root", "own"], Path::new("own/kept")),
        (&["--root", "plain"], &written),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
        command.args(["record", "--listen", "127.0.0.1:0", "--release", RELEASE]);
        command.args(["--group", "example.com", "--set", "widgets"]).args(arguments);
        let piped = command.current_dir(folder.path()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let expected = format!("recording example.com into {}, on http://127.0.0.1:", to.display());
        assert!(line.starts_with(&expected), "{line}");
    }
}

/// More connections than the process may have files: the recorder goes on when some have ended.
#[cfg(target_os = "linux")]
#[test]
fn too_many_connections_do_not_end_the_recorder() {
    let folder = TempDir::new().unwrap();
    let (server, _) = server(Arc::new(Barrier::new(2)));
    let server = server.to_string();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 24; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_k8s-versioned")]);
    command.args(["record", "--listen", "127.0.0.1:0", "--release", RELEASE]);
    command.args(["--group", "example.com", "--set", "widgets", "--server", &server, "--to"]);
    let mut child =
        command.arg(folder.path()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut next_line = || {
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        line
    };
    let line = next_line();
    let address: SocketAddr = line.trim().rsplit("http://").next().unwrap().parse().expect(&line);
    let connections: Vec<_> = (0..40).map(|_| TcpStream::connect(address).unwrap()).collect();
    let warning = next_line();
    assert!(warning.starts_with("warning: a connection was not accepted: "), "{warning}");
    drop(connections);
    let answer = ask(address, "GET", &format!("{PATH}/a"), "get-a", "");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(answer.ends_with(WIDGET), "{answer}");
}

/// What servers that speak TLS alone answer to a request without it: Go's, nginx, and an alert.
#[test]
fn a_server_that_speaks_tls_is_called_one() {
    let answers: [&[u8]; 3] = [
        b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n",
        b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: text/html\r\n\r\nThe plain HTTP request was sent to HTTPS port",
        b"\x15\x03\x01\x00\x02\x02\x16",
    ];
    for answer in answers {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = listener.local_addr().unwrap();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                read_request(&stream);
                let _ = stream.write_all(answer);
            }
        });
        let folder = TempDir::new().unwrap();
        let answer = ask(recorder(server, folder.path(), false), "GET", PATH, "a", "");
        assert!(answer.contains("502") && answer.contains("speaks TLS: `--context`"), "{answer}");
    }
}
