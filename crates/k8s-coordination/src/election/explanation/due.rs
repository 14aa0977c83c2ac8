//! The reasons why an election is due.

use std::fmt::{self, Display, Formatter};

use k8s_versioned::Quoted;

use crate::election::{Candidate, Due};

impl Display for Due {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLease => f.write_str("there is no Lease"),
            Self::NoRenewTime => f.write_str("the Lease has no `renewTime` and counts as expired"),
            Self::NoDuration => {
                f.write_str("the Lease has no `leaseDurationSeconds` and counts as expired")
            }
            Self::Expired { renewed, seconds } => {
                write!(
                    f,
                    "the Lease was renewed at {renewed} for {seconds} seconds and has expired"
                )
            }
            Self::NoHolder => f.write_str("the Lease has no holder"),
            Self::NotRenewed { candidate } => {
                let (candidate, minutes) = (Quoted(candidate), Candidate::PING_AFTER.as_mins());
                write!(f, "{candidate} was last renewed more than {minutes} minutes ago")
            }
            Self::NotTheBest { holder } => {
                write!(f, "the holder, {}, is not the best candidate", Quoted(holder))
            }
            Self::NotEligible { holder } => {
                write!(f, "the holder, {}, is no eligible candidate", Quoted(holder))
            }
        }
    }
}
