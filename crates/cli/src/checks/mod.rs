//! Checks that are about coordination: the kit knows nothing of it.

mod convert;
mod elect;
mod validate;

use std::borrow::Cow;

use k8s_coordination::OPERATIONS;
use k8s_versioned_conformance::{Answer, Request, Suite};

/// Why a check does not apply.
type Reason = Cow<'static, str>;

/// Adds the checks of this program to a suite.
pub(crate) fn add_to(suite: Suite<'_>) -> Suite<'_> {
    suite
        .with(Request::new(OPERATIONS))
        .with(Answer::new(OPERATIONS))
        .with(convert::Convert)
        .with(validate::Validate)
        .with(elect::Elect)
}
