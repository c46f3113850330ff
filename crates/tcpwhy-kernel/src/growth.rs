//! Growth of an autotuned receive buffer.

use tcpwhy_model::ByteCount;

/// Round trips until autotuning grows a receive buffer from `start` to `target`, if the sender keeps doubling
/// and the application reads everything. The buffer doubles each round trip, one round trip behind the
/// sender. Measured transfers differed by up to two round trips. `None` if `start` is 0.
///
/// Source: `tcp_rcv_space_adjust`, `tcp_rcvbuf_grow`; measured on 6.1 and 6.18 at 50 ms with an initial
/// window of ten segments.
pub fn growth_round_trips(start: ByteCount, target: ByteCount) -> Option<u64> {
    if start == 0 {
        return None;
    }
    if target <= start {
        return Some(0);
    }
    Some((target as f64 / start as f64).log2().ceil() as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `sk_rcvbuf` by round trip on 6.18 (BBR and cubic senders) and 6.1.
    const MEASURED: [&[(u64, ByteCount)]; 3] = [
        &[
            (2, 204_000),
            (3, 356_000),
            (4, 716_000),
            (5, 1_900_000),
            (6, 3_400_000),
            (7, 7_100_000),
            (8, 14_000_000),
            (9, 22_900_000),
        ],
        &[(3, 398_000), (4, 996_000), (6, 4_400_000), (8, 9_300_000), (9, 25_700_000)],
        &[(3, 380_000), (4, 1_240_000), (6, 4_600_000), (9, 6_291_456)],
    ];

    #[test]
    fn grows_as_measured() {
        for (round_trip, buffer) in MEASURED.into_iter().flatten() {
            let model = growth_round_trips(131_072, *buffer).unwrap();
            assert!(model.abs_diff(*round_trip) <= 2, "{buffer}: {model}, measured {round_trip}");
        }
        assert_eq!(growth_round_trips(131_072, 4096), Some(0));
        assert_eq!(growth_round_trips(0, 4096), None);
    }

    /// The buffer doubles one round trip after the sender.
    #[test]
    fn a_buffer_doubles_one_round_trip_behind() {
        for (start, target, expected) in [
            (0, 1000, None),
            (1000, 0, Some(0)),
            (1000, 1000, Some(0)),
            (1000, 1001, Some(2)),
            (1000, 2000, Some(2)),
            (1000, 2001, Some(3)),
            (1000, 8000, Some(4)),
        ] {
            assert_eq!(growth_round_trips(start, target), expected, "{start} to {target}");
        }
    }
}
