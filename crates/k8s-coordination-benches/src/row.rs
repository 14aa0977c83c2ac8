//! A row of the table: the work of two sides, and the goal for their ratio.

use crate::goal::Goal;
use crate::meter::Work;

pub struct Row {
    pub name: &'static str,
    pub goal: Goal,
    pub ours: Work,
    pub peer: Work,
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
