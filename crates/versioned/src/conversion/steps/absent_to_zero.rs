//! A value that may be absent in one version and is always there, if only as the zero value, in another.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::aside::json;
use super::kept::KeptField;
use super::{Aside, Kept};
use crate::conversion::{Absent, Finding, Report};
use crate::wire::ZeroValue;

/// The value, or what the policy puts in the place of an absent or empty one; `other` is the value of the
/// field that [`Absent::UseOther`] is about. Whatever [`restore`] could not tell is kept aside.
pub fn fill<T>(
    path: &'static str,
    value: Option<T>,
    policy: &Absent<T>,
    other: Option<&T>,
    aside: &mut Aside,
    report: &mut Report,
) -> T
where
    T: ZeroValue + PartialEq + Clone + Serialize,
{
    match value {
        Some(value) if !is_zero(&value) => value,
        empty => fill_empty(path, empty.as_ref(), policy, other, aside, report),
    }
}

fn fill_empty<T>(
    path: &'static str,
    empty: Option<&T>,
    policy: &Absent<T>,
    other: Option<&T>,
    aside: &mut Aside,
    report: &mut Report,
) -> T
where
    T: ZeroValue + PartialEq + Clone + Serialize,
{
    let filled = match policy {
        Absent::KeepEmpty => None,
        Absent::Refuse => {
            report.add(path, Finding::Refused);
            None
        }
        Absent::Use(value) => Some(value),
        Absent::UseOther => other,
    };
    let filled = filled.filter(|filled| !is_zero(*filled));
    if let Some(filled) = filled {
        aside.keep(path, &empty);
        aside.fill(path, filled);
        let value = json(filled);
        report.add(path, Finding::Filled { value });
    } else if empty.is_some() {
        aside.keep(path, &empty);
    }
    filled.cloned().unwrap_or_else(T::zero_value)
}

