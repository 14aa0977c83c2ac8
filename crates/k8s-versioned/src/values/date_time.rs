//! A point in time as it was written.

use serde::de::{Deserialize, Deserializer};

use crate::wire::ZeroValue;
use crate::{MicroTime, ParseError};

/// A point in time of a custom resource, as the original text.
///
/// Servers store the times of custom resources as they are sent, with any fraction and offset. So two values are equal
/// if their texts are. [`parse`](Self::parse) gives the time. (The times of other kinds are [`Time`](crate::Time) and
/// [`MicroTime`].)
///
/// ```
/// use k8s_versioned::{DateTime, MicroTime, Time};
///
/// let sent: DateTime = serde_json::from_str(r#""2026-01-02T04:04:05.5+01:00""#)?;
/// assert_eq!(sent.parse()?, "2026-01-02T03:04:05.5Z".parse()?);
/// assert_eq!(sent.as_str(), "2026-01-02T04:04:05.5+01:00");
///
/// // For the `lastTransitionTime` of a condition:
/// let now = DateTime::from(Time::now());
/// assert_eq!(now.as_str().len(), "2026-01-02T03:04:05Z".len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DateTime(Box<str>);

kept_text!(DateTime);
written_as_text!(DateTime);

impl DateTime {
    /// The time, cut to microseconds.
    ///
    /// # Errors
    ///
    /// The text is not a time.
    pub fn parse(&self) -> Result<MicroTime, ParseError> {
        self.0.parse()
    }
}

// Not `Default`: a program should not make Go's zero time by accident.
impl ZeroValue for DateTime {
    fn zero_value() -> Self {
        "0001-01-01T00:00:00Z".into()
    }
}

impl From<MicroTime> for DateTime {
    fn from(time: MicroTime) -> Self {
        time.to_string().into()
    }
}

impl From<crate::Time> for DateTime {
    fn from(time: crate::Time) -> Self {
        time.to_string().into()
    }
}

impl<'de> Deserialize<'de> for DateTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}
