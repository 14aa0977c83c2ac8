//! A list in one version, its first element in another.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::aside::json;
use super::{Aside, Kept};
use crate::conversion::{Finding, Report};
use crate::wire::ZeroValue;

/// The first element; the zero value for an empty list. The list is kept aside if [`list`] could not make it
/// of that alone.
pub fn first<T>(path: &'static str, list: Vec<T>, aside: &mut Aside) -> T
where
    T: ZeroValue + PartialEq + Serialize,
{
    if !is_canonical(&list) {
        aside.keep(path, &list);
    }
    list.into_iter().next().unwrap_or_else(T::zero_value)
}

/// The list that was kept, if its first element is still `first`. Otherwise the list of `first` alone,
/// which is empty for the zero value.
pub fn list<T>(path: &'static str, first: T, kept: &mut Kept, report: &mut Report) -> Vec<T>
where
    T: ZeroValue + PartialEq + Serialize + DeserializeOwned,
{
    let Some(list) = kept.value::<Vec<T>>(path, report) else {
        return alone(first);
    };
    let value = json(&list);
    if !is_canonical(&list) && list.first() == Some(&first) {
        report.add(path, Finding::Restored { value });
        return list;
    }
    let live = json(&first);
    let back = alone(first);
    let redundant = list.is_empty() || list == back;
    report.add(
        path,
        if redundant {
            Finding::Redundant { value }
        } else {
            Finding::Stale { kept: value, live }
        },
    );
    back
}

fn alone<T: ZeroValue + PartialEq>(first: T) -> Vec<T> {
    if is_zero(&first) {
        Vec::new()
    } else {
        vec![first]
    }
}

/// Whether the list can be told from its first element alone.
fn is_canonical<T: ZeroValue + PartialEq>(list: &[T]) -> bool {
    match list {
        [] => true,
        [only] => !is_zero(only),
        _ => false,
    }
}

fn is_zero<T: ZeroValue + PartialEq>(value: &T) -> bool {
    *value == T::zero_value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversion::steps::testing::{kept, stored};

    const PATH: &str = "spec.names";

    fn list_of(items: &[&str]) -> Vec<String> {
        items.iter().map(|item| (*item).to_owned()).collect()
    }

    #[test]
    fn first_of_a_list() {
        let table: [(&[&str], &str, &str); 7] = [
            (&[], "", ""),
            (&["a"], "a", ""),
            (&[""], "", r#"[""]"#),
            (&["a", "b"], "a", r#"["a","b"]"#),
            (&["a", "a"], "a", r#"["a","a"]"#),
            (&["", "a"], "", r#"["","a"]"#),
            (&["a", ""], "a", r#"["a",""]"#),
        ];
        for (items, expected, expected_kept) in table {
            let mut aside = Aside::new("v1");
            assert_eq!(first(PATH, list_of(items), &mut aside), expected);
            assert_eq!(stored(aside, PATH), expected_kept, "{items:?}");
        }
    }

    #[test]
    fn list_from_its_first() {
        let table: [(&str, &str, &[&str], &str); 14] = [
            ("a", "", &["a"], ""),
            ("", "", &[], ""),
            (
                "a",
                r#"["a","b"]"#,
                &["a", "b"],
                r#"restored from the annotation: ["a","b"]"#,
            ),
            ("", r#"[""]"#, &[""], "restored from the annotation: [\"\"]"),
            (
                "",
                r#"["","a"]"#,
                &["", "a"],
                r#"restored from the annotation: ["","a"]"#,
            ),
            (
                "c",
                r#"["a","b"]"#,
                &["c"],
                r#"edited since ["a","b"] was kept: that is discarded, "c" counts"#,
            ),
            (
                "",
                r#"["a","b"]"#,
                &[],
                r#"edited since ["a","b"] was kept: that is discarded, "" counts"#,
            ),
            (
                "a",
                r#"["a"]"#,
                &["a"],
                r#"needlessly kept in the annotation: ["a"]"#,
            ),
            (
                "a",
                r#"["b"]"#,
                &["a"],
                r#"edited since ["b"] was kept: that is discarded, "a" counts"#,
            ),
            ("a", "[]", &["a"], "needlessly kept in the annotation: []"),
            ("", "[]", &[], "needlessly kept in the annotation: []"),
            (
                "a",
                "null",
                &["a"],
                "discarded, as it cannot be read (invalid type: null, expected a sequence): null",
            ),
            (
                "a",
                r#"["a",1]"#,
                &["a"],
                r#"discarded, as it cannot be read (invalid type: integer `1`, expected a string): ["a",1]"#,
            ),
            (
                "a",
                r#"["a",null]"#,
                &["a"],
                r#"discarded, as it cannot be read (invalid type: null, expected a string): ["a",null]"#,
            ),
        ];
        for (live, value, expected, expected_report) in table {
            let (mut kept, mut report) = (kept(PATH, value, ""), Report::new());
            let found = list(PATH, live.to_owned(), &mut kept, &mut report);
            kept.finish("example.com/kept", &mut report);
            assert_eq!(found, list_of(expected), "{live:?} {value}");
            let expected_report = if expected_report.is_empty() {
                String::new()
            } else {
                format!("{PATH}: {expected_report}")
            };
            assert_eq!(report.to_string(), expected_report);
        }
    }

    #[test]
    fn a_policy_is_not_for_lists() {
        let (mut kept, mut report) = (kept(PATH, r#"["a","b"]"#, r#""a""#), Report::new());
        assert_eq!(list(PATH, "a".to_owned(), &mut kept, &mut report), ["a"]);
        kept.finish("example.com/kept", &mut report);
        assert_eq!(
            report.to_string(),
            "spec.names: discarded, as it cannot be read (no policy fills this field): {\"filled\":\"a\",\"kept\":[\"a\",\"b\"]}"
        );
    }
}
