//! Requests and answers as protobuf.

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::meta::v1::{DeleteOptions, ListMeta, ObjectMeta, Status};
use k8s_coordination::requests::http::{Response, StatusCode};
use k8s_coordination::requests::{
    Answer, BodyError, BodyForm, Deletion, Event, ListParameters, Patch, ProtobufAnswer, Request,
    RequestError, ResponseError, Verbs, Watch, WriteParameters,
};
use k8s_coordination::{List, v1, v1alpha2};
use k8s_versioned::protobuf::{self, CONTENT_TYPE};

fn lease(name: &str) -> v1::Lease {
    let metadata = ObjectMeta::default().with_name(name).with_resource_version("7");
    v1::Lease::default().with_metadata(metadata)
}

fn answer<A: Answer>(
    request: &Request<A>,
    code: u16,
    media_type: &str,
    body: &[u8],
) -> Result<A, ResponseError> {
    let response = Response::builder().status(code).header("content-type", media_type);
    Ok(request.decode(&response.body(body).unwrap())?.body)
}

fn content_type<A>(request: &Request<A>) -> Option<String> {
    let http = request.to_http().unwrap();
    Some(http.headers().get("content-type")?.to_str().unwrap().to_owned())
}

#[test]
fn an_object_is_sent_and_answered() {
    let sent = lease("a");
    let json = v1::Lease::create("n", &sent, WriteParameters::default()).unwrap();
    let request = json.clone().protobuf().unwrap();
    assert_eq!(content_type(&request).as_deref(), Some(CONTENT_TYPE));
    assert_eq!(protobuf::decode::<v1::Lease>(request.body()).unwrap(), sent);
    let accept = request.headers().next().unwrap().1.to_owned();
    assert_eq!(accept, "application/vnd.kubernetes.protobuf,application/json");
    // The media type of the answer counts.
    assert_eq!(answer(&request, 201, CONTENT_TYPE, request.body()).unwrap(), sent);
    assert_eq!(answer(&request, 201, "application/json", json.body()).unwrap(), sent);
    // And back.
    assert_eq!(request.json(), json);
}

#[test]
fn a_refusal_is_a_status_in_either_form() {
    let request = v1::Lease::get("n", "a").unwrap().protobuf().unwrap();
    assert_eq!(content_type(&request), None);
    let status = Status::default().with_code(415).with_reason("UnsupportedMediaType");
    let forms = [
        (CONTENT_TYPE, protobuf::encode(&status)),
        ("application/json", serde_json::to_vec(&status).unwrap()),
    ];
    for (media_type, body) in forms {
        let Err(ResponseError::Api(error)) = answer(&request, 415, media_type, &body) else {
            panic!("no refusal");
        };
        assert!(error.is_unsupported());
        assert_eq!(error.status(), Some(&status));
    }
}

#[test]
fn a_deletion_sends_its_options_and_returns_a_status_or_an_object() {
    let options = DeleteOptions::default().with_orphan_dependents(true);
    let preconditions = k8s_coordination::meta::v1::Preconditions::default().with_uid("u");
    let options = options.with_preconditions(preconditions);
    let request = v1::Lease::delete("n", "a", options.clone()).unwrap().protobuf().unwrap();
    assert_eq!(protobuf::decode::<DeleteOptions>(request.body()).unwrap(), options);
    let status = Status::default().with_status("Success");
    let body = protobuf::encode(&status);
    let gone = answer(&request, 200, CONTENT_TYPE, &body).unwrap();
    assert_eq!(gone, Deletion::Status(Box::new(status)));
    // A custom kind of this name is not a `Status`.
    let other =
        body.iter().map(|byte| if *byte == b'1' { b'2' } else { *byte }).collect::<Vec<_>>();
    let error = answer(&request, 200, CONTENT_TYPE, &other).unwrap_err().to_string();
    assert!(error.contains("Lease"), "{error}");
    let body = protobuf::encode(&lease("a"));
    let waiting = answer(&request, 200, CONTENT_TYPE, &body).unwrap();
    assert_eq!(waiting, Deletion::Returned(lease("a")));
}

#[test]
fn a_patch_stays_json() {
    let patch = Patch::Merge(serde_json::json!({"metadata": {}}));
    let json = v1::Lease::patch("n", "a", &patch, WriteParameters::default()).unwrap();
    let request = json.clone().protobuf().unwrap();
    assert_eq!(content_type(&request), content_type(&json));
    assert_eq!(request.body(), json.body());
}

