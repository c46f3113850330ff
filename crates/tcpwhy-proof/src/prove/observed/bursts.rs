//! Division of a sender's new data into bursts, and the event before each of them.

/// Data closer together than this is one burst for any round trip, nanoseconds. Such a gap is the tick of a
/// clock or a scheduler's turn, not a decision of the program.
const LEAST_REST: i64 = 1_000_000;
/// A rest within a round trip's eighth is the path's spacing of what one ACK released.
const REST_PART: i64 = 8;
/// Bursts that are kept one by one; later ones only count.
const MOST: usize = 100_000;

/// New data without a rest in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::prove) struct Burst {
    /// Nanoseconds since the first data.
    pub(in crate::prove) start: i64,
    pub(in crate::prove) bytes: u64,
}

/// The bursts of one direction.
#[derive(Clone, Debug, Default)]
pub(in crate::prove) struct Bursts {
    pub(in crate::prove) list: Vec<Burst>,
    rest: i64,
    first: Option<i64>,
    last: i64,
}

impl Bursts {
    /// For a smallest round trip of `rtt` nanoseconds.
    pub(super) fn new(rtt: i64) -> Self {
        Self { rest: LEAST_REST.max(rtt / REST_PART), ..Self::default() }
    }

    /// New data at `time`; returns whether it begins a burst.
    pub(super) fn add(&mut self, time: i64, bytes: u64) -> bool {
        let first = *self.first.get_or_insert(time);
        let is_new = self.list.is_empty() || time - self.last > self.rest;
        self.last = time;
        if is_new && self.list.len() < MOST {
            self.list.push(Burst { start: time - first, bytes });
        } else if let Some(burst) = self.list.last_mut() {
            burst.bytes += bytes;
        }
        is_new
    }

    /// The period of a program that writes by a clock of its own. It is the median distance of bursts,
    /// nanoseconds, if half of all distances are within 25 % of it.
    pub(in crate::prove) fn period(&self) -> Option<u64> {
        let mut distances: Vec<i64> = self.list.windows(2).map(|pair| pair[1].start - pair[0].start).collect();
        if distances.len() < LEAST_RHYTHM {
            return None;
        }
        distances.sort_unstable();
        let median = distances[distances.len() / 2];
        let near = distances.iter().filter(|&&distance| (distance - median).abs() * 4 <= median).count();
        (2 * near >= distances.len()).then(|| u64::try_from(median).unwrap_or_default())
    }
}

/// Fewer distances show no rhythm.
const LEAST_RHYTHM: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;

    #[test]
    fn a_rest_divides_bursts() {
        let mut bursts = Bursts::new(40 * MS);
        for (time, bytes) in [(5, 10), (6, 10), (10, 10), (30, 7), (31, 7)] {
            bursts.add(time * MS, bytes);
        }
        // An eighth of 40 ms divides.
        assert_eq!(bursts.list, [Burst { start: 0, bytes: 30 }, Burst { start: 25 * MS, bytes: 14 }]);
    }

    #[test]
    fn a_rhythm_is_half_of_the_distances() {
        let mut bursts = Bursts::new(8 * MS);
        for n in 0..20 {
            bursts.add(n * 10 * MS + if n % 3 == 0 { 2 * MS } else { 0 }, 100);
        }
        assert_eq!(bursts.period(), Some(10 * MS as u64));
        let mut uneven = Bursts::new(8 * MS);
        for n in 0..20 {
            uneven.add(n * n * n * MS, 100);
        }
        assert_eq!(uneven.period(), None);
    }
}
