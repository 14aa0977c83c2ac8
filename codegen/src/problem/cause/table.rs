//! The form of the tables of causes.

/// What people read about a cause.
pub(super) struct Texts {
    /// Its identifier, which never changes its meaning.
    pub(super) id: &'static str,
    /// What it means.
    pub(super) meaning: &'static str,
    /// How to solve the problem.
    pub(super) hint: &'static str,
    /// Whether the hint says how to leave out the version of a kind that has the problem.
    pub(super) leaves_out: bool,
}

/// Defines the causes of one stage. A cause has, in this order, its meaning as a doc comment, the message, an identifier, and a hint,
/// which can depend on named fields. `#[warning]`: the files are generated nevertheless. `#[leave_out]`: the hint says how to leave out a
/// version.
macro_rules! causes {
    (
        $(#[doc = $about:literal])+
        $(#[derive($($derived:path),+)])?
        pub(crate) enum $name:ident {
            $(
                $(#[doc = $meaning:literal])+
                #[error $message:tt]
                #[id = $id:literal]
                #[hint = $hint:expr]
                $(#[$mark:ident])*
                $cause:ident $(($($type:ty),+))? $({
                    $($(#[doc = $field_docs:literal])* $field:ident: $field_type:ty),+ $(,)?
                })?,
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Eq, ::thiserror::Error)]
        $(#[derive($($derived),+)])?
        #[allow(missing_docs, reason = "the message says what the fields are")]
        pub(crate) enum $name {
            $(
                $(#[doc = $meaning])+
                #[error $message]
                $cause $(($($type),+))? $({ $($(#[doc = $field_docs])* $field: $field_type),+ })?,
            )+
        }

        impl $name {
            /// Each cause once, with empty fields.
            pub(super) fn all() -> Vec<Self> {
                vec![$(
                    Self::$cause
                        $(($(<$type>::default()),+))?
                        $({ $($field: <$field_type>::default()),+ })?
                ),+]
            }

            /// What people read about the cause.
            #[allow(unused_variables, reason = "few hints depend on fields")]
            pub(super) fn texts(&self) -> $crate::problem::cause::table::Texts {
                let (id, meaning, hint, leaves_out) = match self {
                    $(Self::$cause { $($($field,)+)? .. } => {
                        let marks: &[&str] = &[$(stringify!($mark)),*];
                        ($id, concat!($($meaning),+), $hint, marks.contains(&"leave_out"))
                    })+
                };
                let meaning = meaning.trim_start();
                $crate::problem::cause::table::Texts { id, meaning, hint, leaves_out }
            }

            /// Returns `true` if a problem of this cause does not stop the generation.
            pub(super) fn is_warning(&self) -> bool {
                match self {
                    $(Self::$cause { .. } => $crate::problem::cause::table::is_warning!($($mark)*),)+
                }
            }
        }
    };
}

/// Whether a cause is marked as a warning.
macro_rules! is_warning {
    () => {
        false
    };
    (warning $($others:ident)*) => {
        true
    };
    (leave_out $($others:ident)*) => {
        $crate::problem::cause::table::is_warning!($($others)*)
    };
}

pub(super) use {causes, is_warning};