/// An eviction is such a body: the answer is a `Status`.
#[test]
fn a_body_of_another_kind_than_the_answer_stays_json() {
    let order = serde_json::json!({"apiVersion": "policy/v1", "kind": "Eviction"});
    let json = v1::Lease::create("n", &lease("a"), ()).unwrap().with_json(&order).unwrap();
    let request = json.clone().protobuf().unwrap();
    assert_eq!(content_type(&request).as_deref(), Some("application/json"));
    assert_eq!(request.body(), json.body());
    let body = protobuf::encode(&lease("a"));
    assert_eq!(answer(&request, 201, CONTENT_TYPE, &body).unwrap(), lease("a"));
    assert_eq!(request.json(), json);
    // A body of the kind that cannot be read is an error.
    for wrong in [serde_json::json!({"kind": "Lease", "metadata": 1}), serde_json::json!([])] {
        let request = json.clone().with_json(&wrong).unwrap();
        assert!(matches!(request.protobuf(), Err(RequestError::Protobuf(_))), "{wrong}");
    }
}

/// Only protobuf that is asked for is decoded: a tolerant list of a request as protobuf asks for JSON again.
#[test]
fn a_tolerant_list_accepts_what_it_decodes_in_both_orders() {
    let list = || v1::Lease::list("n", ListParameters::default()).unwrap();
    let tolerant = list().protobuf().unwrap().tolerant();
    assert_eq!(tolerant, list().tolerant());
    assert_eq!(tolerant.headers().next().unwrap().1, "application/json");
    let protobuf = list().tolerant().protobuf().unwrap();
    assert_eq!(protobuf, list().protobuf().unwrap().tolerant().protobuf().unwrap());
    let body = protobuf::encode(&List::new([lease("a")]));
    assert_eq!(answer(&protobuf, 200, CONTENT_TYPE, &body).unwrap().list.items, [lease("a")]);
    let options = DeleteOptions::default().with_orphan_dependents(true);
    let all = || v1::Lease::delete_collection("n", ListParameters::default(), options.clone());
    let tolerant = all().unwrap().protobuf().unwrap().tolerant();
    assert_eq!(tolerant, all().unwrap().tolerant());
}

#[test]
fn a_tolerant_list_names_the_items_that_do_not_decode() {
    let list = List::new([lease("a"), lease("bad!"), lease("c")])
        .with_metadata(ListMeta::default().with_continue("more"));
    let mut body = protobuf::encode(&list);
    let request = v1::Lease::list("n", ListParameters::default()).unwrap().protobuf().unwrap();
    assert_eq!(answer(&request, 200, CONTENT_TYPE, &body).unwrap(), list);
    let at = body.windows(4).position(|four| four == b"bad!").unwrap();
    body[at + 3] = 0xff;
    let Err(ResponseError::Body { reason: BodyError::Protobuf(error), .. }) =
        answer(&request, 200, CONTENT_TYPE, &body)
    else {
        panic!("the list is read");
    };
    assert_eq!(error.path(), "items[1].metadata.name");
    let tolerant = request.tolerant().protobuf().unwrap();
    let found = answer(&tolerant, 200, CONTENT_TYPE, &body).unwrap();
    assert_eq!(found.list.items, [lease("a"), lease("c")]);
    assert_eq!(found.continue_token(), Some("more"));
    let errors: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    assert_eq!(errors, ["item 1 cannot be decoded: metadata.name: a string is not UTF-8"]);
}

/// A frame of a watch. Lengths are short here: one byte of a number has 7 bits, and two have 14.
fn frame(event_type: &str, object: &[u8]) -> Vec<u8> {
    let field = |tag: u8, bytes: &[u8]| {
        let [low, high] = [bytes.len() & 0x7f | 0x80, bytes.len() >> 7].map(|byte| byte as u8);
        [&[tag, low, high], bytes].concat()
    };
    let event = [field(0x0a, event_type.as_bytes()), field(0x12, &field(0x0a, object))].concat();
    [&u32::try_from(event.len()).unwrap().to_be_bytes(), &*event].concat()
}

