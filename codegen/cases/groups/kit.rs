//! The conformance kit on the kinds of two packages: paths of the core group, kinds of the cluster, subresources.

use core_types::requests::http;
use core_types::requests::{
    ExecParameters, LogParameters, RequestError, Response, ResponseError, Upgrade, Verbs,
};
use core_types::v1::{Namespace, Pod};
use groups::apps::v1::Deployment;
use groups::rbac::v1::{ClusterRole, RoleBinding};
use k8s_versioned::Registry;
use k8s_versioned::subresource::{Eviction, Finalize, Scale, Status};
use k8s_versioned_conformance::operation::Operations;
use k8s_versioned_conformance::{Documents, Recordings, Suite, check};

#[test]
fn recordings_pass() {
    let operations = [
        Operations::of_resource::<Pod>(),
        Operations::of_subresource::<Pod, Status>(),
        Operations::of_subresource::<Pod, Eviction>(),
        Operations::of_resource::<Namespace>(),
        Operations::of_subresource::<Namespace, Finalize>(),
        Operations::of_resource::<Deployment>(),
        Operations::of_subresource::<Deployment, Scale>(),
        Operations::of_resource::<ClusterRole>(),
        Operations::of_resource::<RoleBinding>(),
    ];
    let kinds = [core_types::Kinds.kinds(), groups::Kinds.kinds()].concat();
    let kinds = kinds.as_slice();
    let documents = Documents::load("specs").unwrap();
    let recordings = Recordings::load("tests/recordings").unwrap();
    let report = Suite::general(&kinds, &documents)
        .with(check::request(&operations, &kinds))
        .with(check::answer(&operations, &kinds))
        .run(&recordings);
    assert!(report.is_success() && report.recordings == 16, "{report}");
    println!("{report}");
}

const POD: &str = "/api/v1/namespaces/default/pods/web";

/// A log is text, in pieces of any form.
#[test]
fn a_log_is_text() {
    let parameters = LogParameters::default().with_container("a b").with_tail_lines(5);
    let request = Pod::log("default", "web", parameters.with_follow(true)).unwrap();
    let http = request.to_http().unwrap();
    assert_eq!(http.method(), "GET");
    assert_eq!(
        http.uri(),
        &*format!("{POD}/log?container=a%20b&follow=true&tailLines=5")
    );
    assert_eq!(http.headers()["accept"], "*/*");
    let response = http::Response::builder().header("content-type", "text/plain");
    let Response { body, .. } =
        request.decode(&response.body(b"one\n\xff\n".to_vec()).unwrap()).unwrap();
    assert_eq!(body.0, b"one\n\xff\n");
}

/// A connection is a request of the program's own client: its answer is not decoded.
#[test]
fn connections_are_requests() {
    let ls = ExecParameters::default().with_command(["sh".to_owned(), "-c".to_owned(), "a & b".to_owned()]);
    let exec = Pod::exec("default", "web", ls.with_stdin(true).with_tty(false)).unwrap();
    let attach = Pod::attach("default", "web", ExecParameters::default().with_container("c"));
    let ports = Pod::port_forward("default", "web", &[80, 8443]);
    for (request, target) in [
        (&exec, "exec?command=sh&command=-c&command=a%20%26%20b&stdin=true&tty=false"),
        (&attach.unwrap(), "attach?container=c"),
        (&ports.unwrap(), "portforward?ports=80&ports=8443"),
    ] {
        let http = request.to_http_at("https://10.0.0.1:6443").unwrap();
        assert_eq!(http.method(), "GET");
        assert_eq!(http.uri(), &*format!("https://10.0.0.1:6443{POD}/{target}"));
    }
    let switched = http::Response::builder().status(101).body(Vec::new()).unwrap();
    let refused: Result<Response<Upgrade>, ResponseError> = exec.decode(&switched);
    assert!(refused.is_err());
}

/// A proxied request reaches nothing but what is behind the object.
#[test]
fn a_proxy_stays_behind_its_object() {
    let through = |name: &str, path: &str| -> Result<String, RequestError> {
        let request = http::Request::builder().method("POST").header("x-own", "1").body("body");
        let request = Pod::proxy("default", name, path, request.unwrap())?;
        assert_eq!((request.method().as_str(), *request.body()), ("POST", "body"));
        assert_eq!(request.headers()["x-own"], "1");
        Ok(request.uri().to_string())
    };
    for (name, path, target) in [
        ("web", "", "web/proxy"),
        ("https:web:8443", "/metrics?a=b&c", "https%3Aweb%3A8443/proxy/metrics?a=b&c"),
        ("web", "a b/%2e%2e/c", "web/proxy/a%20b/%252e%252e/c"),
    ] {
        let all = format!("/api/v1/namespaces/default/pods/{target}");
        assert_eq!(through(name, path).unwrap(), all);
    }
    for path in ["..", "a/../../b", "./a", "a/.."] {
        assert!(through("web", path).is_err(), "{path}");
    }
}
