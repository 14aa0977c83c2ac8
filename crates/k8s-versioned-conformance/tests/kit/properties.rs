//! Properties for any input.

use k8s_versioned_conformance::{Documents, Recordings, Suite, differences};
use proptest::collection::{btree_map, vec};
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::Index;
use proptest::{prop_assert, prop_assert_eq, proptest};
use serde_json::Value;

use crate::folder::{GOOD, beside_good};
use crate::widget::KINDS;

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        "[a/~]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map("[ab/~]{0,2}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Equal, but for members that are expected as `null` and absent.
fn agree(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Array(expected), Value::Array(found)) => {
            let mut pairs = expected.iter().zip(found);
            expected.len() == found.len() && pairs.all(|(expected, found)| agree(expected, found))
        }
        (Value::Object(expected), Value::Object(found)) => {
            let has = |(name, value): (_, &Value)| match found.get(name) {
                Some(found) => agree(value, found),
                None => value.is_null(),
            };
            found.keys().all(|name| expected.contains_key(name)) && expected.iter().all(has)
        }
        _ => expected == found,
    }
}

proptest! {
    #[test]
    fn the_pointers_of_differences_are_right(expected in json(), found in json()) {
        prop_assert!(differences("", &expected, &expected).is_empty());
        let mismatches = differences("", &expected, &found);
        prop_assert_eq!(mismatches.is_empty(), agree(&expected, &found), "{:?}", mismatches);
        for mismatch in mismatches {
            let pointer = &mismatch.pointer;
            let there = [expected.pointer(pointer), found.pointer(pointer)];
            prop_assert!(there.iter().any(Option::is_some), "{}", pointer);
            prop_assert!(there[0] != there[1], "{}", pointer);
        }
    }

    #[test]
    fn no_file_stops_the_run(edits in vec((any::<Index>(), any::<u8>()), 1..4), end in any::<Index>()) {
        let mut content = GOOD.as_bytes().to_vec();
        for (place, byte) in edits {
            let place = place.index(content.len());
            content[place] = byte;
        }
        content.truncate(end.index(content.len() * 4));
        let folder = beside_good("001-edited.json", &content);
        let recordings = Recordings::load(folder.path()).unwrap();
        prop_assert_eq!(recordings.len() + recordings.rejected().len(), 2);
        let report = Suite::general(&KINDS, &Documents::default()).run(&recordings);
        prop_assert_eq!(report.recordings, recordings.len());
    }
}
