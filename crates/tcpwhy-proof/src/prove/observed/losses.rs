//! Which frames of a direction were lost, as the lab counts frames that carry data.

/// Losses that are imposed one by one. More are imposed as a share.
const MOST: usize = 4_000;

/// Retransmissions, and how many there had been before each position.
#[derive(Clone, Debug, Default)]
pub(super) struct LossLog {
    /// Positions (first byte, bytes) of first retransmissions.
    repeated: Vec<(u64, u64)>,
    /// Highest position sent, and frames retransmitted by then.
    sent: Vec<(u64, u64)>,
    again: u64,
    highest: u64,
}

impl LossLog {
    /// New data up to `end`.
    pub(super) fn sent(&mut self, end: u64) {
        self.highest = end;
    }

    /// `len` bytes from `seq` on are retransmitted, in `frames` frames of at most `mss`.
    pub(super) fn repeated(&mut self, seq: u64, len: u64, mss: u64, frames: u64) {
        // Lost twice is rare, and the second loss has another cause: the repeat's own frame.
        let is_known = self.repeated.iter().rev().take(2048).any(|&(start, bytes)| seq >= start && seq < start + bytes);
        if !is_known && self.repeated.len() <= MOST {
            self.repeated.push((seq, len.max(mss.min(len))));
        }
        self.again += frames;
        if self.sent.len() <= MOST {
            self.sent.push((self.highest, self.again));
        }
    }

    /// Frames that were lost, counted from 1 with those that were retransmitted; empty where there are too
    /// many.
    pub(super) fn frames(&self, first: u64, mss: u64) -> Vec<u64> {
        if self.repeated.len() > MOST {
            return Vec::new();
        }
        let mut frames: Vec<u64> = self
            .repeated
            .iter()
            .flat_map(|&(seq, len)| {
                // Frames retransmitted before this position was sent for the first time.
                let known = self.sent.partition_point(|&(highest, _)| highest <= seq);
                let again = known.checked_sub(1).map_or(0, |index| self.sent[index].1);
                let number = seq.saturating_sub(first) / mss + again + 1;
                number..number + len.div_ceil(mss).max(1)
            })
            .collect();
        frames.sort_unstable();
        frames.dedup();
        frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second loss comes after the first retransmission, so its frame is one further.
    #[test]
    fn repeats_count_as_frames() {
        let mut log = LossLog::default();
        log.sent(1 + 10 * 1000);
        log.repeated(1 + 3 * 1000, 1000, 1000, 1);
        log.sent(1 + 20 * 1000);
        log.repeated(1 + 15 * 1000, 2000, 1000, 2);
        assert_eq!(log.frames(1, 1000), [4, 17, 18]);
    }

    #[test]
    fn what_is_sent_a_third_time_was_lost_once() {
        let mut log = LossLog::default();
        log.sent(1 + 10 * 1000);
        log.repeated(1, 1000, 1000, 1);
        log.repeated(1, 1000, 1000, 1);
        assert_eq!(log.frames(1, 1000), [1]);
    }
}