/// The value that was kept, if `value` still is what became of it. Otherwise `value`, or nothing for the
/// zero value.
pub fn restore<T>(path: &'static str, value: T, kept: &mut Kept, report: &mut Report) -> Option<T>
where
    T: ZeroValue + PartialEq + Serialize + DeserializeOwned,
{
    match kept.of(path).and_then(|kept| Was::read(&kept, report)) {
        Some(was) => was.restore(path, value, report),
        None => there(value),
    }
}

/// What an annotation says that the field was, and what a policy put in its place.
struct Was<T> {
    value: Option<T>,
    filled: Option<T>,
}

impl<T: ZeroValue + PartialEq + Serialize + DeserializeOwned> Was<T> {
    /// Nothing, and a report, if no conversion has written it.
    fn read(kept: &KeptField, report: &mut Report) -> Option<Self> {
        let (value, filled) = kept.decode::<Option<T>, T>(report)?;
        let empty = value.as_ref().is_none_or(is_zero);
        if filled.as_ref().is_some_and(|it| !empty || is_zero(it)) {
            kept.malformed("no policy fills like this", report);
            return None;
        }
        Some(Self { value, filled })
    }

    /// What it was, if `live` still is what became of it. Otherwise `live`.
    fn restore(self, path: &'static str, live: T, report: &mut Report) -> Option<T> {
        let (kept, shown) = (json(&self.value), json(&live));
        let unedited = match (&self.filled, &self.value) {
            (Some(became), _) | (None, Some(became)) => live == *became,
            (None, None) => is_zero(&live),
        };
        let nothing_kept = self.value.is_none() && self.filled.is_none();
        let back = there(live);
        if nothing_kept || back == self.value {
            report.add(path, Finding::Redundant { value: kept });
            back
        } else if unedited {
            report.add(path, Finding::Restored { value: kept });
            self.value
        } else {
            report.add(path, Finding::Stale { kept, live: shown });
            back
        }
    }
}

fn there<T: ZeroValue + PartialEq>(value: T) -> Option<T> {
    Some(value).filter(|value| !is_zero(value))
}

fn is_zero<T: ZeroValue + PartialEq>(value: &T) -> bool {
    *value == T::zero_value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversion::steps::testing::{kept, stored};

    const PATH: &str = "spec.version";

    #[test]
    fn fills() {
        let policy = |text: &str| Absent::Use(text.to_owned());
        let table = [
            (Some("1"), Absent::KeepEmpty, "1", "", ""),
            (Some("1"), Absent::Refuse, "1", "", ""),
            (Some("1"), policy("2"), "1", "", ""),
            (None, Absent::KeepEmpty, "", "", ""),
            (Some(""), Absent::KeepEmpty, "", r#""""#, ""),
            (
                None,
                Absent::Refuse,
                "",
                "",
                "has no value, but the caller requires one",
            ),
            (
                Some(""),
                Absent::Refuse,
                "",
                r#""""#,
                "has no value, but the caller requires one",
            ),
            (
                None,
                policy("2"),
                "2",
                r#"null as "2""#,
                r#"had no value, filled with "2""#,
            ),
            (
                Some(""),
                policy("2"),
                "2",
                r#""" as "2""#,
                r#"had no value, filled with "2""#,
            ),
            (None, policy(""), "", "", ""),
            (
                None,
                Absent::UseOther,
                "3",
                r#"null as "3""#,
                r#"had no value, filled with "3""#,
            ),
        ];
        for (value, policy, expected, expected_kept, expected_report) in table {
            let (mut aside, mut report) = (Aside::new("v1"), Report::new());
            let (value, other) = (value.map(str::to_owned), "3".to_owned());
            let found = fill(
                PATH,
                value.clone(),
                &policy,
                Some(&other),
                &mut aside,
                &mut report,
            );
            assert_eq!(found, expected, "{value:?} {policy:?}");
            assert_eq!(stored(aside, PATH), expected_kept, "{value:?} {policy:?}");
            let expected_report = match expected_report {
                "" => String::new(),
                text => format!("{PATH}: {text}"),
            };
            assert_eq!(report.to_string(), expected_report);
        }
    }

    #[test]
    fn another_field_that_is_absent_fills_nothing() {
        for other in [None, Some(String::new())] {
            let (mut aside, mut report) = (Aside::new("v1"), Report::new());
            let found = fill(
                PATH,
                None,
                &Absent::UseOther,
                other.as_ref(),
                &mut aside,
                &mut report,
            );
            assert_eq!((found.as_str(), stored(aside, PATH).as_str()), ("", ""));
            assert!(report.is_empty());
        }
    }

    /// The live value, the kept one, what was filled in; what comes back, and the report.
    const RESTORED: [(&str, &str, &str, Option<&str>, &str); 15] = [
        ("1", "", "", Some("1"), ""),
        ("", "", "", None, ""),
        (
            "",
            r#""""#,
            "",
            Some(""),
            r#"restored from the annotation: """#,
        ),
        (
            "1",
            r#""""#,
            "",
            Some("1"),
            r#"edited since "" was kept: that is discarded, "1" counts"#,
        ),
        (
            "2",
            "null",
            r#""2""#,
            None,
            "absent again, as the annotation says",
        ),
        (
            "2",
            r#""""#,
            r#""2""#,
            Some(""),
            r#"restored from the annotation: """#,
        ),
        (
            "1",
            "null",
            r#""2""#,
            Some("1"),
            r#"edited since absent was kept: that is discarded, "1" counts"#,
        ),
        (
            "",
            "null",
            r#""2""#,
            None,
            "needlessly kept in the annotation: absent",
        ),
        (
            "1",
            "null",
            "",
            Some("1"),
            "needlessly kept in the annotation: absent",
        ),
        (
            "1",
            r#""1""#,
            "",
            Some("1"),
            r#"needlessly kept in the annotation: "1""#,
        ),
        (
            "",
            r#""1""#,
            "",
            None,
            r#"edited since "1" was kept: that is discarded, "" counts"#,
        ),
        (
            "2",
            r#""1""#,
            r#""2""#,
            Some("2"),
            r#"discarded, as it cannot be read (no policy fills like this): {"filled":"2","kept":"1"}"#,
        ),
        (
            "",
            "null",
            r#""""#,
            None,
            r#"discarded, as it cannot be read (no policy fills like this): {"filled":"","kept":null}"#,
        ),
        (
            "1",
            "5",
            "",
            Some("1"),
            "discarded, as it cannot be read (invalid type: integer `5`, expected a string): 5",
        ),
        (
            "1",
            "null",
            "5",
            Some("1"),
            r#"discarded, as it cannot be read (invalid type: integer `5`, expected a string): {"filled":5,"kept":null}"#,
        ),
    ];

    #[test]
    fn restores() {
        for (live, value, filled, expected, expected_report) in RESTORED {
            let (mut kept, mut report) = (kept(PATH, value, filled), Report::new());
            let found = restore(PATH, live.to_owned(), &mut kept, &mut report);
            kept.finish("example.com/kept", &mut report);
            assert_eq!(found.as_deref(), expected, "{live:?} {value} {filled}");
            let expected_report = match expected_report {
                "" => String::new(),
                text => format!("{PATH}: {text}"),
            };
            assert_eq!(report.to_string(), expected_report);
        }
    }
}
