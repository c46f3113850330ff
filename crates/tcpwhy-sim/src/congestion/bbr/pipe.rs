//! Detection of a path filled in startup (`bbr_check_full_bw_reached`).

use super::units::{SCALE, UNIT};

/// `bbr_full_bw_thresh`: growth by less than 25 % does not count.
const GROWTH: u64 = UNIT * 5 / 4;
/// `bbr_full_bw_cnt`: number of rounds without growth after which the path is full.
const ROUNDS: u32 = 3;

/// Maximum rate in startup, round by round.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pipe {
    /// `full_bw`.
    bandwidth: u64,
    /// `full_bw_cnt`.
    rounds: u32,
    is_full: bool,
}

impl Pipe {
    pub(super) const fn is_full(&self) -> bool {
        self.is_full
    }

    /// Ends a round that was not application-limited.
    pub(super) const fn end_round(&mut self, bandwidth: u64) {
        if self.is_full {
            return;
        }
        if bandwidth >= (self.bandwidth * GROWTH) >> SCALE {
            (self.bandwidth, self.rounds) = (bandwidth, 0);
        } else {
            self.rounds += 1;
            self.is_full = self.rounds >= ROUNDS;
        }
    }

    /// After a timeout the rate may grow again (`bbr_set_state`).
    pub(super) const fn timed_out(&mut self) {
        self.bandwidth = 0;
    }

    /// A reduction was spurious (`bbr_undo_cwnd`).
    pub(super) const fn undo(&mut self) {
        (self.bandwidth, self.rounds) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_rounds_without_growth_fill_the_path() {
        let mut pipe = Pipe::default();
        for bandwidth in [100, 200, 260, 324] {
            pipe.end_round(bandwidth);
            assert!(!pipe.is_full());
        }
        // 260 was the last value at least 25 % above the one before.
        for bandwidth in [324, 324] {
            pipe.end_round(bandwidth);
        }
        assert!(pipe.is_full());
    }

    #[test]
    fn growth_begins_the_count_again() {
        let mut pipe = Pipe::default();
        for bandwidth in [100, 110, 120, 126, 126, 126] {
            pipe.end_round(bandwidth);
        }
        assert!(!pipe.is_full());
        pipe.end_round(126);
        assert!(pipe.is_full());
    }
}
