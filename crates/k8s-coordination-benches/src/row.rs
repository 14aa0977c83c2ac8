//! A row of the table: the work of two sides, and the goal for their ratio.

use std::fmt;

use crate::meter::Work;

pub struct Row {
    pub name: &'static str,
    pub goal: Goal,
    pub ours: Work,
    pub peer: Work,
}

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

impl Row {
    /// The median of the ratios of pairs of runs. The two sides of a pair run one after the other, so the load of the
    /// machine is the same for both.
    pub fn measure(&self, rounds: usize) -> f64 {
        let mut ratios: Vec<f64> = (0..rounds).map(|round| self.pair(round % 2 == 0)).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[rounds / 2]
    }

    fn pair(&self, ours_first: bool) -> f64 {
        let (ours, peer) = if ours_first {
            let ours = (self.ours)();
            (ours, (self.peer)())
        } else {
            let peer = (self.peer)();
            ((self.ours)(), peer)
        };
        self.goal.ratio(ours, peer)
    }

    /// Does the work of one side once.
    pub fn run(&self, side: &str) {
        let work = if side == "ours" { &self.ours } else { &self.peer };
        work();
    }
}
