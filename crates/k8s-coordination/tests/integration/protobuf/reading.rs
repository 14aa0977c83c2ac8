//! What the bytes of a message mean: fields in any order, in pieces, twice, unknown, and wrong.

use k8s_coordination::v1::Lease;
use k8s_versioned::protobuf::{Error, Field, Message, ProtobufCause, Sink, decode_message};
use serde_json::{Value, json};

fn varint(number: u8, value: u8) -> Vec<u8> {
    vec![number << 3, value]
}

fn text(number: u8, text: &str) -> Vec<u8> {
    message(number, &[text.as_bytes()])
}

/// A message from its fields. All lengths fit one byte.
fn message(number: u8, fields: &[&[u8]]) -> Vec<u8> {
    let fields = fields.concat();
    [&[number << 3 | 2, u8::try_from(fields.len()).unwrap()], &*fields].concat()
}

/// The entry of a map.
fn entry(number: u8, key: &str, value: &str) -> Vec<u8> {
    message(number, &[&text(1, key), &text(2, value)])
}

/// A Lease of these fields, without its kind.
fn read(fields: &[&[u8]]) -> Value {
    let lease: Lease = decode_message(&fields.concat()).unwrap();
    let mut json = json!(lease);
    let members = json.as_object_mut().unwrap();
    members.retain(|name, value| name == "metadata" || name == "spec" && *value != json!({}));
    json
}

fn metadata(fields: &[&[u8]]) -> Value {
    read(&[&message(1, fields)])["metadata"].clone()
}

fn spec(fields: &[&[u8]]) -> Value {
    read(&[&message(2, fields)])["spec"].clone()
}

#[test]
fn the_order_of_fields_does_not_count() {
    let (name, namespace) = (text(1, "a"), text(3, "n"));
    let (holder, seconds) = (text(1, "h"), varint(2, 15));
    let expected = json!({
        "metadata": {"name": "a", "namespace": "n"},
        "spec": {"holderIdentity": "h", "leaseDurationSeconds": 15},
    });
    for [one, two] in [[&name, &namespace], [&namespace, &name]] {
        for [three, four] in [[&holder, &seconds], [&seconds, &holder]] {
            let (first, second) = (message(1, &[one, two]), message(2, &[three, four]));
            assert_eq!(read(&[&first, &second]), expected);
            assert_eq!(read(&[&second, &first]), expected);
        }
    }
}

#[test]
fn messages_in_pieces_are_merged() {
    let pieces = [
        message(1, &[&text(1, "a"), &text(14, "f1"), &entry(11, "k", "1")]),
        message(2, &[&text(1, "h")]),
        message(1, &[&text(3, "n"), &text(14, "f2"), &entry(11, "l", "2")]),
        message(2, &[&varint(2, 15)]),
    ];
    let expected = json!({
        "metadata": {
            "name": "a", "namespace": "n", "finalizers": ["f1", "f2"], "labels": {"k": "1", "l": "2"},
        },
        "spec": {"holderIdentity": "h", "leaseDurationSeconds": 15},
    });
    assert_eq!(read(&[&pieces.concat()]), expected);
}

#[test]
fn the_last_of_equal_fields_counts() {
    assert_eq!(metadata(&[&text(1, "a"), &text(1, "b")]), json!({"name": "b"}));
    // Go has no pointer here: an empty text is none.
    assert_eq!(metadata(&[&text(1, "a"), &text(1, "")]), json!({}));
    assert_eq!(spec(&[&text(1, "a"), &text(1, "")]), json!({"holderIdentity": ""}));
    assert_eq!(spec(&[&varint(2, 7), &varint(2, 9)]), json!({"leaseDurationSeconds": 9}));
    // A time is read whole.
    let time = spec(&[&message(3, &[&varint(1, 5)]), &message(3, &[&[0x10, 0xe8, 7]])]);
    assert_eq!(time, json!({"acquireTime": "1970-01-01T00:00:00.000001Z"}));
}

#[test]
fn entries_of_maps_are_read_as_messages() {
    let labels = |entries: &[&[u8]]| metadata(entries)["labels"].clone();
    assert_eq!(labels(&[&entry(11, "k", "1"), &entry(11, "k", "2")]), json!({"k": "2"}));
    assert_eq!(labels(&[&message(11, &[&text(2, "v"), &text(1, "k")])]), json!({"k": "v"}));
    assert_eq!(labels(&[&message(11, &[&text(1, "k")])]), json!({"k": ""}));
    assert_eq!(labels(&[&message(11, &[])]), json!({"": ""}));
    let unknown = message(11, &[&text(1, "k"), &varint(3, 1), &text(2, "v")]);
    assert_eq!(labels(&[&unknown]), json!({"k": "v"}));
}

