//! Bytes that a sender puts in flight before its send buffer blocks it.

use tcpwhy_model::ByteCount;

/// When a program continues to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WriteMode {
    /// `write()` blocks, or is called until `EAGAIN`: it fills the buffer, then waits until a third is free.
    #[default]
    Blocking,
    /// `poll()` before every write: no write begins while less than a third of the buffer is free.
    Polling,
}

/// How a program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Writing {
    /// Bytes per write.
    pub bytes: ByteCount,
    /// Whether `TCP_NODELAY` is set.
    pub has_nodelay: bool,
    /// When it continues to write.
    pub mode: WriteMode,
}

impl Writing {
    /// Blocking writes of 64 KiB with `TCP_NODELAY`. These show the limit of the buffer itself, because with
    /// Nagle's algorithm the buffer has no upper limit.
    pub const BULK: Self = Self { bytes: 65_536, has_nodelay: true, mode: WriteMode::Blocking };
}

/// Bytes that a socket accepts while no data is acknowledged and all data is sent at once.
///
/// `sk_sndbuf` is tested only when a new skb begins; that skb then holds up to `goal` bytes and costs
/// `overhead` as well. A new write begins a new skb, because the one before has been sent.
///
/// Source: `tcp_sendmsg_locked` (`new_segment`), `sk_stream_memory_free`, `sk_stream_is_writeable`.
pub fn taken(sndbuf: ByteCount, writing: Writing, goal: ByteCount, overhead: ByteCount) -> ByteCount {
    let goal = goal.max(1);
    let write = writing.bytes.max(1);
    let pieces = write.div_ceil(goal);
    let cost = write.saturating_add(pieces.saturating_mul(overhead)).max(1);
    // The longest queue at which a write still begins.
    let last_begin = match writing.mode {
        WriteMode::Blocking => sndbuf.saturating_sub(1),
        WriteMode::Polling => wake_level(sndbuf).min(sndbuf.saturating_sub(1)),
    };
    let whole = last_begin / cost;
    let mut queued = whole * cost;
    let mut bytes = whole * write;
    let mut rest = write;
    while rest > 0 && queued < sndbuf {
        let piece = rest.min(goal);
        queued += piece + overhead;
        bytes += piece;
        rest -= piece;
    }
    bytes
}

/// Length of the queue at which a waiting writer wakes, because a third of the buffer is free
/// (`sk_stream_min_wspace`: `sk_stream_wspace() >= sk_wmem_queued / 2`).
///
/// Source: `sk_stream_write_space`, which wakes `sk_stream_wait_memory` and `poll()` alike.
pub(crate) const fn wake_level(sndbuf: ByteCount) -> ByteCount {
    // The kernel rounds the half down, so this is one more than ⌊2 B / 3⌋ if B is 1 above a multiple of 3.
    sndbuf / 3 * 2 + !sndbuf.is_multiple_of(3) as ByteCount
}

/// Maximum number of bytes in flight at any time.
///
/// A woken writer adds to the data left in the queue (`wake_level`), while `taken` starts from an empty
/// queue. A write larger than `goal` may be accepted whole once it has begun. The reason is `tcp_push_one`:
/// it cuts the data that it sends off the last skb, which then has room again. Segments that pacing delays
/// are collected in one skb of `goal` bytes.
///
/// Source: `tcp_sendmsg_locked`, `tcp_push_one`, `tcp_write_xmit`.
pub(crate) fn most_in_flight(
    sndbuf: ByteCount,
    writing: Writing,
    goal: ByteCount,
    overhead: ByteCount,
    is_paced: bool,
) -> ByteCount {
    let goal = goal.max(1);
    let piece = writing.bytes.clamp(1, goal);
    let cost = piece + overhead;
    let wake = wake_level(sndbuf);
    let last_begin = match writing.mode {
        // One skb fills the buffer from any queue length at which the writer wakes.
        WriteMode::Blocking if cost >= sndbuf => wake,
        WriteMode::Blocking => sndbuf.saturating_sub(1),
        WriteMode::Polling => wake,
    };
    if is_paced {
        return last_begin.saturating_add(writing.bytes.max(goal));
    }
    if writing.bytes >= goal {
        return last_begin.saturating_add(writing.bytes);
    }
    let queue = last_begin.saturating_add(cost);
    (queue / cost).saturating_mul(piece) + (queue % cost).saturating_sub(overhead)
}

/// Maximum number of pieces in which the data of one round trip is sent. `tcp_tso_autosize` sends the bytes
/// of 1/1024 s at the pacing rate (`sk_pacing_shift` 10). A long round trip of 200 ms has 205 such pieces.
const MOST_PIECES: ByteCount = 205;
/// Segments of the smallest piece (`tcp_min_tso_segs`).
const LEAST_SEGMENTS: ByteCount = 2;

/// Minimum payload in flight per round trip.
pub(crate) struct Least {
    /// While the writer waits, that is, while the queue is longer than `wake_level`.
    pub(crate) waiting: ByteCount,
    /// Bytes that the woken writer writes at least once per round trip: one skb or more.
    pub(crate) woken: ByteCount,
}

