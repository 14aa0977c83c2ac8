//! Verdicts on bodies that no client sends.

use k8s_coordination::Kinds;
use k8s_coordination::Registry;
use k8s_coordination::meta::v1::FieldValidation;
use k8s_coordination::validation::{BodyProblem, Submission, Verdict};
use k8s_versioned::StrictValue;

const BODIES: [(&[u8], u16); 16] = [
    (b"null", 422),
    (b"[]", 400),
    (br#"{"spec": []}"#, 400),
    (br#"{"metadata": {"name": "a", "namespace": "other"}}"#, 400),
    (br#"{"Kind": "Lease", "metadata": {"name": "a"}}"#, 200),
    (br#"{"KIND": "Node", "metadata": {"name": "a"}}"#, 400),
    (br#"{"apiVersion": "coordination.k8s.io/v1beta1", "metadata": {"name": "a"}}"#, 400),
    (br#"{"apiVersion": "coordination.k8s.io/", "metadata": {"name": "a"}}"#, 200),
    (br#"{"metadata": {"name": "a"}, "spec": {"leaseTransitions": -0}}"#, 200),
    // A number beyond `f64`, in a field that the kind does not have, and in one that it has.
    (br#"{"metadata": {"name": "a"}, "spec": {"colour": [-1e400, 1E+999]}}"#, 200),
    (br#"{"metadata": {"name": "a"}, "spec": {"leaseTransitions": 1e400}}"#, 400),
    (br#"{"metadata": {"name": "1e400"}, "spec": {"holderIdentity": "\" 1e400"}}"#, 200),
    // Each of several members with one name is read.
    (br#"{"metadata": {"name": "a"}, "spec": {"renewTime": -0.0, "renewTime": "2026-01-02T03:04:05.000000Z"}}"#, 400),
    (br#"{"metadata": {"name": "a"}, "spec": {"leaseTransitions": "1"}, "spec": {"leaseTransitions": 1}}"#, 400),
    (br#"{"metadata": {"name": "a", "name": "b"}, "spec": {"colour": 1, "colour": ""}}"#, 200),
    (b"{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"holderIdentity\": \"\xff\"}}", 200),
];

#[test]
fn bodies_of_any_form() {
    let kind = Kinds.find("coordination.k8s.io/v1", "Lease").unwrap();
    let request = Submission::create(kind, "default");
    for (body, expected) in BODIES {
        assert_eq!(request.judge(body).status(), expected, "{}", body.escape_ascii());
        // A value has the same verdict as its text.
        if let Ok(value) = serde_json::from_slice::<StrictValue>(body).map(StrictValue::into_inner)
        {
            assert_eq!(request.judge(&value).status(), expected, "{value}");
        }
    }
}

/// All that is wrong, not only the first.
#[test]
fn every_wrong_field_is_told() {
    let kind = Kinds.find("coordination.k8s.io/v1", "Lease").unwrap();
    let body = r#"{"metadata": {"labels": [], "name": 1}, "spec": {"renewTime": "2026-01-02T03:04:05Z", "leaseTransitions": 1.5}}"#;
    let Verdict::Unreadable { errors } = Submission::create(kind, "default").judge(body) else {
        panic!("a server refuses it");
    };
    let mut paths: Vec<_> = errors.iter().map(|error| error.path().to_owned()).collect();
    paths.sort();
    let expected = ["metadata.labels", "metadata.name", "spec.leaseTransitions", "spec.renewTime"];
    assert_eq!(paths, expected);
    let message = errors.iter().find(|error| error.path() == "spec.renewTime").unwrap().to_string();
    assert!(message.contains("write `2026-01-02T03:04:05.000000Z`"), "{message}");
}

/// A wrong value counts although a later member of the same name is right, and each error counts once.
#[test]
fn every_duplicate_is_read() {
    let kind = Kinds.find("coordination.k8s.io/v1", "Lease").unwrap();
    let body =
        r#"{"spec": {"renewTime": 1, "renewTime": 2, "renewTime": null, "leaseTransitions": ""}}"#;
    let Verdict::Unreadable { errors } = Submission::create(kind, "default").judge(body) else {
        panic!("a server refuses it");
    };
    let mut found: Vec<_> = errors.iter().map(BodyProblem::path).collect();
    found.sort_unstable();
    assert_eq!(found, ["spec.leaseTransitions", "spec.renewTime", "spec.renewTime"]);
}

/// 100 duplicates with 100 errors each: the body is decoded some hundred times, not 10,000 times.
#[test]
fn duplicates_have_one_budget() {
    let kind = Kinds.find("coordination.k8s.io/v1", "Lease").unwrap();
    let labels = |value: usize| {
        let members: Vec<_> = (0..100).map(|at| format!(r#""a{at}": {value}"#)).collect();
        format!(r#""labels": {{{}}}"#, members.join(", "))
    };
    let labels: Vec<_> = (0..101).map(labels).collect();
    let body = format!(r#"{{"metadata": {{{}}}}}"#, labels.join(", "));
    let Verdict::Unreadable { errors } = Submission::create(kind, "default").judge(&*body) else {
        panic!("a server refuses it");
    };
    assert_eq!(errors.len(), 300);
}

/// The warnings of a server, each with the field that it is about.
#[test]
fn warnings() {
    let kind = Kinds.find("coordination.k8s.io/v1", "Lease").unwrap();
    let owner = r#"{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}"#;
    let other = owner.replace("\"u\"", "\"w\"");
    let body = format!(
        r#"{{"metadata": {{"name": "a", "ownerReferences": [{owner}, {owner}, {other}]}}, "spec": {{"colour": 1, "holderIdentity": "a", "holderIdentity": "b"}}}}"#
    );
    let verdict = Submission::create(kind, "default").judge(&*body);
    let paths: Vec<_> = verdict.warnings().iter().map(BodyProblem::path).collect();
    assert_eq!(paths, ["spec.colour", "spec.holderIdentity", "metadata.ownerReferences"]);
    assert!(verdict.warnings()[2].to_string().ends_with("duplicate UID(s) observed: u"));
    let with = |validation| Submission::create(kind, "default").with_field_validation(validation);
    let ignored = with(&FieldValidation::Ignore).judge(&*body);
    let paths: Vec<_> = ignored.warnings().iter().map(BodyProblem::path).collect();
    assert_eq!(paths, ["metadata.ownerReferences"]);
    let strict = with(&FieldValidation::Strict);
    assert_eq!(strict.judge(&*body).status(), 400);
    assert_eq!(strict.judge(r#"{"metadata": {"name": "a"}}"#).status(), 200);
}
