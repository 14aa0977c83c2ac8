//! A field of one version without a counterpart in another.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::aside::json;
use super::{Aside, Kept};
use crate::conversion::{Finding, Report};
use crate::wire::ZeroValue;

/// Keeps the value aside unless it is the zero value.
pub fn keep<T>(path: &'static str, value: &T, aside: &mut Aside)
where
    T: ZeroValue + PartialEq + Serialize,
{
    if *value != T::zero_value() {
        aside.keep(path, value);
    }
}

/// The value that was kept, or the zero value. There is no live field that it could disagree with.
pub fn restore<T>(path: &'static str, kept: &mut Kept, report: &mut Report) -> T
where
    T: ZeroValue + PartialEq + Serialize + DeserializeOwned,
{
    let Some(value) = kept.value::<T>(path, report) else {
        return T::zero_value();
    };
    let shown = json(&value);
    report.add(
        path,
        if value == T::zero_value() {
            Finding::Redundant { value: shown }
        } else {
            Finding::Restored { value: shown }
        },
    );
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversion::steps::testing::{kept, stored};

    const PATH: &str = "spec.size";

    #[test]
    fn kept_unless_zero() {
        for (value, expected) in [(None, ""), (Some(0), "0"), (Some(7), "7")] {
            let mut aside = Aside::new("v1");
            keep(PATH, &value, &mut aside);
            assert_eq!(stored(aside, PATH), expected);
        }
    }

    #[test]
    fn restored() {
        let table = [
            ("", None, ""),
            ("7", Some(7), "spec.size: restored from the annotation: 7"),
            (
                "null",
                None,
                "spec.size: needlessly kept in the annotation: absent",
            ),
            (
                "\"7\"",
                None,
                "spec.size: discarded, as it cannot be read (invalid type: string \"7\", expected i32): \"7\"",
            ),
        ];
        for (value, expected, expected_report) in table {
            let (mut kept, mut report) = (kept(PATH, value, ""), Report::new());
            assert_eq!(
                restore::<Option<i32>>(PATH, &mut kept, &mut report),
                expected
            );
            assert_eq!(report.to_string(), expected_report);
        }
    }
}
