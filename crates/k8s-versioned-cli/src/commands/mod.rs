//! A module for each command, with its arguments.

#[cfg(feature = "review")]
pub mod check_review;
pub mod diff;
pub mod draft;
pub mod explain;
pub mod fetch;
pub mod generate;
pub mod new;
#[cfg(feature = "cluster")]
pub mod record;
pub mod show;
pub mod validate;
