//! Generated types as protobuf: numbers with a fraction, lists of lists, lists that are messages, maps, and texts that
//! Go does not hold by a pointer.

use std::fmt::Debug;

use k8s_versioned::Kind;
use k8s_versioned::protobuf::{Error, Field, Message, Sink, decode, encode};
use k8s_versioned::wire::ZeroValue;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::emitted::{floats, lists, maps, open_enum, required};

/// A type without a kind, as the object of a body.
#[derive(Debug, PartialEq)]
struct Object<T>(T);

impl<T: ZeroValue> ZeroValue for Object<T> {
    fn zero_value() -> Self {
        Self(T::zero_value())
    }
}

impl<T: 'static> Kind for Object<T> {
    const GROUP: &'static str = "";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "O";
    const API_VERSION: &'static str = "v1";
}

impl<T: Message> Message for Object<T> {
    const FIELDS: &'static [(u32, &'static str)] = T::FIELDS;

    fn merge_field(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        self.0.merge_field(field)
    }

    fn write_fields(&self, to: &mut impl Sink) {
        self.0.write_fields(to);
    }
}

/// The body of an object from its bytes, which are parts in hexadecimal digits.
fn body(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|character| character.to_digit(16)).collect();
    let bytes = digits.chunks(2).map(|pair| u8::try_from(pair[0] << 4 | pair[1]).unwrap());
    let object: Vec<u8> = bytes.collect();
    let head: &[u8] = b"k8s\0\x0a\x07\x0a\x02v1\x12\x01O\x12";
    [head, &[u8::try_from(object.len()).unwrap()], &*object, b"\x1a\0\"\0"].concat()
}

/// The value is written as these bytes, and read from them.
#[allow(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn check<T>(value: Value, hex: &str)
where
    T: Message + Debug + PartialEq + Serialize + DeserializeOwned + 'static,
{
    let object = Object(serde_json::from_value::<T>(value.clone()).unwrap());
    let body = body(hex);
    assert_eq!(encode(&object), body, "{value}");
    assert_eq!(decode::<Object<T>>(&body).unwrap(), object, "{value}");
}

#[test]
fn numbers_with_a_fraction_are_eight_bytes() {
    check::<floats::v1::Measure>(json!({"value": 1.5}), "09 00 00 00 00 00 00 f8 3f");
    check::<floats::v1::Measure>(
        json!({"value": 0.0, "margin": 0.0}),
        "09 00 00 00 00 00 00 00 00  11 00 00 00 00 00 00 00 00",
    );
    check::<floats::v1::Probe>(
        json!({"measures": {"a": {"value": -1.0}}}),
        "0a 00  12 0e 0a 01 61 12 09 09 00 00 00 00 00 00 f0 bf",
    );
}

#[test]
fn lists_of_texts_messages_and_lists() {
    let value = json!({
        "atomic": ["a", ""], "byKey": [{"port": 1, "protocol": "T"}], "grid": [[1, -1], []],
        "needed": ["n"], "tags": ["t", "u"],
    });
    let hex = "0a 01 61 0a 00  12 05 08 01 12 01 54  1a 0d 08 01 08 ff ff ff ff ff ff ff ff ff 01 1a 00 \
               2a 01 6e  3a 06 0a 01 74 0a 01 75";
    check::<lists::v1::Lists>(value, hex);
    check::<lists::v1::Lists>(json!({"needed": [], "kept": ["k"]}), "22 03 0a 01 6b");
    // Packed numbers, and a list in two pieces.
    let read = |hex| decode::<Object<lists::v1::Lists>>(&body(hex)).unwrap().0;
    assert_eq!(read("1a 06 0a 02 01 02 08 03").grid, [[1, 2, 3]]);
    assert_eq!(read("3a 05 0a 01 74 10 00 3a 03 0a 01 75").tags, ["t", "u"]);
    let error = decode::<Object<lists::v1::Lists>>(&body("1a 05 08 01 0a 01 80")).unwrap_err();
    assert_eq!(error.to_string(), "grid[0][1]: the bytes end inside of a value");
}

#[test]
fn maps_have_an_entry_for_each_key() {
    let value = json!({
        "extra": {"b": [], "c": ["d"]}, "kept": {"k": true, "l": false}, "labels": {"l": ""},
        "needed": {},
    });
    let hex = "0a 05 0a 01 62 12 00  0a 08 0a 01 63 12 03 0a 01 64  12 05 0a 01 6b 10 01 \
               12 05 0a 01 6c 10 00  1a 05 0a 01 6c 12 00";
    check::<maps::v1::Maps>(value, hex);
}

/// What Go does not hold by a pointer is always written.
#[test]
fn an_absent_value_is_written_where_go_has_one() {
    let value = json!({"flag": false, "count": 0, "strict": {}});
    check::<required::v1::Mixed>(value, "0a 00 12 00 18 00 20 00 2a 02 0a 00 40 00 62 00");
    let value = json!({
        "zebra": "z", "flag": true, "count": 3, "strict": {"name": "s"}, "maybeFlag": true,
        "maybeCount": 0, "maybeText": "", "later": "l", "loose": {"note": "n"},
    });
    let hex = "0a 01 7a 12 00 18 01 20 03 2a 03 0a 01 73 32 03 0a 01 6e 38 00 40 01 4a 00 62 01 6c";
    check::<required::v1::Mixed>(value, hex);
    let value = json!({"strategy": "s", "byZone": {"z": "y"}, "fallbacks": ["w"], "last": "e"});
    let hex = "0a 01 73 12 00 1a 01 77 22 06 0a 01 7a 12 01 79 82 01 01 65";
    check::<open_enum::v1::Rollout>(value, hex);
}
