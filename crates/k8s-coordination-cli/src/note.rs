//! A finding about an object, in the words of people.

use std::borrow::Cow;
use std::fmt::Display;

use k8s_versioned::Short;
use k8s_versioned_core::findings::{Finding, Severity};
use k8s_versioned_terminal::{InputPlace, quotes_hint};

/// The hint for the value of YAML that is not read as a text, because it has no quotes.
fn unquoted(reason: &str) -> Option<String> {
    let value = reason.strip_prefix("invalid type: ")?.strip_suffix(", expected a string")?;
    quotes_hint(value.split_once('`')?.0.trim_end())
}

/// The hint for a number or a boolean that is read as a text, because it has quotes.
fn quoted(reason: &str) -> Option<String> {
    let (value, expected) =
        reason.strip_prefix("invalid type: string \"")?.rsplit_once("\", expected ")?;
    // YAML reads `015` as another number.
    let is_number = |number: Option<i64>| number.is_some_and(|number| number.to_string() == value);
    let fits = match expected {
        "i32" => is_number(value.parse::<i32>().ok().map(i64::from)),
        "i64" => is_number(value.parse().ok()),
        "a boolean" => value.parse::<bool>().is_ok(),
        _ => false,
    };
    fits.then(|| format!("write it without quotes: `{value}`"))
}

/// The reason of a reader, which names types of Rust, in the words of JSON.
fn reason_text(reason: &str) -> String {
    let Some((value, expected)) = reason.rsplit_once(", expected ") else {
        return reason.to_owned();
    };
    let expected = match expected {
        "i32" | "u32" => "a whole number of 32 bits",
        "i64" | "u64" => "a whole number of 64 bits",
        "f64" => "a number",
        "a map" => "an object",
        _ if expected.starts_with("struct ") => "an object",
        _ => expected,
    };
    let value = match value {
        "invalid type: sequence" => "invalid type: list",
        "invalid type: map" => "invalid type: object",
        _ => value,
    };
    format!("{value}, expected {expected}")
}

/// A finding whose position is not known yet.
#[derive(Debug)]
pub(crate) struct Note(pub(crate) Box<Finding>);

impl Note {
    /// A finding without a hint.
    pub(crate) fn new(severity: Severity, id: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Finding::new(severity, id, "", message)))
    }

    /// A note about an object that a command leaves alone.
    pub(crate) fn of_object(id: &'static str, object: &dyn Display) -> Self {
        Self(Box::new(Finding::of_object(id, "", object)))
    }

    /// Sets the hint.
    pub(crate) fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Sets the hint, if there is one.
    pub(crate) fn with_any_hint(self, hint: Option<impl Into<Cow<'static, str>>>) -> Self {
        match hint {
            Some(hint) => self.with_hint(hint),
            None => self,
        }
    }

    /// The text cannot be read, or is not an object.
    pub(crate) fn not_understood(reason: &str) -> Self {
        Self::new(Severity::Error, "not-understood", Short(reason).to_string())
    }

    /// A field has a value that its type does not have.
    pub(crate) fn undecodable(place: &InputPlace<'_>, reason: &str) -> Self {
        let note =
            Self::new(Severity::Error, "undecodable", Short(&reason_text(reason)).to_string());
        let hint = unquoted(reason).filter(|_| place.is_yaml());
        note.with_any_hint(hint.or_else(|| quoted(reason)))
    }

    /// Returns `true` if the command fails because of it.
    pub(crate) fn is_error(&self) -> bool {
        self.0.severity == Severity::Error
    }

    /// The finding about a field of the object at this place.
    pub(crate) fn at(self, place: &InputPlace<'_>, path: &str) -> Finding {
        place.finding(*self.0, path)
    }
}

#[cfg(test)]
mod tests {
    use k8s_versioned_terminal::InputPlace;

    use super::Note;

    /// The messages use words of YAML and JSON, not of Rust. A hint never changes the text of a value.
    #[test]
    fn reasons_are_for_people() {
        let whole = "a whole number of 32 bits";
        for (reason, message, hint) in [
            ("string \"many\", expected i32", format!("string \"many\", expected {whole}"), None),
            (
                "string \"15\", expected i32",
                format!("string \"15\", expected {whole}"),
                Some("write it without quotes: `15`"),
            ),
            (
                "string \", expected i32\", expected a bool",
                "string \", expected i32\", expected a bool".to_owned(),
                None,
            ),
            ("sequence, expected struct ObjectMeta", "list, expected an object".to_owned(), None),
            ("string \"015\", expected i32", format!("string \"015\", expected {whole}"), None),
            ("map, expected a string", "object, expected a string".to_owned(), None),
            (
                "integer `3000000000`, expected i64",
                "integer `3000000000`, expected a whole number of 64 bits".to_owned(),
                None,
            ),
            ("sequence, expected a map", "list, expected an object".to_owned(), None),
        ] {
            let place = InputPlace::input("a");
            let Note(note) = Note::undecodable(&place, &format!("invalid type: {reason}"));
            assert_eq!(note.message, format!("invalid type: {message}"));
            assert_eq!(note.hint.as_deref(), hint, "{reason}");
        }
    }
}
