//! The functions of both time types.

/// Implements a time type around a number of microseconds since 1970, which it cuts to its precision.
macro_rules! time_type {
    ($name:ident, $precision:expr) => {
        impl $name {
            /// The earliest time that it can hold, in the year -290,308.
            pub const MIN: Self = Self(i64::MIN / $precision.unit() * $precision.unit());

            /// The latest time that it can hold, in the year 294,247.
            pub const MAX: Self = Self::cut(i64::MAX);

            /// The current time of the system.
            pub fn now() -> Self {
                std::time::SystemTime::now().into()
            }

            /// The whole seconds since 1970.
            pub const fn unix_seconds(self) -> i64 {
                self.0.div_euclid(super::MICROS)
            }

            /// Reads a text as API servers do.
            ///
            /// The [`FromStr`](std::str::FromStr) implementation reads more than servers.
            ///
            /// # Errors
            ///
            /// The text is not a time, or not in a form that servers read.
            pub fn parse_as_server(text: &str) -> Result<Self, crate::ParseError> {
                super::rfc3339::parse_as_server(text, $precision).map(Self::cut)
            }

            /// The time plus a duration; `None` if it is later than [`MAX`](Self::MAX).
            #[must_use]
            pub fn checked_add(self, duration: std::time::Duration) -> Option<Self> {
                let micros = i64::try_from(duration.as_micros()).ok()?;
                self.0.checked_add(micros).map(Self::cut)
            }

            /// The time minus a duration; `None` if it is earlier than [`MIN`](Self::MIN).
            #[must_use]
            pub fn checked_sub(self, duration: std::time::Duration) -> Option<Self> {
                let micros = i64::try_from(duration.as_nanos().div_ceil(1_000)).ok()?;
                self.0.checked_sub(micros).filter(|time| *time >= Self::MIN.0).map(Self::cut)
            }

            /// The time plus a duration, [`MAX`](Self::MAX) at most.
            #[must_use]
            pub fn saturating_add(self, duration: std::time::Duration) -> Self {
                self.checked_add(duration).unwrap_or(Self::MAX)
            }

            /// The time minus a duration, [`MIN`](Self::MIN) at least.
            #[must_use]
            pub fn saturating_sub(self, duration: std::time::Duration) -> Self {
                self.checked_sub(duration).unwrap_or(Self::MIN)
            }

            /// The duration since another time; negative if the other is later.
            pub fn duration_since(self, other: Self) -> jiff::SignedDuration {
                use jiff::SignedDuration as Duration;
                Duration::from_micros(self.0) - Duration::from_micros(other.0)
            }

            /// Cuts the time to the precision of the type, towards the past, as digits of a text are cut.
            const fn cut(time: i64) -> Self {
                match time.checked_sub(time.rem_euclid($precision.unit())) {
                    Some(cut) => Self(cut),
                    None => Self::MIN,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($precision.text(self.0).as_str())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", $precision.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::ParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                super::rfc3339::parse(text, $precision).map(Self::cut)
            }
        }

        /// Cuts the time to the precision of the type, towards the past.
        impl From<jiff::Timestamp> for $name {
            fn from(time: jiff::Timestamp) -> Self {
                let micros = time.as_nanosecond().div_euclid(1_000);
                Self::cut(i64::try_from(micros).unwrap_or(i64::MAX))
            }
        }

        /// Fails outside the years -9999 to 9999, the range of `jiff`.
        impl TryFrom<$name> for jiff::Timestamp {
            type Error = jiff::Error;

            fn try_from(time: $name) -> Result<Self, jiff::Error> {
                jiff::Timestamp::from_microsecond(time.0).map_err(|_| {
                    jiff::Error::from_args(format_args!(
                        "`{time}` is out of the range of jiff::Timestamp"
                    ))
                })
            }
        }

        /// Cuts the time to the precision of the type, towards the past. A time out of range is [`MIN`](Self::MIN) or
        /// [`MAX`](Self::MAX).
        impl From<std::time::SystemTime> for $name {
            fn from(time: std::time::SystemTime) -> Self {
                match time.duration_since(std::time::SystemTime::UNIX_EPOCH) {
                    Ok(after) => Self(0).saturating_add(after),
                    Err(before) => Self(0).saturating_sub(before.duration()),
                }
            }
        }

        /// Fails outside the range of the system's clock.
        impl TryFrom<$name> for std::time::SystemTime {
            type Error = jiff::Error;

            fn try_from(time: $name) -> Result<Self, jiff::Error> {
                let distance = std::time::Duration::from_micros(time.0.unsigned_abs());
                let system = if time.0 < 0 {
                    std::time::SystemTime::UNIX_EPOCH.checked_sub(distance)
                } else {
                    std::time::SystemTime::UNIX_EPOCH.checked_add(distance)
                };
                system.ok_or_else(|| {
                    jiff::Error::from_args(format_args!(
                        "`{time}` is out of the range of std::time::SystemTime"
                    ))
                })
            }
        }

        // Not `Default`: a program should not make Go's zero time, the start of year 1, by accident.
        impl crate::wire::ZeroValue for $name {
            fn zero_value() -> Self {
                Self(super::GO_ZERO)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($precision.text(self.0).as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::text::deserialize_named(deserializer, $precision.token(), "an RFC 3339 time")
            }
        }
    };
}
