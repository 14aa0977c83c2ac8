//! The part that both time types have in common.

/// Implements a time type around an `Instant`, which it cuts to its precision.
macro_rules! time_type {
    ($name:ident, $precision:expr) => {
        impl $name {
            /// The earliest time that it can hold, billions of years ago.
            pub const MIN: Self = Self(Instant::MIN);

            /// The latest time that it can hold.
            pub const MAX: Self = Self::cut(Instant::MAX);

            /// The current time, as the system has it.
            pub fn now() -> Self {
                std::time::SystemTime::now().into()
            }

            /// The whole seconds since 1970.
            pub const fn unix_seconds(self) -> i64 {
                self.0.second()
            }

            /// Reads a text as API servers do: what they refuse is an error.
            ///
            /// The [`FromStr`](std::str::FromStr) implementation reads more than servers.
            ///
            /// # Errors
            ///
            /// The text is no time, or servers do not read it in this form.
            pub fn parse_as_server(text: &str) -> Result<Self, crate::ParseError> {
                super::rfc3339::parse_as_server(text, $precision).map(Self::cut)
            }

            /// The time so much later; `None` if it is later than [`MAX`](Self::MAX).
            #[must_use]
            pub fn checked_add(self, duration: std::time::Duration) -> Option<Self> {
                self.0.checked_add(duration).map(Self::cut)
            }

            /// The time so much earlier; `None` if it is earlier than [`MIN`](Self::MIN).
            #[must_use]
            pub fn checked_sub(self, duration: std::time::Duration) -> Option<Self> {
                self.0.checked_sub(duration).map(Self::cut)
            }

            /// The time so much later, [`MAX`](Self::MAX) at most.
            #[must_use]
            pub fn saturating_add(self, duration: std::time::Duration) -> Self {
                self.checked_add(duration).unwrap_or(Self::MAX)
            }

            /// The time so much earlier, [`MIN`](Self::MIN) at least.
            #[must_use]
            pub fn saturating_sub(self, duration: std::time::Duration) -> Self {
                self.checked_sub(duration).unwrap_or(Self::MIN)
            }

            /// The time that has passed since another time; negative if the other is later.
            ///
            /// A time that is longer than a [`SignedDuration`](jiff::SignedDuration) can hold becomes the longest one.
            pub fn duration_since(self, other: Self) -> jiff::SignedDuration {
                self.0.duration_since(other.0)
            }

            const fn cut(time: Instant) -> Self {
                Self(time.cut($precision.unit()))
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

        /// Cuts what is finer than the type holds, towards the past.
        impl From<jiff::Timestamp> for $name {
            fn from(time: jiff::Timestamp) -> Self {
                Self::cut(Instant::of_timestamp(time))
            }
        }

        /// Fails outside of the years -9999 to 9999, which are all that `jiff` knows.
        impl TryFrom<$name> for jiff::Timestamp {
            type Error = jiff::Error;

            fn try_from(time: $name) -> Result<Self, jiff::Error> {
                time.0.to_timestamp().ok_or_else(|| {
                    jiff::Error::from_args(format_args!(
                        "`{time}` is out of the range of jiff::Timestamp"
                    ))
                })
            }
        }

        /// Cuts what is finer than the type holds, towards the past. No system's clock reaches further than the type.
        impl From<std::time::SystemTime> for $name {
            fn from(time: std::time::SystemTime) -> Self {
                Self::cut(Instant::of_system(time))
            }
        }

        /// Fails where the system's clock does not reach.
        impl TryFrom<$name> for std::time::SystemTime {
            type Error = jiff::Error;

            fn try_from(time: $name) -> Result<Self, jiff::Error> {
                time.0.to_system().ok_or_else(|| {
                    jiff::Error::from_args(format_args!(
                        "`{time}` is out of the range of std::time::SystemTime"
                    ))
                })
            }
        }

        // Not `Default`: Go's zero time, the start of year 1, is nothing to make by accident.
        impl crate::wire::ZeroValue for $name {
            fn zero_value() -> Self {
                Self(Instant::GO_ZERO)
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
