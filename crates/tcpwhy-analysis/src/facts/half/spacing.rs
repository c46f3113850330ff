//! Distances between segments within trains, or between the ACKs of such segments. The most frequent distance
//! usually shows the path's rate.
//!
//! The mean rate of a train includes the pauses between its bursts, so it is below the path's rate. Single
//! distances show the path's rate if most of them are alike. (See the packet pairs of Dovrolis et al.,
//! "Packet-Dispersion Techniques and a Capacity-Estimation Methodology", 2004, §3.) They are not alike if
//! hosts merge packets.

use std::cmp::Reverse;

use crate::thresholds::SPACING_SEGMENT;

/// The most frequent distances, by their rate, in a fixed number of cells (the algorithm of Misra and Gries).
#[derive(Clone, Debug, Default)]
pub(crate) struct Spacings {
    cells: [Cell; Self::CELLS],
    /// Bytes of all distances.
    bytes: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// The rate, in steps of 1/16 octave.
    bucket: u32,
    bytes: u64,
    nanos: u64,
}

impl Spacings {
    const CELLS: usize = 12;
    /// Neighbouring rates within this factor are merged.
    const ONE: f64 = 1.03;
    /// Bits of a single-precision number below 1/16 octave.
    const BELOW: u32 = f32::MANTISSA_DIGITS - 1 - 4;

    /// Records that `bytes` came `nanos` after the bytes before.
    #[inline]
    pub(crate) fn note(&mut self, nanos: i64, bytes: u64, mss: u64) {
        if nanos <= 0 || bytes < SPACING_SEGMENT.of(mss) {
            return;
        }
        let bucket = (bytes as f32 / nanos as f32).to_bits() >> Self::BELOW;
        self.bytes += bytes;
        let mut least = 0;
        for at in 0..Self::CELLS {
            let cell = &mut self.cells[at];
            if cell.bucket == bucket {
                cell.bytes += bytes;
                cell.nanos += nanos as u64;
                return;
            }
            if cell.bytes < self.cells[least].bytes {
                least = at;
            }
        }
        // The smallest cell makes room. It loses as many bytes as the new distance has.
        let cell = &mut self.cells[least];
        if cell.bytes <= bytes {
            *cell = Cell { bucket, bytes, nanos: nanos as u64 };
        } else {
            cell.nanos -= (cell.nanos as f64 * bytes as f64 / cell.bytes as f64) as u64;
            cell.bytes -= bytes;
        }
    }

    /// Rates, bytes per second, each with its share of the bytes; the fastest is first. Neighbouring rates
    /// that differ by less than 3 % are merged.
    pub(crate) fn rates(&self) -> Vec<(f64, f64)> {
        let mut cells: Vec<Cell> = self.cells.iter().copied().filter(|cell| cell.bytes > 0 && cell.nanos > 0).collect();
        cells.sort_by_key(|cell| Reverse(cell.bucket));
        let mut merged: Vec<Cell> = Vec::with_capacity(cells.len());
        for cell in cells {
            match merged.last_mut() {
                Some(last) if last.rate() < cell.rate() * Self::ONE => {
                    last.bytes += cell.bytes;
                    last.nanos += cell.nanos;
                }
                _ => merged.push(cell),
            }
        }
        merged.iter().map(|cell| (cell.rate(), cell.bytes as f64 / self.bytes.max(1) as f64)).collect()
    }
}

impl Cell {
    fn rate(self) -> f64 {
        self.bytes as f64 * 1e9 / self.nanos.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1448;

    /// The rates of bytes that came this many nanoseconds after those before.
    fn noted(distances: &[(i64, u64)]) -> Vec<(f64, f64)> {
        let mut spacings = Spacings::default();
        for &(nanos, bytes) in distances {
            spacings.note(nanos, bytes, MSS);
        }
        spacings.rates()
    }

    #[track_caller]
    fn is_about((rate, share): (f64, f64), expected: (f64, f64)) {
        assert!((rate / expected.0 - 1.0).abs() < 0.01, "{rate} bytes/s, not {}", expected.0);
        assert!((share - expected.1).abs() < 0.01, "{share} of the bytes, not {}", expected.1);
    }

    /// Three of four segments come at the rate of the link, and a pause follows each fourth.
    #[test]
    fn the_link_is_faster_than_what_has_rests() {
        let link = MSS as f64 * 1e9 / 120_000.0;
        let distances: Vec<_> = (0..100).map(|n| (if n % 4 == 3 { 1_000_000 } else { 120_000 }, MSS)).collect();
        let rates = noted(&distances);
        is_about(rates[0], (link, 0.75));
        is_about(rates[1], (MSS as f64 * 1e3, 0.25));
    }

    #[test]
    fn rates_that_differ_little_are_one() {
        let distances: Vec<_> = (0..100).map(|n| (120_000 + 20 * (n % 50), MSS)).collect();
        let rates = noted(&distances);
        assert_eq!(rates.len(), 1, "{rates:?}");
        is_about(rates[0], (MSS as f64 * 1e9 / 120_490.0, 1.0));
    }

    /// There are more rates than cells, and the most frequent rate stays.
    #[test]
    fn the_most_frequent_stays() {
        let link = (120_000, MSS);
        let distances: Vec<_> = (0..3000).map(|n| if n % 3 == 0 { (1_000 << (n % 20), MSS) } else { link }).collect();
        let rates = noted(&distances);
        let most = rates.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert!((most.0 / (MSS as f64 * 1e9 / 120_000.0) - 1.0).abs() < 0.03 && most.1 > 0.5, "{most:?} of {rates:?}");
        assert!(rates.len() <= Spacings::CELLS);
    }

    #[test]
    fn what_shows_no_rate_is_left_out() {
        assert!(noted(&[(0, MSS), (-5, MSS), (1000, MSS / 4 - 1)]).is_empty());
    }
}
