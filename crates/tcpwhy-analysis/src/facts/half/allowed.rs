//! An upper bound of the delay to the sender, from the windows that its data obeys.
//!
//! Data beyond an edge of the window was sent after an ACK had moved that edge. So away from the sender, the
//! time from that ACK to the data is at least the delay to the sender and back. This holds whatever delay the
//! handshake showed, because no more than one window passes per round trip. Echoed timestamps show the delay
//! exactly (RFC 7323 §4.3); this module is for senders without them.

use crate::thresholds::{ALLOWED_SOONER, ALLOWED_TURNS};

/// The window edge that an ACK moved, and how soon data used it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Allowed {
    /// Edge of the window before an ACK moved it, and the time at which that ACK passed.
    moved: Option<(u64, i64)>,
    /// Consecutive times that data came too soon for the assumed delay, and the longest of these delays.
    too_soon: u32,
    longest: i64,
}

impl Allowed {
    /// Records that an ACK at `time` moved the edge of the window from `edge` to the right.
    #[inline]
    pub(super) fn edge_moved(&mut self, edge: u64, time: i64) {
        if self.moved.is_none() {
            self.moved = Some((edge, time));
        }
    }

    /// Records that data up to `end` passed at `time`. Returns an upper bound of the delay to the sender and
    /// back if the `assumed` one is much too long.
    #[inline]
    pub(super) fn data_passed(&mut self, end: u64, time: i64, assumed: i64) -> Option<i64> {
        let (_, since) = self.moved.take_if(|moved| end > moved.0)?;
        let most = (time - since).max(0);
        if most.saturating_mul(ALLOWED_SOONER.get()) >= assumed {
            (self.too_soon, self.longest) = (0, 0);
            return None;
        }
        self.too_soon += 1;
        self.longest = self.longest.max(most);
        if self.too_soon < ALLOWED_TURNS {
            return None;
        }
        self.too_soon = 0;
        Some(std::mem::take(&mut self.longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The delay is assumed to be 100, and each of these windows was used after this time.
    fn told(turns: &[i64]) -> Option<i64> {
        let mut allowed = Allowed::default();
        let told = turns.iter().enumerate().map(|(i, took)| {
            let (edge, time) = (i as u64 * 1000, i as i64 * 1000);
            allowed.edge_moved(edge, time);
            // Data inside the old edge shows nothing.
            assert_eq!(allowed.data_passed(edge, time + 1, 100), None);
            allowed.data_passed(edge + 1, time + took, 100)
        });
        told.last().flatten()
    }

    #[test]
    fn windows_that_turn_sooner_tell_a_shorter_way() {
        assert_eq!(told(&[10, 30, 20, 10]), Some(30));
        assert_eq!(told(&[10, 30, 20]), None);
        assert_eq!(told(&[10, 30, 60, 10]), None);
        assert_eq!(told(&[100; 8]), None);
    }

    /// `ALLOWED_SOONER`: less than half of the assumed delay, in each of `ALLOWED_TURNS`.
    #[test]
    fn half_of_the_assumed_way_is_not_sooner() {
        assert_eq!(told(&[49; 4]), Some(49));
        assert_eq!(told(&[50; 4]), None);
        assert_eq!(told(&[49; 3]), None);
    }

    /// The first data beyond the edge that was moved first uses the room that the ACK allowed.
    #[test]
    fn data_beyond_the_edge_uses_what_the_ack_allowed() {
        let mut allowed = Allowed::default();
        for (edge, end, time, expected) in
            [(1000, 1001, 10, 1), (2000, 2000, 20, 1), (2500, 2001, 30, 2), (3000, 3001, 90, 0)]
        {
            allowed.edge_moved(edge, 0);
            assert_eq!(allowed.data_passed(end, time, 100), None);
            assert_eq!(allowed.too_soon, expected, "up to {end} at {time}");
        }
    }
}
