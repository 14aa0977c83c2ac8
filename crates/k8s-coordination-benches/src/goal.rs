//! The goal of a row.

use std::fmt;

#[derive(Clone, Copy)]
pub enum Goal {
    /// At least this multiple of the speed of the peer.
    Speed(f64),
    /// No goal, but a limit: the greatest possible multiple of the speed of the peer.
    SpeedLimit,
    /// At most this share of the cost of the peer.
    Cost(f64),
    /// No goal, but a limit: the least possible share of the cost of the peer.
    CostLimit,
}

impl Goal {
    /// The ratio of the costs, as the goal counts it.
    pub fn ratio(self, ours: f64, peer: f64) -> f64 {
        match self {
            Self::Speed(_) | Self::SpeedLimit => peer / ours,
            Self::Cost(_) | Self::CostLimit => ours / peer,
        }
    }

    pub fn is_met(self, ratio: f64) -> bool {
        match self {
            Self::Speed(least) => ratio >= least,
            Self::Cost(most) => ratio <= most,
            Self::SpeedLimit | Self::CostLimit => true,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Speed(least) => write!(f, "at least {least}"),
            Self::Cost(most) => write!(f, "at most {most}"),
            Self::SpeedLimit | Self::CostLimit => f.write_str("a limit"),
        }
    }
}