/// Field 31 of each wire type, once with a group in a group.
#[test]
fn unknown_fields_of_each_wire_type_are_skipped() {
    let unknown: [&[u8]; 6] = [
        &[0xf8, 1, 0xff, 1],
        &[0xf9, 1, 1, 2, 3, 4, 5, 6, 7, 8],
        &[0xfa, 1, 2, 0xff, 0xff],
        &[0xfb, 1, 0xfc, 1],
        &[0xfb, 1, 0x0b, 0x0d, 1, 2, 3, 4, 0x12, 1, 0, 0x0c, 0x18, 1, 0xfc, 1],
        &[0xfd, 1, 1, 2, 3, 4],
    ];
    for field in unknown {
        let lease =
            [field, &message(1, &[field, &text(1, "a"), field]), field, &message(2, &[field])];
        assert_eq!(read(&lease), json!({"metadata": {"name": "a"}}), "{field:?}");
        // Nothing is skipped that is not there.
        let cut = &field[..field.len() - 1];
        let error = decode_message::<Lease>(&message(1, &[cut])).unwrap_err();
        assert_eq!(
            (error.path(), error.cause()),
            ("metadata", &ProtobufCause::Truncated),
            "{field:?}"
        );
    }
}

#[test]
fn errors_name_the_field() {
    let label = |key| message(1, &[&message(11, &[&text(1, key), &message(2, &[b"\xff"])])]);
    let table: [(&[u8], &str); 10] = [
        (&label("k"), "metadata.labels.k: a string is not UTF-8"),
        (&label("a.b/k"), r#"metadata.labels["a.b/k"]: a string is not UTF-8"#),
        (&varint(1, 1), "metadata: expected a length and bytes, found a number"),
        (
            &message(1, &[&varint(1, 1)]),
            "metadata.name: expected a length and bytes, found a number",
        ),
        (
            &message(2, &[&[0x15, 0, 0, 0, 0]]),
            "spec.leaseDurationSeconds: expected a number, found 4 bytes",
        ),
        (&message(2, &[&[0x11]]), "spec.leaseDurationSeconds: expected a number, found 8 bytes"),
        (&[0xfe, 1, 0], "6 is not a wire type"),
        (&[0xfc, 1], "a group ends that did not begin"),
        (&[0x02, 0], "a field has the number 0, or one that is out of range"),
        (&[0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f], "metadata: the bytes end inside of a value"),
    ];
    for (bytes, expected) in table {
        assert_eq!(decode_message::<Lease>(bytes).unwrap_err().to_string(), expected);
    }
}

/// A message in a message, and so on.
#[derive(Default)]
struct Nested(Option<Box<Nested>>);

impl Message for Nested {
    const FIELDS: &'static [(u32, &'static str)] = &[(1, "of")];

    fn merge_field(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        match field.number() {
            1 => field.value(&mut **self.0.get_or_insert_default()),
            _ => field.skip(),
        }
    }

    fn write_fields(&self, _: &mut impl Sink) {}
}

#[test]
fn messages_nest_a_hundred_deep() {
    let nested = |depth: usize| {
        (0..depth).fold(Vec::new(), |inner: Vec<u8>, _| {
            let length = inner.len();
            let low = if length > 0x7f { length & 0x7f | 0x80 } else { length } as u8;
            let high = (length > 0x7f).then_some((length >> 7) as u8);
            [0x0a, low].into_iter().chain(high).chain(inner).collect()
        })
    };
    let mut depth = 0;
    let mut at = &decode_message::<Nested>(&nested(100)).unwrap();
    while let Some(inner) = &at.0 {
        (at, depth) = (inner, depth + 1);
    }
    assert_eq!(depth, 100);
    let error = decode_message::<Nested>(&nested(101)).err().unwrap();
    assert_eq!(*error.cause(), ProtobufCause::TooDeep { limit: 100 });
    // Groups need no stack.
    let groups = [vec![0x7b; 1_000_000], vec![0x7c; 1_000_000]].concat();
    assert!(decode_message::<Nested>(&groups).is_ok());
    assert!(decode_message::<Nested>(&groups[..1_500_000]).is_err());
}