#[test]
fn a_watch_is_read_in_pieces_of_any_size() {
    let mark = lease("");
    let expired = Status::default().with_code(410).with_reason("Expired");
    let body = [
        frame("ADDED", &protobuf::encode(&lease("a"))),
        frame("MODIFIED", b"k8s\0\xff"),
        frame("BOOKMARK", &protobuf::encode(&mark)),
        frame("LOST", b""),
        frame("ERROR", &protobuf::encode(&expired)),
    ]
    .concat();
    let request = v1::Lease::watch("n", ListParameters::default()).unwrap().protobuf().unwrap();
    let media_type = "application/vnd.kubernetes.protobuf;stream=watch";
    for size in [1, 2, 3, 7, 100, body.len()] {
        let mut watch: Watch<v1::Lease> = answer(&request, 200, media_type, b"").unwrap();
        let mut found = Vec::new();
        for piece in body.chunks(size) {
            watch.push(piece);
            while let Some(event) = watch.next_event() {
                found.push(match event {
                    Ok(Event::Added(lease)) => lease.metadata.name.unwrap(),
                    Ok(Event::Bookmark { resource_version, .. }) => resource_version,
                    Ok(Event::Error(error)) => error.reason().to_owned(),
                    Ok(other) => panic!("{other:?}"),
                    Err(error) => error.to_string(),
                });
            }
        }
        let expected = [
            "a",
            "the object of an event cannot be decoded: the bytes end inside of a value",
            "7",
            "the watch has an event of unknown type `LOST`",
            "Expired",
        ];
        assert_eq!(found, expected);
        watch.finish().unwrap();
    }
    assert!(Watch::<v1::Lease>::decode_protobuf(&body[..9]).unwrap().finish().is_err());
    assert_eq!(StatusCode::OK, 200);
}

#[test]
fn json_follows_a_refusal_of_protobuf_once_and_is_remembered() {
    let form = BodyForm::protobuf();
    let new = || v1::Lease::create("n", &lease("a"), WriteParameters::default()).unwrap();
    let request = form.request(new()).unwrap();
    let refused = |code| answer(&request, code, "application/json", b"{}").unwrap_err();
    assert!(form.json_after(&request, &refused(409)).is_none());
    assert!(form.is_protobuf());
    for code in [406, 415] {
        let form = BodyForm::protobuf();
        let json = form.json_after(&request, &refused(code)).unwrap();
        assert_eq!(json, new());
        // The second refusal is not about protobuf.
        assert!(form.json_after(&json, &refused(code)).is_none());
        assert_eq!(form.request(new()).unwrap(), new());
    }
}

#[test]
fn an_object_of_any_version_is_read_by_its_api_version() {
    let candidate = |name: &str| ObjectMeta::default().with_name(name);
    let spec = v1alpha2::LeaseCandidateSpec::new("lock", "1.31.0", "OldestEmulationVersion");
    let old = v1alpha2::LeaseCandidate::new(spec).with_metadata(candidate("old"));
    let any: AnyLeaseCandidate = protobuf::decode(&protobuf::encode(&old)).unwrap();
    assert_eq!(any, AnyLeaseCandidate::from(old));
    let error = protobuf::decode::<AnyLeaseCandidate>(&protobuf::encode(&lease("a"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected `LeaseCandidate` of any version, found `Lease` of `coordination.k8s.io/v1`"
    );
}

/// A body that is cut off: the error names the item in which it ends.
#[test]
fn a_cut_list_names_the_item() {
    let body = protobuf::encode(&List::new([lease("a"), lease("b"), lease("c")]));
    let at = body.windows(3).position(|three| three == b"\x0a\x01c").unwrap();
    let cut = &body[..=at];
    let error = protobuf::decode::<List<v1::Lease>>(cut).unwrap_err();
    assert_eq!(error.to_string(), "items[2]: the bytes end inside of a value");
    let request = v1::Lease::list("n", ListParameters::default()).unwrap().protobuf().unwrap();
    let deletion = v1::Lease::delete_collection("n", ListParameters::default(), ());
    let messages = [
        answer(&request, 200, CONTENT_TYPE, cut).unwrap_err().to_string(),
        answer(&request.tolerant().protobuf().unwrap(), 200, CONTENT_TYPE, cut)
            .unwrap_err()
            .to_string(),
        answer(&deletion.unwrap().protobuf().unwrap(), 200, CONTENT_TYPE, cut)
            .unwrap_err()
            .to_string(),
    ];
    for message in messages {
        assert!(message.contains("items[2]: the bytes end"), "{message}");
    }
    // Without a field there is no place, and an object of another kind says so first.
    assert_eq!(protobuf::decode::<v1::Lease>(&body[..8]).unwrap_err().path(), "");
    let other = protobuf::decode::<v1::Lease>(cut).unwrap_err().to_string();
    assert_eq!(other, "the bytes end inside of a value");
}