/// Minimum payload in flight while a writer has more data. Each sent piece costs `overhead`, even if it was
/// cut off a larger skb.
pub(crate) fn least_in_flight(
    sndbuf: ByteCount,
    writing: Writing,
    [mss, goal]: [ByteCount; 2],
    overhead: ByteCount,
) -> Least {
    let goal = goal.max(1);
    let wake = wake_level(sndbuf);
    // Under Nagle's algorithm smaller writes are collected into a full segment.
    let write = if writing.has_nodelay { writing.bytes.max(1) } else { writing.bytes.max(mss) };
    let cut = (LEAST_SEGMENTS * mss).max(wake / MOST_PIECES);
    let piece = write.min(goal).min(cut).max(1);
    let waiting = (u128::from(wake) * u128::from(piece) / u128::from(piece + overhead)) as ByteCount;
    // The part of a write beyond whole skbs needs a round trip of its own if it fills the buffer alone.
    let rest = write % goal;
    let goes_alone = write > goal && rest > 0 && rest + overhead >= sndbuf;
    let woken = if goes_alone { write / write.div_ceil(goal) } else { write.min(goal) };
    Least { waiting, woken }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GOAL: ByteCount = 65_160;

    fn nodelay(bytes: ByteCount, mode: WriteMode) -> Writing {
        Writing { bytes, has_nodelay: true, mode }
    }

    /// Bytes in flight with `TCP_NODELAY` and blocking writes on 6.18.44, cubic, 50 ms: `sk_sndbuf`, then the
    /// measured values for each write size.
    const MEASURED: [(ByteCount, [ByteCount; 4]); 8] = [
        (4608, [4304, 8119, 64_707, 64_689]),
        (8192, [5740, 8126, 64_619, 64_684]),
        (16_384, [11_472, 16_234, 64_766, 64_735]),
        (32_768, [21_488, 32_378, 64_767, 64_625]),
        (65_536, [41_527, 64_698, 64_619, 64_638]),
        (131_072, [80_030, 121_717, 128_897, 129_081]),
        (262_144, [162_108, 241_261, 259_469, 257_534]),
        (524_288, [317_629, 457_817, 502_563, 484_789]),
    ];

    #[test]
    fn bytes_in_flight_as_measured() {
        for (sndbuf, row) in MEASURED {
            for (write, measured) in [1448, 8192, 65_536, 262_144].into_iter().zip(row) {
                let model = taken(sndbuf, nodelay(write, WriteMode::Blocking), GOAL, 832);
                let error = measured as f64 / model as f64 - 1.0;
                assert!((-0.085..0.01).contains(&error), "{sndbuf} {write}: {model}, measured {measured}: {error:.3}");
            }
        }
    }

    /// Share of the buffer in use when the program polls before each write, 6.18.44.
    #[test]
    fn a_polling_writer_leaves_a_third_free() {
        for sndbuf in [65_536, 131_072, 262_144, 524_288] {
            let share = |write| taken(sndbuf, nodelay(write, WriteMode::Polling), GOAL, 832) as f64 / sndbuf as f64;
            assert!((0.42..=0.45).contains(&share(1448)), "{sndbuf}: {}", share(1448));
            assert!((0.58..=0.63).contains(&share(8192)), "{sndbuf}: {}", share(8192));
        }
    }

    /// 6,279 bytes in a buffer of 9,418 leave 3,139 free, which equals half of the queue in integers.
    #[test]
    fn half_of_the_queue_is_rounded_down() {
        assert_eq!([9_417, 9_418, 9_419, 9_420].map(wake_level), [6_278, 6_279, 6_279, 6_280]);
        assert_eq!(taken(9_418, nodelay(1, WriteMode::Polling), GOAL, 896), 8);
    }

    #[test]
    fn one_skb_always_goes() {
        assert_eq!(taken(4096, Writing::BULK, GOAL, 832), 65_160);
        assert_eq!(taken(4608, nodelay(1000, WriteMode::Blocking), GOAL, 832), 3000);
        assert_eq!(taken(1, nodelay(1, WriteMode::Blocking), GOAL, 832), 1);
        assert_eq!(taken(0, nodelay(1, WriteMode::Blocking), GOAL, 832), 0);
    }

    /// Reference implementation that counts skb by skb.
    fn counted(sndbuf: ByteCount, writing: Writing, goal: ByteCount, overhead: ByteCount) -> ByteCount {
        let (mut queued, mut bytes) = (0, 0);
        loop {
            let may_begin = match writing.mode {
                WriteMode::Blocking => queued < sndbuf,
                WriteMode::Polling => queued < sndbuf && sndbuf - queued >= queued / 2,
            };
            if !may_begin {
                return bytes;
            }
            let mut rest = writing.bytes;
            while rest > 0 {
                if queued >= sndbuf {
                    return bytes;
                }
                let piece = rest.min(goal);
                rest -= piece;
                queued += piece + overhead;
                bytes += piece;
            }
        }
    }

    proptest! {
        #[test]
        fn the_closed_form_counts_skbs(
            sndbuf in 4096_u64..4_000_000,
            bytes in 1_u64..300_000,
            goal in 536_u64..66_000,
            overhead in 500_u64..1500,
            polls in any::<bool>(),
        ) {
            let mode = if polls { WriteMode::Polling } else { WriteMode::Blocking };
            let writing = nodelay(bytes, mode);
            prop_assert_eq!(taken(sndbuf, writing, goal, overhead), counted(sndbuf, writing, goal, overhead));
        }

        #[test]
        fn a_larger_buffer_never_takes_less(
            sndbuf in 4096_u64..4_000_000,
            more in 0_u64..1_000_000,
            bytes in 1_u64..300_000,
            polls in any::<bool>(),
        ) {
            let mode = if polls { WriteMode::Polling } else { WriteMode::Blocking };
            let of = |sndbuf| taken(sndbuf, nodelay(bytes, mode), GOAL, 832);
            prop_assert!(of(sndbuf + more) >= of(sndbuf));
        }
    }
}
