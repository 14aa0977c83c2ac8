//! Causes of a refusal, in the words of servers.

use std::fmt;

use serde_json::Value;

pub use k8s_versioned::field::Reason;

use crate::facts::{Facts, ServerFact};
use crate::go::{self, GoQuoted, GoSyntax, GoValue};
use crate::meter::Meter;

/// The words at the beginning of a message.
const fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::Required => "Required value",
        Reason::NotSupported => "Unsupported value",
        Reason::Duplicate => "Duplicate value",
        Reason::Forbidden => "Forbidden",
        Reason::TooLong => "Too long",
        Reason::TooMany => "Too many",
        Reason::Internal => "Internal error",
        _ => "Invalid value",
    }
}

/// Returns `true` if servers judge no rules of CEL after a cause with this reason.
pub(crate) const fn blocks_rules(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::Required
            | Reason::TypeInvalid
            | Reason::NotSupported
            | Reason::TooLong
            | Reason::TooMany
    )
}

/// A cause of a refusal with 422, as in the details of a `Status`.
///
/// As text it is a part of the message of the `Status`: `spec.size: Invalid value: 0: …`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RefusalCause {
    /// The reason.
    pub reason: Reason,
    /// The path of the field; `<nil>` if the server names none.
    pub field: String,
    /// The message, which shows the value and the rule.
    pub message: String,
}

