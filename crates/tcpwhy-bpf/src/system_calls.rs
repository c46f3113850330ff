//! Rate of system calls, to limit the cost of a program that runs at each of them.

use std::time::{Duration, Instant};

use aya::maps::{MapData, PerCpuArray};

/// Most system calls per second and processor that the program may run at. At 0.1 µs each they take 0.2 % of
/// the processor. A program that makes that many calls loses up to a fiftieth of its time.
const MOST: u64 = 20_000;
/// Interval of the rate: a short burst is not a reason to stop.
const OVER: Duration = Duration::from_secs(5);

/// Counts of the kernel at the last reading.
pub(crate) struct SystemCalls {
    counts: PerCpuArray<MapData, u64>,
    before: Vec<u64>,
    since: Instant,
}

impl SystemCalls {
    pub(crate) fn new(counts: PerCpuArray<MapData, u64>) -> Self {
        Self { counts, before: Vec::new(), since: Instant::now() }
    }

    /// Whether a processor has too many. The count of each interval is compared once the interval is over.
    pub(crate) fn are_too_many(&mut self) -> bool {
        let passed = self.since.elapsed();
        if passed < OVER {
            return false;
        }
        // If the counts cannot be read, the program stays.
        let Ok(counts) = self.counts.get(&0, 0) else { return false };
        let are_many = exceeds(&self.before, &counts, passed);
        self.before = counts.to_vec();
        self.since = Instant::now();
        are_many
    }
}

/// Whether a processor counted more than [`MOST`] per second. All counts begin at zero.
fn exceeds(before: &[u64], now: &[u64], passed: Duration) -> bool {
    let most = MOST as f64 * passed.as_secs_f64();
    let before = before.iter().copied().chain(std::iter::repeat(0));
    now.iter().zip(before).any(|(now, before)| now.wrapping_sub(before) as f64 > most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_busy_processor_is_enough() {
        let passed = Duration::from_secs(5);
        assert!(!exceeds(&[], &[100_000, 100_000], passed));
        assert!(exceeds(&[], &[0, 100_001], passed));
        assert!(!exceeds(&[0, 100_001], &[0, 200_000], passed));
        assert!(exceeds(&[0, 100_001], &[0, 200_002], passed));
        // After a late reading the count is divided by the time that has passed.
        assert!(!exceeds(&[0], &[200_000], 2 * passed));
    }
}
