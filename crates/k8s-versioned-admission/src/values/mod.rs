//! The values of an object, changed and checked by their schema as a server does after it has read them.

mod defaults;
pub(crate) mod embedded;
pub(crate) mod lists;
mod nulls;
mod prune;
mod scale;

pub(crate) use defaults::{fill_defaults, too_many_defaults};
pub(crate) use nulls::drop_nulls;
pub(crate) use prune::{prune, prune_defaults};
pub(crate) use scale::Scale;
