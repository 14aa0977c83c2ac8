//! A text in one version, in another its part before or after a separator, such as the group of `apps/v1`.

use super::form::MaybeAbsent;
use super::there_and_back::there_and_back;
use super::{Context, FieldLocations};

/// The part of a text that a version has.
#[derive(Clone, Copy, Debug)]
pub struct PartOfText {
    /// What is between the two parts.
    pub separator: &'static str,
    /// Whether the last separator of a text counts, not the first.
    pub last: bool,
    /// Whether it is the part after the separator.
    pub after: bool,
    /// The other part for each part, where none is kept.
    pub others: &'static [(&'static str, &'static str)],
    /// The other part for any other part.
    pub other: &'static str,
}

impl PartOfText {
    /// The part of a text. The only part of a text without separator is the last one.
    fn of<'t>(&self, text: &'t str) -> &'t str {
        let parts = if self.last {
            text.rsplit_once(self.separator)
        } else {
            text.split_once(self.separator)
        };
        match parts {
            Some((before, after)) => {
                if self.after {
                    after
                } else {
                    before
                }
            }
            None if self.after => text,
            None => "",
        }
    }

    /// The text with this part.
    fn whole(&self, part: &str) -> String {
        let stated = self.others.iter().find(|(of, _)| *of == part);
        let other = stated.map_or(self.other, |(_, other)| *other);
        let (before, after) = if self.after { (other, part) } else { (part, other) };
        if before.is_empty() {
            return after.to_owned();
        }
        format!("{before}{}{after}", self.separator)
    }

    /// The part of a text that can be absent.
    fn part<F: MaybeAbsent<Value = String>, T: MaybeAbsent<Value = String>>(&self, whole: &F) -> T {
        T::of(whole.get().map(|whole| self.of(whole).to_owned()))
    }

    /// The text with a part that can be absent. A required part that is empty counts as absent; an optional part that is
    /// empty is a part.
    fn text<F: MaybeAbsent<Value = String>, T: MaybeAbsent<Value = String>>(&self, part: &F) -> T {
        let is_absent = *part == F::of(None);
        T::of(part.get().filter(|_| !is_absent).map(|part| self.whole(part)))
    }
}

/// Converts a text into its part. The annotation keeps a text that does not come back from its part.
pub fn cut<F: MaybeAbsent<Value = String>, T: MaybeAbsent<Value = String>, P>(
    keep: FieldLocations,
    restore: FieldLocations,
    whole: &F,
    part: &PartOfText,
    context: &mut Context<'_, P>,
) -> T {
    let functions = (part.part(whole), |cut: &T| part.text(cut));
    there_and_back(keep, restore, whole, functions, context)
}

/// Converts a part into a text: the kept one if this still is its part. The annotation keeps a part that is not the part of that text,
/// such as one with a separator.
pub fn complete<F: MaybeAbsent<Value = String>, T: MaybeAbsent<Value = String>, P>(
    keep: FieldLocations,
    restore: FieldLocations,
    live: &F,
    part: &PartOfText,
    context: &mut Context<'_, P>,
) -> T {
    let functions = (part.text(live), |whole: &T| part.part(whole));
    there_and_back(keep, restore, live, functions, context)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::conversion::{ConversionReport, Options};

    #[test]
    fn a_text_has_two_parts() {
        let group = PartOfText {
            separator: "/",
            last: false,
            after: false,
            others: &[("apps", "v1")],
            other: "v1beta1",
        };
        assert_eq!((group.of("apps/v1"), group.of("v1"), group.of("a/b/c")), ("apps", "", "a"));
        assert_eq!((&*group.whole("apps"), &*group.whole("batch")), ("apps/v1", "batch/v1beta1"));
        let tag = PartOfText { separator: ":", last: true, after: true, others: &[], other: "" };
        assert_eq!((tag.of("host:5000/nginx:1.27"), tag.of("1.27")), ("1.27", "1.27"));
        assert_eq!(tag.whole("1.27"), "1.27");
        let absent: Option<String> = group.text(&String::new());
        assert_eq!(absent, None);
        // An optional part that is there comes back, also an empty one.
        let gauge = PartOfText { other: "gauge", ..tag };
        let whole: Option<String> = gauge.text(&Some(String::new()));
        assert_eq!(whole.as_deref(), Some("gauge:"));
        assert_eq!(gauge.part::<_, Option<String>>(&whole), Some(String::new()));
    }
    /// An absent object that another version requires is made with an empty part, and the annotation notes that.
    #[test]
    fn a_part_in_an_object_that_was_made_is_absent_again() {
        const WHOLE: FieldLocations = &[("v1beta1", "spec.ref.apiVersion")];
        const PART: FieldLocations = &[("v1", "spec.ref.apiGroup")];
        const AROUND: FieldLocations = &[("v1beta1", "spec.ref"), ("v1", "spec.ref")];
        const FIELDS: &[FieldLocations] = &[WHOLE, PART];
        const GROUP: PartOfText =
            PartOfText { separator: "/", last: false, after: false, others: &[], other: "v1" };
        let (options, mut report) = (Options::<()>::default(), ConversionReport::new());
        let (of_kind, mut annotations) = (("example.dev/k", FIELDS, &[][..]), BTreeMap::new());
        let versions = ("v1beta1", "v1");
        let mut context =
            Context::of_object(versions, &options, of_kind, &mut annotations, &mut report);
        context.note_made_up(AROUND, &["apiGroup"]);
        let part: String = cut(WHOLE, PART, &None::<String>, &GROUP, &mut context);
        context.finish(&mut annotations);
        assert!(part.is_empty() && !annotations.is_empty());

        let mut report = ConversionReport::new();
        let versions = ("v1", "v1beta1");
        let mut context =
            Context::of_object(versions, &options, of_kind, &mut annotations, &mut report);
        let whole: Option<String> = complete(PART, WHOLE, &part, &GROUP, &mut context);
        assert_eq!((whole, report.to_string()), (None, String::new()));
    }
}
