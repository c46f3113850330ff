//! How many system calls a program looks at that is asked at each of them.

use std::time::{Duration, Instant};

use aya::maps::{MapData, PerCpuArray};

/// More a second on one processor are too many to be looked at each: at 0.1 µs they take 0.2 % of it, and the programs that call so
/// often, up to a fiftieth of their time.
const MOST: u64 = 20_000;
/// The rate is taken over so long: a moment with many is none to give up for.
const OVER: Duration = Duration::from_secs(5);

/// Counts of the kernel, as of the last time that they were asked for.
pub(crate) struct SystemCalls {
    counts: PerCpuArray<MapData, u64>,
    before: Vec<u64>,
    since: Instant,
}

impl SystemCalls {
    pub(crate) fn new(counts: PerCpuArray<MapData, u64>) -> Self {
        Self { counts, before: Vec::new(), since: Instant::now() }
    }

    /// Whether there are too many on a processor. They are counted over some seconds, and compared when those are over.
    pub(crate) fn are_too_many(&mut self) -> bool {
        let passed = self.since.elapsed();
        if passed < OVER {
            return false;
        }
        // What is not told is not too much.
        let Ok(counts) = self.counts.get(&0, 0) else { return false };
        let are_many = exceeds(&self.before, &counts, passed);
        self.before = counts.to_vec();
        self.since = Instant::now();
        are_many
    }
}

/// Whether some processor counted more than [`MOST`] a second. Before the first count all stood at zero.
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
        // Who was kept from asking divides by the time that has passed.
        assert!(!exceeds(&[0], &[200_000], 2 * passed));
    }
}
