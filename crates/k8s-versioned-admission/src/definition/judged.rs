//! The findings of a judgement of a definition.

use std::cell::RefCell;

use k8s_cel::regex::Patterns;
use k8s_versioned_core::Release;

use super::costs::ExpressionCost;
use super::ratcheted_rules::Ratchet;
use crate::answer::{NotJudged, RefusalCause};

/// The findings of a judgement so far.
#[allow(clippy::struct_field_names, reason = "named as the fields of an answer")]
pub(super) struct Judged {
    pub(super) release: Release,
    pub(super) causes: Vec<RefusalCause>,
    pub(super) not_judged: Vec<NotJudged>,
    pub(super) ratchet: Ratchet,
    pub(super) costs: Vec<ExpressionCost>,
    /// The patterns of the definition.
    pub(super) patterns: RefCell<Patterns>,
}

impl Judged {
    pub(super) fn new(release: Release) -> Self {
        Self {
            release,
            causes: Vec::new(),
            not_judged: Vec::new(),
            ratchet: Ratchet::default(),
            costs: Vec::new(),
            patterns: RefCell::default(),
        }
    }
}