/// The value that a cause shows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shown<'a> {
    /// None.
    Nothing,
    /// Go's `nil`.
    Nil,
    Text(&'a str),
    Count(usize),
    /// A value as JSON.
    Json(&'a str),
    Value(&'a Value),
}

impl RefusalCause {
    /// A cause with a value and a detail, which may be empty.
    #[cold]
    pub(crate) fn new(
        facts: Facts,
        reason: Reason,
        field: impl fmt::Display,
        shown: Shown<'_>,
        detail: impl fmt::Display,
    ) -> Self {
        Self::of_text(facts, reason, field.to_string(), shown, &detail.to_string())
    }

    /// As `new`, compiled once for all types of fields and details.
    fn of_text(
        facts: Facts,
        reason: Reason,
        field: String,
        shown: Shown<'_>,
        detail: &str,
    ) -> Self {
        let field = if field.is_empty() { "<nil>".to_owned() } else { field };
        let words = words(reason);
        let mut message = match shown {
            Shown::Nothing => words.to_owned(),
            Shown::Nil | Shown::Value(Value::Null) => {
                // Before, servers quoted it as a text.
                let quote = if facts.hold(ServerFact::ValuesAsJson) { "" } else { "\"" };
                format!("{words}: {quote}null{quote}")
            }
            Shown::Text(text) => format!("{words}: {}", GoQuoted(text)),
            Shown::Value(Value::String(text)) => format!("{words}: {}", GoQuoted(text)),
            Shown::Count(count) => format!("{words}: {count}"),
            Shown::Json(json) => format!("{words}: {json}"),
            Shown::Value(value @ (Value::Array(_) | Value::Object(_))) => {
                if facts.hold(ServerFact::ValuesAsJson) {
                    format!("{words}: {}", go::json(value))
                } else {
                    format!("{words}: {}", GoSyntax(value))
                }
            }
            Shown::Value(value) => format!("{words}: {}", GoValue(value)),
        };
        if !detail.is_empty() {
            message.push_str(": ");
            message.push_str(detail);
        }
        Self { reason, field, message }
    }

    /// The bytes of its texts.
    const fn size(&self) -> usize {
        self.field.len() + self.message.len()
    }

    pub(crate) fn required(field: impl fmt::Display, detail: &str) -> Self {
        Self::new(Facts::NEWEST, Reason::Required, field, Shown::Nothing, detail)
    }

    pub(crate) fn forbidden(field: impl fmt::Display, detail: impl fmt::Display) -> Self {
        Self::new(Facts::NEWEST, Reason::Forbidden, field, Shown::Nothing, detail)
    }

    pub(crate) fn too_long(facts: Facts, field: impl fmt::Display, most: i64) -> Self {
        let detail = if facts.hold(ServerFact::LengthsInBytes) {
            format!("may not be more than {most} bytes")
        } else {
            format!("may not be longer than {most}")
        };
        Self::new(facts, Reason::TooLong, field, Shown::Nothing, detail)
    }

    /// A cause whose value is a text.
    pub(crate) fn invalid(
        field: impl fmt::Display,
        value: &str,
        detail: impl fmt::Display,
    ) -> Self {
        Self::new(Facts::NEWEST, Reason::Invalid, field, Shown::Text(value), detail)
    }

    /// A cause whose value is not a text.
    pub(crate) fn invalid_value(field: impl fmt::Display, value: &Value, detail: &str) -> Self {
        Self::new(Facts::NEWEST, Reason::Invalid, field, Shown::Value(value), detail)
    }
}

/// The most causes of an answer.
pub(crate) const MOST_CAUSES: usize = 10_000;

/// The most bytes of the causes of an answer. Servers have no such limit, but each cause can show the whole object.
const MOST_BYTES: usize = 16 << 20;

/// The size of the causes of an answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Room {
    causes: usize,
    bytes: usize,
}

impl Room {
    /// Returns `true` if there is no room for another cause.
    pub(crate) const fn is_full(self) -> bool {
        self.causes >= MOST_CAUSES || self.bytes >= MOST_BYTES
    }

    pub(crate) const fn take(&mut self, cause: &RefusalCause) {
        self.causes += 1;
        self.bytes += cause.size();
    }

    pub(crate) const fn give_back(&mut self, cause: &RefusalCause) {
        self.causes -= 1;
        self.bytes -= cause.size();
    }
}

/// The causes that a server finds, as many as fit.
pub(crate) struct Causes {
    /// The facts about the server.
    pub(crate) facts: Facts,
    pub(crate) all: Vec<RefusalCause>,
    /// Whether causes were left out.
    pub(crate) is_cut: bool,
    /// Whether the checks took too many steps.
    pub(crate) is_stopped: bool,
    room: Room,
    /// The steps of checks whose work is more than their causes.
    meter: Meter,
}

impl Causes {
    pub(crate) fn new(facts: Facts) -> Self {
        let (room, meter) = (Room::default(), Meter::default());
        Self { facts, all: Vec::new(), is_cut: false, is_stopped: false, room, meter }
    }

    /// Adds a cause, if there is room for it.
    pub(crate) fn push(&mut self, cause: RefusalCause) {
        if !self.leaves_out() {
            self.room.take(&cause);
            self.all.push(cause);
        }
    }

    /// Adds other causes.
    pub(crate) fn append(&mut self, others: Self) {
        self.is_cut |= others.is_cut;
        self.is_stopped |= others.is_stopped;
        others.all.into_iter().for_each(|cause| self.push(cause));
    }

    /// Returns `true` if another cause would be left out, and notes that there was one.
    pub(crate) const fn leaves_out(&mut self) -> bool {
        let is_full = self.room.is_full();
        self.is_cut |= is_full;
        is_full
    }

    /// Spends steps. Returns `false` if there are no more.
    pub(crate) fn spend(&mut self, steps: usize) -> bool {
        self.meter.spend(steps);
        self.is_stopped |= self.meter.is_spent();
        !self.is_stopped
    }

    /// Adds a cause with a value and a detail, which may be empty.
    pub(crate) fn add(
        &mut self,
        reason: Reason,
        field: impl fmt::Display,
        shown: Shown<'_>,
        detail: impl fmt::Display,
    ) {
        if !self.leaves_out() {
            self.push(RefusalCause::new(self.facts, reason, field, shown, detail));
        }
    }
}

impl fmt::Display for RefusalCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}
