//! Sequence ranges that had not passed the capture point when later data did.

/// The holes that are open, oldest first. Bounded: the oldest is forgotten when there are too many.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holes {
    open: Vec<Hole>,
}

#[derive(Clone, Copy, Debug)]
struct Hole {
    start: u64,
    end: u64,
    since: i64,
}

impl Holes {
    const MAX: usize = 128;

    /// `[start, end)` was skipped at `time`.
    pub(crate) fn open(&mut self, start: u64, end: u64, time: i64) {
        if self.open.len() >= Self::MAX {
            self.open.remove(0);
        }
        self.open.push(Hole { start, end, since: time });
    }

    /// `[start, end)` passed: how many bytes of holes it fills, and since when the oldest of them was open.
    pub(crate) fn fill(&mut self, start: u64, end: u64) -> Option<(u64, i64)> {
        let mut filled = None;
        let mut split = None;
        self.open.retain_mut(|hole| {
            let (low, high) = (hole.start.max(start), hole.end.min(end));
            if low >= high {
                return true;
            }
            let (bytes, since) = filled.unwrap_or((0, hole.since));
            filled = Some((bytes + (high - low), since.min(hole.since)));
            if hole.start < low && high < hole.end {
                split = Some(Hole { start: high, ..*hole });
                hole.end = low;
            } else if hole.start < low {
                hole.end = low;
            } else {
                hole.start = high;
            }
            hole.start < hole.end
        });
        if let Some(rest) = split {
            let at = self.open.partition_point(|h| h.start < rest.start);
            self.open.insert(at, rest);
        }
        filled
    }
}

impl Holes {
    /// Everything below `ack` has arrived: bytes of holes below it, which the capture will never show.
    pub(crate) fn acknowledged(&mut self, ack: u64) -> u64 {
        if self.open.first().is_none_or(|h| h.start >= ack) {
            return 0;
        }
        let mut bytes = 0;
        self.open.retain_mut(|hole| {
            bytes += hole.end.min(ack).saturating_sub(hole.start);
            hole.start = hole.start.max(ack);
            hole.start < hole.end
        });
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_acknowledged_will_not_come() {
        let mut h = Holes::default();
        h.open(100, 200, 1);
        h.open(300, 400, 2);
        assert_eq!(h.acknowledged(100), 0);
        assert_eq!(h.acknowledged(350), 150);
        assert_eq!(h.fill(0, 1000), Some((50, 2)));
    }

    #[test]
    fn fills_parts_and_keeps_the_rest() {
        let mut h = Holes::default();
        h.open(100, 200, 1);
        h.open(300, 400, 2);
        assert_eq!(h.fill(120, 150), Some((30, 1)));
        assert_eq!(h.fill(0, 1000), Some((170, 1)));
        assert_eq!(h.fill(0, 1000), None);
    }
}
