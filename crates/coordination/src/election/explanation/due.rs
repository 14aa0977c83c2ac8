//! The reasons why an election is due or not.

use std::fmt::{self, Display, Formatter};

use k8s_versioned::Quoted;

use crate::election::candidate::ASK_AFTER;
use crate::election::lease::{Due, NotDue};

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
            Self::NoHolder => f.write_str("nobody holds the Lease"),
            Self::Silent { candidate } => {
                let (candidate, minutes) = (Quoted(candidate), ASK_AFTER.as_mins());
                write!(f, "{candidate} has given no sign of life for more than {minutes} minutes")
            }
            Self::NotTheBest { holder } => {
                write!(f, "the holder, {}, is not the best candidate", Quoted(holder))
            }
            Self::NotACandidate { holder } => {
                let holder = Quoted(holder);
                write!(f, "the holder, {holder}, is not among the candidates that take part")
            }
        }
    }
}

impl Display for NotDue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoCandidates => "no candidate takes part",
            Self::OtherStrategy => {
                "the Lease is held, and this strategy leaves the choice to others"
            }
            Self::NobodyToCompare => {
                "the Lease is held, and no candidate has versions that can be read"
            }
            Self::BestHolds => "the best candidate holds the Lease",
        })
    }
}
